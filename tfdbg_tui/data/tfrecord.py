"""Framing of a growing TFRecord file: whole records out, a cut tail kept, damage counted.

A record is a u64 length, the masked CRC-32C of those 8 bytes, the payload and the masked CRC-32C
of the payload. The recorder appends in 4096-byte steps, so the tail is nearly always a cut
record: it waits. A payload that fails its checksum is counted and skipped. Where a header fails,
the next header that holds is searched for, so that one flipped bit costs one record.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tfdbg_tui.data.checksums import (
    FOOTER_SIZE,
    FRAME_OVERHEAD,
    HEADER,
    FrameVerifier,
    crc32c,
    masked,
    masked_length_crcs,
)
from tfdbg_tui.data.frames import MAX_PAYLOAD, Frames, FrameWalker

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

BLOCK_SIZE = 4 << 20
"""Bytes read at once: large enough for numpy to pay off, small enough to stay a short slice."""

PADDING = 8
"""Bytes behind a block's records, so that wide loads at the last one stay inside the buffer."""

TAIL_SIZE = 64
"""Bytes before the read position that are remembered, to notice a file rewritten in place."""


class FileState(Enum):
    """What became of a file since it was last looked at."""

    ABSENT = "absent"
    UNREADABLE = "unreadable"
    PRESENT = "present"
    REPLACED = "replaced"


class Loss(NamedTuple):
    """Damaged records that stood before a row of a block."""

    row: int
    records: int | None
    """How many; None if not even that is known."""


@dataclass(frozen=True, slots=True)
class Block:
    """Whole records with good checksums, in file order."""

    buffer: bytes
    """The bytes, with at least `PADDING` more behind the last record."""
    base: int
    """Offset of the buffer in the file."""
    starts: npt.NDArray[np.int64]
    """Where each payload starts in the buffer."""
    lengths: npt.NDArray[np.int64]
    """Length of each payload."""
    losses: tuple[Loss, ...] = ()
    """Damage between the records, for stores in which a record's place has a meaning."""

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def offsets(self) -> npt.NDArray[np.int64]:
        """Where each payload starts in the file."""
        return self.starts + self.base

    def payload(self, row: int) -> bytes:
        """The bytes of one record."""
        start = int(self.starts[row])
        return self.buffer[start : start + int(self.lengths[row])]

    def payloads(self) -> list[bytes]:
        """The bytes of every record."""
        buffer = self.buffer
        ends = (self.starts + self.lengths).tolist()
        return [buffer[a:b] for a, b in zip(self.starts.tolist(), ends, strict=True)]


class RecordFile:
    """One growing file, read forward once and by offset at any time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        """Bytes on disk when last looked at."""
        self.position = 0
        """Offset of the first byte that is not read yet."""
        self.state = FileState.ABSENT
        self.reason = ""
        """Why the file is unreadable, in the operating system's words."""
        self._descriptor: int | None = None
        self._identity = (0, 0)
        self._walker = FrameWalker()
        self._verifier = FrameVerifier()
        self._damaged = 0
        self._doubtful_tail = False
        self._in_damage = False
        self._searched = 0
        self._tried_size = -1
        self._tail = b""

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Give the file descriptor back."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    @property
    def corrupt_records(self) -> int:
        """Payloads that failed their checksum, and stretches where no header holds."""
        return self._damaged + self._doubtful_tail

    @property
    def cut_bytes(self) -> int:
        """Bytes at the end that are no whole record, or not yet."""
        return max(0, self.size - self.position)

    def count_unparsable(self, records: int = 1) -> None:
        """Count records whose checksums hold and whose content makes no sense."""
        self._damaged += records

    # ------------------------------------------------------------------ looking

    def look(self) -> FileState:
        """See whether the file is there, has grown, or is another file now."""
        try:
            found = self.path.stat()
            if self._descriptor is None:
                self._open()
        except FileNotFoundError:
            self.state = FileState.ABSENT  # an open descriptor still reads what was deleted
            return self.state
        except OSError as error:
            self.state, self.reason = FileState.UNREADABLE, error.strerror or str(error)
            return self.state
        if self._is_other_file(found):
            self.state = FileState.REPLACED
        else:
            self.state, self.size = FileState.PRESENT, found.st_size
        return self.state

    def _open(self) -> None:
        self._descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        opened = os.fstat(self._descriptor)
        self._identity = (opened.st_dev, opened.st_ino)

    def _is_other_file(self, found: os.stat_result) -> bool:
        if (found.st_dev, found.st_ino) != self._identity or found.st_size < self.size:
            return True
        if found.st_size == self.size or not self._tail:
            return False
        return self._bytes_at(self.position - len(self._tail), len(self._tail)) != self._tail

    # ------------------------------------------------------------------ reading forward

    def read(self, limit: int = BLOCK_SIZE) -> Block | None:
        """The next whole records, or None when there is nothing more to read for now.

        A block can be empty: damage was passed, and reading goes on behind it.
        """
        if self._descriptor is None or self._tried_size == self.size:
            return None
        if self._in_damage:
            return self._pass_damage()
        available = self.size - self.position
        buffer = self._bytes_at(self.position, min(limit, available))
        frames = self._walker.walk(buffer)
        if not len(frames.starts) and frames.needed > len(buffer) and frames.needed <= available:
            buffer = self._bytes_at(self.position, frames.needed)
            frames = self._walker.walk(buffer)
        block = self._verified(buffer, frames, at_end=len(buffer) == available)
        if len(buffer) == available or not len(frames.starts):
            self._tried_size = self.size
        if frames.damaged:
            self._enter_damage()
        return block if len(block) or frames.damaged else None

    def _verified(self, buffer: bytes, frames: Frames, at_end: bool) -> Block:
        """The records whose checksums hold; moves the position behind what is settled."""
        base, stop = self.position, frames.stop
        starts, lengths = frames.starts, frames.lengths
        good = self._verifier.verify(buffer, starts, lengths)
        self._doubtful_tail = False
        if len(good) and not good[-1]:
            # Only what follows tells whether the payload is bad or the frame itself is torn.
            unknown = at_end and len(buffer) - stop < HEADER.size
            if unknown or frames.damaged:
                stop = int(starts[-1]) - HEADER.size
                starts, lengths, good = starts[:-1], lengths[:-1], good[:-1]
            self._doubtful_tail = unknown
        losses: tuple[Loss, ...] = ()
        if not good.all():
            bad = np.flatnonzero(~good)
            self._damaged += len(bad)
            losses = tuple(Loss(row, 1) for row in (bad - np.arange(len(bad))).tolist())
            starts, lengths = starts[good], lengths[good]
        self.position = base + stop
        self._tail = buffer[max(0, stop - TAIL_SIZE) : stop] or self._tail
        return Block(_padded(buffer, stop), base, starts, lengths, losses)

    def read_at(self, offset: int) -> bytes | None:
        """The payload that starts at an offset, or None if it is no longer there."""
        header = self._bytes_at(offset - HEADER.size, HEADER.size)
        if len(header) < HEADER.size:
            return None
        length, length_crc = HEADER.unpack(header)
        if length >= MAX_PAYLOAD or masked(crc32c(header[:8])) != length_crc:
            return None
        data = self._bytes_at(offset, length + FOOTER_SIZE)
        payload, footer = data[:length], data[length:]
        intact = masked(crc32c(payload)) == int.from_bytes(footer, "little")
        return payload if intact else None

    def _bytes_at(self, offset: int, count: int) -> bytes:
        if self._descriptor is None:
            return b""
        pieces = []
        while count > 0:
            piece = os.pread(self._descriptor, count, offset)
            if not piece:
                break
            pieces.append(piece)
            offset += len(piece)
            count -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    # ------------------------------------------------------------------ passing damage

    def _enter_damage(self) -> None:
        self._in_damage = True
        self._searched = self.position + 1
        self._tried_size = -1
        self._damaged += 1

    def _pass_damage(self) -> Block | None:
        """Move the position to the next header that holds; None while there is none.

        If the bytes up to there are one record whose header alone is damaged, it is not lost:
        its payload still proves itself by its own checksum.
        """
        start, following = self.position, self._next_header()
        if following is None:
            self._tried_size = self.size
            return None
        self._in_damage = False
        self.position = following
        frame = self._bytes_at(start, following - start)
        payload, footer = frame[HEADER.size : -FOOTER_SIZE], frame[-FOOTER_SIZE:]
        one = np.ones(1, np.int64)
        if payload and masked(crc32c(payload)) == int.from_bytes(footer, "little"):
            padded = _padded(frame, len(frame))
            return Block(padded, start, one * HEADER.size, one * len(payload))
        return Block(b"", start, one[:0], one[:0], (Loss(0, None),))

    def _next_header(self) -> int | None:
        while self.size - self._searched >= HEADER.size:
            buffer = self._bytes_at(self._searched, min(BLOCK_SIZE, self.size - self._searched))
            for candidate in plausible_headers(buffer):
                if self._leads_to_a_record(self._searched + candidate):
                    return self._searched + candidate
            if len(buffer) < HEADER.size:
                break
            self._searched += len(buffer) - HEADER.size + 1
        return None

    def _leads_to_a_record(self, position: int) -> bool:
        length, _ = HEADER.unpack(self._bytes_at(position, HEADER.size))
        cut_off = position + FRAME_OVERHEAD + length > self.size
        return cut_off or self.read_at(position + HEADER.size) is not None


def _padded(buffer: bytes, end: int) -> bytes:
    return buffer if len(buffer) - end >= PADDING else buffer + bytes(PADDING)


def plausible_headers(buffer: bytes) -> list[int]:
    """Where in a buffer a length stands that is followed by its own checksum."""
    count = len(buffer) - HEADER.size + 1
    if count <= 0:
        return []
    lengths: npt.NDArray[Any] = np.ndarray((count,), "<u8", buffer, strides=(1,))
    checksums: npt.NDArray[Any] = np.ndarray((count,), "<u4", buffer, 8, strides=(1,))
    places = np.flatnonzero((lengths > 0) & (lengths < MAX_PAYLOAD))
    holds = masked_length_crcs(lengths[places]) == checksums[places]
    found: list[int] = places[holds].tolist()
    return found
