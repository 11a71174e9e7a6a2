"""Numbers as a curve in braille: two columns and four rows of dots in each cell of the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.widgets.pieces import Piece, left, right

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.views.value_page import CurvePage
    from tfdbg_tui.widgets.glyphs import Glyphs
    from tfdbg_tui.widgets.pieces import Pieces

START = 11
"""Cells before the curve, for the numbers at its top and its bottom."""

BRAILLE = 0x2800

DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The bit of each dot, by column and by row from above."""

BELOW = 3
"""Lines below the curve: bad ones, the cursor, the axis."""


def curve_columns(width: int, glyphs: Glyphs) -> int:
    """Columns of dots that fit."""
    return max(1, width - START) * (1 if glyphs.bar.isascii() else 2)


def curve_lines(page: CurvePage, width: int, height: int, glyphs: Glyphs) -> list[Pieces]:
    """The curve, its range at the left, and where it is bad below it."""
    per_cell = 1 if glyphs.bar.isascii() else 2
    cells, rows = max(1, width - START), max(1, height - BELOW)
    numbers = [point for point in page.points if point is not None]
    low, high = min((p[0] for p in numbers), default=0.0), max((p[1] for p in numbers), default=0.0)
    # Few points are as wide as there is room for: a step for each.
    wide = max(1, cells * per_cell // max(1, len(page.points)))
    points = [point for point in page.points for _ in range(wide)][: cells * per_cell]
    lines: list[Pieces] = []
    for row, text in enumerate(_drawn(points, (low, high), rows, per_cell)):
        bounds = {rows // 2: high} if low == high else {0: high, rows - 1: low}
        label = f"{bounds[row]:.4g}" if row in bounds else ""
        role = "dim" if numbers else ""
        lines.append([right(label, START - 2, role), Piece("  "), Piece(text, "accent")])
    bad = [" "] * cells
    for number, is_bad in enumerate(page.bad):
        if is_bad:
            bad[min(cells - 1, (number * wide) // per_cell)] = "!"
    lines.append([left("  bad", START, "dim"), Piece("".join(bad).rstrip(), "bad")])
    here = -1 if page.here is None else page.here * wide // per_cell
    pointer = " " * here + glyphs.first if 0 <= here < cells else ""
    lines.append([Piece(" " * START), Piece(pointer, "notable")])
    end = min(cells, -(-len(points) // per_cell))
    first, last = page.labels
    axis = first.ljust(max(len(first) + 1, end - len(last))) + last
    lines.append([Piece(" " * START), Piece(axis[:cells], "dim")])
    return lines


def _drawn(
    points: Sequence[tuple[float, float] | None],
    span: tuple[float, float],
    rows: int,
    per_cell: int,
) -> list[str]:
    """The signs of each row, from above."""
    per_row = 4 if per_cell == 2 else 1
    dots = [[0] * -(-len(points) // per_cell) for _ in range(rows)]
    for column, point in enumerate(points):
        if point is None:
            continue
        top, bottom = (_level(number, span, rows * per_row) for number in (point[1], point[0]))
        for level in range(top, bottom + 1):
            row, within = divmod(level, per_row)
            bit = DOTS[column % 2][within] if per_cell == 2 else 1
            dots[row][column // per_cell] |= bit
    if per_cell == 2:
        return ["".join(chr(BRAILLE + bits) if bits else " " for bits in row) for row in dots]
    return ["".join("*" if bits else " " for bits in row) for row in dots]


def _level(number: float, span: tuple[float, float], levels: int) -> int:
    """How far from above a number is drawn; halves keep the largest numbers within reach."""
    low, high = span
    size = high / 2 - low / 2
    share = (number / 2 - low / 2) / size if size else 0.5
    return min(levels - 1, max(0, round((1 - share) * (levels - 1))))
