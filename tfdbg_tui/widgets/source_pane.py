"""Recorded source: the chosen line, and which lines made ops and which of them went bad."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.widgets.fixed_rows import FixedRows
from tfdbg_tui.widgets.pieces import Piece, Pieces, right
from tfdbg_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tfdbg_tui.data.line_book import LineFacts
    from tfdbg_tui.widgets.highlight import HighlightedSource

OPS_WIDTH = 5
"""Cells of the gutter that counts ops."""


class SourceLine(NamedTuple):
    """One line of a source file, counted from 1."""

    number: int


class SourcePane(RowList[SourceLine]):
    """A source file with the chosen line."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id)
        self._text: HighlightedSource | None = None
        self._facts: Mapping[int, LineFacts] = {}
        self._chosen: int | None = None

    def show_source(
        self,
        text: HighlightedSource | None,
        facts: Mapping[int, LineFacts],
        chosen: int | None,
        empty: str = "",
    ) -> None:
        """Show a file at a line; without a text say why there is none."""
        same = text is self._text and text is not None
        self._facts, self._chosen = facts, chosen
        self.say_when_empty(empty)
        self._text = text
        place = None if chosen is None else chosen - 1
        if same:
            self.put_cursor(place)
            self.redraw()
        elif text is None:
            self.show(None)
        else:
            lines = [SourceLine(number + 1) for number in range(len(text))]
            self.show(FixedRows(lines), place)

    def update_facts(self, facts: Mapping[int, LineFacts]) -> None:
        """Take newer counts for the same file."""
        if facts != self._facts:
            self._facts = facts
            self.redraw()

    def made_ops(self, line: int) -> bool:
        """Whether a line created ops."""
        facts = self._facts.get(line)
        return facts is not None and facts.ops > 0

    def draw(self, row: SourceLine, width: int) -> Pieces:
        """Number, ops and text of a line."""
        assert self._text is not None
        digits = len(str(len(self._text)))
        facts = self._facts.get(row.number)
        chosen = row.number == self._chosen
        return [
            right(str(row.number), digits, "accent" if chosen else "dim"),
            *_gutter(facts),
            Piece(" "),
            *self._text.line(row.number - 1),
        ]


def _gutter(facts: LineFacts | None) -> Pieces:
    """How many ops a line made, or how many of them went bad."""
    if facts is None or not facts.ops:
        return [Piece(" " * OPS_WIDTH)]
    if facts.alerts:
        return [right(f"!{facts.bad_sites}", OPS_WIDTH, "bad")]
    return [right(str(facts.ops) if facts.ops < 10_000 else "many", OPS_WIDTH, "dim")]
