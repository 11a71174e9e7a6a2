"""A list with a cursor over any number of rows, which are fetched as they come into view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from textual.binding import Binding, BindingType
from textual.message import Message

from tfdbg_tui.widgets.did_nothing import DidNothing, no_further, nothing_chosen
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.line_pane import LinePane
from tfdbg_tui.widgets.pieces import Piece, Pieces
from tfdbg_tui.widgets.row_window import RowWindow

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events

    from tfdbg_tui.widgets.row_window import RowSource

Row = TypeVar("Row")


SIGN_WIDTH = 2
"""Cells of the cursor's sign, before every row."""

CONTEXT = 2
"""Rows that stay in view above and below the cursor."""


class RowList(LinePane, Generic[Row]):
    """Rows with a cursor. New rows are shown when asked for: nothing moves by itself."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("up,k", "move(-1)", "Up", show=False, id="list.up"),
            Binding("down,j", "move(1)", "Down", show=False, id="list.down"),
            Binding("pageup,ctrl+b", "page(-1)", "Page up", show=False, id="list.page-up"),
            Binding("pagedown,ctrl+f", "page(1)", "Page down", show=False, id="list.page-down"),
            Binding("ctrl+u", "page(-0.5)", "Half a page up", show=False, id="list.half-up"),
            Binding("ctrl+d", "page(0.5)", "Half a page down", show=False, id="list.half-down"),
            Binding("g,home", "first", "First row", show=False, id="list.first"),
            Binding("G,end", "last", "Last row", show=False, id="list.last"),
            Binding("enter", "open", "Open", show=False, id="list.open"),
        ]
    )

    class AboutRow(Message):
        """Something was done with a row."""

        def __init__(self, pane: RowList[Any], number: int, row: Any) -> None:
            super().__init__()
            self.pane = pane
            self.number = number
            """Of the row, counted from 0."""
            self.row = row

        @property
        def control(self) -> RowList[Any]:
            """The list."""
            return self.pane

    class Chosen(AboutRow):
        """The cursor was put on a row."""

        def __init__(
            self, pane: RowList[Any], number: int, row: Any, by_mouse: bool = False
        ) -> None:
            super().__init__(pane, number, row)
            self.by_mouse = by_mouse

    class Opened(AboutRow):
        """Enter was pressed on a row, or it was clicked a second time."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._window: RowWindow[Row] = RowWindow()
        self._fitted = (0, 0)
        """The first row in view that was wanted last, and what became of it in this size."""
        self.cursor: int | None = None
        self._clicked: int | None = None
        """The row of the last single click."""
        self._empty = Piece("")

    # Rows.

    @property
    def source(self) -> RowSource[Row] | None:
        """Where rows come from."""
        return self._window.source

    def show(self, source: RowSource[Row] | None, cursor: int | None = None) -> None:
        """Show other rows from the first one on, or from where the cursor is put."""
        with self.drawn_once():
            self._window = RowWindow(source)
            self.cursor = None
            self.forget_lines()
            self.append_rows()
            self.put_cursor(cursor, scroll=True)
            if cursor is None:
                self.scroll_top_to(0)

    def append_rows(self) -> None:
        """Show the rows that have come since, too; what is in view stays where it is."""
        was_empty = not self.row_count
        self._window.grow()
        if was_empty or not self.row_count:
            self.forget_lines()  # a sentence stands, or stood, in place of the rows
        self.reload_rows()

    def reload_rows(self) -> None:
        """Fetch the rows in view again: what they say has changed."""
        self._window.make_stale()
        self.repaint()

    @property
    def row_count(self) -> int:
        """Rows that are shown, in view or not."""
        return self._window.length

    @property
    def unseen(self) -> int:
        """Rows that have come and are not shown yet."""
        return self._window.unseen

    def row_at(self, number: int) -> Row | None:
        """A row by its number."""
        return self._window.row_at(number)

    def redraw_rows(self, changed: Callable[[Row], bool]) -> None:
        """Draw those rows in view anew for which that is so."""
        rows = enumerate(self._window.rows, self._window.first)
        self.redraw_lines([number for number, row in rows if changed(row)])

    def line_count(self) -> int:
        """Rows, or the line that says why there are none."""
        return self.row_count or (1 if self._empty.text else 0)

    @property
    def empty_text(self) -> str:
        """What is said while there are no rows."""
        return self._empty.text.strip()

    def say_when_empty(self, text: str, role: str = "dim") -> None:
        """What to say while there are no rows."""
        said = Piece(f"  {text}", role)
        if said != self._empty:
            self._empty = said
            if not self.row_count:
                self.redraw()

    def prepare(self, first: int, last: int, width: int) -> None:
        """Fetch the rows in view, unless they are there; those that changed are drawn anew."""
        same = self._window.fetch(first, last)
        if same is not None:
            self.forget_lines([n for n in self._drawn if n >= 0 and n not in same])

    # Drawing.

    def line(self, number: int, width: int) -> Pieces:
        """The line of a row, with the cursor's sign."""
        if not self.row_count:
            return [self._empty]
        row = self.row_at(number)
        sign = self.glyphs.cursor if number == self.cursor else " "
        if row is None:
            return []
        return [Piece(f"{sign} ", "accent"), *self.draw(row, max(0, width - SIGN_WIDTH))]

    def draw(self, row: Row, width: int) -> Pieces:
        """What a row says; subclasses answer."""
        raise NotImplementedError

    def line_role(self, number: int) -> str:
        """The cursor's line stands out, more so where the keys are."""
        focused = "-focused" if self.has_focus else ""
        return f"cursor{focused}" if number == self.cursor else ""

    # Moving.

    def put_cursor(self, row: int | None, scroll: bool = True) -> None:
        """Put the cursor somewhere without choosing."""
        if row is not None:
            row = max(0, min(row, self.row_count - 1)) if self.row_count else None
        if row != self.cursor:
            moved = [number for number in (self.cursor, row) if number is not None]
            self.cursor = row
            if scroll and row is not None:
                self._aim_at(row)
            self.redraw_lines(moved)
        elif scroll and row is not None:
            self.bring_into_view(row)

    def bring_into_view(self, row: int) -> None:
        """Scroll to a row if it is not in view."""
        before = self.top
        self._aim_at(row)
        if self.top != before:
            self.repaint()

    def _aim_at(self, row: int) -> None:
        """Have a row in view when lines are drawn next."""
        if self.content_size.height:  # else `fit` does it as soon as there is something to scroll
            self.top = self._wanted_top = max(
                0, min(_top_with(row, self._wanted_top, self.body_height), self.last_top)
            )

    def fit(self) -> None:
        """Keep the cursor in view; a size that comes back finds the rows where they were."""
        if self.cursor is not None:
            before, after = self._fitted
            before = before if after == self._wanted_top else self._wanted_top
            self._wanted_top = max(0, _top_with(self.cursor, before, self.body_height))
            self._fitted = before, self._wanted_top

    def choose(self, number: int, by_mouse: bool = False) -> None:
        """Put the cursor on a row and say so."""
        if self.unseen and number >= self.row_count - 1:
            self.append_rows()
        self.put_cursor(number)
        row = None if self.cursor is None else self.row_at(self.cursor)
        if row is not None and self.cursor is not None:
            self.post_message(self.Chosen(self, self.cursor, row, by_mouse))

    def walk_to(self, number: int, forward: bool) -> None:
        """Choose a row by the keys; where the cursor is already, say that it is at an end."""
        before, rows = self.cursor, self.row_count
        self.choose(number)
        if self.cursor == before:
            self.post_message(DidNothing(self.id, no_further(forward, rows, self.empty_text)))

    def action_move(self, rows: int) -> None:
        """Move the cursor by some rows."""
        here = self.top - 1 if rows > 0 else self.top + 1
        self.walk_to((here if self.cursor is None else self.cursor) + rows, rows > 0)

    def action_page(self, pages: float) -> None:
        """Move the cursor and the view by pages."""
        rows = int(pages * max(1, self.body_height - 1)) or (1 if pages > 0 else -1)
        here = self.cursor if self.cursor is not None else self.top
        self.scroll_top_to(self.top + rows)
        self.walk_to(max(0, here + rows), rows > 0)

    def action_first(self) -> None:
        """Go to the first row."""
        self.walk_to(0, forward=False)

    def action_last(self) -> None:
        """Go to the last row, those included that have come since."""
        if self.unseen:
            self.append_rows()
        self.walk_to(self.row_count - 1, forward=True)

    def action_open(self) -> None:
        """Follow what the cursor is on."""
        row = None if self.cursor is None else self.row_at(self.cursor)
        if row is not None and self.cursor is not None:
            self.post_message(self.Opened(self, self.cursor, row))
        else:
            self.post_message(DidNothing(self.id, nothing_chosen(self.row_count, self.empty_text)))

    def on_click(self, event: events.Click) -> None:
        """Choose the row under the mouse; a double click opens it."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.x >= self.text_width:
            return  # the scroll bar
        number = None if offset is None else self.line_at(offset.y)
        if number is None:
            if offset is not None and offset.y < self.head_height:
                self.head_clicked(offset.x, offset.y)
            return
        if event.chain == 1:
            self._clicked = number
            self.choose(number, by_mouse=True)
        elif number == self._clicked:  # else the first click was meant for what lay over this
            self.action_open()

    def head_clicked(self, x: int, y: int) -> None:
        """The mouse was clicked in the head."""


def _top_with(row: int, top: int, height: int) -> int:
    """The first row in view such that a row is in view, with some around it."""
    context = min(CONTEXT, (height - 1) // 3)
    first, last = row - height + 1 + context, row - context
    if first <= top <= last:
        return top
    far = not -height < top - row < height
    return row - height // 3 if far else max(first, min(top, last))
