"""What can be chosen, in columns: the values that a list over the panes draws."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.widgets.pieces import Piece, Pieces, cut, left, path_cell, right
from tfdbg_tui.widgets.table_columns import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfdbg_tui.screens.session.change import Change

WIDEST = 200
"""Cells beyond which no column grows."""


class Choice(NamedTuple):
    """One thing to choose: a cell for every column."""

    cells: tuple[Piece, ...]
    role: str = ""
    chosen: bool = False

    def has(self, words: Sequence[str]) -> bool:
        """Whether it says all of some words, in whatever order."""
        text = " ".join(cell.text for cell in self.cells).lower()
        return all(word in text for word in words)


class Fit(Enum):
    """What becomes of a cell that is longer than its column is wide."""

    PATH = "path"
    """Its last parts stay, as those of a file or an op tell most."""
    NAME = "name"
    """Both ends stay."""
    PROSE = "prose"
    """The beginning stays."""
    NUMBER = "number"
    """It stays whole, at the right."""


class Heading(NamedTuple):
    """One column of a menu: which it is, how it gives way, and when."""

    title: str
    fit: Fit = Fit.NAME
    rank: int = 1
    """1 is never left out where there is no room for all."""
    least: int = 8
    usual: int = WIDEST


class Menu(NamedTuple):
    """Some things to choose among, and what comes of choosing one by its number."""

    title: str
    headings: Sequence[Heading]
    choices: Sequence[Choice]
    choose: Callable[[int], Change]

    def columns(self) -> list[Column[Choice]]:
        """The columns in which anything is said."""
        numbered = enumerate(self.headings)
        return [
            _column(number, heading)
            for number, heading in numbered
            if any(choice.cells[number].text for choice in self.choices)
        ]


def _column(number: int, heading: Heading) -> Column[Choice]:
    title, fit, rank, least, usual = heading
    blank = " " if number else ""  # one more between columns than there is in panes

    def draw(choice: Choice, width: int) -> Pieces:
        text, role = choice.cells[number]
        return [_FITTED[fit](text, width, role or choice.role or ("accent" * choice.chosen))]

    return Column(
        title,
        least,
        usual,
        WIDEST,
        rank,
        draw,
        at_right=fit is Fit.NUMBER,
        text=lambda choice: blank + choice.cells[number].text,
        whole=fit is Fit.NUMBER,
    )


def _prose(text: str, width: int, role: str) -> Piece:
    return Piece(cut(text, width), role)


_FITTED: dict[Fit, Callable[[str, int, str], Piece]] = {
    Fit.PATH: path_cell,
    Fit.NAME: left,
    Fit.PROSE: _prose,
    Fit.NUMBER: right,
}
