"""A line to type in whose own keys act in order with those typed before and behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.widgets import Input

from tfdbg_tui.widgets.key_bindings import at_once

if TYPE_CHECKING:
    from textual.binding import BindingType


class TypedLine(Input):
    """Textual's line of input, quiet: its cursor does not blink."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(Input.BINDINGS)

    def __init__(self, id: str, placeholder: str = "") -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id, placeholder=placeholder, select_on_focus=False)
        self.cursor_blink = False
