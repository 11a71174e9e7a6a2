"""What keys open over the panes: lists to choose from, and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.screens.pane_actions import PaneActions

if TYPE_CHECKING:
    from tfdbg_tui.screens.dialogs.opener import Dialogs


class PageActions(PaneActions):
    """Opens them; what is chosen there is shown by the panes."""

    dialogs: Dialogs

    def action_choose(self, what: str) -> None:
        """Choose among runs and hosts, source files, what to mute, commands or themes."""
        self.dialogs.choose(self.app, what)

    def action_doctor(self) -> None:
        """Say what this recording can and cannot show."""
        self.dialogs.doctor(self.app, self.view.read_findings())

    def action_why(self) -> None:
        """Say why what is chosen is bad."""
        self.dialogs.why(self.app)

    def action_tensor_history(self) -> None:
        """Show the chosen tensor over all its computations."""
        self.dialogs.history(self.app)

    def action_heat_map(self) -> None:
        """Show all tensors by step."""
        self.dialogs.heat_map(self.app)

    def action_op_tree(self) -> None:
        """Show all ops by device, function and scope."""
        self.dialogs.op_tree(self.app)

    def action_help(self) -> None:
        """Say what the focused pane shows, and all keys."""
        self.dialogs.help(self.app, self.view.panes.focused_pane)
