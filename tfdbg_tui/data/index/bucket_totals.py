"""What became of each row in each bucket of a long axis, in bounded memory.

An axis counts steps, or time in small units. A bucket is as many units as a power of two: when an
axis outgrows its buckets, neighbours are merged, and nothing is looked at again. What is bad stays
bad: flags are or-ed, and the event that stands for a bucket is its first bad one, if there is any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

    Column = npt.NDArray[Any]

MAX_BUCKETS, MIN_BUCKETS = 512, 64
"""Buckets of a row, at the most and where there are very many rows: both powers of two."""

MAX_CELLS = 1 << 21
"""Cells of all rows together, but for the fewest buckets of each; a cell has 13 bytes."""

KINDS = (Bad.NEG_INF, Bad.POS_INF, Bad.NAN, Bad.UNTOLD)

SPARSE = 4
"""Times as many cells as events from which on sorting is cheaper than counting in each cell."""


class Cells(NamedTuple):
    """Some rows and columns of the totals."""

    counts: Column
    """Events in each."""
    bad: Column
    """Bad ones among them."""
    flags: Column
    """The bad numbers of all of them together; see `Bad`."""
    events: Column
    """The first bad event of each or, without one, its first; -1 where there is none."""


class BucketTotals:
    """Totals by row and bucket; who shares them between threads locks them."""

    def __init__(self, max_buckets: int = MAX_BUCKETS) -> None:
        self.scale = 0
        """A bucket is 2 ** scale units."""
        self._buckets = max_buckets
        self._counts = np.zeros((0, max_buckets), np.uint32)
        self._bad = np.zeros((0, max_buckets), np.uint32)
        self._flags = np.zeros((0, max_buckets), np.uint8)
        self._events = np.zeros((0, max_buckets), np.uint32)
        """Counted from 1; 0 where there is none."""

    @property
    def rows(self) -> int:
        """Rows that there is room for."""
        return len(self._counts)

    def add(self, rows: Column, units: Column, events: Column, flags: Column) -> None:
        """Add events, in their order, at places of the axis that are not negative."""
        if not len(rows):
            return
        self.prepare(int(rows.max()) + 1, int(units.max()))
        cells = rows.astype(np.int64) * self._buckets + (units >> self.scale)
        self._add_events(cells, events, flags)
        _count(self._counts.reshape(-1), cells)

    def _add_events(self, cells: Column, events: Column, flags: Column) -> None:
        """Note what is bad, and which events stand for their cells."""
        stands, bad = self._events.reshape(-1), self._bad.reshape(-1)
        before = stands[cells]
        new = np.flatnonzero((bad[cells] == 0) & ((before == 0) | (events + 1 < before)))
        stands[cells[new[::-1]]] = events[new[::-1]] + 1  # of several for a cell, the last counts
        found = np.flatnonzero(flags)
        cells, events, flags = cells[found], events[found], flags[found]
        first = np.flatnonzero((bad[cells] == 0) | (events + 1 < stands[cells]))
        stands[cells[first[::-1]]] = events[first[::-1]] + 1
        all_flags = self._flags.reshape(-1)
        for kind in KINDS:
            all_flags[cells[flags & int(kind) != 0]] |= int(kind)
        _count(bad, cells)

    def prepare(self, rows: int, last_unit: int) -> None:
        """Have room for so many rows, and an axis that reaches as far as this."""
        self._make_room(rows)
        while last_unit >> self.scale >= self._buckets:
            self._merge()

    def _merge(self) -> None:
        """Make one bucket of every two."""
        self.scale += 1
        half = self._buckets // 2
        merged = _merged(self._cells(), 2)
        for kept, column in zip(self._cells(), merged, strict=True):
            kept[:, :half] = column
            kept[:, half:] = 0

    def _make_room(self, rows: int) -> None:
        """Have so many rows at least; where there are very many, they have fewer buckets."""
        if rows <= self.rows:
            return
        rows = max(rows, 2 * self.rows)
        while self._buckets > MIN_BUCKETS and self._buckets * rows > MAX_CELLS:
            self._merge()
            self._buckets //= 2
            self._set(Cells._make(column[:, : self._buckets] for column in self._cells()))
        self._set(Cells._make(_enlarged(c, rows, self._buckets) for c in self._cells()))

    def _set(self, cells: Cells) -> None:
        self._counts, self._bad, self._flags, self._events = cells

    def _cells(self) -> Cells:
        return Cells(self._counts, self._bad, self._flags, self._events)

    def empty_copy(self) -> BucketTotals:
        """The same rows and buckets with nothing in them."""
        copy = BucketTotals(self._buckets)
        copy.scale = self.scale
        copy._make_room(self.rows)
        return copy

    def has_shape_of(self, other: BucketTotals) -> bool:
        """Whether both have the same rows and buckets."""
        same = self.rows == other.rows and self._buckets == other._buckets
        return same and self.scale == other.scale

    def cells(self, rows: Column, first: int, columns: int, merged: int) -> Cells:
        """Some rows from a bucket on, in columns of some buckets each; a copy."""
        known = rows < self.rows
        shape = (len(rows), columns * merged)
        last = min(first + columns * merged, self._buckets)
        found = []
        for column in self._cells():
            part = np.zeros(shape, column.dtype)
            if first < last:
                part[known, : last - first] = column[rows[known], first:last]
            found.append(part)
        cells = _merged(Cells._make(found), merged)
        return cells._replace(events=cells.events.astype(np.int64) - 1)


def together(one: Cells, other: Cells) -> Cells:
    """The same cells, with what both tell."""
    shape = (len(one.counts), 2 * one.counts.shape[1])
    parts = zip(one, other, strict=True)
    both = Cells._make(np.stack(pair, axis=2).reshape(shape) for pair in parts)
    cells = _merged(both._replace(events=both.events + 1), 2)
    return cells._replace(events=cells.events - 1)


def _merged(cells: Cells, merged: int) -> Cells:
    """One column of every few."""
    if merged == 1:
        return cells
    shape = (len(cells.counts), cells.counts.shape[1] // merged, merged)
    counts, bad, flags, events = (column.reshape(shape) for column in cells)
    most = np.iinfo(events.dtype).max
    first_bad = np.where(bad > 0, events, most).min(axis=2)
    first = np.where(counts > 0, events, most).min(axis=2)
    stands = np.where(first_bad < most, first_bad, first)
    return Cells(
        counts.sum(axis=2, dtype=counts.dtype),
        bad.sum(axis=2, dtype=bad.dtype),
        np.bitwise_or.reduce(flags, axis=2),
        np.where(stands < most, stands, 0),
    )


def _count(totals: Column, cells: Column) -> None:
    """Add one for each of some cells; they mostly lie close together, or are few."""
    if not len(cells):
        return
    low, high = int(cells.min()), int(cells.max()) + 1
    if high - low <= SPARSE * len(cells):
        totals[low:high] += np.bincount(cells - low, minlength=high - low).astype(totals.dtype)
        return
    found, counts = np.unique(cells, return_counts=True)
    totals[found] += counts.astype(totals.dtype)


def _enlarged(column: Column, rows: int, buckets: int) -> Column:
    larger = np.zeros((rows, buckets), column.dtype)
    larger[: len(column)] = column
    return larger
