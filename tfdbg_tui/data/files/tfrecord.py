"""Framing of a growing TFRecord file: whole records out, a cut tail kept, damage counted.

A record is a u64 length, the masked CRC-32C of those 8 bytes, the payload and the masked CRC-32C
of the payload. The recorder appends in 4096-byte steps, so the tail is nearly always a cut
record: it waits. A payload that fails its checksum is counted and skipped. Where a header fails,
the next header that holds is searched for, so that one flipped bit costs one record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tfdbg_tui.data.files.checksums import (
    FOOTER_SIZE,
    FRAME_OVERHEAD,
    HEADER,
    crc32c,
    masked,
    shared_verifier,
)
from tfdbg_tui.data.files.growing_file import FileState, GrowingFile
from tfdbg_tui.data.files.read_buffers import READ_BUFFERS
from tfdbg_tui.data.files.record_framing import (
    MAX_PAYLOAD,
    Frames,
    FrameWalker,
    plausible_headers,
    proven_payload,
)

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from tfdbg_tui.data.files.buffers import Buffer

BLOCK_SIZE = 4 << 20
"""Bytes read at once: large enough for numpy to pay off, small enough to stay a short slice."""

PADDING = 8
"""Bytes behind a block's records, so that wide loads at the last one stay inside the buffer."""

SLICE_BEHIND_DAMAGE = 16 << 10
"""Bytes read at once behind damage: more damage often follows, and ends what can be used."""

FIRST_SEARCH_STEP = 4 << 10
"""Bytes searched for a header at first."""

MAX_SEARCHED_TAIL = 256 << 10
"""Bytes of an unfinished record that are searched, each time it grows, for whole ones in it."""

MAX_RECOVERED = 256 << 20
"""Bytes of the longest record that is recovered though its header is damaged."""


class Loss(NamedTuple):
    """Damaged records that stood before a row of a block."""

    row: int
    records: int | None
    """How many; None if not even that is known."""


class _Settled(NamedTuple):
    """The frames at the beginning of a buffer that are known to be good or damaged."""

    good: npt.NDArray[np.bool_]
    """Which of their payloads match their checksums."""
    stop: int
    """Where they end."""
    torn: bool
    """Whether what follows is no frame."""


class Block:
    """Whole records with good checksums, in file order."""

    __slots__ = ("base", "buffer", "lengths", "losses", "starts")

    def __init__(
        self,
        buffer: Buffer,
        base: int,
        starts: npt.NDArray[np.int64],
        lengths: npt.NDArray[np.int64],
        losses: tuple[Loss, ...] = (),
    ) -> None:
        self.buffer = buffer
        """The bytes, with at least `PADDING` more behind the last record."""
        self.base = base
        """Offset of the buffer in the file."""
        self.starts = starts
        """Where each payload starts in the buffer."""
        self.lengths = lengths
        """Length of each payload."""
        self.losses = losses
        """Damage between the records, for stores in which a record's number has a meaning."""

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def offsets(self) -> npt.NDArray[np.int64]:
        """Where each payload starts in the file."""
        return self.starts + self.base

    def payload(self, row: int) -> bytes:
        """The bytes of one record."""
        start = int(self.starts[row])
        return bytes(self.buffer[start : start + int(self.lengths[row])])

    def payloads(self) -> list[bytes]:
        """The bytes of every record."""
        buffer = bytes(self.buffer)
        ends = (self.starts + self.lengths).tolist()
        return [buffer[a:b] for a, b in zip(self.starts.tolist(), ends, strict=True)]


class RecordFile(GrowingFile):
    """One growing file of records, read forward once and by offset at any time."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.position = 0
        """Offset of the first byte that is not read yet."""
        self._walker = FrameWalker()
        self._verifier = shared_verifier()
        self._damaged = 0
        self._doubtful_tail = False
        self._in_damage = False
        self._search_from = 0
        self._recovered: dict[int, int] = {}
        """Lengths of the payloads whose headers are damaged, by offset."""
        self._slice = MAX_PAYLOAD
        self._tried_size = -1

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

    # ------------------------------------------------------------------ reading

    def read(self, limit: int = BLOCK_SIZE) -> Block | None:
        """The next whole records, or None when there is nothing more to read for now.

        A block can be empty: damage was passed, and reading goes on behind it.
        """
        if not self.is_open or self.size in (0, self._tried_size):
            return None
        if self._in_damage:
            return self._pass_damage()
        return self._read_on(limit)

    def read_at(self, offset: int) -> bytes | None:
        """The payload that starts at an offset, or None if it is no longer there."""
        if offset in self._recovered:
            return proven_payload(self.bytes_at(offset, self._recovered[offset] + FOOTER_SIZE))
        header = self.bytes_at(offset - HEADER.size, HEADER.size)
        if len(header) < HEADER.size:
            return None
        length, length_crc = HEADER.unpack(header)
        if length >= MAX_PAYLOAD or masked(crc32c(header[:8])) != length_crc:
            return None
        return proven_payload(self.bytes_at(offset, length + FOOTER_SIZE))

    def _read_on(self, limit: int) -> Block | None:
        available = self.size - self.position
        wanted = min(limit, self._slice)
        while True:
            padded = READ_BUFFERS.borrow(min(wanted, available) + PADDING)
            padded[-PADDING:] = 0
            buffer = padded[: self.read_into(padded[:-PADDING], self.position)]
            at_end = len(buffer) < wanted or wanted >= available
            if self.state is FileState.UNREADABLE:
                return None
            frames = self._walker.walk(buffer)
            settled = self._settle(buffer, frames, at_end)
            if settled.stop or settled.torn or at_end:
                break
            wanted = max(2 * wanted, frames.needed + HEADER.size)
        block = self._block(padded, frames, settled)
        if settled.torn:
            self._enter_damage()
        else:
            self._slice = min(MAX_PAYLOAD, 4 * self._slice)
            if at_end:
                self._tried_size = self.size
        return block if settled.stop or settled.torn else None

    def _settle(self, buffer: Buffer, frames: Frames, at_end: bool) -> _Settled:
        """How far the frames of a buffer can be trusted.

        A bad payload is lost by itself if its frame leads on to a header that holds and nothing
        whole lies inside it. Else the frame is torn, as when two programs write to one file.
        """
        starts, lengths = frames.starts, frames.lengths
        good = self._verifier.verify(buffer, starts, lengths)
        self._doubtful_tail = False
        for row in np.flatnonzero(~good).tolist():
            start = int(starts[row]) - HEADER.size
            end = int(starts[row] + lengths[row]) + FOOTER_SIZE
            is_last = row == len(good) - 1
            if is_last and not frames.needed and not frames.damaged:
                self._doubtful_tail = at_end  # damaged, or not yet whole: the next bytes will tell
                return _Settled(good[:row], start, torn=False)
            if (is_last and frames.damaged) or self._holds_a_record(buffer, start + 1, end):
                return _Settled(good[:row], start, torn=True)
        torn = frames.damaged or (
            at_end
            and frames.needed > 0
            and len(buffer) - frames.stop <= MAX_SEARCHED_TAIL
            and self._holds_a_record(buffer, frames.stop + 1, len(buffer))
        )
        return _Settled(good, frames.stop, torn)

    def _block(self, buffer: Buffer, frames: Frames, settled: _Settled) -> Block:
        """The settled records whose checksums hold; moves the position behind them."""
        good, stop = settled.good, settled.stop
        starts, lengths = frames.starts[: len(good)], frames.lengths[: len(good)]
        base = self.position
        losses: tuple[Loss, ...] = ()
        if not good.all():
            bad = np.flatnonzero(~good)
            self._damaged += len(bad)
            losses = tuple(Loss(row, 1) for row in (bad - np.arange(len(bad))).tolist())
            starts, lengths = starts[good], lengths[good]
        self.position = base + stop
        self.remember(buffer, base, stop)
        return Block(buffer, base, starts, lengths, losses)

    # ------------------------------------------------------------------ passing damage

    def _enter_damage(self) -> None:
        self._in_damage = True
        self._search_from = self.position + 1
        self._tried_size = -1
        self._slice = SLICE_BEHIND_DAMAGE
        self._damaged += 1

    def _holds_a_record(self, buffer: Buffer, start: int, end: int) -> bool:
        """Whether a whole record begins in a part of a buffer that is read from the position."""
        return any(
            self.read_at(self.position + start + offset + HEADER.size) is not None
            for offset in plausible_headers(buffer[start:end])
        )

    def _pass_damage(self) -> Block | None:
        """Move the position to the next whole record; None while there is none.

        If the bytes up to there are one record whose header alone is damaged, it is not lost:
        its payload still proves itself by its own checksum.
        """
        start, following = self.position, self._next_record()
        if following is None:
            if self.state is not FileState.UNREADABLE:
                self._tried_size = self.size
            return None
        self._in_damage = False
        self.position = following
        frame = self.bytes_at(start, min(following - start, MAX_RECOVERED))
        self.remember(frame, start, len(frame))
        payload = proven_payload(frame[HEADER.size :]) if len(frame) == following - start else None
        if payload is None:
            none = np.empty(0, np.int64)
            return Block(b"", start, none, none, (Loss(0, None),))
        self._recovered[start + HEADER.size] = len(payload)
        starts, lengths = np.array([HEADER.size]), np.array([len(payload)])
        return Block(frame + bytes(PADDING), start, starts, lengths)

    def _next_record(self) -> int | None:
        """Where the next whole record begins, searched in steps that grow: it is usually near.

        A header whose record is not whole proves nothing, but may once: the next search begins
        there.
        """
        searched = self._search_from
        unfinished = None
        step = FIRST_SEARCH_STEP
        while self.size - searched >= HEADER.size:
            buffer = self.bytes_at(searched, min(step, self.size - searched))
            if len(buffer) < HEADER.size:
                break
            for offset in plausible_headers(buffer):
                if self.read_at(searched + offset + HEADER.size) is not None:
                    return searched + offset
                length, _ = HEADER.unpack_from(buffer, offset)
                if unfinished is None and searched + offset + FRAME_OVERHEAD + length > self.size:
                    unfinished = searched + offset
            searched += len(buffer) - HEADER.size + 1
            step = min(2 * step, BLOCK_SIZE)
        self._search_from = searched if unfinished is None else unfinished
        return None
