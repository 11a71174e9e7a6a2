"""Growable numpy columns: one thread appends, any thread reads."""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

INITIAL_ROWS = 1024
"""Rows allocated before anything is known about the size of a recording."""

GROWTH = 1.5
"""Factor of each reallocation; untouched pages cost address space, not memory."""

LARGE = 1 << 20
"""Bytes from which on a column has pages of its own.

The allocator keeps freed blocks below some tens of megabytes, so outgrown columns would stay.
"""


class Table:
    """Columns of one length that only grow.

    One thread appends, any thread reads. The length is published last, so a row that a reader
    can see is whole in every column. A reallocation leaves the old arrays to the readers that
    hold views of them.
    """

    def __init__(self, **dtypes: npt.DTypeLike) -> None:
        self._columns = {name: np.empty(INITIAL_ROWS, dtype) for name, dtype in dtypes.items()}
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        length = self._length  # read before the array: a newer array is never shorter
        return self._columns[name][:length]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._columns)

    @property
    def row_bytes(self) -> int:
        """Bytes that one row costs over all columns."""
        return sum(column.itemsize for column in self._columns.values())

    def extend(self, **values: npt.NDArray[Any]) -> None:
        """Append rows; every column must be given, all of one length."""
        added = len(next(iter(values.values())))
        length = self._length + added
        for name, column in self._columns.items():
            if length > len(column):
                column = self._grown(column, length)
                self._columns[name] = column
            column[self._length : length] = values[name]
        self._length = length

    def _grown(self, column: npt.NDArray[Any], length: int) -> npt.NDArray[Any]:
        larger = _allocated(max(length, int(len(column) * GROWTH)), column.dtype)
        larger[: self._length] = column[: self._length]
        return larger


class RowsSoFar(NamedTuple):
    """Rows of a store that were found, and how far was looked: to be published together."""

    rows: npt.NDArray[np.uint32]
    """Ascending."""
    scanned: int
    """All rows before this one have been looked at."""


NO_ROWS = RowsSoFar(np.empty(0, np.uint32), 0)


def _allocated(rows: int, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    if rows * dtype.itemsize < LARGE or not hasattr(mmap, "MAP_PRIVATE"):
        return np.empty(rows, dtype)
    pages = mmap.mmap(-1, rows * dtype.itemsize, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.frombuffer(pages, dtype)


def sorted_positions(
    column: npt.NDArray[Any], values: npt.ArrayLike, side: Literal["left", "right"] = "left"
) -> npt.NDArray[np.int64]:
    """At which index values stand, or would stand, in a sorted column of whole numbers.

    The values take the type of the column: otherwise numpy converts all of the column.
    """
    limits = np.iinfo(column.dtype)
    wanted = np.clip(
        np.asarray(values, np.int64), max(limits.min, -(2**63)), min(limits.max, 2**63 - 1)
    )
    return np.searchsorted(column, wanted.astype(column.dtype), side=side)
