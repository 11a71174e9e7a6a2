"""The cause band: the answer, above everything else, in three rows at the most."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from textual.geometry import Region

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.widgets.bars import Bar
from tfdbg_tui.widgets.glyphs import UNICODE, Glyphs
from tfdbg_tui.widgets.pieces import Piece, Pieces, padded, spread, width_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ClassVar

EDGE = 2
"""Cells of the coloured edge, with the blank behind it."""


class BandLine(NamedTuple):
    """One row: what is said, and what stands at the right if there is room for both."""

    start: Pieces
    end: Pieces = []  # noqa: RUF012 - nobody changes it


Write = "Callable[[int], list[BandLine]]"
"""The rows of the band for the cells that they have."""


class CauseBand(Bar):
    """Rows about what is chosen; the edge says by its colour whether that is bad."""

    glyphs: ClassVar[Glyphs] = UNICODE
    """Set once by the app, before anything is drawn."""

    DEFAULT_CSS = "CauseBand { height: 3; width: 1fr; }"

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._write: Callable[[int], list[BandLine]] = lambda width: []
        self._mood = ""
        self._rows: list[Pieces] = []
        self._written_for = 0

    def show(self, write: Callable[[int], list[BandLine]], mood: str) -> None:
        """Say this from now on; the mood is the role of the edge. The same costs nothing."""
        self._write, self._mood = write, mood
        width = self.outer_size.width
        before, self._rows = self._rows, self._written(width)
        rows = enumerate(zip_longest(self._rows, before))
        changed = [Region(0, y, width, 1) for y, (row, earlier) in rows if row != earlier]
        if changed:
            self.refresh(*changed)

    def _written(self, width: int) -> list[Pieces]:
        self._written_for = width
        edge, room = Piece(self.glyphs.edge + " ", self._mood), max(0, width - EDGE)
        return [[edge, *_fitted(line, room)] for line in self._write(max(0, room - 1))]

    def line(self, y: int, width: int) -> Pieces:
        """One row, written anew where the width is another one."""
        if self._written_for != width:
            self._rows = self._written(width)
        return self._rows[y] if y < len(self._rows) else []

    @property
    def text(self) -> str:
        """What is said, row by row, for those who cannot see it."""
        return "\n".join("".join(piece.text for piece in row).rstrip() for row in self._rows)


def _fitted(line: BandLine, width: int) -> Pieces:
    """Both ends of a row; the right one goes if it would cut the left one."""
    if width_of(line.start) + width_of(line.end) + 2 <= width:
        return spread(line.start, [*line.end, Piece(" ")], width)
    return padded(line.start, width)
