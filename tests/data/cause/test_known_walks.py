"""Ways from bad tensors to their causes: found once for all that pass there, and found right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.counting import lines_run
from tests.support.damage import BAD_VECTOR, event, trace, write_files
from tests.support.navigating import finish
from tests.support.reading import load
from tfdbg_tui.data.cause.causes import Causes
from tfdbg_tui.data.cause.known_walks import MAX_WALKED
from tfdbg_tui.data.index.run_index import RunIndex
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.recordings.record import Library

    Inputs = Sequence[Sequence[int]]


def write_graph(logdir: Path, inputs: Inputs) -> None:
    """A function whose ops are all bad, each computed from some before it."""
    ops = [
        event(
            graph_op_creation={
                "op_type": b"AddN" if taken else b"Log",
                "op_name": b"op%d" % number,
                "graph_id": b"g",
                "num_outputs": 1,
                "input_names": [b"op%d:0" % other for other in taken],
            }
        )
        for number, taken in enumerate(inputs)
    ]
    traces = [
        trace(wall_time=1.0 + number, op_name=b"op%d" % number, tensor_proto=BAD_VECTOR)
        for number in range(len(inputs))
    ]
    described = event(debugged_graph={"graph_id": b"g", "graph_name": b"f"})
    write_files(logdir, graphs=[described, *ops], graph_execution_traces=traces)


def indexed(logdir: Path) -> RunIndex:
    index = RunIndex(load(logdir).runs[0])
    finish(index)
    return index


def trace_ref(number: int) -> EventRef:
    return EventRef(0, EventKind.TRACE, number, 0)


def chain(length: int) -> Inputs:
    return [[number - 1] if number else [] for number in range(length)]


GRAPHS = {
    "a chain": chain(12),
    "ways that part and meet": [[], [0], [1], [1], [2, 3], [4], [4, 5], [6]],
    "several causes": [[], [], [0], [2], [1], [3, 4], [5], [5, 1], [6, 7], [8]],
    "one that is taken twice": [[], [0, 0], [1, 1, 0], [2]],
}


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("past_variables", [True, False])
def test_what_is_known_leads_where_walking_leads(
    tmp_path: Path, graph: str, past_variables: bool
) -> None:
    write_graph(tmp_path, GRAPHS[graph])
    index = indexed(tmp_path)
    refs = [trace_ref(number) for number in range(len(GRAPHS[graph]))]
    for asked in (refs, refs[::-1], refs[::2] + refs[1::2]):
        [kept] = Causes(index).hosts
        told = {ref: kept.roots([ref], past_variables) for ref in asked}
        alone = {ref: Causes(index).hosts[0].roots([ref], past_variables) for ref in asked}
        assert told == alone
        assert all(alone.values())
        pairs = list(zip(refs, refs[3:], strict=False))
        both = [kept.roots(pair, past_variables) for pair in pairs]
        assert both == [Causes(index).hosts[0].roots(pair, past_variables) for pair in pairs]


@pytest.mark.parametrize("scenario", ["full_health", "while_loop", "keras_fit", "branches"])
def test_so_it_does_in_what_programs_recorded(library: Library, scenario: str) -> None:
    index = indexed(library.path(scenario))
    bad = dict.fromkeys(index.hosts[0].host.traces.bad_events[:60].tolist())
    [kept] = Causes(index).hosts
    for number in bad:
        asked = [trace_ref(number)]
        assert kept.roots(asked) == Causes(index).hosts[0].roots(asked)


@pytest.mark.parametrize("backwards", [False, True])
def test_a_way_that_is_too_long_leads_nowhere_whoever_asked_before(
    tmp_path: Path, backwards: bool
) -> None:
    length = MAX_WALKED + 20
    write_graph(tmp_path, chain(length))
    [causes] = Causes(indexed(tmp_path)).hosts
    order = range(length - 1, -1, -1) if backwards else range(length)
    found = {number: causes.roots([trace_ref(number)]) for number in order}
    assert [number for number in range(length) if not found[number]] == list(
        range(MAX_WALKED, length)
    )
    assert {roots for roots in found.values() if roots} == {(trace_ref(0),)}


@pytest.mark.parametrize("length", [150, MAX_WALKED + 150])
def test_a_step_more_costs_a_step(tmp_path: Path, length: int) -> None:
    write_graph(tmp_path, chain(length))
    [causes] = Causes(indexed(tmp_path)).hosts
    refs = [trace_ref(number) for number in range(length)]
    for ref in refs:
        causes.judge(ref.kind, ref.event)
    work = [lines_run(lambda ref=ref: causes.roots([ref])) for ref in refs]  # type: ignore[misc]
    assert max(work) < 8 * work[0]
