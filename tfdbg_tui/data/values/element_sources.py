"""Where the elements of a tensor come from: bytes on disk, or what had to be decoded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tfdbg_tui.data.records.tensors import numbers_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from tfdbg_tui.data.records.tensors import WrittenTensor
    from tfdbg_tui.data.values.record_bytes import RecordBytes

    Array = npt.NDArray[Any]


class ElementSource(Protocol):
    """The elements of a tensor in the order of its memory; any thread may read."""

    @property
    def element(self) -> np.dtype[Any]:
        """What numpy calls an element; an object is a string of bytes."""

    @property
    def settled(self) -> int:
        """From which element on all are equal: the format leaves out repeats of the last."""

    def read(self, start: int, end: int) -> Array:
        """The elements between two places, all of which there are."""


class RawElements:
    """Numbers that stand on disk as they stand in memory."""

    def __init__(self, record: RecordBytes, start: int, count: int, dtype: str, storage: str):
        self.settled = count
        self._record, self._start = record, start
        self._dtype, self._storage = dtype, storage
        self._width = np.dtype(storage).itemsize
        self.element = numbers_of(dtype, np.empty(0, storage)).dtype

    def read(self, start: int, end: int) -> Array:
        """The elements between two places: their own bytes are read and no others."""
        return with_repeats(self._written, self.settled, start, end)

    def _written(self, start: int, end: int) -> Array:
        place = self._start + start * self._width
        if self._storage == "?":  # any byte but 0 is true, and only 1 is to be counted with
            return self._record.array(place, end - start, "u1").astype(np.bool_)
        codes = self._record.array(place, end - start, self._storage)
        return numbers_of(self._dtype, codes)


class DecodedElements:
    """What is not on disk as it is in memory, as strings, decoded once."""

    def __init__(self, written: WrittenTensor) -> None:
        self.settled = len(written.codes)
        self._written = written
        self.element = written.numbers(0, 0).dtype

    def read(self, start: int, end: int) -> Array:
        """The elements between two places."""
        return with_repeats(self._written.numbers, self.settled, start, end)


def with_repeats(written: Callable[[int, int], Array], count: int, start: int, end: int) -> Array:
    """Elements of which the first so many are written, and all others equal the last of them."""
    if end <= count or start == end:
        return written(start, end)
    last = written(count - 1, count)
    repeats = np.full(end - max(start, count), last[0], last.dtype)
    return np.concatenate((written(start, count), repeats)) if start < count else repeats
