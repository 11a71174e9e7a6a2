"""A pane of lines: the base of everything that shows more than fits.

Draws only the lines in view, whatever their number, and knows roles rather than colours. A line
that is drawn is kept until somebody says that it changed: moving a cursor draws two lines. It
scrolls by itself: a virtual size of Textual's would cost a layout and a repaint of all panes each
time that a line is added to one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.geometry import Region, Size
from textual.strip import Strip

from tfdbg_tui.widgets.drawn_once import DrawnOnce
from tfdbg_tui.widgets.glyphs import UNICODE, Glyphs
from tfdbg_tui.widgets.line_painter import LinePainter
from tfdbg_tui.widgets.pieces import Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from textual import events

    from tfdbg_tui.widgets.line_painter import Spans
    from tfdbg_tui.widgets.pieces import Pieces

    Margin = tuple[str, bool]
    """The role of a line's mark, and whether the thumb of the scroll bar is there."""

MARGIN = 1
"""Cells at the right: the scroll bar, with marks in it."""

MATCH = "accent"
"""The role of a mark that has a sign of its own: its colour alone tells nobody."""

WHEEL_LINES = 3
"""Lines that one notch of the wheel scrolls."""

BLANK = -1
"""In place of a line's number: the room below the last one."""


class LinePane(DrawnOnce, can_focus=True):
    """Lines of pieces, with a head that does not scroll."""

    glyphs: ClassVar[Glyphs] = UNICODE
    """Set once by the app, before anything is drawn."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self.top = 0
        """The first line in view."""
        self._wanted_top = 0
        """The same before a larger size left no lines to scroll."""
        self._painter = LinePainter(self)
        self._mark_lines: Callable[[LinePane, int], Sequence[str]] | None = None
        self._heads: list[Strip] | None = None
        """The lines of the head, None while they have to be drawn."""
        self._drawn: dict[int, dict[Margin, Strip]] = {}
        """The lines that are drawn, by their number; each with every margin it had."""
        self._shown: list[Strip] = []
        """What is on the screen, from top to bottom; empty while all has to be drawn."""
        self._shown_for: tuple[int, Size] | None = None
        self._awaits_screen = False
        """Whether all of it is to be painted, as soon as it is on the screen."""
        self._dragging = False

    # What a pane has to say; subclasses answer.

    def line_count(self) -> int:
        """How many lines there are below the head."""
        raise NotImplementedError

    def line(self, number: int, width: int) -> Pieces:
        """One line below the head."""
        raise NotImplementedError

    @property
    def head_height(self) -> int:
        """Lines that do not scroll."""
        return 0

    def head(self, width: int) -> list[Pieces]:
        """The lines above those that scroll."""
        return []

    def line_role(self, number: int) -> str:
        """The role of a whole line: its background."""
        return ""

    def prepare(self, first: int, last: int, width: int) -> None:
        """Called before lines are drawn: the time to fetch what they show."""

    def wanted_height(self, width: int) -> int:
        """Lines that it would fill in a width if it had the room, its head included."""
        return self.line_count() + self.head_height

    # Settings.

    def marks_from(self, mark_lines: Callable[[LinePane, int], Sequence[str]]) -> None:
        """Ask this function for the marks in the margin: a role for each line in view."""
        self._mark_lines = mark_lines

    def highlight(self, spans: Spans | None) -> None:
        """Draw parts of texts in reverse: what a search found."""
        self._painter.highlight(spans)
        self.redraw()

    # Scrolling.

    @property
    def content_size(self) -> Size:
        """The room for lines, as of the last layout.

        Textual's own answer asks where the widget stands, which can lay out all widgets half-way:
        those that are new to the screen then never hear of their size.
        """
        (width, height), gutter = self.outer_size, self.styles.gutter
        return Size(max(0, width - gutter.width), max(0, height - gutter.height))

    def fit(self) -> None:
        """Called before lines are drawn in a new size: the time to choose the first in view."""

    @property
    def text_width(self) -> int:
        """Cells of a line without the margin."""
        return max(0, self.content_size.width - MARGIN)

    @property
    def body_height(self) -> int:
        """Lines in view below the head."""
        return max(1, self.content_size.height - self.head_height)

    @property
    def last_top(self) -> int:
        """The first line in view at the very end."""
        return max(0, self.line_count() - self.body_height)

    def scroll_top_to(self, line: int) -> None:
        """Scroll so that a line is the first in view, or as near to that as there are lines."""
        self._wanted_top = top = max(0, min(line, self.last_top))
        if top != self.top:
            self.top = top
            self.repaint()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll lines, in place of Textual's own scrolling of cells."""
        self.scroll_by_wheel(event, WHEEL_LINES)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The same upwards."""
        self.scroll_by_wheel(event, -WHEEL_LINES)

    def scroll_by_wheel(self, event: events.MouseEvent, lines: int) -> None:
        """The wheel was turned over the pane."""
        self.scroll_top_to(self.top + lines)
        event.prevent_default().stop()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """The scroll bar can be dragged."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.x == self.text_width:
            self._dragging = True
            self.capture_mouse()
            self._drag_to(offset.y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Scroll with the mouse while it drags."""
        if self._dragging:
            self._drag_to(event.get_content_offset_capture(self).y)

    def on_mouse_up(self) -> None:
        """End dragging."""
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def _drag_to(self, y: int) -> None:
        share = (y - self.head_height) / max(1, self.body_height - 1)
        self.scroll_top_to(round(share * self.last_top))

    def line_at(self, y: int) -> int | None:
        """Which line a row of the widget's content shows, None for the head and below the end."""
        number = y - self.head_height + self.top
        return number if y >= self.head_height and number < self.line_count() else None

    # Drawing.

    def redraw(self) -> None:
        """Draw every line anew; one that looks as before costs no bytes."""
        self.forget_lines()
        self.repaint()

    def redraw_lines(self, numbers: Iterable[int]) -> None:
        """Draw some lines anew: only what these say has changed."""
        self.forget_lines(numbers)
        self.repaint()

    def redraw_head(self) -> None:
        """Draw the head anew."""
        self._heads = None
        self.repaint()

    def forget_lines(self, numbers: Iterable[int] | None = None) -> None:
        """Have some lines drawn when they are needed next; None for all, the head included."""
        if numbers is None:
            self._heads = None
            self._drawn.clear()
        else:
            for number in numbers:
                self._drawn.pop(number, None)

    def draw_changes(self) -> None:
        """Paint those lines of the screen that look other than they do there."""
        before, size = self._shown, self.content_size
        same_size = self._shown_for is not None and self._shown_for[1] == size
        self._shown = []
        if not (before and same_size and self.display):
            if self.display or not self._awaits_screen:  # Textual takes its time for each of them
                self._awaits_screen = not self.display
                self.refresh()
            return
        self._draw(size)
        changed = [
            Region(0, y, size.width, 1)
            for y, strip in enumerate(self._shown)
            if strip is not before[y] and strip != before[y]
        ]
        if changed:
            self.refresh(*changed)

    def _draw(self, size: Size) -> None:
        """Fetch what is in view, then draw what of it is not drawn yet."""
        self._awaits_screen = False
        if self._shown_for is None or self._shown_for[1] != size:
            self.fit()
            self.forget_lines()
        width, rows = max(0, size.width - MARGIN), self.body_height
        self.top = max(0, min(self._wanted_top, self.last_top))
        self.prepare(self.top, self.top + rows, width)
        if self._heads is None:
            no_margin = self._margin("", False)
            self._heads = [self._painter.strip(h, width, "", no_margin) for h in self.head(width)]
        marks = self._mark_lines(self, rows) if self._mark_lines else ()
        lines = self.line_count()
        thumb = _thumb(lines, rows, self.top)
        self._shown = self._heads[: size.height]
        for row in range(size.height - len(self._shown)):
            number = row + self.top
            margin = (marks[row] if row < len(marks) else "", row in thumb)
            self._shown.append(self._line(number if number < lines else BLANK, margin, width))
        self._shown_for = (self.top, size)

    def _line(self, number: int, margin: Margin, width: int) -> Strip:
        """A line, drawn now unless it is drawn already."""
        drawn = self._drawn.setdefault(number, {})
        strip = drawn.get(margin)
        if strip is None:
            is_blank = number == BLANK
            pieces = [] if is_blank else self.line(number, width)
            role = "" if is_blank else self.line_role(number)
            under = "hit" if all(margin) else ""
            cell = self._margin(*margin)
            strip = drawn[margin] = self._painter.strip(pieces, width, role, cell, under)
        return strip

    def _margin(self, mark: str, is_thumb: bool) -> Piece:
        """The cell of the scroll bar beside a line; in reverse if it is both."""
        glyphs = self.glyphs
        if mark == MATCH:
            return Piece(glyphs.match, mark)
        if mark and not is_thumb:
            return Piece(glyphs.mark, mark)
        return Piece(glyphs.thumb if is_thumb else " ", mark or "thumb")

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines in view; fetches and draws first, so that painting is only painting."""
        size = self.content_size
        if not self._shown or self._shown_for != (self.top, size):
            self._draw(size)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        return self._shown[y] if y < len(self._shown) else Strip.blank(self.content_size.width)

    def notify_style_update(self) -> None:
        """Forget what was drawn: the theme or the focus changed."""
        super().notify_style_update()
        self._painter.forget_styles()
        self.forget_lines()
        self._shown = []


def _thumb(lines: int, height: int, top: int) -> range:
    """Beside which rows in view the scroll bar is drawn."""
    if lines <= height:
        return range(0)
    size = max(1, height * height // lines)
    start = round((height - size) * top / (lines - height))
    return range(start, start + size)
