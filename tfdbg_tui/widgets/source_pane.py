"""Recorded source: the chosen line, and which lines made ops and which of them went bad."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.binding import Binding, BindingType
from textual.message import Message

from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.pieces import Piece, Pieces, padded, right, scrolled, width_of
from tfdbg_tui.widgets.row_list import SIGN_WIDTH, RowList

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual import events

    from tfdbg_tui.data.index.line_index import LineFacts
    from tfdbg_tui.widgets.highlight import HighlightedSource

OPS_WIDTH = 5
"""Cells of the gutter that counts ops."""

MIN_IN_VIEW = 8
"""Cells of the longest line that stay in view, however far the text is moved."""


class SourceLine(NamedTuple):
    """One line of a source file, counted from 1."""

    number: int


class LineNumbers:
    """A row source: all lines of a file."""

    def __init__(self, lines: int) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return self._lines

    def rows(self, start: int, stop: int) -> list[SourceLine]:
        """Some lines, by rows from 0."""
        return [SourceLine(row + 1) for row in range(start, min(stop, self._lines))]


class SourcePane(RowList[SourceLine]):
    """A source file with the chosen line."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("left,h", "sideways(-8)", "Left", show=False, id="source.left"),
            Binding("right,l", "sideways(8)", "Right", show=False, id="source.right"),
        ]
    )

    class OpsWanted(Message):
        """The count of a line's ops was clicked, or the line was opened."""

        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id)
        self._text: HighlightedSource | None = None
        self._facts: Mapping[int, LineFacts] = {}
        self._chosen: int | None = None
        self._column = 0
        """Cells of the text that are scrolled out at the left."""

    def show_source(
        self,
        text: HighlightedSource | None,
        facts: Mapping[int, LineFacts],
        chosen: int | None,
        empty: str = "",
    ) -> None:
        """Show a file at a line; without a text say why there is none."""
        same = text is self._text and text is not None
        before, self._chosen = self._chosen, chosen
        self.say_when_empty(empty)
        self._text = text
        row = None if chosen is None else chosen - 1
        if same:
            self.update_facts(facts)
            self.forget_lines([line - 1 for line in (before, chosen) if line is not None])
            self.put_cursor(row)
            self.repaint()
        elif text is None:
            self._facts = facts
            self.show(None)
        else:
            self._facts, self._column = facts, 0
            self.show(LineNumbers(len(text)), row)

    def update_facts(self, facts: Mapping[int, LineFacts]) -> None:
        """Take newer counts for the same file."""
        if facts != self._facts:
            before, self._facts = self._facts, facts
            lines = before.keys() | facts.keys()
            self.redraw_lines([line - 1 for line in lines if before.get(line) != facts.get(line)])

    def draw(self, row: SourceLine, width: int) -> Pieces:
        """Number, ops and text of a line."""
        assert self._text is not None
        facts = self._facts.get(row.number)
        chosen = row.number == self._chosen
        gutter = [
            right(str(row.number), self._digits, "accent" if chosen else "dim"),
            *_gutter(facts),
            Piece(" "),
        ]
        code = scrolled(self._text.line(row.number - 1), self._column)
        return [*gutter, *padded(code, max(0, width - width_of(gutter)))]

    @property
    def _digits(self) -> int:
        """Cells of a line's number."""
        return len(str(len(self._text or ())))

    def action_sideways(self, cells: int) -> None:
        """Move the text left or right, as far as some of it stays in view."""
        if self._text is None:
            return
        in_view = range(self.top, min(self.top + self.body_height, len(self._text)))
        longest = max((width_of(self._text.line(number)) for number in in_view), default=0)
        self._column = max(0, min(self._column + cells, longest - MIN_IN_VIEW))
        self.redraw()

    def action_open(self) -> None:
        """Ask for the ops of the line."""
        if self.cursor is not None:
            self.post_message(self.OpsWanted(self.cursor + 1))

    def on_click(self, event: events.Click) -> None:
        """A click on the count of a line's ops asks for them, besides choosing the line."""
        offset = event.get_content_offset(self)
        row = None if offset is None else self.line_at(offset.y)
        if offset is not None and row is not None and event.chain == 1:
            start = SIGN_WIDTH + self._digits
            if start <= offset.x < start + OPS_WIDTH and self._facts.get(row + 1):
                self.post_message(self.OpsWanted(row + 1))


def _gutter(facts: LineFacts | None) -> Pieces:
    """How many ops a line made, or how many of them went bad."""
    if facts is None or not facts.ops:
        return [Piece(" " * OPS_WIDTH)]
    if facts.alerts:
        return [right(f"!{facts.bad_sites}", OPS_WIDTH, "bad")]
    return [right(str(facts.ops) if facts.ops < 10_000 else "many", OPS_WIDTH, "dim")]
