"""Two dimensions of a value as a picture: half blocks in colours, or signs where there are none.

Its colours are data, and no roles: blue below zero, orange above it, the theme's own background at
zero and its alarm colour where anything is NaN or ∞.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tfdbg_tui.textual_internals import PromptlyPainted
from tfdbg_tui.widgets.line_pane import LinePane

if TYPE_CHECKING:
    from tfdbg_tui.data.views.value_page import PicturePage

UPPER_HALF = "▀"

BELOW, ABOVE = (70, 130, 230), (245, 140, 30)
"""Colours that people who see red and green alike can tell apart, on dark and on light."""

POSITIVE, NEGATIVE = "·░▒▓█", "-=oO@"
PLAIN_POSITIVE, PLAIN_NEGATIVE = ".:+x#", "-=oO@"
"""Signs for weak and strong numbers where colours cannot tell them apart."""

BAD = "!"

WEAK = 0.02
"""Of the strongest number; what is weaker is drawn as nothing."""


class ValuePicture(PromptlyPainted):
    """The picture; it has no keys of its own."""

    def __init__(self) -> None:
        super().__init__(id="value-picture")
        self._page: PicturePage | None = None

    @property
    def in_colours(self) -> bool:
        """Whether two elements share a cell, one above the other."""
        app = self.app
        few = getattr(app, "has_few_colours", False) or app.ansi_color
        return not few and not LinePane.glyphs.bar.isascii()

    @property
    def room(self) -> tuple[int, int]:
        """Rows and columns of elements that fit."""
        return max(1, self.size.height) * (2 if self.in_colours else 1), max(1, self.size.width)

    def show_page(self, page: PicturePage) -> None:
        """Show this from now on."""
        if page != self._page:
            self._page = page
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """A line of the picture."""
        page, width = self._page, self.size.width
        if page is None or not page.cells:
            return Strip.blank(width, self.rich_style)
        columns = len(page.cells[0])
        wide = max(1, min(width // columns, 2 if self.in_colours else 1))
        segments = self._half_blocks(page, y, wide) if self.in_colours else self._signs(page, y)
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    def _half_blocks(self, page: PicturePage, y: int, wide: int) -> list[Segment]:
        rows = [page.cells[n] if n < len(page.cells) else () for n in (2 * y, 2 * y + 1)]
        upper, lower = rows
        return [
            Segment(
                UPPER_HALF * wide,
                Style.from_color(
                    self._colour(part), self._colour(lower[n] if n < len(lower) else 0.0)
                ),
            )
            for n, part in enumerate(upper)
        ]

    def _colour(self, part: float) -> Color:
        variables = self.app.theme_variables
        if math.isnan(part):
            return Color.parse(variables["error"])
        ground = Color.parse(variables["background"]).get_truecolor()
        strong = BELOW if part < 0 else ABOVE
        share = abs(part) ** 0.7  # weak numbers are to be seen, too
        mixed = (round(g + (s - g) * share) for g, s in zip(ground, strong, strict=True))
        return Color.from_rgb(*mixed)

    def _signs(self, page: PicturePage, y: int) -> list[Segment]:
        if y >= len(page.cells):
            return []
        is_plain = LinePane.glyphs.bar.isascii()
        positive = PLAIN_POSITIVE if is_plain else POSITIVE
        negative = PLAIN_NEGATIVE if is_plain else NEGATIVE
        text = "".join(_sign(part, positive, negative) for part in page.cells[y])
        return [Segment(text, self.rich_style)]


def _sign(part: float, positive: str, negative: str) -> str:
    if math.isnan(part):
        return BAD
    if abs(part) < WEAK:
        return " "
    signs = positive if part > 0 else negative
    return signs[min(len(signs) - 1, int(abs(part) * len(signs)))]
