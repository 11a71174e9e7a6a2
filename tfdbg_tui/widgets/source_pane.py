"""Recorded source: the chosen line, and which lines made ops and which of them went bad."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from tfdbg_tui.widgets.did_nothing import DidNothing
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.pieces import Piece, Pieces, padded, right, scrolled, width_of, wrapped
from tfdbg_tui.widgets.row_list import SIGN_WIDTH, RowList
from tfdbg_tui.widgets.source_rows import SourceLine, SourceRows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual import events

    from tfdbg_tui.data.index.line_index import LineFacts
    from tfdbg_tui.widgets.highlight import HighlightedSource

OPS_WIDTH = 5
"""Cells of the gutter that counts ops."""

MIN_IN_VIEW = 8
"""Cells of the longest line that stay in view, however far the text is moved."""


MAX_WRAPPED = 3
"""Rows of the chosen line at the most."""

WRAP_INDENT = 4
"""Cells before what is wrapped, beyond the line's own indentation."""


class SourcePane(RowList[SourceLine]):
    """A source file with the chosen line."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("left", "sideways(-8)", "Left", show=False, id="source.left"),
            Binding("right", "sideways(8)", "Right", show=False, id="source.right"),
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
        self._causes: frozenset[int] = frozenset()
        """Lines in which something went wrong by itself."""
        self._chosen: int | None = None
        self._note: Pieces = []
        """What is said below the chosen line: its tensor, and what that came from."""
        self._parts: list[Pieces] = []
        """The rows of the chosen line, as many as it needs in this width."""
        self._rows = SourceRows(0)
        self._column = 0
        """Cells of the text that are scrolled out at the left."""

    def show_source(
        self,
        text: HighlightedSource | None,
        facts: Mapping[int, LineFacts],
        chosen: int | None,
        empty: str = "",
        note: Pieces | None = None,
    ) -> None:
        """Show a file at a line; without a text say why there is none."""
        same = text is self._text and text is not None
        is_news = (chosen, note or []) != (self._chosen, self._note)
        before, self._chosen, self._note = self._chosen, chosen, note or []
        self.say_when_empty(empty)
        self._text = text
        if text is None:
            self._facts = facts
            self.show(None)
        elif same:
            self.update_facts(facts)
            if is_news:
                self._wrap_chosen()
                for line in filter(None, (before, chosen)):
                    self.forget_lines(self._rows.rows_of(line))
            if before != chosen or self.cursor is None:
                self.put_cursor(None if chosen is None else self._rows.row_of(chosen))
            self.repaint()
        else:
            self._facts, self._column = facts, 0
            self._rows = SourceRows(len(text))
            self._wrap_chosen()
            self.show(self._rows, None if chosen is None else self._rows.row_of(chosen))

    def _wrap_chosen(self) -> None:
        """Give the chosen line the rows that it needs in this width."""
        self._parts = []
        if self._text is None or not 0 < (self._chosen or 0) <= len(self._text):
            self._rows.widen(None, 0)
            return
        assert self._chosen is not None
        code = self._text.line(self._chosen - 1)
        room = max(1, self.text_width - SIGN_WIDTH - self._gutter_width)
        indent = len(code[0].text) if code and code[0].text.isspace() else 0
        if self.text_width and not self._column:
            self._parts = wrapped(code, room, MAX_WRAPPED, min(indent + WRAP_INDENT, room // 2))
        cursor = None if self.cursor is None else self._rows.line_of(self.cursor).number
        more = max(0, len(self._parts) - 1) + bool(self._note)
        if self._rows.widen(self._chosen, more) and self._window.source is self._rows:
            self.forget_lines()
            self._window.grow()
            self._window.make_stale()
            self.cursor = None if cursor is None else self._rows.row_of(cursor)

    def fit(self) -> None:
        """Another width needs other rows; the text stands at its beginning again."""
        self._column = 0
        self._wrap_chosen()
        super().fit()

    def mark_causes(self, lines: frozenset[int]) -> None:
        """Tell these lines from those that only follow from something bad."""
        changed, self._causes = self._causes ^ lines, lines
        for line in changed:
            self.forget_lines(self._rows.rows_of(line))
        if changed:
            self.repaint()

    def update_facts(self, facts: Mapping[int, LineFacts]) -> None:
        """Take newer counts for the same file."""
        if facts != self._facts:
            before, self._facts = self._facts, facts
            lines = before.keys() | facts.keys()
            changed = [line for line in lines if before.get(line) != facts.get(line)]
            self.redraw_lines([self._rows.row_of(line) for line in changed])

    def draw(self, row: SourceLine, width: int) -> Pieces:
        """Number, ops and text of a line; or what is wrapped or said below it."""
        assert self._text is not None
        if row.part:
            return self._draw_part(row, width)
        chosen = row.number == self._chosen
        gutter = [
            right(str(row.number), self._digits, "accent" if chosen else "dim"),
            *_gutter(self._facts.get(row.number), row.number in self._causes),
            Piece(" "),
        ]
        code = self._text.line(row.number - 1)
        code = self._parts[0] if chosen and self._parts else scrolled(code, self._column)
        return [*gutter, *padded(code, max(0, width - width_of(gutter)))]

    def _draw_part(self, row: SourceLine, width: int) -> Pieces:
        blank = Piece(" " * self._gutter_width)
        is_code = row.part < len(self._parts)
        told = self._parts[row.part] if is_code else [Piece("  "), *self._note]
        return padded([blank, *told], width)

    @property
    def _gutter_width(self) -> int:
        """Cells before the code."""
        return self._digits + OPS_WIDTH + 1

    @property
    def _digits(self) -> int:
        """Cells of a line's number."""
        return len(str(len(self._text or ())))

    def action_sideways(self, cells: int) -> None:
        """Move the text left or right, as far as some of it stays in view."""
        if self._text is None:
            self.post_message(DidNothing(self.id, self.empty_text))
            return
        in_view = self._rows.rows(self.top, self.top + self.body_height)
        lines = {row.number - 1 for row in in_view}
        longest = max((width_of(self._text.line(number)) for number in lines), default=0)
        before, self._column = (
            self._column,
            max(0, min(self._column + cells, longest - MIN_IN_VIEW)),
        )
        if self._column == before:
            why = "No line in view goes on further." if cells > 0 else "Lines begin here."
            self.post_message(DidNothing(self.id, why))
            return
        self._wrap_chosen()
        self.redraw()

    def action_move(self, rows: int) -> None:
        """Move the cursor by lines: what is wrapped or said of one is not another."""
        if self.cursor is None:
            super().action_move(rows)
            return
        line = self._rows.line_of(self.cursor).number + rows
        row = self._rows.row_of(max(1, min(line, len(self._text or ()))))
        self.walk_to(row, rows > 0)

    @property
    def read_line(self) -> int | None:
        """The line that is read: that of the cursor while the pane has the keys."""
        if self.cursor is None or not self.has_focus:
            return None
        return self._rows.line_of(self.cursor).number

    def action_open(self) -> None:
        """Go to the op of the line, or ask for its ops where there are several."""
        if self.cursor is None:
            super().action_open()
            return
        line = self._rows.line_of(self.cursor).number
        facts = self._facts.get(line)
        if facts is not None and facts.ops == 1:
            super().action_open()
        else:
            self.post_message(self.OpsWanted(line))

    def on_click(self, event: events.Click) -> None:
        """A click on the count of a line's ops asks for them, besides choosing the line."""
        offset = event.get_content_offset(self)
        row = None if offset is None else self.line_at(offset.y)
        if offset is not None and row is not None and event.chain == 1:
            start, line = SIGN_WIDTH + self._digits, self._rows.line_of(row).number
            if start <= offset.x < start + OPS_WIDTH and self._facts.get(line):
                self.post_message(self.OpsWanted(line))


def _gutter(facts: LineFacts | None, has_cause: bool) -> Pieces:
    """How many ops a line made, or how many of them went bad."""
    if facts is None or not facts.ops:
        return [Piece(" " * OPS_WIDTH)]
    if facts.alerts:
        sign, role = ("!", "bad") if has_cause else ("~", "follows")
        return [right(f"{sign}{facts.bad_sites}", OPS_WIDTH, role)]
    return [right(str(facts.ops) if facts.ops < 10_000 else "many", OPS_WIDTH, "dim")]
