"""How well what is drawn can be told apart, measured from the drawn cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.color import ColorSystem

from tfdbg_tui.contrast import BLACK, Rgb, contrast
from tfdbg_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.color import Color
    from rich.segment import Segment
    from rich.terminal_theme import TerminalTheme

    from tests.support.app_under_test import Driven

LINES_AND_BLOCKS = range(0x2500, 0x25A0)
"""Borders, branches and bars: shapes, which are seen with less contrast than text needs."""


class Cells(NamedTuple):
    """Some cells of one look, with what their colours are."""

    text: str
    colour: Rgb
    background: Rgb
    tells: str
    """How else they are told apart: reverse, underline, bold, dim."""

    @property
    def contrast(self) -> float:
        """Of the text on its background; no terminal says how dim text is that it dims."""
        return 0 if "dim" in self.tells else contrast(self.colour, self.background)

    @property
    def is_text(self) -> bool:
        """Whether there is something to read."""
        return any(not c.isspace() and ord(c) not in LINES_AND_BLOCKS for c in self.text)


class ChosenRow(NamedTuple):
    """The row of a cursor that is in view."""

    pane: str
    focused: bool
    text: str
    background: Rgb
    pane_background: Rgb
    """That of the rows above and below."""
    tells: str

    @property
    def contrast(self) -> float:
        """Of the row against its pane."""
        return contrast(self.background, self.pane_background)


def drawn(
    driven: Driven,
    system: ColorSystem = ColorSystem.TRUECOLOR,
    palette: TerminalTheme | None = None,
) -> list[list[Cells]]:
    """What is on the screen, line by line, in the colours that a terminal of a kind has."""
    strips = driven.app.screen._compositor.render_strips()
    return [[_cells(segment, system, palette) for segment in strip] for strip in strips]


def _cells(segment: Segment, system: ColorSystem, palette: TerminalTheme | None) -> Cells:
    style = segment.style
    if style is None or style.color is None or style.bgcolor is None:
        assert segment.text.isspace(), f"{segment.text!r} has the colours of nobody knows what"
        return Cells(segment.text, BLACK, BLACK, "")
    colour = _rgb(style.color, system, palette, foreground=True)
    background = _rgb(style.bgcolor, system, palette, foreground=False)
    if style.reverse:
        colour, background = background, colour
    tells = [name for name in ("reverse", "underline", "bold", "dim") if getattr(style, name)]
    return Cells(segment.text, colour, background, " ".join(tells))


def _rgb(
    colour: Color, system: ColorSystem, palette: TerminalTheme | None, foreground: bool
) -> Rgb:
    red, green, blue = colour.downgrade(system).get_truecolor(palette, foreground)
    return red, green, blue


def chosen_rows(
    driven: Driven,
    system: ColorSystem = ColorSystem.TRUECOLOR,
    palette: TerminalTheme | None = None,
) -> Iterator[ChosenRow]:
    """Every row of a cursor that is on the screen."""
    lines = drawn(driven, system, palette)
    for pane in driven.app.screen.query(RowList):
        region = pane.content_region
        if pane.cursor is None or not pane.is_on_screen or not region.area:
            continue
        first = region.y + pane.head_height
        chosen = first + pane.cursor - pane.top
        others = [y for y in range(first, region.bottom) if y != chosen]
        if first <= chosen < region.bottom and others:
            cells = list(between(lines[chosen], region.x, region.right))
            (other, *_) = between(lines[others[0]], region.x, region.right)
            yield ChosenRow(
                str(pane.id),
                pane.has_focus,
                "".join(cell.text for cell in cells),
                cells[0].background,
                other.background,
                cells[0].tells,
            )


def between(line: list[Cells], start: int, end: int) -> Iterator[Cells]:
    """The cells of some columns; all text here takes one column a character."""
    column = 0
    for cells in line:
        first, last = max(start, column), min(end, column + len(cells.text))
        if first < last:
            yield cells._replace(text=cells.text[first - column : last - column])
        column += len(cells.text)
