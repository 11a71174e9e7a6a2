"""A value in lines: its elements, a curve, or what they are like; with keys that move a cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from tfdbg_tui.data.views.value_page import CurvePage, GridPage, SummaryPage
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.line_pane import WHEEL_LINES
from tfdbg_tui.widgets.text_pane import TextPane
from tfdbg_tui.widgets.value_curve import curve_columns, curve_lines
from tfdbg_tui.widgets.value_grid import HEAD, cell_at, grid_lines
from tfdbg_tui.widgets.value_summary import summary_lines

if TYPE_CHECKING:
    from textual import events

    from tfdbg_tui.widgets.pieces import Pieces

    Body = GridPage | CurvePage | SummaryPage


class ValuePane(TextPane):
    """The lines; what moves is told to whoever knows the value."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("up,k", "move(-1, 0)", "Up", show=False, id="value.up"),
            Binding("down,j", "move(1, 0)", "Down", show=False, id="value.down"),
            Binding("left,h", "move(0, -1)", "Left", show=False, id="value.left"),
            Binding("right,l", "move(0, 1)", "Right", show=False, id="value.right"),
            Binding("pageup,ctrl+b", "page(-1, 0)", "Page up", show=False, id="value.page-up"),
            Binding("pagedown,ctrl+f", "page(1, 0)", "Page down", show=False, id="value.page-down"),
            Binding("shift+left", "page(0, -1)", "Page left", show=False, id="value.page-left"),
            Binding("shift+right", "page(0, 1)", "Page right", show=False, id="value.page-right"),
            Binding("home,0", "edge(0, -1)", "First column", show=False, id="value.first-column"),
            Binding(
                "end,dollar_sign", "edge(0, 1)", "Last column", show=False, id="value.last-column"
            ),
            Binding("g", "edge(-1, 0)", "First row", show=False, id="value.first-row"),
            Binding("G", "edge(1, 0)", "Last row", show=False, id="value.last-row"),
        ]
    )

    class Moved(Message):
        """The cursor is wanted elsewhere: so many rows and columns on, pages, or at an edge."""

        def __init__(self, how: str, rows: int, columns: int) -> None:
            super().__init__()
            self.how = how
            self.rows = rows
            self.columns = columns

    class RoomChanged(Message):
        """There is room for more, or for less."""

    def __init__(self) -> None:
        super().__init__("value-rows")
        self._body: Body | None = None

    @property
    def room(self) -> tuple[int, int]:
        """Rows and columns of text that fit below the head of a grid."""
        return max(1, self.body_height - HEAD), self.text_width

    @property
    def curve_columns(self) -> int:
        """Points of a curve that fit."""
        return curve_columns(self.text_width, self.glyphs)

    def show_body(self, body: Body) -> None:
        """Show this from now on."""
        if body != self._body:
            self._body = body
            self.rewrite()

    def on_resize(self) -> None:
        """Another size has room for something else."""
        self.post_message(self.RoomChanged())

    def write(self, width: int) -> list[Pieces]:
        """The lines of what is shown."""
        body = self._body
        if isinstance(body, GridPage):
            return grid_lines(body, width)
        if isinstance(body, CurvePage):
            return curve_lines(body, width, self.body_height, self.glyphs)
        if isinstance(body, SummaryPage):
            return summary_lines(body, width, self.body_height, self.glyphs)
        return []

    # Keys and mouse.

    def action_move(self, rows: int, columns: int) -> None:
        """Move the cursor; where there is none, scroll."""
        if isinstance(self._body, SummaryPage):
            self.action_scroll(rows)
        else:
            self.post_message(self.Moved("move", rows, columns))

    def action_page(self, rows: int, columns: int = 0) -> None:
        """Move it by what is in view."""
        if isinstance(self._body, SummaryPage):
            super().action_page(rows)
        else:
            self.post_message(self.Moved("page", rows, columns))

    def action_edge(self, rows: int, columns: int) -> None:
        """Move it to the first or the last row or column."""
        self.post_message(self.Moved("edge", rows, columns))

    def scroll_by_wheel(self, event: events.MouseEvent, lines: int) -> None:
        """The wheel was turned: it moves the cursor, where there is one."""
        if isinstance(self._body, SummaryPage):
            super().scroll_by_wheel(event, lines)
            return
        event.prevent_default().stop()
        self.post_message(self.Moved("move", WHEEL_LINES if lines > 0 else -WHEEL_LINES, 0))

    def on_click(self, event: events.Click) -> None:
        """A click on an element puts the cursor there."""
        offset = event.get_content_offset(self)
        if offset is None or not isinstance(self._body, GridPage):
            return
        if (found := cell_at(self._body, offset.x, offset.y)) is not None:
            self.post_message(self.Moved("at", *found))
