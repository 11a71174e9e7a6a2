"""`ps`: a recorded source file, below each line what it created."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.result import Cell, OpLink, Result, SourceLink, line
from tfdbg_tui.command_line.source_files import file_named
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer, Line, Link
    from tfdbg_tui.data.index.line_index import LineOp, SourceEntry

MAX_OPS = 20
"""Ops that are listed below a line."""


def run(context: Context, command: ParsedCommand) -> Answer:
    """A source file with the ops, or the tensors, of each line."""
    yield from context.with_lines()
    host, entry = file_named(context, command.arguments["FILE"])
    source = context.run.hosts[host].host.sources.lines(entry.file)
    if source is None:
        raise CommandError(f"The text of {entry.path} is not on disk.")
    first = command.number("-b", 1, least=1)
    lines: list[Line] = []
    facts = context.run.hosts[host].lines.lines(entry.file)
    for number, text in enumerate(source[first - 1 :], first):
        told = facts.get(number)
        role = "bad" if told is not None and told.own_alerts else ""
        link = SourceLink(host, entry.file, number)
        lines.append((Cell(f"{number:>5} ", link=link, role="dim"), Cell(text, role=role)))
        if told is not None and told.own:
            lines += _made(context, host, entry, number, command.has("-t"))
            yield
    title = f"{entry.path}: {counted(len(source), 'line')}, {counted(entry.ops, 'op')}"
    return Result(title, tuple(lines), is_empty=not lines)


def _made(
    context: Context, host: int, entry: SourceEntry, number: int, as_tensors: bool
) -> Iterator[Line]:
    """What a line created, where it is the user's innermost."""
    ops = context.run.hosts[host].lines.ops(entry.file, number, MAX_OPS + 1)
    own = [op for op in ops if op.own]
    for op in own[:MAX_OPS]:
        for slot in range(op.slots if as_tensors else 1):
            name = f"{op.name}:{slot}" if as_tensors else op.name
            bad = f"  {counted(op.alerts, 'bad tensor')}" if op.alerts else ""
            kind = "" if op.op_type == op.name else f" ({op.op_type})"
            yield (
                Cell("        "),
                Cell(name, link=_link(host, op, slot), role="bad" if op.alerts else ""),
                Cell(kind, role="dim"),
                Cell(bad, role="bad"),
            )
    if len(own) > MAX_OPS:
        yield line("        … more", "dim")


def _link(host: int, op: LineOp, slot: int) -> Link | None:
    if op.first_bad_event is not None:
        return EventRef(host, op.kind, op.first_bad_event)
    if op.kind is EventKind.TRACE:
        return OpLink(host, op.graph_id, op.name, slot)
    return None
