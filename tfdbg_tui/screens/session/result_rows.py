"""What a command told as rows: its text, the table below, and what is said below that."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tfdbg_tui.command_line.result import Result, line
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.command_line.result import Cell, Link, Rows


class Part(Enum):
    """Which part of a result a row is of."""

    TEXT = "text"
    HEADS = "heads"
    TABLE = "table"


class ResultRow(NamedTuple):
    """One row."""

    part: Part
    cells: tuple[Cell, ...] = ()

    @property
    def links(self) -> tuple[Link, ...]:
        """Where it leads, from left to right."""
        return tuple(cell.link for cell in self.cells if cell.link is not None)

    @property
    def text(self) -> str:
        """What it says, as it was recorded."""
        gap = "  " if self.part is Part.TABLE else ""
        return gap.join(cell.text for cell in self.cells)


BLANK = ResultRow(Part.TEXT)


class ResultRows:
    """The rows of a result, those of the table made as they come into view."""

    def __init__(self, result: Result, table: Rows) -> None:
        above = [ResultRow(Part.TEXT, cells) for cells in result.lines]
        has_heads = any(head.title for head in result.heads)
        self.heads_stay = has_heads and not above
        """Whether the heads stand above what scrolls: there is nothing but the table."""
        self.title = "" if above else result.title
        """What stands above all that: where there is text, its first row says what it is."""
        if above and result.title:
            above.insert(0, ResultRow(Part.TEXT, line(result.title, "head")))
        if above and len(table):
            above += [BLANK, *([ResultRow(Part.HEADS)] if has_heads else ())]
        below = [ResultRow(Part.TEXT, line(note, "dim")) for note in result.notes]
        self._above = tuple(above)
        self._below = (BLANK, *below) if below and (above or len(table)) else tuple(below)
        self.table = table

    def __len__(self) -> int:
        return len(self._above) + len(self.table) + len(self._below)

    def rows(self, start: int, stop: int) -> list[ResultRow]:
        """Some of them."""
        above, table = len(self._above), len(self.table)
        found = list(self._above[start:stop])
        first, last = max(0, start - above), min(table, stop - above)
        if first < last:
            found += [ResultRow(Part.TABLE, row) for row in self.table.rows(first, last)]
        begin = above + table
        found += self._below[max(0, start - begin) : max(0, stop - begin)]
        return found

    @property
    def first_of_table(self) -> int:
        """The first row of the table."""
        return len(self._above)

    @property
    def first_link(self) -> int:
        """The first row of the text that leads somewhere; the first of all if none does."""
        links = (number for number, row in enumerate(self._above) if row.links)
        return next(links, 0)
