"""Where the records of a buffer begin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.checksums import FRAME_OVERHEAD, HEADER, crc32c, masked

if TYPE_CHECKING:
    import numpy.typing as npt

MAX_PAYLOAD = 1 << 31
"""Bytes; protobuf's own limit. A longer record is damage."""

MAX_KNOWN_HEADERS = 1 << 16
"""Headers remembered; a recording of differing tensor sizes could have any number."""


@dataclass(frozen=True, slots=True)
class Frames:
    """The whole frames at the beginning of a buffer."""

    starts: npt.NDArray[np.int64]
    """Where each payload starts."""
    lengths: npt.NDArray[np.int64]
    """Length of each payload."""
    stop: int
    """End of the last whole frame."""
    needed: int
    """Bytes that the frame at `stop` takes, 0 if that is not known."""
    damaged: bool
    """Whether the header at `stop` fails its checksum."""


class FrameWalker:
    """Walks from header to header; lengths seen before are known to carry good checksums."""

    def __init__(self) -> None:
        self._frame_sizes: dict[bytes, int] = {}

    def walk(self, buffer: bytes) -> Frames:
        """Find the whole frames at the beginning of a buffer."""
        size_of = self._frame_sizes.get
        positions: list[int] = []
        append = positions.append
        position = 0
        size: int | None = 0
        while True:
            size = size_of(buffer[position : position + 12])
            if size is None:
                size = self._learn(buffer[position : position + 12])
                if size is None:
                    break
            append(position)
            position += size
        needed = 0
        if position > len(buffer):
            last = positions.pop()
            needed, position = position - last, last
        bounds = np.array([*positions, position], np.int64)
        return Frames(
            starts=bounds[:-1] + HEADER.size,
            lengths=np.diff(bounds) - FRAME_OVERHEAD,
            stop=position,
            needed=needed,
            damaged=not needed and len(buffer) - position >= HEADER.size,
        )

    def _learn(self, header: bytes) -> int | None:
        if len(header) < HEADER.size:
            return None
        length, checksum = HEADER.unpack(header)
        if length >= MAX_PAYLOAD or masked(crc32c(header[:8])) != checksum:
            return None
        if len(self._frame_sizes) >= MAX_KNOWN_HEADERS:
            self._frame_sizes.clear()
        size: int = length + FRAME_OVERHEAD
        self._frame_sizes[header] = size
        return size
