"""`filter`: a name for a query; without a query, what the names stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.result import Cell, CommandLink, Head, Result, table
from tfdbg_tui.data.search.query import QueryError

if TYPE_CHECKING:
    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer
    from tfdbg_tui.data.search.named_filters import NamedFilters

HEADS = (Head("name", "name"), Head("query", "stands for"))


def run(context: Context, command: ParsedCommand) -> Answer:
    """Name a query, or tell what is named."""
    yield
    filters = context.filters
    name, query = command.arguments.get("NAME"), command.arguments.get("QUERY")
    if name is not None and query is not None:
        try:
            filters.define(name, query)
        except QueryError as error:
            raise CommandError(str(error)) from None
        return Result(f"{name} stands for {query}; `lt -f {name}` lists what it finds.")
    names = filters.names if name is None else (name,)
    told = ((one, _text_of(filters, one)) for one in names)
    rows = [(Cell(one, one, CommandLink(f"lt -f {one}")), Cell(text, text)) for one, text in told]
    return table("", HEADS, rows)


def _text_of(filters: NamedFilters, name: str) -> str:
    try:
        return filters.text_of(name)
    except QueryError as error:
        raise CommandError(str(error)) from None
