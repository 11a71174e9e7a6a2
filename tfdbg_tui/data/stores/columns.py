"""Growable numpy columns: one thread appends, any thread reads."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tfdbg_tui.data.files.buffers import allocated
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    Widths = npt.DTypeLike | tuple[npt.DTypeLike, ...]
    """The type of a column, or several that become wider."""

INITIAL_ROWS = 16
"""Rows allocated when the first come; of thousands of file sets most hold few, or none."""

GROWTH = 1.5
"""Factor of each reallocation; untouched pages cost address space, not memory."""


class Table:
    """Columns of one length that only grow.

    One thread appends, any thread reads. All columns, as long as the rows that are whole in each
    of them, are published in one assignment: whoever takes `columns` once has columns of one
    length. A reallocation leaves the old arrays to the readers that hold views of them.

    Several types of whole numbers for a column are tried in turn: it is as narrow as its largest
    number allows, and readers make do with any of them.
    """

    def __init__(self, **dtypes: Widths) -> None:
        self._widths = {name: _widths(dtype) for name, dtype in dtypes.items()}
        self._allocated = {name: np.empty(0, widths[0]) for name, widths in self._widths.items()}
        self._expected_rows = 0
        self._rows = 0
        """Never more than the columns have."""
        self.columns: Mapping[str, npt.NDArray[Any]] = self._trimmed(0)

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.columns[name]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._allocated)

    @property
    def row_bytes(self) -> int:
        """Bytes that one row costs over all columns."""
        return sum(column.itemsize for column in self._allocated.values())

    def expect(self, rows: int) -> None:
        """Make room for so many rows when more are needed: what is not written costs nothing."""
        self._expected_rows = rows

    def extend(self, **values: npt.NDArray[Any]) -> None:
        """Append rows; every column must be given, all of one length."""
        self.rewrite(len(self), **values)

    def rewrite(self, start: int, **values: npt.NDArray[Any]) -> None:
        """Put others in place of the rows from one on, and no fewer.

        Readers may see some columns of such a row as they were and others as they are now.
        """
        end = start + len(next(iter(values.values())))
        for name, column in self._allocated.items():
            dtype = self._fitting(name, values[name])
            if end > len(column) or dtype != column.dtype:
                column = _enlarged(column, start, max(end, self._expected_rows), dtype)
                self._allocated[name] = column
            column[start:end] = values[name]
        self.columns = self._trimmed(end)
        self._rows = end

    def _fitting(self, name: str, values: npt.NDArray[Any]) -> np.dtype[Any]:
        """The first type, from the one that the column has now on, in which values fit."""
        widths = self._widths[name]
        while len(widths) > 1 and len(values):
            limits = np.iinfo(widths[0])
            if limits.min <= values.min() and values.max() <= limits.max:
                break
            widths = self._widths[name] = widths[1:]
        return widths[0]

    def _trimmed(self, length: int) -> dict[str, npt.NDArray[Any]]:
        return {name: column[:length] for name, column in self._allocated.items()}


class RowsSoFar(NamedTuple):
    """Rows of a store that were found, and how far was looked: to be published together."""

    rows: npt.NDArray[np.uint32]
    """Ascending."""
    scanned: int
    """All rows before this one have been looked at."""


NO_ROWS = RowsSoFar(np.empty(0, np.uint32), 0)


def _widths(dtypes: Widths) -> tuple[np.dtype[Any], ...]:
    return tuple(map(np.dtype, dtypes if isinstance(dtypes, tuple) else (dtypes,)))


def _enlarged(
    column: npt.NDArray[Any], used: int, needed: int, dtype: np.dtype[Any]
) -> npt.NDArray[Any]:
    rows = len(column) if needed <= len(column) else int(len(column) * GROWTH)
    larger = allocated(max(needed, INITIAL_ROWS, rows), dtype)
    larger[:used] = column[:used]
    return larger


def sorted_positions(
    column: npt.NDArray[Any], values: npt.ArrayLike, side: Literal["left", "right"] = "left"
) -> npt.NDArray[np.int64]:
    """At which index values stand, or would stand, in a sorted column of whole numbers.

    The values take the type of the column: otherwise numpy converts all of the column.
    """
    lowest, highest = _limits(column.dtype)
    wanted = np.minimum(np.maximum(np.asarray(values, np.int64), lowest), highest)
    return column.searchsorted(wanted.astype(column.dtype), side=side)


def distinct(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Whole numbers in order, each once: `np.unique` imports numpy's masked arrays, to ask them."""
    ordered = np.sort(values)
    is_new = np.ones(len(ordered), np.bool_)
    is_new[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_new]


@cache
def _limits(dtype: np.dtype[Any]) -> tuple[int, int]:
    """The least and the greatest number that fits a type and 64 bits with a sign."""
    limits = np.iinfo(dtype)
    return max(limits.min, -(2**63)), min(limits.max, 2**63 - 1)
