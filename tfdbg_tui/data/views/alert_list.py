"""All rows of the alerts pane: the tree of what is bad and, below it, the early warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.early.unmuted import unmuted
from tfdbg_tui.frozen.frozen import Frozen

if TYPE_CHECKING:
    from tfdbg_tui.data.early.run_warnings import RunWarnings
    from tfdbg_tui.data.early.warning import EarlyWarning
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.views.alert_tree import AlertTree, AlertTreeRow
    from tfdbg_tui.data.views.muted_causes import MutedCauses


class WarningRow(Frozen):
    """One early warning."""

    warning: EarlyWarning
    is_usual_file: bool = False
    """Whether its line is in the file that most rows have theirs in."""


class AlertList:
    """The rows, for the screen's thread."""

    def __init__(
        self, run: RunIndex, tree: AlertTree, found: RunWarnings, muting: MutedCauses
    ) -> None:
        self._run = run
        self._tree = tree
        self._found = found
        self._muting = muting
        self._seen: object = None
        """Of what `warnings` was made last."""
        self.warnings: tuple[EarlyWarning, ...] = ()
        """As they are listed."""
        self._stalled: tuple[EarlyWarning, ...] = ()
        self._chosen: tuple[object, ...] | None = None
        """The key of the warning that was chosen last, rather than an alert."""

    def __len__(self) -> int:
        return len(self._tree) + len(self.warnings)

    @property
    def is_folded(self) -> bool:
        """Whether a cause stands for all that follows from it."""
        return self._tree.is_folded

    def fold(self, is_folded: bool) -> None:
        """Fold what follows below its causes, or list it."""
        self._tree.fold(is_folded)

    def refresh(self) -> bool:
        """Look for new alerts and warnings; False if nothing is new."""
        return self._look_for_warnings() | self._tree.refresh()

    def _look_for_warnings(self) -> bool:
        seen = (self._found.warnings, self._stalled, self._muting.version)
        if seen == self._seen:
            return False
        self._seen, before = seen, self.warnings
        found = unmuted(self._run, self._found.warnings, self._muting.muted)
        self.warnings = (*found, *self._stalled)
        return self.warnings != before

    def tell_stalled(self, stalled: EarlyWarning | None) -> None:
        """Take note whether the recording has stalled: that is so only while it is live."""
        self._stalled = () if stalled is None else (stalled,)

    def rows(self, start: int, stop: int) -> list[AlertTreeRow | WarningRow]:
        """Some rows."""
        alerts = len(self._tree)
        found: list[AlertTreeRow | WarningRow] = list(self._tree.rows(start, min(stop, alerts)))
        below = self.warnings[max(0, start - alerts) : max(0, stop - alerts)]
        usual = self._usual_file
        return found + [WarningRow(w, w.line is not None and w.line.path == usual) for w in below]

    @property
    def _usual_file(self) -> str:
        if len(self._tree):
            return self._tree.usual_file
        paths = [warning.line.path for warning in self.warnings if warning.line is not None]
        return max(paths, key=paths.count, default="")

    # Which is chosen.

    def choose(self, warning: EarlyWarning | None) -> None:
        """Take note that a warning was chosen, or an alert: both may be of one event."""
        self._chosen = None if warning is None else warning.key

    def chosen(self, tensor: EventRef | None) -> EarlyWarning | None:
        """The warning that is chosen, given the event that is; the one that was led to first."""
        own = [w for w in self.warnings if tensor is not None and w.tensor[:3] == tensor[:3]]
        return next((warning for warning in own if warning.key == self._chosen), None) or (
            own[0] if own and tensor is not None and self._tree.row_of(tensor) is None else None
        )

    def row_of(self, tensor: EventRef) -> int | None:
        """The row of a warning that is chosen, else of the site of a bad tensor."""
        warning = self.chosen(tensor)
        if warning is None:
            return self._tree.row_of(tensor)
        return len(self._tree) + self.warnings.index(warning)
