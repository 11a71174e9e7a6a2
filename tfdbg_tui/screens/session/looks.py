"""The pages over the panes: each is made when it is first opened, which most never are."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tfdbg_tui.data.views.navigator import Navigator
    from tfdbg_tui.screens.session.heat_look import HeatLook
    from tfdbg_tui.screens.session.history_look import HistoryLook
    from tfdbg_tui.screens.session.op_tree_look import OpTreeLook
    from tfdbg_tui.screens.session.value_look import ValueLook


class Looks:
    """Where the user is on each of them."""

    def __init__(self, navigator: Navigator) -> None:
        self._navigator = navigator

    @cached_property
    def heat(self) -> HeatLook:
        """All tensors by step."""
        from tfdbg_tui.screens.session.heat_look import HeatLook

        return HeatLook(self._navigator)

    @cached_property
    def op_tree(self) -> OpTreeLook:
        """All ops by device, function and scope."""
        from tfdbg_tui.screens.session.op_tree_look import OpTreeLook

        return OpTreeLook(self._navigator)

    @cached_property
    def history(self) -> HistoryLook:
        """The chosen tensor over all its computations."""
        from tfdbg_tui.screens.session.history_look import HistoryLook

        return HistoryLook(self._navigator)

    @cached_property
    def value(self) -> ValueLook:
        """The value of the chosen tensor."""
        from tfdbg_tui.screens.session.value_look import ValueLook

        return ValueLook(self._navigator)
