"""`q`: the events that a query finds, each with its step, function and line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.finding import find
from tfdbg_tui.command_line.result import Cell, Head, Result, SourceLink
from tfdbg_tui.command_line.tensor_query import query_of, untold
from tfdbg_tui.command_line.tensor_rows import TensorRows
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.finding import FoundEvents
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer, Row

MORE = (Head("step", "step", is_number=True), Head("function", "function"), Head("line", "line"))


class EventRows:
    """The rows of `lt` with what the panes show besides."""

    def __init__(self, context: Context, tensors: TensorRows) -> None:
        self._context = context
        self._tensors = tensors

    def __len__(self) -> int:
        return len(self._tensors)

    @property
    def heads(self) -> tuple[Head, ...]:
        """The columns."""
        return (*self._tensors.heads, *MORE)

    def rows(self, start: int, stop: int) -> Sequence[Row]:
        """Some of them, read back from disk."""
        found: FoundEvents = self._tensors.found
        told = self._tensors.rows(start, stop)
        return [(*row, *self._more(found, start + number)) for number, row in enumerate(told)]

    def _more(self, found: FoundEvents, row: int) -> Row:
        ref = found.ref(row)
        index = self._context.run.hosts[ref.host]
        store = index.host.store_of(ref.kind)
        facts = index.sites.of(ref.kind, store.site_number(ref.event))
        step = index.steps.step_of(store.wall_time(ref.event))
        line, where = facts.line, Cell("")
        if line is not None:
            name = line.path.replace("\\", "/").rpartition("/")[2]
            link = SourceLink(ref.host, line.file, line.line)
            where = Cell(f"{name}:{line.line}", f"{line.path}:{line.line}", link)
        function = facts.function or ""
        return Cell(f"{step:,}" if step else "", step), Cell(function, function or None), where

    def sorted_by(self, key: str, is_reversed: bool) -> EventRows:
        """The same in the order of a column; steps are in the order of time, names by site."""
        return EventRows(self._context, self._tensors.sorted_by(key, is_reversed))


def run(context: Context, command: ParsedCommand) -> Answer:
    """The events that a query finds."""
    yield from context.with_steps()
    query = query_of(context, command)
    found = yield from find(context, query)
    rows = EventRows(context, TensorRows(context, found))
    title = f"{counted(len(rows), 'event')} found"
    notes = untold(context, query)
    return Result(title, heads=rows.heads, rows=rows, notes=notes, is_empty=not len(rows))
