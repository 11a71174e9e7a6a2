"""Events that a query finds, of one host or all, in the order of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.stores.event_kind import EventKind, EventRef, host_and_kind, store_number
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Generator

    import numpy.typing as npt

    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.data.search.query import Query


class FoundEvents(NamedTuple):
    """Events as columns: ten million of them take 60 MB."""

    stores: npt.NDArray[np.uint16]
    """Which store of the run each is of, as `store_number` counts them."""
    events: npt.NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.events)

    def ref(self, row: int) -> EventRef:
        """One of them."""
        return EventRef(*host_and_kind(int(self.stores[row])), int(self.events[row]))

    def ordered(self, order: npt.NDArray[np.intp]) -> FoundEvents:
        """The same in another order."""
        return FoundEvents(self.stores[order], self.events[order])


def times_of(context: Context, found: FoundEvents) -> npt.NDArray[np.float64]:
    """When each event happened."""
    times = np.empty(len(found))
    for number in np.unique(found.stores).tolist():
        host, kind = host_and_kind(number)
        own = found.stores == number
        store = context.run.hosts[host].host.store_of(kind)
        times[own] = store.wall_times[found.events[own]]
    return times


def find(context: Context, query: Query | None) -> Generator[None, None, FoundEvents]:
    """The events that fit a query, or all, in the order of time."""
    if query is not None and (query.needs_steps or query.asks_each):  # functions are told steps
        yield from context.with_steps()
    stores: list[npt.NDArray[np.uint16]] = [np.empty(0, np.uint16)]
    events: list[npt.NDArray[np.uint32]] = [np.empty(0, np.uint32)]
    for number in context.hosts:
        for kind in EventKind:
            rows = yield from _rows(context, number, kind, query)
            events.append(rows)
            stores.append(np.full(len(rows), store_number(number, kind), np.uint16))
    found = FoundEvents(np.concatenate(stores), np.concatenate(events))
    yield
    return found.ordered(np.argsort(times_of(context, found), kind="stable"))


def _rows(
    context: Context, number: int, kind: EventKind, query: Query | None
) -> Generator[None, None, npt.NDArray[np.uint32]]:
    index = context.run.hosts[number]
    store = index.host.store_of(kind)
    if query is None:
        return np.arange(len(store), dtype=np.uint32)
    from tfdbg_tui.data.search.matches import Matches

    facts = index.sites.trace if kind is EventKind.TRACE else index.sites.execution
    matches = Matches(store, facts, query, index.steps.step_of)
    until = len(store)
    while matches.scanned < until:
        matches.extend()
        yield
    return np.asarray(matches.rows, np.uint32)
