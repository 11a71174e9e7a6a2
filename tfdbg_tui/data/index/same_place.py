"""The same computation in another run of the same program, where all events have other numbers.

What is the same in both is told by names: the tensor, its graph and device or, of what was executed
outside of graphs, the op and the line; and by how often it had been computed in its step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import untraced_name, without_trace_numbers
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.index.site_facts import SiteFacts


class Place(NamedTuple):
    """Which computation of which tensor of a program."""

    kind: EventKind
    names: tuple[object, ...]
    """What tells the tensor from others."""
    name: str
    """The tensor, for people."""
    host: int
    step: int | None
    """None where no steps are known."""
    rank: int
    """How often it had been computed before, in that step or else in the run."""
    output: int | None
    """Which recorded output of an execution."""


def place_of(index: HostIndex, event: EventRef) -> Place:
    """The place of an event."""
    store = index.host.store_of(event.kind)
    facts = index.sites.of(event.kind, store.site_number(event.event))
    names, step = _names(event.kind, facts), step_of(index, event)
    rows = _rows(index, event.kind, names, step)
    rank = int(rows.searchsorted(event.event))
    return Place(event.kind, names, facts.name, event.host, step, rank, event.output)


def step_of(index: HostIndex, event: EventRef) -> int | None:
    """The step that an event belongs to."""
    return index.steps.step_of(index.host.store_of(event.kind).wall_time(event.event))


def find(run: RunIndex, place: Place) -> EventRef | None:
    """The event of a run at a place, first of all on the same host; None if there is none."""
    numbers = sorted(range(len(run.hosts)), key=lambda number: number != place.host)
    for number in numbers:
        rows = _rows(run.hosts[number], place.kind, place.names, place.step)
        if place.rank < len(rows):
            return EventRef(number, place.kind, int(rows[place.rank]), place.output)
    return None


def _names(kind: EventKind, facts: SiteFacts) -> tuple[object, ...]:
    graph = None if facts.graph is None else untraced_name(facts.graph)
    if kind is EventKind.TRACE:
        return facts.tensor, graph, facts.device
    line = None if facts.line is None else (facts.line.path, facts.line.line)
    return without_trace_numbers(facts.op_type or ""), graph, line


def _rows(
    index: HostIndex, kind: EventKind, names: tuple[object, ...], step: int | None
) -> npt.NDArray[Any]:
    """The events of a step, or all, that bear these names."""
    store = index.host.store_of(kind)
    numbers = store.site_numbers  # before the sites, which are there before their events
    wanted = np.array(
        [_names(kind, index.sites.of(kind, site)) == names for site in range(len(store.sites))],
        np.bool_,
    )
    rows = np.flatnonzero(wanted[numbers]) if len(wanted) else np.zeros(0, np.int64)
    times = index.steps.times
    if step is None or times is None:
        return rows
    inside: npt.NDArray[Any] = rows[times.of(store.wall_times[rows]) == step]
    return inside
