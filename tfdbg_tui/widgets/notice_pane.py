"""A notice in the middle of the screen, where there is nothing else to show."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from rich.cells import chop_cells

from tfdbg_tui.widgets.pieces import Piece, Pieces, clean, shorten, width_of
from tfdbg_tui.widgets.text_pane import TextPane

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDEST = 76
"""Cells of a line of text, however wide the screen is."""

INDENT = 4
"""Cells before the lines of code."""


class NoticePane(TextPane):
    """A headline, sentences and code; what is too long is wrapped, code as a terminal would."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id)
        self._told: tuple[str, tuple[str, ...], tuple[str, ...]] = ("", (), ())

    def show(self, headline: str, text: Sequence[str], code: Sequence[str]) -> None:
        """Say this from now on; the same costs nothing."""
        told = (headline, tuple(text), tuple(code))
        if told != self._told:
            self._told = told
            self.rewrite()

    def wanted_height(self, width: int) -> int:
        """The lines of the notice alone, without what is free above it."""
        return len(self._notice(width))

    def write(self, width: int) -> list[Pieces]:
        """The notice, a little above the middle."""
        lines = self._notice(width)
        above: list[Pieces] = [[]] * max(0, (self.body_height - len(lines)) // 3)
        return [*above, *lines]

    def _notice(self, width: int) -> list[Pieces]:
        headline, text, code = self._told
        lines: list[Pieces] = [[Piece(shorten(headline, max(1, width - 2)), "title")], []]
        lines += [[Piece(part)] for part in wrap(" ".join(text), max(10, min(WIDEST, width - 2)))]
        if code:
            room = max(10, width - 1 - INDENT)
            parts = [part for line in code for part in chop_cells(clean(line), room)]
            lines += [[], *[[Piece(" " * INDENT), Piece(part, "accent")] for part in parts]]
        widest = max(width_of(line) for line in lines)
        margin = Piece(" " * max(1, (width - widest) // 2))
        return [[margin, *line] for line in lines]
