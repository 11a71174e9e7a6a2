"""What keys open over the panes: pages, lists to choose from, help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.screens.pane_actions import PaneActions

if TYPE_CHECKING:
    from tfdbg_tui.screens.dialogs.opener import Dialogs


class DialogActions(PaneActions):
    """Opens what lies over the panes, which goes on behind it."""

    _dialogs: Dialogs

    def action_choose(self, what: str) -> None:
        """Choose among runs and hosts, source files, what to mute, commands or themes."""
        self._dialogs.choose(self.app, what)

    def action_doctor(self) -> None:
        """Say what this recording can and cannot show."""
        self._dialogs.doctor(self.app, self.view.read_findings())

    def action_why(self) -> None:
        """Say why what is chosen is bad."""
        self._dialogs.why(self.app)

    def action_open_page(self, page: str) -> None:
        """Show the chosen tensor over all its computations, its value, or all tensors by step."""
        self._dialogs.open_page(self.app, page)

    def action_help(self) -> None:
        """Say what the focused pane shows, and all keys."""
        self._dialogs.help(self.app, self.view.panes.focused_pane)
