"""How a half-typed line can go on: a few rows over the last ones of the panes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.message import Message

from tfdbg_tui.widgets.bars import Bar
from tfdbg_tui.widgets.pieces import TAIL_OF_PATH, Piece, Pieces, clean, padded, shorten

if TYPE_CHECKING:
    from textual import events

MAX_ROWS = 5

SHARE = 4
"""Rows are at most one in so many of the screen's."""

GAP = 2
"""Cells between columns."""

WIDEST = 60
"""Cells of a candidate that are shown at most, unless it has the row for itself."""


class Candidates(Bar):
    """Candidates in columns, row by row; one of them may be chosen."""

    class Taken(Message):
        """A candidate was clicked."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self) -> None:
        super().__init__("candidates")
        self._note = ""
        self._all: tuple[str, ...] = ()
        self._chosen: int | None = None
        self._first_row = 0
        self.display = False

    def show(self, candidates: tuple[str, ...], chosen: int | None) -> None:
        """Show these; without any, nothing."""
        if (candidates, chosen) == (self._all, self._chosen) and not self._note:
            return
        self._all, self._chosen, self._note = candidates, chosen, ""
        self.display = bool(candidates)
        if candidates:
            self.styles.height = self._rows
            self.refresh()

    def say(self, note: str) -> None:
        """Say in their place why there are none."""
        self._all, self._chosen, self._note = (), None, note
        self.display = True
        self.styles.height = 1
        self.refresh()

    @property
    def _rows(self) -> int:
        """Rows that are shown."""
        screen = self.app.size
        most = max(1, min(MAX_ROWS, screen.height // SHARE))
        return min(most, self._grid(screen.width)[0])

    def _grid(self, width: int) -> tuple[int, int, int]:
        """Rows and columns of all candidates, and the cells of one."""
        room = max(1, width - 2)
        longest = max((cell_len(clean(each)) for each in self._all), default=1)
        cells = min(longest, WIDEST, room)
        columns = max(1, (room + GAP) // (cells + GAP))
        return -(-len(self._all) // columns), columns, cells

    def line(self, y: int, width: int) -> Pieces:
        """One row."""
        if self._note:
            return [Piece(f" {self._note}", "dim")]
        rows, columns, cells = self._grid(width)
        shown = max(1, self.size.height)
        if self._chosen is not None:
            row = self._chosen // columns
            self._first_row = max(row - shown + 1, min(self._first_row, row))
        self._first_row = max(0, min(self._first_row, rows - shown))
        first = (self._first_row + y) * columns
        line: Pieces = [Piece(" ")]
        for number in range(first, min(first + columns, len(self._all))):
            text = shorten(self._all[number], cells, tail_share=TAIL_OF_PATH)
            line.append(Piece(text, "tab" if number == self._chosen else ""))
            line.append(Piece(" " * (cells - cell_len(text) + GAP)))
        left_out = len(self._all) - (self._first_row + shown) * columns
        if y == shown - 1 and left_out > 0:
            more = f"{left_out} more "
            line = [*padded(line, max(0, width - len(more) - 1)), Piece(f" {more}", "dim")]
        return line

    def on_click(self, event: events.Click) -> None:
        """Take the candidate under the mouse."""
        _, columns, cells = self._grid(self.size.width)
        column = (event.x - 1) // (cells + GAP)
        number = (self._first_row + event.y) * columns + column
        if 0 <= column < columns and number < len(self._all):
            self.post_message(self.Taken(number))
