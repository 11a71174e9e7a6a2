"""Rows say what the records say, and every list knows which event stands where."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.recordings.fabricate import split
from tests.support import damage
from tests.support.navigating import browsed, executions_at, finish, index_of, indexed
from tfdbg_tui.data.index import host_index
from tfdbg_tui.data.records.debug_event_schema import parse
from tfdbg_tui.data.records.health import Bad, read_health
from tfdbg_tui.data.records.modes import Mode
from tfdbg_tui.data.stores.columns import RowsSoFar
from tfdbg_tui.data.views.event_rows import (
    AllEvents,
    ExecutionRows,
    GroupedEvents,
    Positions,
    SomeEvents,
    TraceRows,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.views.navigator import Navigator

RECORDED = ("full_health", "keras_fit", "while_loop", "mirrored", "no_tensor", "shape")
WITH_BAD_GRAPHS = ("full_health", "keras_fit", "while_loop", "mirrored", "retraced", "tf_data")


def records(logdir: Path, suffix: str) -> list[Any]:
    (path,) = logdir.glob(f"*.{suffix}")
    return [parse(payload) for _, payload in split(path)]


def started(logdir: Path) -> float:
    return float(records(logdir, "metadata")[0].wall_time)


# ---------------------------------------------------------------------- what rows say


@pytest.mark.parametrize("scenario", RECORDED)
def test_rows_of_graph_executions_say_what_the_records_say(library: Library, scenario: str) -> None:
    logdir = library.path(scenario)
    navigator = browsed(logdir)
    index, source = index_of(navigator), navigator.trace_rows()
    assert source is not None
    truth = records(logdir, "graph_execution_traces")
    rows = source.rows(0, len(source))
    assert [row.index for row in rows] == list(range(len(truth)))
    for row, record in zip(rows, truth, strict=True):
        trace = record.graph_execution_trace
        health = read_health(trace.tensor_debug_mode, trace.tensor_proto)
        assert row.seconds == record.wall_time - started(logdir)
        assert row.facts.tensor == f"{trace.op_name.decode()}:{trace.output_slot}"
        assert (row.mode, row.health) == (trace.tensor_debug_mode, health)
        assert row.bad == (health.bad if health else Bad.NONE)
        assert row.step == index.steps.step_of(record.wall_time)


@pytest.mark.parametrize("scenario", RECORDED)
def test_rows_of_executions_say_what_the_records_say(library: Library, scenario: str) -> None:
    logdir = library.path(scenario)
    navigator = browsed(logdir)
    source = navigator.execution_rows()
    assert source is not None
    truth = records(logdir, "execution")
    rows = source.rows(0, len(source))
    assert [row.index for row in rows] == list(range(len(truth)))
    for row, record in zip(rows, truth, strict=True):
        execution = record.execution
        mode = execution.tensor_debug_mode
        told = [read_health(mode, proto) for proto in execution.tensor_protos]
        bad = Bad.NONE
        for health in told:
            bad |= health.bad if health else Bad.NONE
        assert row.seconds == record.wall_time - started(logdir)
        assert (row.mode, row.outputs, row.bad) == (mode, execution.num_outputs, bad)
        assert row.facts.op_type == execution.op_type.decode()
        assert row.collapsed == 1
        assert (row.health is not None) == any(health is not None for health in told)
        if row.health is not None:
            assert row.health in told
            assert bool(row.health.bad) == bool(bad)


def test_the_worst_output_is_the_first_bad_one_else_the_first_told(tmp_path: Path) -> None:
    untold: dict[str, Any] = {}
    good, other = damage.vector(1, 1, 0, 0, 0), damage.vector(1, 2, 0, 0, 0)
    bad, worse = damage.vector(1, 3, 0, 0, 1), damage.vector(1, 4, 0, 0, 2)
    told = [[untold, good, bad, worse], [untold, good, other], [untold, untold], []]
    common = {"op_type": b"Split", "tensor_debug_mode": 3}
    payloads = [damage.event(execution={**common, "tensor_protos": protos}) for protos in told]
    source = browsed(damage.write_files(tmp_path, execution=payloads)).execution_rows()
    assert source is not None
    shown = [row.health for row in source.rows(0, len(source))]
    assert [health and health.size for health in shown] == [3, 1, None, None]


def calls_of_bad_tensors(index: HostIndex) -> Counter[int]:
    """How many bad tensors belong to each call, asked one by one."""
    events = index.host.traces.alerts["event"].tolist()
    found = [index.joins.execution_of(event) for event in events]
    return Counter(call for call in found if call is not None)


@pytest.mark.parametrize("scenario", WITH_BAD_GRAPHS)
def test_bad_tensors_inside_a_call_are_counted(library: Library, scenario: str) -> None:
    index = indexed(library.path(scenario))
    counted = calls_of_bad_tensors(index)
    assert counted
    rows = ExecutionRows(index, AllEvents(index.host.executions))
    for row in rows.rows(0, len(rows)):
        assert row.bad_inside == counted[row.index]


def test_in_torn_files_a_call_counts_its_own_bad_tensors(library: Library) -> None:
    index = indexed(library.path("same_second"))
    bad = index.host.traces.events["bad"]
    rows = ExecutionRows(index, AllEvents(index.host.executions))
    counted = {row.index: row.bad_inside for row in rows.rows(0, len(rows))}
    assert counted == {
        call: np.count_nonzero(bad[index.joins.traces_of(call)]) for call in range(len(rows))
    }


def test_counting_bad_tensors_inside_stops_at_a_limit(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = indexed(library.path("while_loop"))
    call, most = calls_of_bad_tensors(index).most_common(1)[0]
    assert most > 3
    monkeypatch.setattr(host_index, "MAX_BAD_INSIDE", 3)
    assert len(index.bad_inside(call)) == 3


def test_a_record_that_is_gone_leaves_a_row_without_health(
    copy_of: Callable[[str], Path],
) -> None:
    logdir = copy_of("full_health")
    navigator = browsed(logdir)
    for path in logdir.glob("*.graph_execution_traces"):
        path.write_bytes(b"")
    for path in logdir.glob("*.execution"):
        path.write_bytes(b"")
    traces, executions = navigator.trace_rows(), navigator.execution_rows()
    assert traces is not None
    assert executions is not None
    bad = int(index_of(navigator).host.traces.alerts["event"][0])
    assert (traces.row(bad).health, traces.row(bad).bad) == (None, Bad.NEG_INF)
    assert executions.row(5).health is None
    assert executions.row(5).facts.op_type


# ---------------------------------------------------------------------- times


def test_without_metadata_time_begins_with_the_first_event(tmp_path: Path) -> None:
    index = indexed(executions_at(tmp_path, 1e9, 1e9 + 2.5))
    rows = ExecutionRows(index, AllEvents(index.host.executions))
    assert [row.seconds for row in rows.rows(0, 9)] == [0.0, 2.5]


def test_times_that_are_no_times_are_passed_on(tmp_path: Path) -> None:
    times = (math.nan, math.inf, 1003.0, -math.inf, 1001.0, 0.0)
    index = indexed(executions_at(tmp_path, *times, metadata=True))
    rows = ExecutionRows(index, AllEvents(index.host.executions))
    shown = [row.seconds for row in rows.rows(0, len(rows))]
    assert repr(shown) == repr([time - 1000.0 for time in times])


def test_a_run_of_senseless_times_has_rows(tmp_path: Path) -> None:
    index = indexed(executions_at(tmp_path, math.nan, math.nan))
    assert index.started == 0.0
    assert len(ExecutionRows(index, AllEvents(index.host.executions)).rows(0, 9)) == 2


# ---------------------------------------------------------------------- places


def lists(navigator: Navigator) -> dict[str, tuple[Positions, list[int], int]]:
    """Lists of all kinds, each with its events in order and how many events there are."""
    index = index_of(navigator)
    traces, executions = index.host.traces, index.host.executions
    navigator.show_only("bad")
    found = navigator.filter
    assert found is not None
    finish(found)
    bad_traces = np.flatnonzero(traces.events["bad"]).tolist()
    return {
        "all traces": (AllEvents(traces), list(range(len(traces))), len(traces)),
        "bad traces": (SomeEvents(found.traces), bad_traces, len(traces)),
        "groups": (GroupedEvents(index.groups), index.groups.rows.tolist(), len(executions)),
    }


@pytest.mark.parametrize("kind", ["all traces", "bad traces", "groups"])
def test_places_and_events_lead_to_each_other(library: Library, kind: str) -> None:
    positions, events, total = lists(browsed(library.path("full_health")))[kind]
    assert len(positions) == len(events) > 10
    for place, event in enumerate(events):
        assert positions.event_at(place) == event
        assert positions.position_of(event) == place
    for event in range(total):
        before = [place for place, listed in enumerate(events) if listed <= event]
        assert positions.position_of(event) == (before[-1] if before else 0)


def test_groups_follow_each_other_without_a_gap(library: Library) -> None:
    positions, events, total = lists(browsed(library.path("full_health")))["groups"]
    sizes = [positions.size_at(place) for place in range(len(positions))]
    ends = [event + size for event, size in zip(events, sizes, strict=True)]
    assert ends == [*events[1:], total]
    assert max(sizes) > 1


@pytest.mark.parametrize("kind", ["all traces", "bad traces"])
def test_ungrouped_events_have_a_place_each(library: Library, kind: str) -> None:
    positions, events, _ = lists(browsed(library.path("full_health")))[kind]
    assert {positions.size_at(place) for place in range(len(events))} == {1}


def test_only_a_search_leaves_events_out(library: Library) -> None:
    found = lists(browsed(library.path("full_health")))
    listed, bad_traces, _ = found["bad traces"]
    assert listed.listed is not None
    assert listed.listed.tolist() == bad_traces
    assert found["all traces"][0].listed is found["groups"][0].listed is None


class Column:
    """A sorted column that a test fills."""

    def __init__(self, *numbers: int) -> None:
        self.rows = np.array(numbers, np.uint32)
        self.so_far = RowsSoFar(self.rows, 0)


def test_empty_lists_answer() -> None:
    for positions in (SomeEvents(Column()), GroupedEvents(Column())):
        assert len(positions) == 0
        assert (positions.event_at(0), positions.position_of(7), positions.size_at(0)) == (0, 0, 1)


def test_a_search_that_loses_matches_shows_its_last() -> None:
    assert SomeEvents(Column(3, 8)).event_at(5) == 8


def test_filtered_rows_are_those_that_match(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    navigator.show_only("op:Log")
    assert navigator.filter is not None
    finish(navigator.filter)
    rows = navigator.trace_rows()
    assert rows is not None
    index = index_of(navigator)
    every = TraceRows(index, AllEvents(index.host.traces), navigator.causes.of_host(0))
    wanted = [row for row in every.rows(0, len(every)) if row.facts.op_type == "Log"]
    assert rows.rows(0, len(rows)) == wanted
    assert len(rows) == 12


def test_rows_behind_the_end_are_left_out(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    traces, executions = navigator.trace_rows(), navigator.execution_rows()
    assert traces is not None
    assert executions is not None
    assert [row.index for row in traces.rows(106, 200)] == [106, 107]
    assert [row.index for row in executions.rows(109, 200)] == [109]
    assert traces.rows(500, 600) == []


def test_a_collapsed_row_stands_for_all_ops_of_its_group(library: Library) -> None:
    navigator = browsed(library.path("eager_only"))
    index = index_of(navigator)
    navigator.collapsed = True
    rows = navigator.execution_rows()
    assert rows is not None
    events = index.host.executions.events
    for row in rows.rows(0, len(rows)):
        bad = Bad.NONE
        for event in range(row.index, row.index + row.collapsed):
            bad |= Bad(int(events["bad"][event]))
            assert index.sites.execution(int(events["site"][event])).line == row.facts.line
        assert row.bad == bad
        assert row.collapsed == 1 or row.health is None
    collapsed = [row for row in rows.rows(0, len(rows)) if row.collapsed > 1]
    assert {row.bad for row in collapsed} > {Bad.NONE}
    assert sum(row.collapsed for row in rows.rows(0, len(rows))) == len(events)


def test_modes_are_those_of_the_sites(library: Library) -> None:
    navigator = browsed(library.path("full_tensor"))
    rows = navigator.trace_rows()
    assert rows is not None
    assert {row.mode for row in rows.rows(0, 50)} == {Mode.FULL_TENSOR}
