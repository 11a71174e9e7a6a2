"""When panes get other heights: with another run, and never because rows came to one that has some.

The focus and the size of the terminal count too; the pane area knows these by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.screens.pane_names import ALERTS, EXECUTIONS, LIST_OF, LISTS, TRACES

if TYPE_CHECKING:
    from tfdbg_tui.screens.present.pane_area import PaneArea
    from tfdbg_tui.screens.session.session import Session


class Heights:
    """Remembers what the heights suit."""

    def __init__(self, session: Session, panes: PaneArea) -> None:
        self._session = session
        self._panes = panes
        self._suited: object = None
        """The host, which of its lists are empty, and whether it is still loaded."""

    def suit(self, is_typing: bool) -> None:
        """Let heights suit a run that is new, read to its end, or has its first rows."""
        session, navigator = self._session, self._session.navigator
        index, run = navigator.index, navigator.run
        if session.snapshot is None or index is None or run is None:
            return
        counts = {
            ALERTS: run.alerts.count + self._warnings(),
            EXECUTIONS: len(index.host.executions),
            TRACES: len(index.host.traces),
        }
        empty = frozenset(name for name, count in counts.items() if not count)
        is_loading = session.snapshot.activity is Activity.LOADING
        if (index, empty, is_loading) != self._suited:
            self._suited = (index, empty, is_loading)
            self._panes.refit(empty)
            if self._panes.focused_pane in empty and not is_loading and not is_typing:
                self._leave_empty_list(empty)

    def _warnings(self) -> int:
        alerts = self._session.navigator.causes.alerts
        return 0 if alerts is None else len(alerts.warnings)

    def _leave_empty_list(self, empty: frozenset[str]) -> None:
        """Give the keys to a list that has rows, the one of what is chosen first."""
        chosen = LIST_OF[self._session.navigator.selection.list_kind]
        others = [name for name in (chosen, *LISTS) if name not in empty]
        if others:
            self._panes.reveal(others[0])
