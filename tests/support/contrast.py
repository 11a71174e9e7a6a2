"""How well what is drawn can be told apart, measured as WCAG does it, from the drawn cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.color import ColorSystem

from tfdbg_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.color import Color
    from rich.segment import Segment

    from tests.support.app_under_test import Driven

Rgb = tuple[int, int, int]

LINES_AND_BLOCKS = range(0x2500, 0x25A0)
"""Borders, branches and bars: shapes, which are seen with less contrast than text needs."""


class Cells(NamedTuple):
    """Some cells of one look, with what their colours are."""

    text: str
    colour: Rgb
    background: Rgb
    tells: str
    """How else they are told apart: by reverse, underline, bold."""

    @property
    def contrast(self) -> float:
        """Of the text on its background."""
        return contrast(self.colour, self.background)

    @property
    def is_text(self) -> bool:
        """Whether there is something to read."""
        return any(not c.isspace() and ord(c) not in LINES_AND_BLOCKS for c in self.text)


def contrast(one: Rgb, other: Rgb) -> float:
    """From 1, the same, to 21, black on white."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Rgb) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def drawn(driven: Driven, system: ColorSystem = ColorSystem.TRUECOLOR) -> list[list[Cells]]:
    """What is on the screen, line by line, in the colours that a terminal of a kind has."""
    strips = driven.app.screen._compositor.render_strips()
    return [[_cells(segment, system) for segment in strip] for strip in strips]


def _cells(segment: Segment, system: ColorSystem) -> Cells:
    style = segment.style
    assert style is not None, segment
    colour, background = _rgb(style.color, system, True), _rgb(style.bgcolor, system, False)
    if style.reverse:
        colour, background = background, colour
    assert not style.dim, "no terminal says how dim that is"
    names = ("reverse", "underline", "bold")
    return Cells(
        segment.text, colour, background, " ".join(name for name in names if getattr(style, name))
    )


def _rgb(colour: Color | None, system: ColorSystem, foreground: bool) -> Rgb:
    assert colour is not None
    shown = colour.downgrade(system)
    red, green, blue = shown.get_truecolor(foreground=foreground)
    return red, green, blue


class ChosenRow(NamedTuple):
    """The row of a cursor that is in view."""

    pane: str
    focused: bool
    text: str
    background: Rgb
    pane_background: Rgb
    """The background of the rows pane_background it."""
    tells: str

    @property
    def contrast(self) -> float:
        """Of the row against its pane."""
        return contrast(self.background, self.pane_background)


def chosen_rows(driven: Driven, system: ColorSystem = ColorSystem.TRUECOLOR) -> Iterator[ChosenRow]:
    """Every row of a cursor that is on the screen."""
    lines = drawn(driven, system)
    for pane in driven.app.screen.query(RowList):
        region = pane.content_region
        if pane.cursor is None or not pane.display or not region.area:
            continue
        y = region.y + pane.head_height + pane.cursor - pane.top
        if not region.y <= y < region.bottom:
            continue
        cells = list(_between(lines[y], region.x, region.right))
        other = next(row for row in range(region.y + pane.head_height, region.bottom) if row != y)
        (pane_background, *_) = _between(lines[other], region.x, region.right)
        yield ChosenRow(
            str(pane.id),
            pane.has_focus,
            "".join(cell.text for cell in cells),
            cells[0].background,
            pane_background.background,
            cells[0].tells,
        )


def _between(line: list[Cells], start: int, end: int) -> Iterator[Cells]:
    """The cells of some columns; all text here takes one column a character."""
    column = 0
    for cells in line:
        first, last = max(start, column), min(end, column + len(cells.text))
        if first < last:
            yield cells._replace(text=cells.text[first - column : last - column])
        column += len(cells.text)
