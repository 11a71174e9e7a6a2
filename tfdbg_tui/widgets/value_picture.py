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

LARGEST = 8
"""Cells for one element, at the most."""

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

    @property
    def _zoom(self) -> int:
        """Cells across for each element, and as many halves of cells down."""
        page = self._page
        if page is None or not page.cells or not self.in_colours:
            return 1
        rows, columns = self.room
        fits = min(rows // len(page.cells), columns // max(1, len(page.cells[0])))
        return max(1, min(fits, LARGEST))

    def render_line(self, y: int) -> Strip:
        """A line of the picture."""
        page, width = self._page, self.size.width
        if page is None or not page.cells:
            return Strip.blank(width, self.rich_style)
        segments = self._half_blocks(page, y) if self.in_colours else self._signs(page, y)
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    def _half_blocks(self, page: PicturePage, y: int) -> list[Segment]:
        zoom, cells = self._zoom, page.cells
        upper, lower = (2 * y // zoom, (2 * y + 1) // zoom)
        if upper >= len(cells):
            return []
        below = cells[lower] if lower < len(cells) else (0.0,) * len(cells[upper])
        pairs = zip(cells[upper], below, strict=True)
        return [self._block(one, other, zoom) for one, other in pairs]

    def _block(self, upper: float, lower: float, zoom: int) -> Segment:
        """One above the other; where any is bad both are, with a sign: red alone tells few."""
        if math.isnan(upper) or math.isnan(lower):
            return Segment(BAD.center(zoom), self._alarm)
        colours = self._colour(upper), self._colour(lower)
        return Segment(UPPER_HALF * zoom, Style.from_color(*colours))

    @property
    def _alarm(self) -> Style:
        variables = self.app.theme_variables
        ground = Color.parse(variables["background"])
        return Style.from_color(ground, Color.parse(variables["error"]))

    def _colour(self, part: float) -> Color:
        ground = Color.parse(self.app.theme_variables["background"]).get_truecolor()
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
        wide = max(1, min(2, self.size.width // len(page.cells[y])))
        text = "".join(_sign(part, positive, negative) * wide for part in page.cells[y])
        return [Segment(text, self.rich_style)]


def _sign(part: float, positive: str, negative: str) -> str:
    if math.isnan(part):
        return BAD
    if abs(part) < WEAK:
        return " "
    signs = positive if part > 0 else negative
    return signs[min(len(signs) - 1, int(abs(part) * len(signs)))]
