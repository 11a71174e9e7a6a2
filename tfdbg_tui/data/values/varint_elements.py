"""Numbers that are written one by one, each as long as it needs: where one stands must be counted.

TensorFlow writes so what its eager ops make of float16, bfloat16 and small integers. Octets are
counted in pieces, and where each piece begins is kept, so that nothing is counted twice.
"""

from __future__ import annotations

from bisect import bisect_right
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.tensors import LAST_OCTET, numbers_of
from tfdbg_tui.data.values.element_sources import with_repeats
from tfdbg_tui.data.values.value_error import UNDECODABLE, ValueQueryError

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.records.tensors import DType
    from tfdbg_tui.data.values.record_bytes import RecordBytes

    Array = npt.NDArray[Any]

PIECE = 1 << 18
"""Octets that are counted and decoded together."""

MAX_OCTETS = 10
"""Octets of the longest number of 64 bits."""


class VarintElements:
    """A field of such numbers; any thread may read."""

    def __init__(self, record: RecordBytes, start: int, end: int, size: int, dtype: DType) -> None:
        self.settled = min(size, end - start)  # each takes an octet at least
        self.element = numbers_of(dtype.name, np.empty(0, dtype.storage)).dtype
        self._record, self._start, self._end = record, start, end
        self._dtype = dtype
        self._one_at_a_time = Lock()
        # Where each piece begins that was counted: its first element, and its first octet.
        self._firsts, self._places = [0], [start]

    def read(self, start: int, end: int) -> Array:
        """The elements between two places; counts up to there what was not counted yet."""
        with self._one_at_a_time:
            self._count_up_to(end)
            counted = self._firsts[-1]
            return with_repeats(self._written, min(counted, self.settled), start, end)

    def count_all(self) -> int:
        """How many numbers are written."""
        with self._one_at_a_time:
            self._count_up_to(self._end - self._start + 1)
            return self._firsts[-1]

    def _count_up_to(self, element: int) -> None:
        while self._firsts[-1] < element and self._places[-1] < self._end:
            ends = self._ends_from(self._places[-1])[1]
            self._firsts.append(self._firsts[-1] + len(ends))
            self._places.append(self._places[-1] + int(ends[-1]) + 1)

    def _ends_from(self, place: int) -> tuple[Array, Array]:
        """The octets from a place on, and which of them end a number."""
        octets = self._record.array(place, min(PIECE, self._end - place), "u1")
        ends = np.flatnonzero(octets < LAST_OCTET)
        if not len(ends) or (place + len(octets) == self._end and ends[-1] + 1 < len(octets)):
            raise ValueQueryError(UNDECODABLE)
        return octets, ends

    def _written(self, start: int, end: int) -> Array:
        """Elements that were counted already."""
        piece = bisect_right(self._firsts, start) - 1
        parts = []
        while start < end:
            octets, ends = self._ends_from(self._places[piece])
            first = self._firsts[piece]
            stop = min(end, first + len(ends))
            parts.append(self._decoded(octets, ends, start - first, stop - first))
            start, piece = stop, piece + 1
        codes = np.concatenate(parts) if parts else np.empty(0, self._dtype.storage)
        return numbers_of(self._dtype.name, codes)

    def _decoded(self, octets: Array, ends: Array, first: int, stop: int) -> Array:
        """Some numbers of a piece, as they would be stored in memory."""
        lasts = ends[first:stop]
        begins = np.concatenate(([ends[first - 1] + 1 if first else 0], lasts[:-1] + 1))
        lengths = lasts - begins + 1
        longest = int(lengths.max(initial=0))
        if longest > MAX_OCTETS:
            raise ValueQueryError(UNDECODABLE)
        numbers = (octets[begins] & np.uint8(LAST_OCTET - 1)).astype(np.uint64)
        for octet in range(1, longest):
            more = np.flatnonzero(lengths > octet)
            part = octets[begins[more] + octet] & np.uint8(LAST_OCTET - 1)
            numbers[more] |= part.astype(np.uint64) << np.uint64(7 * octet)
        return self._stored(numbers)

    def _stored(self, numbers: Array) -> Array:
        """As protobuf and TensorFlow read them: a field of 32 bits drops those above."""
        storage = self._dtype.storage
        if self._dtype.field == "bool_val":
            return numbers.astype(np.bool_)
        if self._dtype.field == "half_val":
            return numbers.astype(np.uint16).view(storage)
        if self._dtype.field == "int_val":
            return numbers.astype(np.uint32).view(np.int32).astype(storage)
        if self._dtype.field == "int64_val":
            return numbers.view(storage)
        return numbers.astype(storage)
