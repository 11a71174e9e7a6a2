"""The search and the filter of a session: what they find in the host that is looked at."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.search.named_filters import NamedFilters
from tfdbg_tui.data.search.query import parse
from tfdbg_tui.data.search.search import Search
from tfdbg_tui.data.stores.columns import sorted_positions
from tfdbg_tui.data.stores.event_kind import EventKind

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.stores.event_kind import EventRef

    Events = npt.NDArray[np.uint32]
    """Numbers of events, ascending."""

    Skips = Callable[[EventKind, npt.NDArray[np.generic]], npt.NDArray[np.bool_]]
    """Which of some bad events of a kind are muted."""

CALLS_SKIPPED = 1_000
"""Calls that hold nothing bad but what is skipped, which are passed on the way to another."""

FIRST_LOOK = 1 << 10
"""Rows of the first of the ever longer stretches in which a match is sought."""


class Searching:
    """A search, a filter, both or none; without a search, bad events count as matches."""

    def __init__(self) -> None:
        self.filters = NamedFilters()
        """What queries can mean by name."""
        self.search: Search | None = None
        self.filter: Search | None = None

    def search_for(self, index: HostIndex | None, text: str) -> None:
        """Search for a query, or no more; raises QueryError."""
        self.search = self._new(index, text)

    def show_only(self, index: HostIndex | None, text: str) -> None:
        """Filter by a query, or no more; raises QueryError."""
        self.filter = self._new(index, text, with_calls=True)

    def _new(self, index: HostIndex | None, text: str, with_calls: bool = False) -> Search | None:
        if not text or index is None:
            return None
        return Search(index, parse(text, self.filters.find), with_calls)

    def move_to(self, index: HostIndex | None) -> None:
        """Search another host, or newly read files, for the same."""
        if index is not None:
            self.search = _moved_to(index, self.search)
            self.filter = _moved_to(index, self.filter)

    def matches(self, index: HostIndex | None, kind: EventKind) -> Events:
        """The events of a list that the search found; without a search, the bad ones."""
        if index is None:
            return np.empty(0, np.uint32)
        if self.search is not None:
            return self.search.of(kind).rows
        return index.host.store_of(kind).bad_events

    def neighbour(
        self,
        index: HostIndex | None,
        kind: EventKind,
        here: int | None,
        steps: int,
        skips: Skips | None = None,
    ) -> int | None:
        """The next or previous match of a list; for all executions, the next bad call as well.

        Without a search, bad events are passed that `skips` holds for: those that are muted.
        """
        found = self.matches(index, kind)
        if here is None:
            here = -1 if steps > 0 else sys.maxsize
        skipped = None if skips is None or self.search is not None else partial(skips, kind)
        listed = None if self.filter is None else self.filter.of(kind).rows
        if listed is None and skipped is None:
            event = _neighbour(found, here, steps)
        else:
            event = _neighbour_in(listed, found, here, steps, skipped)
        is_whole = self.search is None and self.filter is None
        if is_whole and kind is EventKind.EXECUTION and index is not None:
            known = [n for n in (event, _bad_call(index, here, steps, skips)) if n is not None]
            event = min(known, key=lambda n: abs(n - here), default=None)
        return event

    def rank(self, index: HostIndex | None, kind: EventKind, here: int | None) -> tuple[int, int]:
        """How many matches of a list come up to an event; and how many there are."""
        found = self.matches(index, kind)
        return int(sorted_positions(found, -1 if here is None else here, side="right")), len(found)

    def leaves_out(self, event: EventRef) -> bool:
        """Whether the filter hides an event."""
        return self.filter is not None and not _holds(self.filter.of(event.kind).rows, event.event)


def _moved_to(index: HostIndex, search: Search | None) -> Search | None:
    """A search for the same in a host; the same one if it searches there already."""
    if search is None or search.index is index:
        return search
    return Search(index, search.query, search.with_calls)


def _bad_call(index: HostIndex, here: int, steps: int, skips: Skips | None) -> int | None:
    """The next or previous call with bad tensors inside, unless all of them are skipped."""
    call = index.bad_call(here, steps)
    for _ in range(CALLS_SKIPPED if skips is not None else 0):
        if (
            call is None
            or skips is None
            or not skips(EventKind.TRACE, index.bad_inside(call)).all()
        ):
            break
        call = index.bad_call(call, steps)
    return call


def _neighbour_in(
    listed: Events | None,
    events: Events,
    here: int,
    steps: int,
    skipped: Callable[[Events], npt.NDArray[np.bool_]] | None = None,
) -> int | None:
    """The next or previous number of a sorted column that is in another, too, if there is one.

    And that is not skipped.
    """
    row = int(sorted_positions(events, here + 1 if steps > 0 else here))
    ahead = events[row:] if steps > 0 else events[:row][::-1]
    start, length = 0, FIRST_LOOK
    while start < len(ahead):
        part = ahead[start : start + length]
        own = np.arange(len(part))
        if listed is not None:
            found = sorted_positions(listed, part)
            own = np.flatnonzero(found < len(listed))
            own = own[listed[found[own]] == part[own]]
        if skipped is not None:
            own = own[~skipped(part[own])]
        if len(own):
            return int(part[own[0]])
        start, length = start + length, 2 * length
    return None


def _holds(events: Events, event: int) -> bool:
    """Whether a number is in a sorted column."""
    row = int(sorted_positions(events, event))
    return row < len(events) and int(events[row]) == event


def _neighbour(events: Events, here: int, steps: int) -> int | None:
    """The next or previous number of a sorted column."""
    row = int(sorted_positions(events, here + 1 if steps > 0 else here))
    if steps > 0:
        return int(events[row]) if row < len(events) else None
    return int(events[row - 1]) if row > 0 else None
