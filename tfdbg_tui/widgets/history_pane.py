"""One tensor over all its computations, with a cursor on one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from tfdbg_tui.widgets.history_chart import READING, START, VALUES, WIDE, Chart
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.pieces import Piece, Pieces
from tfdbg_tui.widgets.text_pane import TextPane

if TYPE_CHECKING:
    from textual import events

    from tfdbg_tui.data.views.history_page import HistoryPage

WIDEST_PITCH = 8
"""Cells of the screen for one column, however few there are."""


class HistoryPane(TextPane):
    """The rows, and a cursor on a column."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("left", "column(-1)", "Before", show=False, id="history.left"),
            Binding("right", "column(1)", "Behind", show=False, id="history.right"),
            Binding("pageup,shift+left", "part(-1)", "Far before", show=False, id="history.before"),
            Binding(
                "pagedown,shift+right", "part(1)", "Far behind", show=False, id="history.behind"
            ),
            Binding("home,g", "edge(0)", "First", show=False, id="history.first"),
            Binding("end,G", "edge(1)", "Last", show=False, id="history.last"),
            Binding("enter", "open", "Go there", show=False, id="history.open"),
        ]
    )

    class ColumnChosen(Message):
        """The cursor is wanted on a column."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    class Opened(Message):
        """The computation at the cursor is wanted in all panes."""

    class RoomChanged(Message):
        """There is room for more columns, or for fewer."""

    def __init__(self) -> None:
        super().__init__("history-rows")
        self._page: HistoryPage | None = None

    @property
    def room(self) -> int:
        """Columns that fit."""
        values = VALUES if self.text_width >= WIDE else 0
        return max(1, self.text_width - START - values)

    def show_page(self, page: HistoryPage) -> None:
        """Show this from now on."""
        if page != self._page:
            self._page = page
            self.rewrite()

    def on_resize(self) -> None:
        """Another width has room for other columns."""
        self.post_message(self.RoomChanged())

    @property
    def _pitch(self) -> int:
        cells = 1 if self._page is None else max(1, len(self._page.cells))
        return max(1, min(WIDEST_PITCH, self.room // cells))

    def write(self, width: int) -> list[Pieces]:
        """All rows, as high as they can be in the height that there is."""
        if self._page is None:
            return [[], [Piece(f"  {READING} {self.glyphs.ellipsis}", "dim")]]
        return Chart(self._page, self._pitch, width, self.body_height, self.glyphs).lines

    # Keys and mouse.

    def action_column(self, columns: int) -> None:
        """Move the cursor by columns."""
        if self._page is not None:
            self.post_message(self.ColumnChosen(self._page.cursor + columns))

    def action_part(self, parts: int) -> None:
        """Move the cursor by a quarter of the columns."""
        columns = 0 if self._page is None else len(self._page.cells)
        self.action_column(parts * max(1, columns // 4))

    def action_edge(self, is_last: int) -> None:
        """Go to the first or the last column."""
        columns = 0 if self._page is None else len(self._page.cells)
        self.post_message(self.ColumnChosen(columns - 1 if is_last else 0))

    def action_open(self) -> None:
        """Go to the computation at the cursor."""
        self.post_message(self.Opened())

    def on_click(self, event: events.Click) -> None:
        """A click on a column puts the cursor there; on the cursor's own it goes there."""
        offset, page = event.get_content_offset(self), self._page
        if offset is None or page is None or offset.x >= self.text_width:
            return
        column = (offset.x - START) // self._pitch
        if offset.x < START or column >= len(page.cells):
            return
        if column == page.cursor:
            self.action_open()
        else:
            self.post_message(self.ColumnChosen(column))
