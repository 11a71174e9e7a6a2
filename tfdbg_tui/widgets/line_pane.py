"""A pane of lines: the base of everything that shows more than fits.

Draws only the lines in view, whatever their number, and knows roles rather than colours. It
scrolls by itself: a virtual size of Textual's would cost a layout and a repaint of all panes each
time that a line is added to one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from tfdbg_tui.widgets.glyphs import UNICODE, Glyphs
from tfdbg_tui.widgets.pieces import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.style import Style
    from textual import events

    from tfdbg_tui.widgets.pieces import Piece, Pieces

    Spans = Callable[[str], Sequence[tuple[int, int]]]

ROLES = (
    "accent",
    "bad",
    "comment",
    "cursor",
    "dim",
    "good",
    "hit",
    "keyword",
    "linked",
    "number",
    "string",
    "thumb",
    "title",
    "warn",
)
"""What text can be; each is a component class `line--ROLE` that the app's style sheet styles."""

MARGIN = 2
"""Cells at the right: marks, and the scroll bar."""

WHEEL_LINES = 3
"""Lines that one notch of the wheel scrolls."""


class LinePane(Widget, can_focus=True):
    """Lines of pieces, with a head that does not scroll."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"line--{role}" for role in ROLES}

    glyphs: ClassVar[Glyphs] = UNICODE
    """Set once by the app, before anything is drawn."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self.top = 0
        """The first line in view."""
        self._wanted_top = 0
        """The same before a larger size left no lines to scroll."""
        self._styles_by_role: dict[tuple[str, str], Style] = {}
        self._hit_spans: Spans | None = None
        self._mark_lines: Callable[[LinePane, int], Sequence[str]] | None = None
        self._title_text = ""
        self._heads: list[Pieces] = []
        self._marks: Sequence[str] = ()
        self._strips: dict[int, Strip] = {}
        """What is drawn, by line of the screen."""
        self._drawn_for: tuple[int, Size] | None = None
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

    # Settings.

    def marks_from(self, mark_lines: Callable[[LinePane, int], Sequence[str]]) -> None:
        """Have the margin marked by someone who knows what is where: a role for each line."""
        self._mark_lines = mark_lines

    def highlight(self, spans: Spans | None) -> None:
        """Draw some places of texts in reverse: what a search found."""
        self._hit_spans = spans
        self.redraw()

    @property
    def title_text(self) -> str:
        """What stands on the border, where there is one."""
        return self._title_text

    @title_text.setter
    def title_text(self, title: str) -> None:
        self._title_text = title
        self.border_title = Content(clean(title))

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
            self.redraw()

    def _on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.scroll_top_to(self.top + WHEEL_LINES)
        event.stop()

    def _on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.scroll_top_to(self.top - WHEEL_LINES)
        event.stop()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """The scroll bar can be dragged."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.x == self.text_width + 1:
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
        """Draw anew what says something else than before: a line that stays costs no bytes."""
        drawn, self._strips = self._strips, {}
        same_size = self._drawn_for is not None and self._drawn_for[1] == self.content_size
        if not (drawn and same_size and self.display):
            self.refresh()
            return
        self._prepare()
        for y in range(self.content_size.height):
            if self._strip_at(y) != drawn.get(y):
                self.refresh(Region(0, y, self.content_size.width, 1))

    def _prepare(self) -> None:
        if self._drawn_for is None or self._drawn_for[1] != self.content_size:
            self.fit()
        self.top = max(0, min(self._wanted_top, self.last_top))
        self.prepare(self.top, self.top + self.body_height, self.text_width)
        self._heads = self.head(self.text_width)
        self._marks = self._mark_lines(self, self.body_height) if self._mark_lines else ()
        self._drawn_for = (self.top, self.content_size)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines in view; fetches first, so that drawing is only drawing."""
        if self._drawn_for != (self.top, self.content_size):
            self._strips = {}
        if not self._strips:
            self._prepare()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        return self._strip_at(y)

    def _strip_at(self, y: int) -> Strip:
        strip = self._strips.get(y)
        if strip is None:
            strip = self._strips[y] = self._draw_line(y)
        return strip

    def _draw_line(self, y: int) -> Strip:
        width, row = self.text_width, y - self.head_height
        if row < 0:
            pieces = self._heads[y] if y < len(self._heads) else []
            return self._strip(pieces, width, "", row)
        number = row + self.top
        if number >= self.line_count():
            return self._strip([], width, "", row)
        return self._strip(self.line(number, width), width, self.line_role(number), row)

    def _strip(self, pieces: Pieces, width: int, line_role: str, row: int) -> Strip:
        segments: list[Segment] = []
        for piece in pieces:
            segments += self._segments(piece, line_role)
        strip = Strip(segments)
        strip = strip.adjust_cell_length(width, self._style("", line_role))
        return Strip(_joined([*strip, *self._margin(row)]), width + MARGIN)

    def _margin(self, row: int) -> list[Segment]:
        mark = self._marks[row] if 0 <= row < len(self._marks) else ""
        thumb = self._is_thumb(row)
        return [
            Segment(self.glyphs.mark if mark else " ", self._style(mark, "")),
            Segment(self.glyphs.thumb if thumb else " ", self._style("thumb", "")),
        ]

    def _is_thumb(self, row: int) -> bool:
        """Whether the scroll bar is drawn here."""
        lines, height = self.line_count(), self.body_height
        if lines <= height or row < 0:
            return False
        size = max(1, height * height // lines)
        start = round((height - size) * self.top / max(1, self.last_top))
        return start <= row < start + size

    def _segments(self, piece: Piece, line_role: str) -> list[Segment]:
        text = clean(piece.text)
        style = self._style(piece.role, line_role)
        if self._hit_spans is None:
            return [Segment(text, style)]
        segments, end = [], 0
        for start, stop in self._hit_spans(text):
            segments.append(Segment(text[end:start], style))
            segments.append(Segment(text[start:stop], style + self._style("hit", "")))
            end = stop
        segments.append(Segment(text[end:], style))
        return segments

    def _style(self, role: str, line_role: str) -> Style:
        if line_role and role == "dim":
            role = ""  # what is chosen is read, and its background takes contrast away
        key = (role, line_role)
        style = self._styles_by_role.get(key)
        if style is None:
            style = self.rich_style
            for name in (line_role, role):
                if name:
                    style += self.get_component_rich_style(f"line--{name}", partial=True)
            self._styles_by_role[key] = style
        return style

    def notify_style_update(self) -> None:
        """Forget looked-up styles: the theme or the focus changed."""
        super().notify_style_update()
        self._styles_by_role.clear()
        self._strips = {}


def _joined(segments: list[Segment]) -> list[Segment]:
    """The same line in fewer segments: each costs about fifty bytes over SSH.

    Blanks look the same in the style of the text before them, if the background is the same.
    """
    joined: list[Segment] = []
    for segment in segments:
        text, style, _ = segment
        if not text:
            continue
        if joined and style is not None:
            before, style_before, _ = joined[-1]
            assert style_before is not None
            if style == style_before or (text.isspace() and _blank_alike(style, style_before)):
                joined[-1] = Segment(before + text, style_before)
                continue
        joined.append(segment)
    return joined


def _blank_alike(one: Style, other: Style) -> bool:
    shows = any(style.reverse or style.underline or style.strike for style in (one, other))
    return one.bgcolor == other.bgcolor and not shows
