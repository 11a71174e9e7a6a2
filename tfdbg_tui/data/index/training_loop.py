"""The training loop in a sequence of executions.

Where Keras trains, or a TF1 session does, each call of the train function and each run that trains
is a step: that is told. Where sessions run and none trains, each run is one. Else the loop is told
from what happens how often, validation and prediction by Keras aside.

Of all that happens about equally often, what explains the most work is the loop, a call of a
function counting as many ops as its graph has. Where no function is called, the loop may be one
over all variables: then it is the loop around it, if its body is not much smaller. The heaviest
part is the reference. The part that first happens last, before the reference happens again,
closes each round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.index.call_graphs import CallGraphs
from tfdbg_tui.data.index.phases import Phase
from tfdbg_tui.data.stores.tf_names import without_trace_numbers, writes_variable
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.index.site_facts import SiteIndex
    from tfdbg_tui.data.stores.host import Host

    Column = npt.NDArray[Any]
    _Key = tuple[str, tuple[str, ...]]

FIRSTS, LASTS = 3, 2
"""How many of the first and of the last rows of each kind are kept."""

FIRST_LOOK, LONGER = 1 << 10, 4
"""Rows of the first stretch in which kinds are sought, and how much longer each next one is."""

NEVER = np.iinfo(np.int64).max

MIN_ROUNDS = 2
"""Rounds that make a loop."""

EAGER_OP = 1.0
"""What an eager op weighs."""

USUAL_CALL = 10.0
"""Ops that the graph of a called function is taken to have while it is not on disk."""

TRAINING, RUN, ASIDE = range(3)
"""Kinds that are told: steps of training, other runs of sessions, and what belongs to no loop."""

MAX_DOUBTED = 8
"""Rounds from which on a loop is kept though some part of it skips a round."""


class Loop(NamedTuple):
    """A loop: kinds of executions, by number."""

    closer: int
    """Ends each round."""
    openers: tuple[int, ...]
    """All that take part in each round, once or more, up to where it closes: with any of these
    the next round begins. What happens only behind the closer belongs to the round that ends."""


class Kinds:
    """Kinds of executions: what is told, the same op from the same stack, or the same function.

    The first call of a function comes through other frames of TensorFlow's than the later ones, and
    each shape of its arguments has a name of its own; so one of both has to agree, name or stack,
    as far as that is the user's.
    """

    def __init__(self, host: Host, site_index: SiteIndex) -> None:
        self._graphs = host.graphs
        self._executions = host.executions
        self._own_frames = host.own_frames
        self._site_index = site_index
        self._calls = CallGraphs(host, site_index)
        self._of_site = np.empty(0, np.int64)
        self._by_name: dict[_Key, int] = {}
        self._by_stack: dict[_Key, int] = {}
        self._first_sites: list[int | None] = [None] * (ASIDE + 1)
        self._open_sites: list[int] = []
        """Sites of which it is not known what they are for."""
        self._calls_aside = False
        """Whether Keras was seen to validate or to predict."""

    def __len__(self) -> int:
        return len(self._first_sites)

    def of(self, start: int, end: int) -> Column:
        """The kinds of some executions that follow each other."""
        known, count = len(self._of_site), len(self._executions.sites)
        if known < count:
            kinds = [self._kind(site) for site in range(known, count)]
            self._of_site = np.concatenate((self._of_site, np.array(kinds, np.int64)))
        return self._of_site[self._executions.site_numbers[start:end]]

    def _kind(self, number: int) -> int:
        found = self._site_index.phase_of(number)
        if found.is_open:
            self._open_sites.append(number)
        told = None if found.phase is None else self._told_kind(number, found.phase)
        return self._seen_kind(number) if told is None else told

    def _told_kind(self, number: int, phase: Phase) -> int | None:
        if phase is Phase.TRAIN:
            return TRAINING if self._site_index.execution(number).is_step else None
        self._calls_aside |= phase is not Phase.INIT and self._calls.is_call(number)
        return ASIDE

    def _seen_kind(self, number: int) -> int:
        site = self._executions.sites[number]
        name = origin = (site.op_type, site.stack)
        if self._calls.is_call(number):
            if self._site_index.execution(number).is_session_run:
                self._first_sites[RUN] = number
                return RUN
            name = (site.op_type, ())
            origin = (without_trace_numbers(site.op_type), self._own_frames(site.stack))
        kind = self._by_name.get(name, self._by_stack.get(origin))
        if kind is None:
            kind = len(self._first_sites)
            self._first_sites.append(number)
        self._by_name.setdefault(name, kind)
        self._by_stack.setdefault(origin, kind)
        return kind

    @property
    def are_outdated(self) -> bool:
        """Whether it has become known of a site what it is for."""
        found = [(site, self._site_index.phase_of(site)) for site in self._open_sites]
        self._open_sites = [site for site, phase in found if phase.is_open]
        return any(phase.phase is not None for _, phase in found)

    def loop(self, seen: Occurrences, last: Column, known: Loop | None) -> Loop | None:
        """The training loop in what was seen; the one that is known if it is as good as any.

        `last` are the kinds of what is there as well, but may still change.
        """
        counts = np.bincount(last, minlength=len(self))
        counts[: len(seen.counts)] += seen.counts
        if counts[TRAINING]:
            return Loop(TRAINING, (TRAINING,))
        if counts[RUN] and not counts[ASIDE + 1 :].any():
            return Loop(RUN, (RUN,))
        if not len(seen.counts):
            return None
        # Kinds that only `last` has are not counted in what was seen.
        loop = find_loop(seen, self.weights()[: len(seen.counts)], known)
        if loop is not None and self._calls_aside and not self._writes_variables(loop):
            return None  # something beside the predictions: it does not train
        return loop

    def weights(self) -> Column:
        """How many ops an execution of each kind stands for; 0 for what belongs to no loop."""
        ops: dict[str, float] = {}
        for graph in tuple(self._graphs.by_id.values()):
            for graph_id in self._calls.enclosing_graphs(graph.id):
                ops[graph_id] = ops.get(graph_id, 0.0) + len(graph.ops)
        return np.array([self._weight(site, ops) for site in self._first_sites])

    def _weight(self, site: int | None, ops: dict[str, float]) -> float:
        if site is None:
            return 0.0
        if not self._calls.is_call(site):
            return EAGER_OP
        return max([USUAL_CALL, *(ops.get(graph, 0.0) for graph in self._calls.graphs_of(site))])

    def _writes_variables(self, loop: Loop) -> bool:
        """Whether anything in a loop writes variables, by itself or inside a graph."""
        sites = [site for kind in loop.openers if (site := self._first_sites[kind]) is not None]
        if any(writes_variable(self._executions.sites[site].op_type) for site in sites):
            return True
        called = {graph_id for site in sites for graph_id in self._calls.graphs_of(site)}
        return any(
            not called.isdisjoint(self._calls.enclosing_graphs(graph.id))
            and any(writes_variable(op.type) for op in tuple(graph.ops.values()))
            for graph in tuple(self._graphs.by_id.values())
        )


class Occurrences:
    """How often each kind happened, and where first and last."""

    def __init__(self) -> None:
        self.counts = np.zeros(0, np.int64)
        self.firsts = np.zeros((FIRSTS, 0), np.int64)
        self.lasts = np.zeros((LASTS, 0), np.int64)
        """The very last comes first."""

    def extend(self, kinds: Column, first_row: int, number_of_kinds: int) -> None:
        """Count the executions from a row on."""
        new = number_of_kinds - len(self.counts)
        if new:
            self.counts = np.append(self.counts, np.zeros(new, np.int64))
            self.firsts = np.append(self.firsts, np.full((FIRSTS, new), NEVER), axis=1)
            self.lasts = np.append(self.lasts, np.full((LASTS, new), -1), axis=1)
        self._note_firsts(kinds, first_row)
        self._note_lasts(kinds, first_row)
        self.counts += np.bincount(kinds, minlength=number_of_kinds)

    def _note_firsts(self, kinds: Column, first_row: int) -> None:
        known = np.minimum(self.counts, FIRSTS)
        for number, places in enumerate(_first_places(kinds, FIRSTS - known)):
            met = np.flatnonzero(places >= 0)
            self.firsts[known[met] + number, met] = first_row + places[met]

    def _note_lasts(self, kinds: Column, first_row: int) -> None:
        last, before = _first_places(kinds[::-1], np.full(len(self.counts), LASTS))
        end = first_row + len(kinds) - 1
        met = last >= 0
        self.lasts[1, met] = np.where(before >= 0, end - before, self.lasts[0])[met]
        self.lasts[0, met] = end - last[met]


def _first_places(kinds: Column, wanted: Column) -> Column:
    """Where each kind stands for the first times, as often as is wanted of it; -1 for no more.

    Nearly all kinds are met often within a short stretch: of what follows, only the rows of the
    others are looked at.
    """
    places = np.full((int(wanted.max(initial=0)), len(wanted)), -1)
    found = np.zeros(len(wanted), np.int64)
    begin, length = 0, FIRST_LOOK
    while begin < len(kinds) and (found < wanted).any():
        rows = begin + np.flatnonzero((found < wanted)[kinds[begin : begin + length]])
        begin, length = begin + length, LONGER * length
        while len(rows):
            own = kinds[rows]
            first = np.full(len(wanted), -1)
            first[own[::-1]] = rows[::-1]  # the last assignment stays
            met = np.flatnonzero((first >= 0) & (found < wanted))
            places[found[met], met] = first[met]
            found[met] += 1
            rows = rows[(rows != first[own]) & (found < wanted)[own]]
    return places


def find_loop(seen: Occurrences, weights: Column, known: Loop | None = None) -> Loop | None:
    """The dominant loop; the one that is known if it still is as good as any."""
    reference = _reference(seen, weights)
    if reference is None:
        return None
    rounds = int(seen.counts[reference])
    if known is not None and rounds >= MAX_DOUBTED:
        misses = abs(int(seen.counts[known.closer]) - rounds)
        if reference in known.openers and misses <= MIN_ROUNDS:
            return known
    # What starts a round later, or is behind in the round that runs, has happened once less.
    missed = np.clip(rounds - seen.counts, 0, 1)
    first = seen.firsts[0]
    takes_part = (weights > 0) & (first < seen.firsts[1 + missed, reference])
    takes_part &= seen.lasts[0] >= seen.lasts[1, reference]
    takes_part &= seen.counts >= max(MIN_ROUNDS, rounds - 1 - rounds // MAX_DOUBTED)
    may_close = takes_part & (np.abs(seen.counts - rounds) <= 1) & (first >= first[reference])
    closer = int(np.argmax(np.where(may_close, first, -1)))
    openers = np.flatnonzero(takes_part & (first <= first[closer]))
    return Loop(closer, tuple(openers.tolist()))


def _reference(seen: Occurrences, weights: Column) -> int | None:
    """The heaviest kind of the dominant loop; of equal ones the one that happens least, first."""
    peers = _peers(seen, weights, (seen.counts >= MIN_ROUNDS) & (weights > 0))
    if not len(peers):
        return None
    while weights[peers].max() <= EAGER_OP:
        outer = _peers(seen, weights, _is_around(seen, weights, peers))
        if not len(outer) or weights[outer].sum() < weights[peers].sum() / 2:
            break
        peers = outer
    order = np.lexsort((seen.firsts[0, peers], seen.counts[peers], -weights[peers]))
    return int(peers[order[0]])


def _peers(seen: Occurrences, weights: Column, eligible: Column) -> Column:
    """The kinds that happen about equally often and explain the most work together."""
    order = np.flatnonzero(eligible)
    order = order[np.argsort(seen.counts[order], kind="stable")]
    if not len(order):
        return order
    counts = seen.counts[order]
    work = np.concatenate(([0.0], np.cumsum(counts * weights[order])))
    low = np.searchsorted(counts, counts - 1, side="left")
    high = np.searchsorted(counts, counts + 1, side="right")
    best = int(np.argmax(work[high] - work[low]))
    return order[low[best] : high[best]]


def _is_around(seen: Occurrences, weights: Column, inner: Column) -> Column:
    """Which kinds happen less often than others, but over most of the same time."""
    begin, end = seen.firsts[0, inner].min(), seen.lasts[0, inner].max()
    shared = np.minimum(seen.lasts[0], end) - np.maximum(seen.firsts[0], begin)
    is_rarer = (
        (weights > 0) & (seen.counts >= MIN_ROUNDS) & (seen.counts < seen.counts[inner].min() - 1)
    )
    is_around: Column = is_rarer & (shared >= (end - begin) / 2)
    return is_around
