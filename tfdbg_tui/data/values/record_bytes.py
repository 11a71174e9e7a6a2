"""The bytes of one record where they are on disk: a record of a gigabyte is never read whole.

Its checksum held when it was indexed; it is not checked again, for that takes all its bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.files.checksums import HEADER
from tfdbg_tui.data.files.record_framing import stated_length
from tfdbg_tui.data.values.value_error import GONE, ValueQueryError

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.files.tfrecord import RecordFile

PAGE = 4096
"""Bytes read at once where a record is walked through field by field."""


class RecordBytes:
    """One payload; any thread may read parts of it, one at a time may look at single bytes."""

    def __init__(self, file: RecordFile, offset: int, length: int) -> None:
        self.length = length
        self._file = file
        self._offset = offset
        self._page, self._page_start = b"", 0

    def __getitem__(self, place: int, /) -> int:
        """One byte; those near it come along."""
        within = place - self._page_start
        if not 0 <= within < len(self._page):
            self._page = self.read(place, min(place + PAGE, self.length))
            self._page_start, within = place, 0
        return self._page[within]

    def read(self, start: int, end: int) -> bytes:
        """Some of the bytes; raises where they are no longer there."""
        found = self._file.bytes_at(self._offset + start, end - start)
        if len(found) < end - start or end > self.length:
            raise ValueQueryError(GONE)
        return found

    def array(self, start: int, count: int, storage: str) -> npt.NDArray[Any]:
        """Some numbers of a plain type, as they stand there."""
        octets = np.empty(count * np.dtype(storage).itemsize, np.uint8)
        if self._file.read_into(octets, self._offset + start) < len(octets):
            raise ValueQueryError(GONE)
        return octets.view(storage)


def record_at(file: RecordFile, offset: int) -> RecordBytes | None:
    """The record whose payload starts at an offset; None if it is no longer there."""
    length = stated_length(file.bytes_at(offset - HEADER.size, HEADER.size))
    if length is None:  # only its header may be damaged
        payload = file.read_at(offset)
        length = None if payload is None else len(payload)
    return None if length is None else RecordBytes(file, offset, length)
