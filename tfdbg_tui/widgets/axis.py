"""The axis above or below columns of signs: labels as far as there is room for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.widgets.pieces import Piece, Pieces

if TYPE_CHECKING:
    from collections.abc import Sequence


def put(line: list[str], text: str, start: int) -> None:
    """Write into free cells, with a blank on either side; else leave it out."""
    end = start + len(text)
    if start >= 0 and end <= len(line) and not "".join(line[max(0, start - 1) : end + 1]).strip():
        line[start:end] = text


def body_width(pitch: int) -> int:
    """Cells of a column that are drawn in: between wide ones there is a gap."""
    return max(1, pitch - 1)


def sign_cell(pitch: int) -> int:
    """In which cell of a column its sign stands."""
    return "x".center(body_width(pitch)).index("x")


def labelled(labels: Sequence[str], pitch: int, width: int, cursor: int) -> Pieces:
    """A line with the labels of columns: the cursor's, both ends, and others that fit."""
    line = [" "] * max(1, width)
    last, at = len(labels) - 1, 0
    for column in (cursor, 0, last, *range(1, last)):
        text = labels[column]
        middle = column * pitch + sign_cell(pitch)
        start = max(0, min(middle - (len(text) - 1) // 2, len(line) - len(text)))
        if column in (0, last, cursor) or len(text) < pitch:
            put(line, text, start)
        if column == cursor:
            at = start
    told, end = "".join(line), at + len(labels[cursor])
    return [Piece(told[:at], "dim"), Piece(told[at:end], "notable"), Piece(told[end:], "dim")]
