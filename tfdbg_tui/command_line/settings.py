"""`config`: the settings that the app uses, and the file that they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.result import Cell, Head, table

if TYPE_CHECKING:
    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer

HEADS = (Head("setting", "setting"), Head("value", "value"))


def run(context: Context, command: ParsedCommand) -> Answer:
    """All of them, as the app tells them."""
    yield
    if context.settings is None:
        raise CommandError("`config` tells the settings of the app: type it there, behind a colon.")
    rows = [(Cell(name, name), Cell(value, value)) for name, value in context.settings()]
    return table("", HEADS, rows)
