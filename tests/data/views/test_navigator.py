"""Where keys lead: through alerts and matches, and back to where one was."""

from __future__ import annotations

import math
import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.support.damage import BAD_VECTOR, event, trace, write_files
from tests.support.navigating import (
    alerts_of,
    browsed,
    browsing,
    executions_at,
    finish,
    index_of,
    walk_alerts,
    walk_matches,
)
from tests.support.reading import drain, load
from tfdbg_tui.data.index.stacks import FrameKind
from tfdbg_tui.data.search.query import QueryError
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef, store_number
from tfdbg_tui.data.views.links import stack_of
from tfdbg_tui.data.views.navigator import Navigator
from tfdbg_tui.data.views.selection import Node, Selection

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.alert_log import Alert

WITH_ALERTS = ("full_health", "keras_fit", "eager_only", "tf1_session", "half_types_full")


# ---------------------------------------------------------------------- before there is anything


def test_without_a_run_nothing_happens() -> None:
    navigator = Navigator()
    navigator.select_trace(0)
    navigator.select_execution(0)
    navigator.select_node(Node("g", "x", 0))
    navigator.look_at_host(1)
    navigator.search_for("log")
    assert (navigator.trace_rows(), navigator.execution_rows(), navigator.index) == (
        None,
        None,
        None,
    )
    steps = (
        navigator.step_alert(1),
        navigator.step_match(EventKind.TRACE, 1),
        navigator.first_alert(),
    )
    others = (navigator.back(), navigator.forward(), navigator.relink(), navigator.next_output())
    assert not any((*steps, *others))
    assert navigator.selection == Selection()
    assert navigator.jobs() == []


def test_a_run_without_events_has_nothing_to_choose(library: Library) -> None:
    navigator = browsed(library.path("circular"))
    navigator.select_trace(0)
    navigator.select_execution(0)
    assert not any((navigator.first_alert(), navigator.step_alert(1), navigator.step_alert(-1)))
    assert not any(
        (navigator.step_match(EventKind.TRACE, 1), navigator.step_match(EventKind.EXECUTION, -1))
    )
    assert not navigator.relink()
    assert navigator.selection == Selection()
    rows = navigator.trace_rows(), navigator.execution_rows()
    assert [len(source or ()) for source in rows] == [0, 0]


def test_events_that_are_not_there_change_nothing(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    navigator.select_trace(7)
    before = navigator.selection
    for number in (-1, 10**9):
        navigator.select_trace(number)
        navigator.select_execution(number)
        navigator.select_at(EventRef(number, EventKind.TRACE, 0))
        navigator.look_at_host(10**9)
    assert navigator.selection == before


# ---------------------------------------------------------------------- alerts


@pytest.mark.parametrize("scenario", WITH_ALERTS)
def test_stepping_visits_every_alert_once_in_time_order_and_back(
    library: Library, scenario: str
) -> None:
    navigator = browsed(library.path(scenario))
    wanted = [alert.ref for alert in alerts_of(navigator)]
    assert len(set(wanted)) == len(wanted) > 0
    assert navigator.first_alert()
    assert [navigator.selection.event, *walk_alerts(navigator, 1)] == wanted
    assert [navigator.selection.event, *walk_alerts(navigator, -1)] == wanted[::-1]


def place_of(alert: Alert) -> tuple[float, int, int]:
    return alert.wall_time, store_number(alert.host, alert.kind), alert.event


def test_from_anywhere_the_next_alert_is_the_next_in_time(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    alerts = alerts_of(navigator)
    host = index_of(navigator).host
    for kind in EventKind:
        store = host.store_of(kind)
        for number in range(0, len(store), 3):
            # Of equal times, the order of stores and events tells which comes first.
            here = (store.wall_time(number), store_number(0, kind), number)
            earlier = [alert.ref for alert in alerts if place_of(alert) < here]
            later = [alert.ref for alert in alerts if place_of(alert) > here]
            navigator.select_at(EventRef(0, kind, number))
            assert navigator.step_alert(-1) == bool(earlier)
            assert not earlier or navigator.selection.event == earlier[-1]
            navigator.select_at(EventRef(0, kind, number))
            last_of_event = [a for a in alerts if (a.kind, a.event) == (kind, number)][1:]
            if not last_of_event:
                assert navigator.step_alert(1) == bool(later)
                assert not later or navigator.selection.event == later[0]


def test_with_nothing_chosen_the_next_alert_is_the_first(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    assert not navigator.step_alert(-1)
    assert navigator.step_alert(1)
    assert navigator.selection.event == alerts_of(navigator)[0].ref


def test_from_an_output_between_two_bad_ones_both_are_next_to_it(tmp_path: Path) -> None:
    outputs = {"num_outputs": 3, "tensor_debug_mode": 4}
    protos = [BAD_VECTOR, {}, BAD_VECTOR]
    payload = event(wall_time=1.0, execution={"op_type": b"x", **outputs, "tensor_protos": protos})
    navigator = browsed(write_files(tmp_path, execution=[payload]))
    for steps, output in ((1, 2), (-1, 0)):
        navigator.select_execution(0, output=1)
        assert navigator.step_alert(steps)
        assert navigator.selection.output == output


@pytest.mark.parametrize(
    "times",
    [
        [math.nan] * 4,
        [3.0, math.nan, 1.0, math.inf, -math.inf, math.nan, 1.0],
        [0.0] * 5,
        [5.0, 4.0, 3.0, 4.0],
    ],
)
def test_alerts_with_senseless_times_are_visited_once_each(
    tmp_path: Path, times: list[float]
) -> None:
    payloads = [trace(time, tensor_proto=BAD_VECTOR) for time in times]
    navigator = browsed(write_files(tmp_path, graph_execution_traces=payloads))
    wanted = [alert.ref for alert in alerts_of(navigator)]
    assert sorted(alert.event for alert in wanted) == list(range(len(times)))
    assert walk_alerts(navigator, 1) == wanted
    assert walk_alerts(navigator, -1) == wanted[::-1][1:]


# ---------------------------------------------------------------------- matches


@pytest.mark.parametrize("scenario", ["full_health", "eager_only", "while_loop"])
@pytest.mark.parametrize("kind", EventKind)
def test_without_a_search_matches_are_bad_events(
    library: Library, scenario: str, kind: EventKind
) -> None:
    navigator = browsed(library.path(scenario))
    store = index_of(navigator).host.store_of(kind)
    bad = np.flatnonzero(store.bad_flags).tolist()
    assert walk_matches(navigator, kind, 1) == bad
    assert walk_matches(navigator, kind, -1) == bad[::-1][1:]


def test_with_nothing_chosen_the_first_event_and_the_last_one_count(tmp_path: Path) -> None:
    payloads = [trace(float(time), tensor_proto=BAD_VECTOR) for time in range(3)]
    navigator = browsed(write_files(tmp_path, graph_execution_traces=payloads))
    assert walk_matches(navigator, EventKind.TRACE, 1) == [0, 1, 2]
    navigator.selection = Selection()
    assert walk_matches(navigator, EventKind.TRACE, -1) == [2, 1, 0]


@pytest.mark.parametrize("kind", EventKind)
@pytest.mark.parametrize("query", ["op:MatMul", "loss", "bad"])
def test_a_search_is_stepped_through_from_anywhere(
    library: Library, kind: EventKind, query: str
) -> None:
    navigator = browsed(library.path("full_health"))
    navigator.search_for(query)
    assert navigator.search is not None
    finish(navigator.search)
    index = index_of(navigator)
    store = index.host.store_of(kind)
    matches = navigator.search.of(kind).rows.tolist()
    for number in range(len(store)):
        later = [match for match in matches if match > number]
        earlier = [match for match in matches if match < number]
        for steps, wanted in ((1, later[:1]), (-1, earlier[-1:])):
            navigator.select_at(EventRef(0, kind, number))
            assert navigator.step_match(kind, steps) == bool(wanted)
            assert navigator.selection.number_of(kind) == (wanted[0] if wanted else number)


def test_an_empty_query_ends_a_search_and_a_wrong_one_keeps_it(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    navigator.search_for("op:Log")
    navigator.show_only("bad")
    assert len(navigator.jobs()) == 4
    with pytest.raises(QueryError):
        navigator.search_for("nan>x")
    assert navigator.search is not None
    navigator.search_for("")
    navigator.show_only("")
    assert navigator.jobs() == [navigator.run, navigator.causes.job]
    assert navigator.causes.patient_jobs == (navigator.causes.warnings,)


# ---------------------------------------------------------------------- back and forward


def test_back_and_forward_go_through_what_was_chosen(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    visited = []
    for number in (3, 50, 20):
        navigator.select_trace(number)
        visited.append(navigator.selection)
    navigator.select_execution(9)
    visited.append(navigator.selection)
    for selection in visited[-2::-1]:
        assert navigator.back()
        assert navigator.selection == selection
    assert not navigator.back()
    assert navigator.forward()
    assert navigator.selection == visited[1]
    navigator.select_trace(99)
    assert not navigator.forward()
    assert navigator.back()
    assert navigator.selection == visited[1]


def test_choosing_the_same_again_is_no_step(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    navigator.select_trace(3)
    navigator.select_trace(4)
    navigator.select_trace(4)
    assert navigator.back()
    assert navigator.selection.trace == 3


def test_back_leads_to_where_a_walk_began(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    navigator.select_trace(30)
    for number in range(31, 40):
        navigator.select_at(EventRef(0, EventKind.TRACE, number), coalesce=True)
    for number in range(3):
        navigator.select_at(EventRef(0, EventKind.EXECUTION, number), coalesce=True)
    assert navigator.back()
    assert navigator.selection.trace == 30
    assert navigator.forward()
    assert navigator.selection.execution == 2


def test_frames_and_lines_are_steps_too(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    navigator.select_trace(40)
    start = navigator.selection
    index = index_of(navigator)
    stack = stack_of(index, start)
    navigator.select_frame(next(frame for frame in stack if frame.kind is FrameKind.LIBRARY))
    navigator.select_line(0, 12)
    assert (navigator.selection.file, navigator.selection.line, navigator.selection.trace) == (
        0,
        12,
        40,
    )
    assert navigator.back()
    assert navigator.back()
    assert navigator.selection == start


def test_outputs_of_an_execution_go_round(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    executions = index_of(navigator).host.executions
    tensors = [executions.site_of(row).tensors for row in range(len(executions))]
    navigator.select_execution(tensors.index(4))
    seen = []
    for _ in range(5):
        seen.append(navigator.selection.output)
        assert navigator.next_output()
    assert seen == [0, 1, 2, 3, 0]
    navigator.select_execution(tensors.index(1))
    assert not navigator.next_output()
    navigator.select_trace(0)
    assert not navigator.next_output()


# ---------------------------------------------------------------------- lists


def test_lists_are_whole_filtered_or_collapsed(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    index = index_of(navigator)
    whole = navigator.execution_rows()
    navigator.collapsed = True
    collapsed = navigator.execution_rows()
    navigator.show_only("bad")
    assert navigator.filter is not None
    finish(navigator.filter)
    filtered = navigator.execution_rows()
    lengths = [len(rows or ()) for rows in (whole, collapsed, filtered)]
    bad = int(np.count_nonzero(index.host.executions.bad_flags))
    assert lengths == [len(index.host.executions), len(index.groups.rows), bad]


def test_times_that_run_back_can_be_browsed(tmp_path: Path) -> None:
    navigator = browsed(executions_at(tmp_path, 5.0, math.nan, 3.0, math.inf, 4.0, metadata=True))
    for number in range(5):
        navigator.select_execution(number)
        assert navigator.selection.execution == number
    assert not navigator.step_alert(1)


def test_a_vanished_logdir_can_still_be_browsed(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    navigator = browsing(logdir.runs[0])
    shutil.rmtree(path)
    drain(logdir)
    assert navigator.first_alert()
    rows = navigator.trace_rows()
    assert rows is not None
    assert len(rows.rows(0, 40)) == 40
