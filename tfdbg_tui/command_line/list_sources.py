"""`ls`: all source files that were recorded, the user's own first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.result import Cell, CommandLink, Head, SourceLink, table
from tfdbg_tui.command_line.source_files import files_of
from tfdbg_tui.command_line.tensor_query import searching_expression
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer, Row
    from tfdbg_tui.data.index.line_index import SourceEntry
    from tfdbg_tui.data.search.expressions import Expression

HEADS = (
    Head("path", "file"),
    Head("whose", "whose"),
    Head("ops", "ops", is_number=True),
    Head("bad", "bad", is_number=True),
)

MAX_OPS = 10_000
"""Ops of a line among which a name is looked for."""


def run(context: Context, command: ParsedCommand) -> Answer:
    """The files that are asked for."""
    yield from context.with_lines()
    path = searching_expression("-p", command.options.get("-p"))
    name = searching_expression("-n", command.options.get("-n"))
    rows: list[Row] = []
    for host, entry in files_of(context):
        if path is not None and not path.finds(entry.path):
            continue
        if name is not None and not _made(context, host, entry, name):
            continue
        rows.append(_row(host, entry))
        yield
    return table(counted(len(rows), "source file"), HEADS, rows)


def _made(context: Context, host: int, entry: SourceEntry, name: Expression) -> bool:
    """Whether a line of a file made an op of such a name."""
    lines = context.run.hosts[host].lines
    return any(
        name.finds(op.name)
        for line in lines.lines(entry.file)
        for op in lines.ops(entry.file, line, MAX_OPS)
    )


def _row(host: int, entry: SourceEntry) -> Row:
    whose = "yours" if entry.is_user else "library"
    link = SourceLink(host, entry.file, 1) if entry.is_user else CommandLink(f"ps '{entry.path}'")
    return (
        Cell(entry.path, entry.path, link, "" if entry.is_user else "dim"),
        Cell(whose, whose, role="dim"),
        Cell(f"{entry.ops:,}", entry.ops),
        Cell(f"{entry.alerts:,}", entry.alerts, role="bad" if entry.alerts else ""),
    )
