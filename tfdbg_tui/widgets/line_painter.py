"""Turns pieces into strips: in the styles of a pane, in as few segments as look the same."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip

from tfdbg_tui.widgets.pieces import clean
from tfdbg_tui.widgets.roles import style_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.style import Style
    from textual.widget import Widget

    from tfdbg_tui.widgets.pieces import Piece, Pieces

    Spans = Callable[[str], Sequence[tuple[int, int]]]


MAX_KNOWN_HITS = 2000
"""Texts whose hits are remembered."""


class LinePainter:
    """Draws lines in the roles of one widget."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._styles: dict[tuple[str, str], Style] = {}
        self._hit_spans: Spans | None = None
        self._known_hits: dict[str, Sequence[tuple[int, int]]] = {}
        """The hits of texts that were drawn: columns say the same in row after row."""

    def highlight(self, spans: Spans | None) -> None:
        """Draw parts of texts in reverse from now on: what a search found."""
        self._hit_spans = spans
        self._known_hits.clear()

    def forget_styles(self) -> None:
        """The theme or the focus changed."""
        self._styles.clear()

    def strip(
        self, pieces: Pieces, width: int, line_role: str, margin: Piece, under_margin: str = ""
    ) -> Strip:
        """A line of exactly `width` cells, with one behind it that has a background of its own."""
        segments: list[Segment] = []
        cells = 0
        for text, role in pieces:
            # Pieces hold clean text; whatever does not is caught here, before the terminal.
            is_plain = text.isascii() and text.isprintable()
            safe = text if is_plain else clean(text)
            style = self._styles.get((role, line_role))
            if style is None:
                style = self._style(role, line_role)
            if self._hit_spans is None or safe.isspace():
                segments.append(Segment(safe, style))
                cells += len(text) if is_plain else cell_len(safe)
            else:
                parts = self._with_hits(safe, style, self._hit_spans)
                segments += parts
                cells += sum([cell_len(part.text) for part in parts])  # a cut may add some
        if cells != width:
            blank = self._style("", line_role)
            segments = list(Strip(segments, cells).adjust_cell_length(width, blank))
        segments.append(Segment(margin.text, self._style(margin.role, under_margin)))
        return Strip(_joined(segments), width + 1)

    def _with_hits(self, text: str, style: Style, hit_spans: Spans) -> list[Segment]:
        spans = self._known_hits.get(text)
        if spans is None:
            if len(self._known_hits) >= MAX_KNOWN_HITS:
                self._known_hits.clear()
            spans = self._known_hits[text] = hit_spans(text)
        if not spans:
            return [Segment(text, style)]
        segments, end = [], 0
        for start, stop in spans:
            segments.append(Segment(text[end:start], style))
            segments.append(Segment(text[start:stop], style + self._style("hit", "")))
            end = stop
        segments.append(Segment(text[end:], style))
        return segments

    def _style(self, role: str, line_role: str) -> Style:
        style = self._styles.get((role, line_role))
        if style is None:
            style = self._styles[role, line_role] = style_of(self._widget, role, line_role)
        return style


def _joined(segments: list[Segment]) -> list[Segment]:
    """The same line in fewer segments: each costs about fifty bytes over SSH.

    Blanks look the same in the style of the text before them, if the background is the same.
    """
    joined: list[Segment] = []
    before, style_before = "", None
    for text, style, _ in segments:
        if not text:
            continue
        if style_before is not None and style is not None:
            same = style is style_before or style == style_before
            if same or (text.isspace() and _blank_alike(style, style_before)):
                before += text
                joined[-1] = Segment(before, style_before)
                continue
        joined.append(Segment(text, style))
        before, style_before = text, style
    return joined


@lru_cache(maxsize=1024)
def _blank_alike(one: Style, other: Style) -> bool:
    shows = any(style.reverse or style.underline or style.strike for style in (one, other))
    return one.bgcolor == other.bgcolor and not shows
