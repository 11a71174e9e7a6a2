"""Traces and calls find each other, in real recordings and in awkward ones."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.recordings.fabricate import split
from tests.support.damage import write_files
from tests.support.joining import Fabricated, called_graph, opened
from tests.support.reading import drain, hosts_of
from tfdbg_tui.data.index.joins import Joins
from tfdbg_tui.data.index.site_facts import SiteIndex
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.host import Host

WITH_CALLS = (
    "full_health", "full_tensor", "healthy", "filter_op_regex", "keras_fit", "lstm", "while_loop",
    "mirrored", "retraced", "nan_input", "tf_data", "half_types_full",
)  # fmt: skip

LOOPS = re.compile(r"while_(body|cond)")
"""Graphs that are run several times in a call."""


def expected_call(host: Host, trace: int) -> int | None:
    """The first execution at or after a trace of the function around all its graphs."""
    function = host.graphs.function_of(host.traces.site_of(trace).graph_id)
    time = host.traces.events["wall_time"][trace]
    for execution in np.flatnonzero(host.executions.events["wall_time"] >= time).tolist():
        if called_graph(host, execution) == function:
            return int(execution)
    return None


# ---------------------------------------------------------------------- traces and calls


@pytest.mark.parametrize("scenario", WITH_CALLS)
def test_every_trace_is_joined_with_the_call_it_belongs_to(library: Library, scenario: str) -> None:
    host, joins = opened(library.path(scenario))
    for trace in range(len(host.traces)):
        assert joins.execution_of(trace) == expected_call(host, trace)


@pytest.mark.parametrize("scenario", [name for name in WITH_CALLS if name != "while_loop"])
def test_every_call_computes_each_tensor_of_its_function_once_loops_aside(
    library: Library, scenario: str
) -> None:
    host, joins = opened(library.path(scenario))
    computed: dict[str, set[frozenset[int]]] = {}
    for execution in range(len(host.executions)):
        sites = host.traces.events["site"][joins.traces_of(execution)].tolist()
        once = {
            site: times
            for site, times in Counter(sites).items()
            if not LOOPS.search(host.graphs.name_of(host.traces.sites[site].graph_id) or "")
        }
        assert set(once.values()) <= {1}
        if once:
            function = host.executions.site_of(execution).op_type
            computed.setdefault(function, set()).add(frozenset(once))
    assert computed
    assert all(len(sets) == 1 for sets in computed.values())


@pytest.mark.parametrize("scenario", [*WITH_CALLS, "tf1_session", "eager_only", "circular"])
def test_the_traces_of_a_call_are_those_that_are_joined_with_it(
    library: Library, scenario: str
) -> None:
    host, joins = opened(library.path(scenario))
    own: dict[int | None, list[int]] = {}
    for trace in range(len(host.traces)):
        own.setdefault(joins.execution_of(trace), []).append(trace)
    for execution in range(len(host.executions)):
        first, end = joins.window_of(execution)
        traces = joins.traces_of(execution).tolist()
        assert traces == own.get(execution, [])
        assert all(first <= trace < end for trace in traces)
        assert joins.traces_of(execution, limit=2).tolist() == traces[:2]


def test_what_runs_in_no_call_is_joined_with_none(library: Library) -> None:
    host, joins = opened(library.path("tf_data"))
    functions = {
        host.graphs.function_of(host.traces.site_of(trace).graph_id)
        for trace in range(len(host.traces))
        if joins.execution_of(trace) is None
    }
    assert functions == {"Dataset_map_invert"}
    host, joins = opened(library.path("tf1_session"))
    assert {joins.execution_of(trace) for trace in range(len(host.traces))} == {None}


def test_an_eager_op_has_no_traces_and_what_is_not_there_neither(library: Library) -> None:
    host, joins = opened(library.path("tf_data"))
    eager = [i for i in range(len(host.executions)) if not called_graph(host, i)]
    for execution in (*eager, -1, len(host.executions)):
        first, end = joins.window_of(execution)
        assert first == end
        assert not len(joins.traces_of(execution))
    assert joins.execution_of(-1) is joins.execution_of(len(host.traces)) is None


def test_a_site_that_comes_later_is_found(tmp_path: Path) -> None:
    recording = Fabricated()
    recording.graph("g", ("early", "Log", ()), ("late", "Exp", ()))
    recording.trace("g", "early")
    logdir = Logdir(write_files(tmp_path, **recording.payloads))
    drain(logdir)
    (host,) = hosts_of(logdir)
    joins = Joins(host, SiteIndex(host))
    assert (joins.sites_of("g", "early", 0), joins.sites_of("g", "late", 0)) == ((0,), ())
    recording.trace("g", "late")
    write_files(tmp_path, **recording.payloads)
    drain(logdir)
    assert joins.sites_of("g", "late", 0) == (1,)


def test_a_call_is_found_once_its_record_is_on_disk(
    copy_of: Callable[[str], Path],
) -> None:
    path = copy_of("keras_fit")
    (file,) = path.glob("*.execution")
    content = file.read_bytes()
    last_call = [offset for offset, payload in split(file) if b"__inference_multi_step" in payload][
        -1
    ]
    file.write_bytes(content[: last_call + 40])
    logdir = Logdir(path)
    drain(logdir)
    (host,) = hosts_of(logdir)
    joins = Joins(host, SiteIndex(host))
    call = len(host.executions)
    calls = [joins.execution_of(trace) for trace in range(len(host.traces))]
    times = host.traces.events["wall_time"]
    running = np.flatnonzero(times > host.executions.events["wall_time"][-1]).tolist()
    found_early = {
        (trace, site): joins.event_in_same_call(trace, site)
        for trace in running
        for site in companions(host, joins, trace)
    }
    file.write_bytes(content)
    drain(logdir)
    own = joins.traces_of(call).tolist()
    assert len(own) > 60
    assert set(own) <= set(running)
    assert not any(calls[trace] for trace in running)
    for (trace, site), companion in found_early.items():
        if trace in own:
            assert companion is not None
            assert companion == joins.event_in_same_call(trace, site)
    for trace, known in enumerate(calls):
        assert known is None or joins.execution_of(trace) == known


# ---------------------------------------------------------------------- sites of traces


def companions(host: Host, joins: Joins, trace: int) -> list[int]:
    """The sites of the inputs of a trace, on the same device."""
    site = host.traces.site_of(trace)
    op = host.graphs.op(site.graph_id, site.op_name)
    assert op is not None
    found = []
    for tensor in op.inputs:
        name, _, slot = tensor.rpartition(":")
        sites = joins.sites_of(site.graph_id, name, int(slot))
        found += [number for number in sites if host.traces.sites[number].device == site.device]
    return found


@pytest.mark.parametrize("scenario", ["mirrored", "while_loop"])
def test_a_tensor_of_a_graph_has_the_sites_that_trace_it(library: Library, scenario: str) -> None:
    host, joins = opened(library.path(scenario))
    for number, site in enumerate(host.traces.sites):
        assert joins.sites_of(*site[:3]) == (number,)
    assert joins.sites_of("no graph", "Log", 0) == ()


@pytest.mark.parametrize("scenario", WITH_CALLS)
def test_inputs_and_consumers_are_of_the_same_call_and_iteration(
    library: Library, scenario: str
) -> None:
    host, joins = opened(library.path(scenario))
    sites = host.traces.events["site"]
    checked = 0
    for execution in range(len(host.executions)):
        traces = joins.traces_of(execution)
        occurrences = {
            int(site): traces[sites[traces] == site].tolist() for site in set(sites[traces])
        }
        for trace in traces.tolist():
            iteration = occurrences[int(sites[trace])].index(trace)
            for site in companions(host, joins, trace):
                source = occurrences[site][iteration]
                assert joins.event_in_same_call(trace, site) == source
                assert joins.event_in_same_call(source, int(sites[trace]), later=True) == trace
                checked += 1
    assert checked > 10


def test_without_calls_neighbours_bound_an_invocation(library: Library) -> None:
    host, joins = opened(library.path("tf1_session"))
    sites = host.traces.events["site"]
    runs = len(host.traces) // len(host.traces.sites)
    assert runs == 3
    for trace in range(len(host.traces)):
        for site in companions(host, joins, trace):
            run = int(np.count_nonzero(sites[:trace] == sites[trace]))
            assert joins.event_in_same_call(trace, site) == np.flatnonzero(sites == site)[run]


def test_beside_something_that_is_not_there_is_nothing(library: Library) -> None:
    host, joins = opened(library.path("full_health"))
    loss = next(i for i, site in enumerate(host.traces.sites) if site.op_name == "Log")
    softmax = next(i for i, site in enumerate(host.traces.sites) if site.op_name == "Softmax")
    trace = int(np.flatnonzero(host.traces.events["site"] == loss)[3])
    assert joins.event_in_same_call(trace, softmax) is None  # another call computes it
    assert joins.event_in_same_call(trace, 999) is joins.event_in_same_call(10**9, loss) is None


def test_the_nearest_occurrence_is_the_last_before_or_else_the_first(library: Library) -> None:
    host, joins = opened(library.path("while_loop"))
    sites = host.traces.events["site"]
    for site in range(len(host.traces.sites)):
        rows = np.flatnonzero(sites == site)
        for row in (-5, 0, 7, 100, 333, len(sites) - 1, 10**7):
            before = rows[rows <= row]
            assert joins.nearest(site, row) == (before[-1] if len(before) else rows[0])
    assert joins.nearest(len(host.traces.sites), 5) is None


# ---------------------------------------------------------------------- awkward recordings


def test_a_function_that_others_call_too_belongs_to_the_call_that_runs(tmp_path: Path) -> None:
    made = Fabricated()
    made.graph("one", ("Exp", "Exp", ("StatefulPartitionedCall:0",)))
    made.graph("shared", ("Log", "Log", ("x:0",)), outer="one")
    made.graph("two", ("Neg", "Neg", ("StatefulPartitionedCall:0",)))
    made.graph("other", ("Sin", "Sin", ("x:0",)))
    expected: dict[int, int | None] = {}
    for caller in ("one", "two", "shared", "two", "one"):
        trace = made.trace("shared", "Log")
        expected[trace] = made.execution(f"__inference_{caller}_7", caller)
    # Nothing says that this function calls any: the tensor was computed in another thread.
    trace = made.trace("shared", "Log")
    made.execution("__inference_other_9", "other")
    expected[trace] = None
    # An eager op runs no graph.
    trace = made.trace("shared", "Log")
    made.execution("IteratorGetNext")
    made.trace("shared", "Log")
    made.execution("__inference_shared_3", "shared")
    expected[trace] = None
    _, joins = made.opened(tmp_path)
    assert {trace: joins.execution_of(trace) for trace in expected} == expected


def test_what_is_run_ahead_belongs_to_no_call(tmp_path: Path) -> None:
    made = Fabricated()
    made.graph("step", ("Exp", "Exp", ("StatefulPartitionedCall:0",)))
    made.graph("Dataset_map_f", ("Log", "Log", ("x:0",)))
    ahead = made.trace("Dataset_map_f", "Log")
    made.execution("__inference_step_7", "step")
    _, joins = made.opened(tmp_path)
    assert joins.execution_of(ahead) is None


def test_iterations_are_told_apart_though_inputs_are_written_late(tmp_path: Path) -> None:
    made = Fabricated()
    made.graph("f", ("Exp", "Exp", ("x:0",)))
    made.graph("body", ("Log", "Log", ("Exp:0",)), ("Neg", "Neg", ("Log:0",)), outer="f")
    made.execution("VarHandleOp")
    outer = made.trace("f", "Exp")
    late = [(made.trace("body", "Neg"), made.trace("body", "Log")) for _ in range(5)]
    early = [(made.trace("body", "Log"), made.trace("body", "Neg"))[::-1] for _ in range(5)]
    running = made.opened(tmp_path / "running")
    made.execution("__inference_f_7", "f")
    for host, joins in (running, made.opened(tmp_path / "ended")):
        site = {site.op_name: number for number, site in enumerate(host.traces.sites)}
        for consumer, source in late + early:
            assert joins.event_in_same_call(consumer, site["Log"]) == source
            assert joins.event_in_same_call(source, site["Neg"], later=True) == consumer
            assert joins.event_in_same_call(consumer, site["Exp"]) == outer


def test_times_that_run_back_hide_no_trace(tmp_path: Path) -> None:
    made = Fabricated()
    made.graph("f", ("Exp", "Exp", ("x:0",)))
    for _ in range(40):
        for _ in range(20):
            made.trace("f", "Exp")
        made.execution("__inference_f_7", "f")
    # As if many threads wrote at once: every record up to 30 places from where it should be.
    traces = made.payloads["graph_execution_traces"]
    order = sorted(range(len(traces)), key=lambda number: number + number * 7919 % 61 / 2)
    made.payloads["graph_execution_traces"] = [traces[number] for number in order]
    host, joins = made.opened(tmp_path)
    times, ends = host.traces.events["wall_time"], host.executions.events["wall_time"]
    assert np.count_nonzero(np.diff(times) < 0) > 300
    for call in range(len(ends)):
        began = ends[call - 1] if call else 0.0
        own = np.flatnonzero((times > began) & (times <= ends[call]))
        assert joins.traces_of(call).tolist() == own.tolist()
        assert {joins.execution_of(trace) for trace in own.tolist()} == {call}


def test_a_graph_that_comes_late_joins_what_was_there_before(tmp_path: Path) -> None:
    made = Fabricated()
    made.graph("id", ("Log", "Log", ("x:0",)), name="f")
    trace = made.trace("id", "Log")
    call = made.execution("__forward_f_7")
    late, made.payloads["graphs"] = made.payloads["graphs"], []
    logdir = Logdir(write_files(tmp_path, **made.payloads))
    drain(logdir)
    (host,) = hosts_of(logdir)
    joins = Joins(host, SiteIndex(host))
    assert joins.execution_of(trace) is None
    assert joins.graph_of(call) is None
    write_files(tmp_path, graphs=late)
    drain(logdir)
    assert joins.execution_of(trace) == call
    assert joins.graph_of(call) == "id"


def test_graphs_that_lie_around_each_other_end_nothing(tmp_path: Path) -> None:
    made = Fabricated()
    made.graph("a", ("Log", "Log", ("StatefulPartitionedCall:0",)), outer="b")
    made.graph("b", outer="a")
    made.graph("c", outer="c")
    trace = made.trace("a", "Log")
    call = made.execution("__inference_c_1", "c")
    other = made.trace("", "Log")
    made.execution("__inference__1", "")
    _, joins = made.opened(tmp_path)
    assert joins.execution_of(trace) is joins.execution_of(other) is None
    assert joins.graph_of(call) == "c"
    assert joins.output_source(call, 0) is None
