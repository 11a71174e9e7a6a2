"""The dominant loop in a sequence of executions, told from what happens how often.

Of all that happens about equally often, what explains the most work is the loop, a call of a
function counting as many ops as its graph has. The heaviest part is the reference. The part that
first happens last, before the reference happens again, closes each round.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tfdbg_tui.data.call_graphs import CallGraphs

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.host import Host
    from tfdbg_tui.data.site_facts import SiteBook

    Column = npt.NDArray[Any]

FIRSTS, LASTS = 3, 2
"""How many of the first and of the last rows of each kind are kept."""

NEVER = np.iinfo(np.int64).max

FEWEST_ROUNDS = 2
"""Rounds that make a loop."""

USUAL_CALL = 10.0
"""Ops that the graph of a called function is taken to have while it is not on disk."""

MOST_DOUBTED = 8
"""Rounds from which on a loop is not given up because some part skips a round."""

_TRACE_NUMBER = re.compile(r"_\d+$")


class Loop(NamedTuple):
    """A loop: kinds of executions, by number."""

    closer: int
    """Ends each round."""
    members: tuple[int, ...]
    """All that take part in each round, once or more."""


class Kinds:
    """Kinds of executions: sites that are the same op or function, called from the same place.

    The first call of a function comes by another way than the later ones, and each shape of its
    arguments has a graph and a name of its own; so one of both, name or place, has to agree.
    """

    def __init__(self, host: Host, book: SiteBook) -> None:
        self._host = host
        self._book = book
        self._calls = CallGraphs(host, book)
        self._of_site = np.empty(0, np.int64)
        self._by_name: dict[tuple[Any, ...], int] = {}
        self._by_place: dict[tuple[Any, ...], int] = {}
        self._first_sites: list[int] = []

    def __len__(self) -> int:
        return len(self._first_sites)

    def of(self, sites: Column) -> Column:
        """The kinds of executions with these sites."""
        known, count = len(self._of_site), len(self._host.executions.sites)
        if known < count:
            kinds = [self._kind(site) for site in range(known, count)]
            self._of_site = np.concatenate((self._of_site, np.array(kinds, np.int64)))
        return self._of_site[sites]

    def _kind(self, number: int) -> int:
        site, facts = self._host.executions.sites[number], self._book.execution(number)
        name: tuple[Any, ...] = (site.op_type,)
        place: tuple[Any, ...] = (site.op_type, site.stack)
        if facts.is_call:
            prefix, _, _ = site.op_type.partition(facts.function or "")
            place = (prefix, _TRACE_NUMBER.sub("", facts.function or ""), site.stack)
        else:
            name = place
        kind = self._by_name.get(name, self._by_place.get(place))
        if kind is None:
            kind = len(self._first_sites)
            self._first_sites.append(number)
        self._by_name.setdefault(name, kind)
        self._by_place.setdefault(place, kind)
        return kind

    def weights(self) -> Column:
        """How many ops an execution of each kind stands for."""
        ops: dict[str, float] = {}
        for graph in tuple(self._host.graphs.by_id.values()):
            for graph_id in self._calls.around(graph.id):
                ops[graph_id] = ops.get(graph_id, 0.0) + len(graph.ops)
        return np.array([self._weight(site, ops) for site in self._first_sites])

    def _weight(self, site: int, ops: dict[str, float]) -> float:
        if not self._calls.is_call(site):
            return 1.0
        return max([USUAL_CALL, *(ops.get(graph, 0.0) for graph in self._calls.graphs_of(site))])


class Occurrences:
    """How often each kind happened, and where first and last."""

    def __init__(self) -> None:
        self.counts = np.zeros(0, np.int64)
        self.firsts = np.zeros((FIRSTS, 0), np.int64)
        self.lasts = np.zeros((LASTS, 0), np.int64)
        """The very last comes first."""

    def extend(self, kinds: Column, first_row: int, number_of_kinds: int) -> None:
        """Count the executions from a row on."""
        new = (0, number_of_kinds - len(self.counts))
        self.counts = np.pad(self.counts, new)
        self.firsts = np.pad(self.firsts, ((0, 0), new), constant_values=NEVER)
        self.lasts = np.pad(self.lasts, ((0, 0), new), constant_values=-1)
        rows = np.arange(first_row, first_row + len(kinds))
        self._note_firsts(kinds, rows)
        self._note_lasts(kinds, rows)
        self.counts += np.bincount(kinds, minlength=number_of_kinds)

    def _note_firsts(self, kinds: Column, rows: Column) -> None:
        known = self.counts.copy()
        is_wanted = known[kinds] < FIRSTS
        kinds, rows = kinds[is_wanted], rows[is_wanted]
        while len(kinds):
            first = np.full(len(known), NEVER)
            first[kinds[::-1]] = rows[::-1]  # the last assignment stays
            met = np.flatnonzero((first < NEVER) & (known < FIRSTS))
            if not len(met):
                return
            self.firsts[known[met], met] = first[met]
            known[met] += 1
            is_later = rows != first[kinds]
            kinds, rows = kinds[is_later], rows[is_later]

    def _note_lasts(self, kinds: Column, rows: Column) -> None:
        last, before = np.full((LASTS, len(self.counts)), -1)
        last[kinds] = rows
        is_earlier = rows != last[kinds]
        before[kinds[is_earlier]] = rows[is_earlier]
        met = last >= 0
        self.lasts[1, met] = np.where(before >= 0, before, self.lasts[0])[met]
        self.lasts[0, met] = last[met]


def find_loop(seen: Occurrences, weights: Column, known: Loop | None = None) -> Loop | None:
    """The dominant loop; the one that is known if it still is as good as any."""
    reference = _reference(seen, weights)
    if reference is None:
        return None
    rounds = int(seen.counts[reference])
    if known is not None and rounds >= MOST_DOUBTED and reference in known.members:
        if abs(int(seen.counts[known.closer]) - rounds) <= FEWEST_ROUNDS:
            return known
    # What starts a round later, or is behind in the round that runs, has happened once less.
    missed = np.clip(rounds - seen.counts, 0, FIRSTS - 2)
    is_there_from_the_start = seen.firsts[0] < seen.firsts[1 + missed, reference]
    is_there_to_the_end = seen.lasts[0] >= seen.lasts[1, reference]
    takes_part = is_there_from_the_start & is_there_to_the_end
    takes_part &= seen.counts >= max(FEWEST_ROUNDS, rounds - 1 - rounds // MOST_DOUBTED)
    is_once = takes_part & (np.abs(seen.counts - rounds) <= 1)
    closes = np.where(is_once & (seen.firsts[0] >= seen.firsts[0, reference]), seen.firsts[0], -1)
    return Loop(int(np.argmax(closes)), tuple(np.flatnonzero(takes_part).tolist()))


def _reference(seen: Occurrences, weights: Column) -> int | None:
    """The heaviest of the kinds that happen about equally often and explain the most together."""
    often = np.flatnonzero(seen.counts >= FEWEST_ROUNDS)
    if not len(often):
        return None
    order = often[np.argsort(seen.counts[often], kind="stable")]
    counts = seen.counts[order]
    work = np.concatenate(([0.0], np.cumsum(counts * weights[order])))
    low = np.searchsorted(counts, counts - 1, side="left")
    high = np.searchsorted(counts, counts + 1, side="right")
    best = int(np.argmax(work[high] - work[low]))
    peers = order[low[best] : high[best]]
    heaviest = peers[weights[peers] == weights[peers].max()]
    return int(heaviest[np.argmin(seen.firsts[0, heaviest])])
