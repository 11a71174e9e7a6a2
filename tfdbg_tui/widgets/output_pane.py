"""What the script prints, broken into lines that fit; follows its end until scrolled away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells

from tfdbg_tui.widgets.pieces import Piece, Pieces, clean, cut
from tfdbg_tui.widgets.text_pane import TextPane

if TYPE_CHECKING:
    from collections.abc import Sequence


class OutputPane(TextPane):
    """Lines of text, the newest at the bottom."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id)
        self._printed: tuple[str, ...] = ()
        self._follows = True

    def show(self, printed: Sequence[str]) -> None:
        """Show these lines from now on; the same costs nothing."""
        while printed and not printed[-1]:  # the cursor waits there for the next line
            printed = printed[:-1]
        if tuple(printed) != self._printed:
            self._printed = tuple(printed)
            self.rewrite()

    def write(self, width: int) -> list[Pieces]:
        """All lines in a width."""
        if not self._printed:
            return [[Piece(cut("Nothing was printed yet.", max(1, width)), "dim")]]
        return [[Piece(part)] for line in self._printed for part in _parts(line, width)]

    def prepare(self, first: int, last: int, width: int) -> None:
        """Write the lines, and stay at their end."""
        super().prepare(first, last, width)
        if self._follows:
            self.top = self._wanted_top = self.last_top

    def scroll_top_to(self, line: int) -> None:
        """Scroll; at the end it follows again."""
        self._follows = line >= self.last_top
        super().scroll_top_to(line)


def _parts(line: str, width: int) -> list[str]:
    """A line in pieces that fit, as a terminal breaks it."""
    text = clean(line)
    if width < 1 or cell_len(text) <= width:
        return [text]
    return chop_cells(text, width)
