"""Columns of a list: which of them fit, and how wide each is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from tfdbg_tui.widgets.pieces import Piece, Pieces, left, padded, right

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Row = TypeVar("Row")

GAP = 1
"""Cells between columns."""

_GAP = Piece(" " * GAP)

TELLING_RANK, SPARE_RANK = 2, 5
"""Columns up to the first rank are not narrowed for the sake of those behind the second."""

MAX_INDEX = 13
"""Cells of the number of an event: nobody records more than some billions."""


@dataclass(frozen=True)
class Column(Generic[Row]):
    """One column; those of low rank go first when there is no room."""

    title: str
    least: int
    """Cells without which it is not shown at all."""
    usual: int
    """Cells that do for most rows; every column gets them before one gets more."""
    most: int
    """Cells beyond which it gains nothing."""
    rank: int
    """1 is never left out and grows first."""
    draw: Callable[[Row, int], Pieces]
    """The pieces of a row in this column, given its width."""
    at_right: bool = False
    text: Callable[[Row], str] | None = None
    """What a row says in this column, whole; None where the width does not depend on it."""
    folds: bool = False
    """Whether it is left out where all rows say the same."""
    in_title: Callable[[str], str] = str
    """How the title of the pane says that, where the text alone says too little."""
    whole: bool = False
    """Whether nothing of what rows say may be cut: numbers would be others."""


class Layout(Generic[Row]):
    """Columns in a given width."""

    def __init__(self, columns: Sequence[Column[Row]], width: int) -> None:
        widths = _widths(columns, width)
        self._columns = [(column, widths[column]) for column in columns if column in widths]

    def places(self) -> list[tuple[Column[Row], int, int]]:
        """Each shown column with the cell it begins at and its width."""
        places, start = [], 0
        for column, width in self._columns:
            places.append((column, start, width))
            start += width + GAP
        return places

    def head(self) -> Pieces:
        """The line of titles."""
        pieces: Pieces = []
        for column, width in self._columns:
            fit = right if column.at_right else left
            pieces += [fit(column.title, width, "dim"), _GAP]
        return pieces[:-1]

    def line(self, row: Row) -> Pieces:
        """The line of a row."""
        pieces: Pieces = []
        for column, width in self._columns:
            pieces += padded(column.draw(row, width), width)
            pieces.append(_GAP)
        return pieces[:-1]


def _widths(columns: Sequence[Column[Row]], width: int) -> dict[Column[Row], int]:
    """Each shown column's width: all get their least, then more by rank."""
    shown = sorted(columns, key=lambda column: column.rank)
    while shown and shown[-1].rank > SPARE_RANK and _comfortable(shown) > width:
        shown.pop()
    while len(shown) > 1 and shown[-1].rank > 1 and sum(c.least + GAP for c in shown) - GAP > width:
        shown.pop()
    widths = _squeezed({column: column.least for column in shown}, width)
    room = width - sum(least + GAP for least in widths.values()) + GAP
    for goal in ("usual", "most"):
        for column in widths:
            more = max(0, min(room, getattr(column, goal) - widths[column]))
            widths[column] += more
            room -= more
    return widths


def _comfortable(columns: Sequence[Column[Row]]) -> int:
    """Cells in which the columns that tell most are as wide as they usually need to be."""
    cells = [c.usual if c.rank <= TELLING_RANK else c.least for c in columns]
    return sum(cells) + GAP * (len(cells) - 1)


def _squeezed(widths: dict[Column[Row], int], width: int) -> dict[Column[Row], int]:
    """The widths of columns that must stay, the last one the narrowest where there is no room."""
    fitting: dict[Column[Row], int] = {}
    for column, least in widths.items():
        if width > 0:
            fitting[column] = min(least, width)
            width -= least + GAP
    return fitting


def index_column(index_of: Callable[[Row], int]) -> Column[Row]:
    """The column of event numbers, as wide as the widest of them in view."""
    return Column(
        "#",
        3,
        4,
        MAX_INDEX,
        1,
        lambda row, width: [right(f"{index_of(row):,}", width, "dim")],
        at_right=True,
        text=lambda row: f"{index_of(row):,}",
        whole=True,
    )
