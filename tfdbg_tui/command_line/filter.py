"""`filter`: a name for a query; without a query, what the names stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.result import Cell, CommandLink, Head, Result, table
from tfdbg_tui.command_line.tensor_query import parsed

if TYPE_CHECKING:
    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer

HEADS = (Head("name", "name"), Head("query", "stands for"))


def run(context: Context, command: ParsedCommand) -> Answer:
    """Name a query, or tell what is named."""
    yield
    filters = context.filters
    name, query = command.arguments.get("NAME"), command.arguments.get("QUERY")
    if name is not None and query is not None:
        parsed(query)  # a query that makes no sense gets no name
        filters.name(name, query)
        return Result(f"{name} stands for {query}; `lt -f {name}` lists what it finds.")
    names = filters.names if name is None else [name]
    rows = [
        (
            Cell(one, one, CommandLink(f"lt -f {one}")),
            Cell(filters.query_of(one), filters.query_of(one)),
        )
        for one in names
    ]
    return table("", HEADS, rows)
