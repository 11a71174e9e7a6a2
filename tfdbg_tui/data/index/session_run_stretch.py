"""A stretch of the traces of a session's graph: which of them cannot be of one and the same run."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from tfdbg_tui.data.index.session_graphs import Roles
    from tfdbg_tui.data.index.session_run_events import SessionRunEvents

    Column = npt.NDArray[Any]
    Edges = tuple[Column, Column]
    """Sites, and for each one that takes its output."""

MAX_TAIL = 1_000
"""Traces before a collision that are looked at for the beginning of the next run."""

TRUSTED = 4
"""How often a kind of run is found before it is taken for one without another look."""

ROUNDS = 3
"""Rounds of two runs in turns that are looked at for pauses."""

SHORT = 10
"""Where a run begins before a collision, there is at least this fraction of the pause there."""

LONG = 2
"""How many times as long as any other in a run a pause is that tells two runs apart."""

MASK = (1 << 64) - 1


class Stretch:
    """Some traces that count, looked at together.

    `known` tells how often each kind of run was found.
    """

    def __init__(
        self, events: SessionRunEvents, roles: Roles, edges: Edges, known: Mapping[int, int]
    ) -> None:
        self._events = events
        self._known = known
        self._total = events.total
        self._edges = edges
        self._sorted = _BySite(events.site)
        self._collisions = _collisions(self._sorted, edges)
        self._sums = _running_sum(_keys(events.site))
        self._fed = _running_sum(roles.is_fed[events.site].astype(np.int64))
        self._training = _running_sum(events.training)
        self._switches = np.flatnonzero(events.is_switch)

    def collision(self, first: int) -> int:
        """The first trace that collides with one from another on; their number if none does."""
        return self._collisions[first]

    def is_certain(self, end: int) -> bool:
        """Whether more traces would not change how the run ends that ends with a collision."""
        for _ in range(ROUNDS - 1):
            end = self.collision(end)
        return end < self._total

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
        is_needed = any(first <= self._earliest_inputs[other] < found for other in behind)
        return None if is_needed else found

    def cut(self, first: int, end: int) -> int | None:
        """Where the next run begins behind one that ends with a collision, or with the stretch.

        That is the end or, if what is before it has no connection with the run, a place there.
        None if no run ends.
        """
        if end == self._total:
            places = self._free_places(first, end)
            return next((place for place in places if self._is_known(first, place)), None)
        following = self.collision(end)
        is_known = self._is_known(end, following)
        if is_known and self._known.get(self.kind(first, end), 0) >= TRUSTED:
            return end  # as nearly always; the rest takes longer
        least = self._pause(end) / SHORT
        places = [place for place in self._free_places(first, end) if self._pause(place) >= least]
        for place in () if self._is_known(first, end) else places:
            is_same = self.kind(place, end) == self.kind(end, following)
            if is_same or self._is_known(place, end):
                return place  # what is behind it is a run by itself, before or next
        # What collides with the end cannot be of the run that is under way there.
        places = [place for place in places if self.collision(place) > end]
        for place in places:
            ends = (end, self.collision(place))
            is_next = is_known or any(self._is_known(place, other) for other in ends)
            if is_next and self._is_known(first, place):
                return place
        apart = [place for place in places if self._are_apart(first, place, end)]
        if apart or (is_known and self._is_known(first, end)):
            return apart[-1] if apart else end
        return self._longest_pause(end, places)

    def _is_known(self, first: int, end: int) -> bool:
        return self.kind(first, end) in self._known

    def _free_places(self, first: int, end: int) -> list[int]:
        """Places in a run behind which nothing needs what is before them, the last one first."""
        places = []
        needed = end
        least = max(first, end - MAX_TAIL)
        for place in range(end - 1, least, -1):
            needed = min(needed, self._earliest_inputs[place])
            if needed <= least:
                break
            if needed >= place:
                places.append(place)
        return places

    def _are_apart(self, first: int, place: int, end: int) -> bool:
        """Whether two parts are two runs: by what they do, and by a long pause in two rounds.

        What is fed is there when a run begins; and two trainings that share nothing would be
        computed side by side. The first round may be slow: then the next two tell.
        """
        fed, training = self._fed, self._training
        both_train = training[first] < training[place] < training[end]
        if fed[place] == fed[end] and not both_train:
            return False
        stops: list[bool] = []
        while len(stops) < ROUNDS and first < place < end < self._total:
            stops.append(self._stops(first, place, end))
            first, place, end = end, self.collision(place), self.collision(end)
        return any(now and then for now, then in pairwise(stops))

    def _stops(self, first: int, place: int, end: int) -> bool:
        """Whether there is a pause at a place far longer than anywhere else in a run."""
        gaps = self._events.gap
        others = np.concatenate((gaps[first : place - 1], gaps[place : end - 1]))
        return bool(gaps[place - 1] > LONG * np.fmax.reduce(others, initial=0.0))

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

    @cached_property
    def _earliest_inputs(self) -> list[int]:
        """For each trace the earliest of the same run that it is computed from, or itself.

        What was computed before the last trace of its own site is of an earlier run.
        """
        later, earlier = _last_before(self._sorted, *self._edges[::-1])
        is_near = earlier > self._sorted.previous[later]
        earliest = np.arange(self._total)
        np.minimum.at(earliest, later[is_near], earlier[is_near])
        inputs: list[int] = earliest.tolist()
        return inputs


class _BySite:
    """Traces in the order of their sites."""

    def __init__(self, sites: Column) -> None:
        self.total = len(sites)
        self.rows = np.argsort(sites, kind="stable")
        self.sites = sites[self.rows].astype(np.int64)
        self.keys = self.sites * self.total + self.rows
        again = np.flatnonzero(self.sites[1:] == self.sites[:-1])
        self.previous = np.full(self.total, -1, np.int64)
        """For each trace the one before it of the same site; -1 if there is none."""
        self.previous[self.rows[again + 1]] = self.rows[again]


def _last_before(ordered: _BySite, owners: Column, others: Column) -> tuple[Column, Column]:
    """For each trace of some sites the last one before it of another site, if there is one.

    Sites are given in pairs. Gives pairs of traces, the later one first.
    """
    sites = ordered.sites
    begins = np.searchsorted(sites, owners)
    counts = np.searchsorted(sites, owners, side="right") - begins
    offsets = np.cumsum(counts) - counts
    later = ordered.rows[np.arange(int(counts.sum())) + np.repeat(begins - offsets, counts)]
    wanted = np.repeat(others, counts)
    found = np.searchsorted(ordered.keys, wanted * ordered.total + later) - 1
    is_own = (found >= 0) & (sites[found] == wanted)
    return later[is_own], ordered.rows[found[is_own]]


def _collisions(ordered: _BySite, edges: Edges) -> list[int]:
    """For each trace the first one that collides with it or with one behind it."""
    first = np.full(ordered.total + 1, ordered.total, np.int64)
    again = np.flatnonzero(ordered.previous >= 0)
    first[ordered.previous[again]] = again
    later, earlier = _last_before(ordered, *edges)
    np.minimum.at(first, earlier, later)
    collisions: list[int] = np.minimum.accumulate(first[::-1])[::-1].tolist()
    return collisions


def _running_sum(numbers: Column) -> Column:
    """The sum of all before each, and of all."""
    return np.concatenate((np.zeros(1, numbers.dtype), np.cumsum(numbers, dtype=numbers.dtype)))


def _keys(sites: Column) -> Column:
    """A number for each site that looks random: sums of them tell sets of sites apart."""
    keys = (sites.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))
