"""A notice in the middle of the screen, where there is nothing else to show."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from rich.cells import cell_len

from tfdbg_tui.widgets.line_pane import LinePane
from tfdbg_tui.widgets.pieces import Piece, Pieces, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDEST = 76
"""Cells of a line of text, however wide the screen is."""

INDENT = 4
"""Cells before the lines of code."""


class NoticePane(LinePane):
    """A headline, sentences and code."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id)
        self._told: tuple[str, tuple[str, ...], tuple[str, ...]] = ("", (), ())
        self._lines: list[Pieces] = []

    def show(self, headline: str, text: Sequence[str], code: Sequence[str]) -> None:
        """Say this from now on; the same costs nothing."""
        told = (headline, tuple(text), tuple(code))
        if told != self._told:
            self._told, self._lines = told, []
            self.redraw()

    def line_count(self) -> int:
        """Lines with those above that bring them to the middle."""
        return len(self._lines)

    def on_resize(self) -> None:
        """Another size has another middle."""
        self._lines = []

    def prepare(self, first: int, last: int, width: int) -> None:
        """Write the lines for this size."""
        if self._lines:
            return
        headline, text, code = self._told
        lines: list[Pieces] = [[Piece(shorten(headline, width), "title")], []]
        lines += [[Piece(part)] for part in wrap(" ".join(text), max(10, min(WIDEST, width - 2)))]
        if code:
            lines += [[], *[[Piece(" " * INDENT), Piece(line, "accent")] for line in code]]
        widest = max(sum(cell_len(piece.text) for piece in line) for line in lines)
        margin = Piece(" " * max(1, (width - widest) // 2))
        above = max(0, (self.body_height - len(lines)) // 3)
        self._lines = [*([[]] * above), *([margin, *line] for line in lines)]

    def line(self, number: int, width: int) -> Pieces:
        """One line."""
        return self._lines[number]
