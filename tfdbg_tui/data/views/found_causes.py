"""What is known of causes in the run that is looked at: the judgements, and the tree of alerts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.causes import Causes
from tfdbg_tui.data.views.alert_tree import AlertCauses, AlertTree

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.causes import HostCauses
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.views.selection import Selection

MAX_TIMES = 100
"""Causes whose times are told: a line has no more room for signs."""


class FoundCauses:
    """The causes of one run after another, for the screen's thread."""

    def __init__(self) -> None:
        self._causes: Causes | None = None
        self.job: AlertCauses | None = None
        """Finds the causes among all alerts; for the feed."""
        self.tree: AlertTree | None = None
        """The rows of the alerts."""

    def open(self, run: RunIndex) -> None:
        """Look at a run; whether what follows is folded stays."""
        is_folded = self.tree is not None and self.tree.is_folded
        self._causes = Causes(run)
        self.job = AlertCauses(run, self._causes)
        self.tree = AlertTree(run.alerts, self.job)
        self.tree.fold(is_folded)

    def of_host(self, number: int) -> HostCauses | None:
        """What follows from what on one host."""
        if self._causes is None or number >= len(self._causes.hosts):
            return None
        return self._causes.hosts[number]

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
        causes = self.of_host(selection.host)
        if causes is None or selection.execution is None:
            return ()
        return causes.in_call(selection.execution)
