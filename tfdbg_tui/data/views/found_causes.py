"""What is known of causes in the run that is looked at: judgements, ranks, the tree of alerts."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.call_causes import CallCauses
from tfdbg_tui.data.cause.causes import Causes
from tfdbg_tui.data.cause.explaining import explain
from tfdbg_tui.data.cause.run_causes import RunCauses
from tfdbg_tui.data.early.run_warnings import RunWarnings
from tfdbg_tui.data.early.stalled import stalled
from tfdbg_tui.data.index.alert_rows import AlertRows
from tfdbg_tui.data.views.alert_list import AlertList
from tfdbg_tui.data.views.alert_tree import AlertTree
from tfdbg_tui.data.views.muted_causes import MutedCauses

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.causes import HostCauses
    from tfdbg_tui.data.cause.explanation import Explanation
    from tfdbg_tui.data.cause.found_cause import FoundCause
    from tfdbg_tui.data.early.thresholds import Thresholds
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.views.selection import Selection

MAX_TIMES = 100
"""Causes whose times are told: a line has no more room for signs."""

MAX_EXPLAINED = 64
"""Explanations that are kept."""


class FoundCauses:
    """The causes of one run after another, for the screen's thread."""

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        self._thresholds = thresholds
        self._run: RunIndex | None = None
        self._causes: Causes | None = None
        self._calls: tuple[CallCauses, ...] = ()
        self.job: RunCauses | None = None
        """Finds the causes among all alerts; for the feed."""
        self.tree: AlertTree | None = None
        """The rows of what is bad."""
        self.alerts: AlertList | None = None
        """The same with the early warnings below."""
        self.warnings: RunWarnings | None = None
        """Finds those; for the feed."""
        self._explained: dict[FoundCause, Explanation] = {}
        self.muting = MutedCauses()
        """What the user has muted of it."""

    def open(self, run: RunIndex) -> None:
        """Look at a run; whether what follows is folded stays."""
        is_folded = self.tree is not None and self.tree.is_folded
        self._run = run
        self._causes = Causes(run)
        hosts = enumerate(zip(run.hosts, self._causes.hosts, strict=True))
        self._calls = tuple(CallCauses(number, *host) for number, host in hosts)
        self.job = RunCauses(run, self._causes)
        self.muting.open(run, self._causes, self.job)
        self.tree = AlertTree(run.alerts, self.job, self.muting)
        self.tree.fold(is_folded)
        self.warnings = RunWarnings(run, self.job, self._thresholds)
        self.alerts = AlertList(run, self.tree, self.warnings, self.muting)
        self._explained = {}

    def for_another_thread(self) -> FoundCauses:
        """The same with lists of its own, which that thread refreshes itself."""
        other = copy(self)
        if self._run is not None and self.job is not None and self.warnings is not None:
            rows = AlertRows(self._run.hosts)
            other.tree = AlertTree(rows, self.job, self.muting)
            other.alerts = AlertList(self._run, other.tree, self.warnings, self.muting)
        other._explained = {}
        return other

    def tell_silence(self, seconds: float | None) -> None:
        """Take note that the program has been silent for longer than that; None if it is not."""
        if self._run is not None and self.alerts is not None:
            self.alerts.tell_stalled(None if seconds is None else stalled(self._run, seconds))

    @property
    def patient_jobs(self) -> tuple[RunWarnings, ...]:
        """What nobody waits for."""
        return () if self.warnings is None else (self.warnings,)

    # Ranks.

    @property
    def ranked(self) -> tuple[FoundCause, ...]:
        """The causes as far as they are found, the worst first; none that is muted."""
        return () if self.job is None else self.muting.sort_out(self.job.ranking.causes)

    @property
    def meant(self) -> tuple[FoundCause, ...]:
        """What is bad on purpose, in time; nothing that is muted."""
        return () if self.job is None else self.muting.sort_out(self.job.ranking.meant)

    @property
    def muted(self) -> tuple[FoundCause, ...]:
        """The causes that are muted, the worst first."""
        if self.job is None or not self.muting.muted.by:
            return ()
        every = (*self.job.ranking.causes, *self.job.ranking.meant)
        return tuple(cause for cause in every if cause.key in self.muting.muted.by)

    def rank_of(self, tensor: EventRef) -> int | None:
        """Which of the causes a tensor is the first of, from 0."""
        ranks = (n for n, cause in enumerate(self.ranked) if _is_same(cause.tensor, tensor))
        return next(ranks, None)

    def first_alert(self) -> EventRef | None:
        """The first bad tensor in time that is not muted, as far as that is known."""
        first = None if self._run is None else self._run.log.first()
        if first is None or not self.muting.is_known:
            return None
        return first.ref if self.muting.rule_of(first.ref) is None else self.muting.muted.first

    # Words.

    def explain(self, cause: FoundCause) -> Explanation | None:
        """All there is to tell of a cause."""
        if self._run is None:
            return None
        known = self._explained.get(cause)
        if known is None:
            if len(self._explained) >= MAX_EXPLAINED:
                self._explained = {}
            known = self._explained[cause] = explain(self._run, cause)
        return known

    def cause_of(self, tensor: EventRef) -> FoundCause | None:
        """The cause, or what is meant, that a bad tensor comes from, as far as that is known."""
        host, job = self.of_host(tensor.host), self.job
        if host is None or job is None or not host.is_bad(tensor):
            return None
        every = (*self.ranked, *self.meant, *self.muted)
        own = next((cause for cause in every if _is_same(cause.tensor, tensor)), None)
        return own or job.cause_behind(tensor)

    def meant_tensors(self) -> int:
        """How many tensors hold numbers that are meant."""
        meant = {cause.key for cause in self.meant}
        return (
            0 if self.job is None or not meant else self.job.alerts_of(meant, self.muting.muted.by)
        )

    def path_to(self, tensor: EventRef) -> tuple[EventRef, ...]:
        """The bad tensors that lead to one, from a cause on."""
        host = self.of_host(tensor.host)
        return () if host is None else host.path_to(tensor)

    # Judgements.

    def of_host(self, number: int) -> HostCauses | None:
        """What follows from what on one host."""
        if self._causes is None or number >= len(self._causes.hosts):
            return None
        return self._causes.hosts[number]

    def of_calls(self, number: int) -> CallCauses | None:
        """What that means for the calls of one host."""
        return self._calls[number] if number < len(self._calls) else None

    def follows(self, tensor: EventRef) -> bool:
        """Whether a tensor is bad, and that follows from something else."""
        causes = self.of_host(tensor.host)
        return causes is not None and causes.follows(tensor.kind, tensor.event)

    def times_of_host(self, number: int) -> list[float]:
        """When the first causes on a host came about."""
        tree, causes = self.tree, self.of_host(number)
        if tree is None or causes is None:
            return []
        first = (tree.cause(cause) for cause in range(min(tree.causes, MAX_TIMES)))
        return [causes.time_of(ref) for ref in first if ref is not None and ref.host == number]

    def in_call(self, selection: Selection) -> tuple[EventRef, ...]:
        """The causes in the call of a selection: "one of 3 in this call"; none without a call."""
        calls = self.of_calls(selection.host)
        if calls is None or selection.execution is None:
            return ()
        return calls.in_call(selection.execution)


def _is_same(one: EventRef, other: EventRef) -> bool:
    return one[:3] == other[:3]
