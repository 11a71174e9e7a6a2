"""The elements of a value as lines: indices at two sides, a cursor on one, bad ones in red."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.views.value_page import CellKind
from tfdbg_tui.widgets.pieces import Piece, left, right

if TYPE_CHECKING:
    from tfdbg_tui.data.views.value_page import GridPage
    from tfdbg_tui.widgets.pieces import Pieces

ROLES = {CellKind.PLAIN: "", CellKind.BAD: "bad", CellKind.IN_RANGE: "warn"}

GAP = 2
"""Cells before each column."""

HEAD = 1
"""Lines above the elements."""


def label_width(page: GridPage) -> int:
    """Cells of the indices at the left."""
    return max([2, *map(len, page.row_labels)]) + 1


def grid_lines(page: GridPage, width: int) -> list[Pieces]:
    """The lines; columns that do not fit are left out."""
    start = label_width(page)
    columns = max(1, (width - start) // (page.cell_width + GAP))
    above = [
        Piece(" " * GAP + label.rjust(page.cell_width), "title" if n == page.cursor[1] else "dim")
        for n, label in enumerate(page.column_labels[:columns])
    ]
    lines: list[Pieces] = [[Piece(" " * start), *above]]
    for number, (label, row) in enumerate(zip(page.row_labels, page.rows, strict=False)):
        is_here = number == page.cursor[0]
        line = [right(label, start - 1, "title" if is_here else "dim"), Piece(" ")]
        for column, cell in enumerate(row[:columns]):
            chosen = is_here and column == page.cursor[1]
            line.append(Piece(" " * GAP))
            fits = len(cell.text) <= page.cell_width
            drawn = right(cell.text, page.cell_width) if fits else left(cell.text, page.cell_width)
            line.append(drawn._replace(role="hit" if chosen else ROLES[cell.kind]))
        lines.append(line)
    if not page.rows:
        lines.append([Piece("  It has no element.", "dim")])
    return lines


def cell_at(page: GridPage, x: int, y: int) -> tuple[int, int] | None:
    """Which element in view is at a place of the lines."""
    row, column = y - HEAD, (x - label_width(page)) // (page.cell_width + GAP)
    is_there = 0 <= row < len(page.rows) and 0 <= column < len(page.rows[row])
    return (row, column) if is_there and x >= label_width(page) else None
