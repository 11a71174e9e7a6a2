"""`help`: the commands as they are defined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.result import Cell, CommandLink, Head, Result, line, table
from tfdbg_tui.command_line.table import COMMANDS, definition_of
from tfdbg_tui.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.definition import CommandDefinition
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer, Line

HEADS = (Head("command", "command"), Head("does", "does"))


def run(context: Context, command: ParsedCommand) -> Answer:
    """Help on all commands, or on one."""
    yield
    name = command.arguments.get("COMMAND")
    if name is not None:
        return help_on(name)
    rows = [
        (Cell(one.name, one.name, CommandLink(f"help {one.name}")), Cell(one.summary, one.summary))
        for one in COMMANDS
    ]
    return table("", HEADS, rows, notes=("`help COMMAND` tells its options; > FILE writes it.",))


def help_on(name: str) -> Result:
    """Help on one command; raises CommandError."""
    definition = definition_of(name)
    if definition is None:
        raise CommandError(f"There is no command {name[:40]}; `help` lists them.")
    return Result(definition.usage, tuple(_lines(definition)), facts={"command": definition.name})


def _lines(definition: CommandDefinition) -> Iterator[Line]:
    yield line(f"  {definition.summary}")
    if definition.is_of_app:
        yield line("  In the app only.")
    if definition.aliases:
        yield line(f"  Also called {listed(definition.aliases)}.")
    if definition.options:
        yield line("")
    for option in definition.options:
        flag = option.flag if option.takes is None else f"{option.flag} {option.takes}"
        also = f" ({option.long})" if option.long else ""
        yield line(f"  {flag:<12}{option.meaning}{also}")
    if definition.examples:
        yield line("")
    for example in definition.examples:
        yield (Cell("  "), Cell(example, link=CommandLink(example)))
