"""A stretch of the traces of a session's graph: which of them cannot be of one and the same run."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy.typing as npt

    from tfdbg_tui.data.index.run_events import RunEvents

    Column = npt.NDArray[Any]
    Edges = tuple[Column, Column]
    """Sites, and for each one that takes its output."""

MAX_TAIL = 1_000
"""Traces before a collision that are looked at for the beginning of the next run."""

MASK = (1 << 64) - 1


class Stretch:
    """Some traces that count, looked at together; `known` are the kinds of runs that are known."""

    def __init__(self, events: RunEvents, edges: Edges, known: Collection[int]) -> None:
        self._events = events
        self._known = known
        self._total = events.total
        self._sorted = _BySite(events.site)
        self._inputs = _inputs_of(*edges)
        self._collisions = _collisions(self._sorted, edges)
        sums = np.cumsum(_keys(events.site))
        self._sums = np.concatenate((np.zeros(1, np.uint64), sums))
        self._switches = np.flatnonzero(events.is_switch)

    def collision(self, first: int) -> int:
        """The first trace that collides with one from another on; their number if none does."""
        return self._collisions[first]

    def kind(self, first: int, end: int) -> int:
        """A number for a run, the same for the same sites in any order."""
        return (int(self._sums[end]) - int(self._sums[first])) & MASK

    def switch(self, first: int, end: int) -> int | None:
        """Where another graph has run in between, and what follows needs nothing from before.

        Sessions run one after the other, unless a program has several threads: then traces of
        one run come on both sides of others.
        """
        if not len(self._switches):
            return None
        place = int(np.searchsorted(self._switches, first, side="right"))
        if place == len(self._switches) or self._switches[place] >= end:
            return None
        found = int(self._switches[place])
        behind = range(found, min(end, found + MAX_TAIL))
        is_free = all(self._earliest_input(first, other) >= found for other in behind)
        return found if is_free else None

    def cuts(self, first: int, end: int) -> tuple[int, ...]:
        """Where the next run begins behind one that ends with a collision, or with the stretch.

        Twice if there is a run between both; never if no run ends here.
        """
        places = self._possible_cuts(first, end)
        if end == self._total:
            ends = [place for place in places if self._is_known(first, place)]
            return tuple(ends[-1:])
        is_known = self._is_known(end, self.collision(end))
        if not places or (is_known and self._is_known(first, end)):
            return (end,)
        for place in places:
            if self._is_known(first, place):
                if self._is_known(place, self.collision(place)):
                    return (place,)
                if is_known:
                    return place, end
        return (self._longest_pause(end, places),)

    def _is_known(self, first: int, end: int) -> bool:
        return self.kind(first, end) in self._known

    def _possible_cuts(self, first: int, end: int) -> list[int]:
        """Where the next run may begin before a collision, the last one first.

        What is behind such a place needs nothing from before it.
        """
        places = []
        needed = end
        least = max(first, end - MAX_TAIL)
        for place in range(end - 1, least, -1):
            if self.collision(place) <= end < self._total:
                break  # it is computed again where the next run is certainly under way
            needed = min(needed, self._earliest_input(first, place))
            if needed <= least:
                break
            if needed >= place:
                places.append(place)
        return places

    def _longest_pause(self, end: int, places: list[int]) -> int:
        """Where a run more likely begins, by the time before it: at an end or earlier.

        What is computed in every run pauses again before the next: the first run is slow.
        """
        best, pause = end, self._pause(end)
        following = self.collision(end)
        for place in places:
            again = self.collision(place)
            has_both = again < following < self._total
            own = min(self._pause(place), self._pause(again)) if has_both else self._pause(place)
            other = max(pause, self._pause(following)) if has_both else pause
            if own > other and own > self._pause(best):
                best = place
        return best

    def _pause(self, place: int) -> float:
        return float(self._events.gap[place - 1])

    def _earliest_input(self, first: int, place: int) -> int:
        """The earliest trace from one on that another is computed from; itself if there is none."""
        inputs = self._inputs.get(int(self._events.site[place]), ())
        found = [self._sorted.last_before(site, place) for site in inputs]
        return min((other for other in found if other >= first), default=place)


class _BySite:
    """Traces in the order of their sites."""

    def __init__(self, sites: Column) -> None:
        self.total = len(sites)
        self.rows = np.argsort(sites, kind="stable")
        self.sites = sites[self.rows].astype(np.int64)
        self.keys = self.sites * self.total + self.rows

    @cached_property
    def _list_of_keys(self) -> list[int]:
        """The same, which one by one is found faster."""
        keys: list[int] = self.keys.tolist()
        return keys

    def last_before(self, site: int, row: int) -> int:
        """The last trace of a site before another; -1 if there is none."""
        keys = self._list_of_keys
        found = bisect_left(keys, site * self.total + row) - 1
        owner, other = divmod(keys[found], self.total) if found >= 0 else (-1, -1)
        return other if owner == site else -1


def _collisions(ordered: _BySite, edges: Edges) -> list[int]:
    """For each trace the first one that collides with it or with one behind it."""
    total, rows, sites = ordered.total, ordered.rows, ordered.sites
    first = np.full(total + 1, total, np.int64)
    again = np.flatnonzero(sites[1:] == sites[:-1])
    first[rows[again]] = rows[again + 1]
    producers, consumers = edges
    if len(producers):
        begins = np.searchsorted(sites, producers)
        counts = np.searchsorted(sites, producers, side="right") - begins
        offsets = np.cumsum(counts) - counts
        chosen = np.arange(int(counts.sum())) + np.repeat(begins - offsets, counts)
        later = rows[chosen]
        wanted = np.repeat(consumers, counts)
        found = np.searchsorted(ordered.keys, wanted * total + later) - 1
        is_own = (found >= 0) & (sites[found] == wanted)
        np.minimum.at(first, rows[found[is_own]], later[is_own])
    collisions: list[int] = np.minimum.accumulate(first[::-1])[::-1].tolist()
    return collisions


def _inputs_of(producers: Column, consumers: Column) -> dict[int, list[int]]:
    inputs: dict[int, list[int]] = {}
    for producer, consumer in zip(producers.tolist(), consumers.tolist(), strict=True):
        inputs.setdefault(consumer, []).append(producer)
    return inputs


def _keys(sites: Column) -> Column:
    """A number for each site that looks random: sums of them tell sets of sites apart."""
    keys = (sites.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))
