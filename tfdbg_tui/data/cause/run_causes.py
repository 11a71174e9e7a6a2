"""All causes of a run: which sites made bad numbers by themselves, and how bad that was.

Every site that was ever bad is judged once, by its first bad tensor; the same site in later steps
is the same cause. A cause counts by what its numbers came to: a variable, the loss, what was put
out, nothing. What was written down and went nowhere, or was taken out by the program, is meant.
The gradient of an op that broke by the same number is the same cause as the op.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.absorbed_sites import AbsorbedSites
from tfdbg_tui.data.cause.first_harm import FirstHarm
from tfdbg_tui.data.cause.found_cause import FoundCause
from tfdbg_tui.data.cause.gradients import is_gradient, op_of
from tfdbg_tui.data.cause.loss_test import LossTest
from tfdbg_tui.data.cause.ranking import Ranking
from tfdbg_tui.data.cause.reach import Reach, Reached, reached_from
from tfdbg_tui.data.cause.second_looks import SecondLooks
from tfdbg_tui.data.index.alert_rows import AlertRows
from tfdbg_tui.data.stores.data_ops import is_data_in
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.tf_names import is_dataset_function, is_read

if TYPE_CHECKING:
    from collections.abc import Collection, Container

    from tfdbg_tui.data.cause.causes import Causes
    from tfdbg_tui.data.cause.judged import Judged
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.event_kind import EventRef

SITES_AT_ONCE = 16
"""Sites that are judged in one go: a few milliseconds."""

REACHED_AT_ONCE = 4
"""Causes whose reach is looked at again in one go."""

RANKED_EVERY = 8
"""Slices after which the causes that are known so far are put in order."""

RANKED_PER_SLICE = 100
"""Causes that are put in order for each slice at most: where they are many, that takes long."""

MAX_JUDGED = 20_000
"""Sites that are judged at all; later ones stand below the last cause before them."""

MAX_CAUSES = 500
"""Causes whose reach is followed; of later ones it is not told."""


class RunCauses:
    """The causes of one run, found in slices by the feed's thread; any thread may ask."""

    def __init__(self, run: RunIndex, causes: Causes, tells_absorbed: bool = True) -> None:
        self._run = run
        self._causes = causes
        self._sites = AlertRows(run.hosts)
        self._loss_tests = [LossTest(index) for index in run.hosts]
        self._first_harm = FirstHarm(run, causes)
        self._next = 0
        self._last_cause = -1
        self._second_looks = SecondLooks()
        self.cause_of: dict[int, int] = {}
        """The key of the cause of each site that was judged, its own if it is one."""
        self._judged_by: dict[int, int] = {}
        """The event that each site was judged by."""
        self.found: dict[int, FoundCause] = {}
        """The causes by key."""
        self.reads: set[int] = set()
        """The keys of those that read a variable."""
        self.absorbed = AbsorbedSites(causes, tells_absorbed)
        """Those whose first bad numbers went no further."""
        self.followers: dict[int, Judged] = {}
        """How each site that follows was judged, by its key."""
        self.begun: frozenset[int] = frozenset()
        """The keys of causes that would follow from what is muted, and are not known to."""
        self.has_more = True
        """Whether there was more to do when it was worked on last."""
        self.version = 0
        """Counts what has become known."""
        self.ranking = Ranking(run, ())
        """The causes in order, as far as they are known."""
        self._ranked = self._slices = self._ranked_at = 0

    @property
    def is_done(self) -> bool:
        """Whether all sites that are known were judged."""
        return self._next >= min(len(self._sites), MAX_JUDGED)

    # Finding.

    def extend(self) -> bool:
        """Judge some more sites; True while there are more."""
        self._note_growth()
        if len(self._sites) < MAX_JUDGED and self._sites.refresh():
            self._next, self._last_cause = 0, -1
        keys = self._sites.keys[:MAX_JUDGED].tolist()
        judged = 0
        while self._next < len(keys) and judged < SITES_AT_ONCE:
            rank, key = self._next, keys[self._next]
            self._next += 1
            if key not in self.cause_of or rank == 0:
                self._judge(rank, key)
                judged += 1
            if self.cause_of[key] == key:
                self._last_cause = key
        if self._next == len(keys) and judged < SITES_AT_ONCE:
            self._look_again(keys)
        has_more = self._next < len(keys) or bool(self._second_looks)
        self._rank(has_more)
        self.has_more = has_more
        return has_more or self._look_for_absorbed()

    def judge_again(self, keys: Collection[int]) -> None:
        """Judge some sites again: what they are said to follow from has changed."""
        self._second_looks.judge(keys)
        self.has_more = self.has_more or bool(keys)

    def _rank(self, has_more: bool) -> None:
        """Put the causes in order, at the end and now and then on the way there."""
        self._slices += 1
        wait = max(RANKED_EVERY, len(self.found) // RANKED_PER_SLICE)
        is_due = not has_more or self._slices == 1 or self._slices - self._ranked_at >= wait
        if is_due and self._ranked != self.version:
            self._ranked, self._ranked_at = self.version, self._slices
            self.ranking = Ranking(self._run, tuple(self.found.values()))

    def _note_growth(self) -> None:
        """Have a second look at what may have changed, since more has come to disk."""
        hosts = (index.host for index in self._run.hosts)
        events = sum(len(host.executions) + len(host.traces) for host in hosts)
        is_open = (key for key, cause in self.found.items() if not cause.is_settled)
        self._second_looks.grow(events, is_open)

    def _look_again(self, keys: list[int]) -> None:
        """Judge some sites again whose call had not ended, and follow some causes again.

        What is written is read in the next step.
        """
        again = self._second_looks.to_judge(SITES_AT_ONCE)
        ranks = {key: rank for rank, key in enumerate(keys)} if again else {}
        for key in again:
            if key in ranks:
                self._last_cause = _cause_before(keys[: ranks[key]], key, self.cause_of)
                self._judge(ranks[key], key)
        for key in self._second_looks.to_follow(REACHED_AT_ONCE):
            cause = self.found.get(key)
            if cause is not None:
                self._note(key, cause._replace(reached=self._reached(cause.tensor)))

    def _judge(self, rank: int, key: int) -> None:
        own = self._sites.alert(rank).first
        self._judged_by[key] = own.event
        first, judged = self._first_harm.of(own)
        cause = self._cause_by_flow(key, judged) if judged.follows else key
        if cause is None:
            cause = self.cause_of.get(key, key)
            if cause == key and self._last_cause >= 0:
                cause = self._last_cause
            elif cause == key and judged.follows and rank:
                self._second_looks.await_cause(key)
        if self.cause_of.get(key) != cause:
            if judged.follows and is_read(self._op_type(own)):
                self.reads.add(key)
            self.cause_of[key] = cause
            self.version += 1
        if cause == key:
            self.followers.pop(key, None)
            self._note_cause(key, first, judged)
        else:
            self.found.pop(key, None)
            self.followers[key] = judged
            self._note_harm(cause, first, judged)
        self._note_absorbed(key, first)
        self._second_looks.settle(key, judged.is_final)

    def _cause_by_flow(self, key: int, judged: Judged) -> int | None:
        """The cause of the first bad input of a follower, if that is known."""
        for source in judged.sources[:1]:
            roots = self._causes.hosts[source.host].roots([source])
            keys = [self._sites.key_of(root) for root in roots]
            known = [key for key in keys if key in self.found]
            if known:
                return known[0]
            source_key = self._sites.key_of(source)
            if keys and source_key not in self.cause_of:
                self._second_looks.await_cause(key)
                return keys[0]
            return self.cause_of.get(source_key)
        return None

    def _note_cause(self, key: int, first: EventRef, judged: Judged) -> None:
        host = self._causes.hosts[first.host]
        index = self._run.hosts[first.host]
        cause = FoundCause(
            key,
            first,
            judged,
            self._reached(first),
            is_gradient(index, first),
            host.may_be_meant(first),
            host.time_of(first),
        )
        if judged.writer is not None and cause.reached.reach is not Reach.ABSORBED:
            cause = cause._replace(reached=cause.reached._replace(reach=Reach.VARIABLE))
        self._note(key, cause)

    def _note(self, key: int, cause: FoundCause) -> None:
        if cause != self.found.get(key):
            self.found[key] = cause
            self.version += 1

    def _note_harm(self, key: int, follower: EventRef, judged: Judged) -> None:
        """A follower may tell that its cause came further than its own first numbers did.

        What was harmless at first may do harm in a later step; and a gradient of what is bad may
        be bad without taking its numbers.
        """
        cause = self.found.get(key)
        if cause is None or cause.reached.reach is Reach.VARIABLE:
            return
        index = self._run.hosts[follower.host]
        culprit = cause.tensor
        if any(_is_handed_out(index, source) for source in judged.sources):
            reached = self._reached(follower)
        elif judged.sources:
            if cause.reached.reach is not Reach.ABSORBED:
                return
            roots = self._causes.hosts[follower.host].roots(judged.sources)
            same = (root for root in roots if self._sites.key_of(root) == key)
            culprit = next(same, culprit)
            if culprit == cause.tensor:
                return
            reached = self._reached(culprit)
        elif is_gradient(index, follower):
            reached = self._reached(follower)
        else:
            return
        if reached.reach.rank < cause.reached.reach.rank:
            self._note(key, cause._replace(tensor=culprit, reached=reached))

    def _reached(self, tensor: EventRef) -> Reached:
        if len(self.found) >= MAX_CAUSES:
            return Reached(Reach.ABSORBED, is_whole=False)
        index = self._run.hosts[tensor.host]
        is_written_down = self._causes.hosts[tensor.host].may_be_meant(tensor)
        return reached_from(index, tensor, self._loss_tests[tensor.host], is_written_down)

    def _op_type(self, tensor: EventRef) -> str:
        host = self._run.hosts[tensor.host].host
        if tensor.kind is EventKind.EXECUTION:
            return host.executions.site_of(tensor.event).op_type
        op = host.op_of(host.traces.site_of(tensor.event))
        return "" if op is None else op.type

    def _look_for_absorbed(self) -> bool:
        before = self.absorbed.version
        has_more = self.absorbed.extend()
        self.version += self.absorbed.version - before
        return has_more

    def _note_absorbed(self, key: int, first: EventRef) -> None:
        before, cause = self.absorbed.version, self.found.get(key)
        if cause is None:
            self.absorbed.ask(key, first)
        else:
            self.absorbed.note(key, cause.reached.reach is Reach.ABSORBED)
        self.version += self.absorbed.version - before

    # Asking.

    def has_judged(self, tensor: EventRef) -> bool:
        """Whether a tensor is what its site was judged by."""
        return self._judged_by.get(self._sites.key_of(tensor)) == tensor.event

    def cause_behind(self, tensor: EventRef) -> FoundCause | None:
        """The cause that a bad tensor comes from, as far as that is known."""
        host = self._causes.hosts[tensor.host]
        roots = host.roots([tensor])
        keys = [*map(self._sites.key_of, roots), self._sites.key_of(tensor)]
        for key in keys:
            cause = self.found.get(key) or self.found.get(self.cause_of.get(key, -1))
            if cause is not None:
                return cause
        return None

    def alerts_of(self, keys: Collection[int], without: Container[int] = ()) -> int:
        """How many tensors are bad because of some causes; but for some sites."""
        ranks = enumerate(self._sites.keys[:MAX_JUDGED].tolist())
        return sum(
            self._sites.alert(rank).alerts
            for rank, key in ranks
            if self.cause_of.get(key) in keys and key not in without
        )


def _is_handed_out(index: HostIndex, tensor: EventRef) -> bool:
    """Whether a tensor is data: how it gets to where it is used may not be told."""
    op = op_of(index, tensor)
    if op is None:
        return False
    graph = index.host.graphs.name_of(op.graph_id) or ""
    return is_dataset_function(graph) or is_data_in(graph, op.type)


def _cause_before(earlier: list[int], key: int, cause_of: dict[int, int]) -> int:
    """The last cause among earlier sites; else what one of them comes from; -1 for none.

    What was bad before may come from what parallel ops wrote later.
    """
    causes = (other for other in reversed(earlier) if cause_of.get(other) == other)
    behind = (cause_of.get(other, key) for other in reversed(earlier))
    return next(causes, next((cause for cause in behind if cause != key), -1))
