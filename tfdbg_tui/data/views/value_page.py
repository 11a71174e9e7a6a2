"""The value of a tensor as a page tells it: frozen values."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.values.histograms import Histogram
    from tfdbg_tui.data.values.statistics import Statistics


class Way(Enum):
    """How a value is looked at."""

    GRID = "grid"
    PICTURE = "picture"
    SUMMARY = "summary"
    OVER_TIME = "over time"
    """The element at the cursor in each computation."""
    RANGES_OVER_TIME = "ranges over time"
    """The range of the finite numbers in each computation."""


class CellKind(Enum):
    """What is to be seen of an element at once."""

    PLAIN = "plain"
    BAD = "bad"
    """NaN or ∞."""
    IN_RANGE = "in range"
    """In the ranges that were asked for."""


class ValueCell(NamedTuple):
    """One element."""

    text: str
    kind: CellKind


class GridPage(NamedTuple):
    """The elements that are in view."""

    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    rows: tuple[tuple[ValueCell, ...], ...]
    cell_width: int
    cursor: tuple[int, int]
    """Which of them it is on."""
    first: tuple[int, int]
    """The first row and the first column in view."""
    size: tuple[int, int]
    """Rows and columns in all."""
    axes: str
    """Which dimensions go down and across."""


class PicturePage(NamedTuple):
    """Cells of a picture, each with what is farthest from zero in it."""

    cells: tuple[tuple[float, ...], ...]
    """From -1 to 1; NaN is a bad one."""
    limit: float
    """The number at 1."""
    per_cell: tuple[int, int]
    """Rows and columns of elements that share a cell, at the most."""
    looked_at: float


class CurvePage(NamedTuple):
    """A vector, or an element over time, as a curve."""

    points: tuple[tuple[float, float] | None, ...]
    """The range of the numbers in each column; None where there is no finite one."""
    bad: tuple[bool, ...]
    labels: tuple[str, str]
    """At both ends of the axis."""
    here: int | None
    """The column that the cursor is in."""
    what: str
    looked_at: float


class SummaryPage(NamedTuple):
    """Statistics and a histogram, as far as they are known."""

    statistics: Statistics | None
    histogram: Histogram | None
    looked_at: float


class ValuePage(NamedTuple):
    """What is on the screen."""

    name: str
    label: str
    """Which computation: `#52, step 3`."""
    dtype: str
    shape: tuple[int, ...]
    selected: str
    """What of it is looked at: `[3, :, :]`."""
    way: Way
    minus: int | None
    """The computation that is subtracted, if one is."""
    here: tuple[str, str, bool]
    """Index and whole value of the element at the cursor, and whether it is bad."""
    notation: str
    """How numbers are written, and the ranges that stand out."""
    body: GridPage | PicturePage | CurvePage | SummaryPage
    is_working: bool
    """Whether more becomes known."""
