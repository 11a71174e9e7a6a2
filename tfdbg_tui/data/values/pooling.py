"""A part of a tensor in as many cells as a picture has: the range of each, and whether it is bad.

Every element counts, so that a single NaN among millions is seen.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.tensors import PIECE
from tfdbg_tui.data.values.element_kinds import bad_among, plain_numbers
from tfdbg_tui.data.values.pieces import SLICE_SECONDS

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.values.recorded_value import RecordedValue
    from tfdbg_tui.data.values.slices import Selected

    Numbers = npt.NDArray[np.float64]

MAX_POOLED = 1 << 32
"""Elements of the largest picture: few recorded values may stand for more than any loop ends at."""


class PoolingJob:
    """Looks at all elements of one or two dimensions; a job that is never more than one pass.

    Cells are read while it goes on: what was not looked at yet is neither low nor high nor bad.
    """

    def __init__(self, value: RecordedValue, selected: Selected, height: int, width: int) -> None:
        shape = (1, 1, *selected.shape)[-2:]
        self.rows, self.columns = shape
        self.height, self.width = max(1, min(height, self.rows)), max(1, min(width, self.columns))
        cells = (self.height, self.width)
        self.low, self.high = np.full(cells, np.inf), np.full(cells, -np.inf)
        self.bad = np.zeros(cells, np.bool_)
        self.is_done = selected.size > MAX_POOLED
        self.selected, self.asked = selected, (height, width)
        self._value = value
        self._blocks = selected.blocks(PIECE)
        self._next = 0

    @property
    def looked_at(self) -> float:
        """The share of the elements that was looked at."""
        return 1.0 if self.is_done else self._next / max(self._blocks.count, 1)

    def extend(self) -> bool:
        """Look on for a moment; True while there is more to look at."""
        until = perf_counter() + SLICE_SECONDS
        while not self.is_done:
            if self._next >= self._blocks.count:
                self.is_done = True
            else:
                place, block = self._blocks.block(self._next)
                self._add(place, self._value.window(block).reshape(-1))
                self._next += 1
            if perf_counter() > until:
                break
        return not self.is_done

    def strongest(self) -> Numbers:
        """Of each cell the number farthest from zero; NaN where it is bad, 0 where nothing is."""
        high = np.where(self.high > -np.inf, self.high, 0.0)
        low = np.where(self.low < np.inf, self.low, 0.0)
        found: Numbers = np.where(np.abs(low) > np.abs(high), low, high)
        found[self.bad] = np.nan
        return found

    def _add(self, place: int, values: npt.NDArray[Any]) -> None:
        """Take in elements that follow each other: whole rows, or a part of one."""
        row, column = divmod(place, self.columns)
        per_row = min(self.columns, len(values))
        shape = (len(values) // per_row, per_row)
        bad = bad_among(values).reshape(shape)
        numbers = plain_numbers(values).reshape(shape)
        of_row = self._cells(row, shape[0], self.rows, self.height)
        of_column = self._cells(column, per_row, self.columns, self.width)
        starts = np.flatnonzero(np.diff(of_column, prepend=-1))
        cells = np.ix_(of_row, of_column[starts])
        low, high = np.where(bad, np.inf, numbers), np.where(bad, -np.inf, numbers)
        np.minimum.at(self.low, cells, np.minimum.reduceat(low, starts, axis=1))
        np.maximum.at(self.high, cells, np.maximum.reduceat(high, starts, axis=1))
        np.logical_or.at(self.bad, cells, np.logical_or.reduceat(bad, starts, axis=1))

    @staticmethod
    def _cells(first: int, count: int, size: int, cells: int) -> npt.NDArray[np.int64]:
        return np.arange(first, first + count) * cells // size
