"""What differs between two tensors of the same shape, element by element, where it is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.values.element_kinds import is_number
from tfdbg_tui.data.values.recorded_value import RecordedValue
from tfdbg_tui.data.values.value_error import ValueQueryError

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

WIDE = 8
"""Bytes of the integers whose difference does not fit into any integer of numpy's."""


def difference(value: RecordedValue, other: RecordedValue) -> RecordedValue:
    """A value minus another one, as numpy has it: of what is infinite in both it is NaN.

    Integers of 64 bits become float64 after they were subtracted, exactly if both are of one type.
    """
    if value.shape != other.shape:
        shapes = f"{list(value.shape)} and {list(other.shape)}"
        raise ValueQueryError(f"Only tensors of one shape have a difference, not {shapes}.")
    if not is_number(value.element) or not is_number(other.element):
        raise ValueQueryError("Only numbers have a difference, not strings.")
    source = _Difference(value, other)
    return RecordedValue(source.element.name, value.shape, value.size, source)


class _Difference:
    """The elements of a difference."""

    def __init__(self, value: RecordedValue, other: RecordedValue) -> None:
        self._value, self._other = value, other
        self.settled = max(value.settled, other.settled)
        none = np.empty(0, np.bool_)
        self.element = _subtracted(none.astype(value.element), none.astype(other.element)).dtype

    def read(self, start: int, end: int) -> Array:
        """The elements between two places."""
        return _subtracted(self._value.elements(start, end), self._other.elements(start, end))


def _subtracted(values: Array, others: Array) -> Array:
    with np.errstate(invalid="ignore", over="ignore"):
        kinds = {values.dtype.kind, others.dtype.kind}
        if not kinds <= set("biu"):
            return np.subtract(values, others)
        if max(values.itemsize, others.itemsize) < WIDE:
            return values.astype(np.int64) - others.astype(np.int64)
        if values.dtype != others.dtype:
            return values.astype(np.float64) - others.astype(np.float64)
        return _exactly_subtracted(values, others)


def _exactly_subtracted(values: Array, others: Array) -> Array:
    """Of integers that may be 2^64 apart: their distance as an unsigned one, then its sign."""
    is_less = values < others
    low, high = np.where(is_less, values, others), np.where(is_less, others, values)
    # Unsigned integers wrap around, and so does this: what is left is the distance.
    distance = high.view(np.uint64) - low.view(np.uint64)
    return np.where(is_less, -1.0, 1.0) * distance.astype(np.float64)
