"""A pane of lines: the base of everything that shows more than fits.

Draws only the lines in view, whatever the length, and knows roles rather than colours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.widgets.glyphs import UNICODE, Glyphs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.style import Style
    from textual.geometry import Region

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
    "title",
    "warn",
)
"""What text can be; each is a component class `line--ROLE` that the app's style sheet styles."""

MARGIN = 1
"""Cells at the right for marks beside the scroll bar."""


class LinePane(ScrollView, can_focus=True):
    """Lines of pieces, with a head that does not scroll."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"line--{role}" for role in ROLES}
    DEFAULT_CSS = """
    LinePane { overflow-x: hidden; overflow-y: auto; scrollbar-size: 0 1; }
    """

    glyphs: ClassVar[Glyphs] = UNICODE
    """Set once by the app, before anything is drawn."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._styles_by_role: dict[tuple[str, str], Style] = {}
        self._hit_spans: Spans | None = None
        self._column = 0
        self._title_text = ""
        self._mark_lines: Callable[[LinePane, int], Sequence[str]] | None = None
        self._heads: list[Pieces] = []
        self._marks: Sequence[str] = ()

    # What a pane has to say; subclasses answer.

    def line_count(self) -> int:
        """How many lines there are below the head."""
        raise NotImplementedError

    def head(self, width: int) -> list[Pieces]:
        """The lines above those that scroll."""
        return []

    def line(self, number: int, width: int) -> Pieces:
        """One line below the head."""
        raise NotImplementedError

    def line_role(self, number: int) -> str:
        """The role of a whole line: its background."""
        return ""

    def prepare(self, first: int, last: int, width: int) -> None:
        """Called before lines are drawn: the time to fetch what they show."""

    def marks(self, height: int) -> Sequence[str]:
        """A role for each line of the margin beside the scroll bar, empty for none."""
        return self._mark_lines(self, height) if self._mark_lines is not None else ()

    def marks_from(self, mark_lines: Callable[[LinePane, int], Sequence[str]]) -> None:
        """Have the margin marked by someone who knows what is where."""
        self._mark_lines = mark_lines

    # Drawing.

    @property
    def title_text(self) -> str:
        """What stands on the border, where there is one."""
        return self._title_text

    @title_text.setter
    def title_text(self, title: str) -> None:
        self._title_text = title
        self.border_title = Content(sanitise(title))

    @property
    def text_width(self) -> int:
        """Cells of a line without the margin."""
        return max(0, self.scrollable_content_region.width - MARGIN)

    @property
    def body_height(self) -> int:
        """Lines in view below the head."""
        return max(1, self.scrollable_content_region.height - self.head_height)

    @property
    def head_height(self) -> int:
        """Lines that do not scroll."""
        return 0

    def highlight(self, spans: Spans | None) -> None:
        """Draw some places of texts in reverse: what a search found."""
        self._hit_spans = spans
        self.refresh()

    def resized(self) -> None:
        """Take the number of lines for the scroll bar; costs a layout of this pane."""
        height = self.line_count() + self.head_height
        width = self.scrollable_content_region.width
        if self.virtual_size.height != height:
            self.virtual_size = Size(max(1, width), height)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines in view; fetches first, so that drawing is only drawing."""
        first = self.scroll_offset.y
        self.prepare(first, first + self.body_height, self.text_width)
        self._heads = self.head(self.text_width)
        self._marks = self.marks(self.body_height)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        width = self.text_width
        head = self.head_height
        if y < head:
            pieces = self._heads[y] if y < len(self._heads) else []
            return self._strip(pieces, width, "", "")
        number = y - head + self.scroll_offset.y
        if number >= self.line_count():
            return self._strip([], width, "", self._mark(y - head))
        role = self.line_role(number)
        return self._strip(self.line(number, width), width, role, self._mark(y - head))

    def _mark(self, y: int) -> str:
        return self._marks[y] if y < len(self._marks) else ""

    def _strip(self, pieces: Pieces, width: int, line_role: str, mark: str) -> Strip:
        segments: list[Segment] = []
        for piece in pieces:
            segments += self._segments(piece, line_role)
        strip = Strip(segments)
        if self._column and line_role != "head":
            strip = strip.crop(min(self._column, strip.cell_length))
        strip = strip.adjust_cell_length(width, self._style("", line_role))
        margin = Segment(self.glyphs.mark if mark else " ", self._style(mark, ""))
        return Strip([*strip, margin], width + MARGIN)

    def _segments(self, piece: Piece, line_role: str) -> list[Segment]:
        text = sanitise(piece.text)
        style = self._style(piece.role, line_role)
        if self._hit_spans is None:
            return [Segment(text, style)]
        segments, end = [], 0
        for start, stop in self._hit_spans(text):
            segments.append(Segment(text[end:start], style))
            segments.append(Segment(text[start:stop], style + self._style("hit", "")))
            end = stop
        segments.append(Segment(text[end:], style))
        return [segment for segment in segments if segment.text]

    def _style(self, role: str, line_role: str) -> Style:
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

    def line_at(self, y: int) -> int | None:
        """Which line a row of the widget's content shows, None for the head and below the end."""
        number = y - self.head_height + self.scroll_offset.y
        return number if y >= self.head_height and number < self.line_count() else None
