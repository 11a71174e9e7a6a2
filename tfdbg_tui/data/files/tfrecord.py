"""Framing of a growing TFRecord file: whole records out, a cut tail kept, damage counted.

A record is a u64 length, the masked CRC-32C of those 8 bytes, the payload and the masked CRC-32C
of the payload. The recorder appends in 4096-byte steps, so the tail is nearly always a cut
record: it waits. A payload that fails its checksum is counted and skipped. Where a header fails,
the next whole record is searched for, so that one flipped bit costs one record; how that takes
no longer than the bytes deserve is in `damage`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.files import record_framing
from tfdbg_tui.data.files.checksums import (
    FOOTER_SIZE,
    HEADER,
    shared_verifier,
)
from tfdbg_tui.data.files.growing_file import TAIL_SIZE, FileState, GrowingFile
from tfdbg_tui.data.files.read_buffers import READ_BUFFERS
from tfdbg_tui.data.files.record_framing import MAX_PAYLOAD, Frames, FrameWalker, proven_payload
from tfdbg_tui.data.files.searching import Searching, holds_whole_record
from tfdbg_tui.data.files.slices import SliceEnded
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.files.buffers import Buffer, Octets

PADDING = 8
"""Bytes behind a block's records, so that wide loads at the last one stay inside the buffer."""

BLOCK_SIZE = (4 << 20) - PADDING
"""Bytes read at once: large enough for numpy to pay off, small enough to stay a short slice."""

SLICE_BEHIND_DAMAGE = 16 << 10
"""Bytes read at once behind damage: more damage often follows, and ends what can be used."""

MAX_SEARCHED_TAIL = 256 << 10
"""Bytes of an unfinished record that are searched, each time it grows, for whole ones in it."""

LARGE = 16 << 20
"""Bytes of a record from which on its checksum is checked before it is read as a whole."""


USUAL_FRAME = 2048
"""Bytes that are read at once of a record read back: nearly all of them are no longer."""

MAX_TOGETHER = 1 << 20
"""Bytes of the file in which records lie that are read back in one go."""

MAX_PIECES = 64
"""Times that damage is met or passed in one slice."""


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
    is_open: bool = False
    """Whether what follows could not be settled in this slice."""


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

    @property
    def octets(self) -> memoryview:
        """The buffer as whoever looks at single bytes can use it: they are Python's numbers."""
        buffer: Any = self.buffer
        return memoryview(buffer)

    def payload(self, row: int) -> bytes:
        """The bytes of one record."""
        start = int(self.starts[row])
        return bytes(self.buffer[start : start + int(self.lengths[row])])

    def payloads(self) -> list[bytes]:
        """The bytes of every record."""
        buffer = bytes(self.buffer)
        ends = (self.starts + self.lengths).tolist()
        return [buffer[a:b] for a, b in zip(self.starts.tolist(), ends, strict=True)]


def joined(blocks: list[Block]) -> Block:
    """Blocks in file order as one; what lies between their records is left out."""
    if len(blocks) == 1:
        return blocks[0]
    losses: list[Loss] = []
    rows = 0
    for block in blocks:
        losses += [Loss(rows + loss.row, loss.records) for loss in block.losses]
        rows += len(block)
    offsets = np.concatenate([block.offsets for block in blocks])
    base = end = int(offsets[0]) if rows else blocks[-1].base
    pieces: list[bytes] = []
    for block in filter(len, blocks):
        first, last = int(block.starts[0]), int(block.starts[-1] + block.lengths[-1])
        pieces += [bytes(block.base + first - end), bytes(block.buffer[first:last])]
        end = block.base + last
    lengths = np.concatenate([block.lengths for block in blocks])
    buffer = b"".join((*pieces, bytes(PADDING)))
    return Block(buffer, base, offsets - base, lengths, tuple(losses))


class RecordFile(GrowingFile):
    """One growing file of records, read forward once and by offset at any time."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(path)
        self.position = 0
        """Offset of the first byte that is not read yet."""
        self._walker = FrameWalker()
        self._verifier = shared_verifier()
        self._damaged = 0
        self._unparsable = 0
        """Apart, for it is counted by another thread than what is damaged."""
        self._doubtful_tail = False
        self._in_damage = False
        self._search = Searching(self)
        self._doubtful_until = 0
        """Up to where a record was to reach that proved to be none; others may be none either."""
        self._recovered: dict[int, int] = {}
        """Lengths of the payloads whose headers are damaged, by offset."""
        self._slice = MAX_PAYLOAD
        self._tried_size = -1

    @property
    def corrupt_records(self) -> int:
        """Payloads that failed their checksum, and stretches where no header holds."""
        return self._damaged + self._unparsable + self._doubtful_tail + self._search.given_up

    @property
    def cut_bytes(self) -> int:
        """Bytes at the end that are no whole record, or not yet."""
        return max(0, self.size - self.position)

    def count_unparsable(self, records: int = 1) -> None:
        """Count records whose checksums hold and whose content makes no sense."""
        self._unparsable += records

    # ------------------------------------------------------------------ reading

    def read(self, limit: int = BLOCK_SIZE) -> Block | None:
        """The next whole records, or None when there is nothing more to read for now.

        A block can be empty: damage was passed, or is being passed, and reading goes on.
        """
        if not self.is_open or self.size in (0, self._tried_size):
            return None
        blocks: list[Block] = []
        try:
            self._search.go_on()
            self._read_through_damage(limit, blocks)
        except SliceEnded:
            return joined(blocks) if blocks else self._nothing()
        return joined(blocks) if blocks else None

    def _read_through_damage(self, limit: int, blocks: list[Block]) -> None:
        """Read what comes next and, where that is damaged, on and on: each piece may be short."""
        begin = self.position
        for _ in range(MAX_PIECES):
            was_in_damage = self._in_damage
            block = self._pass_damage() if was_in_damage else self._read_on(limit)
            if block is None:
                break
            blocks.append(block)
            is_doubtful = was_in_damage or self._in_damage or self.position < self._doubtful_until
            if not is_doubtful or self.position - begin > limit:
                break

    def read_at(self, offset: int) -> bytes | None:
        """The payload that starts at an offset, or None if it is no longer there."""
        if offset in self._recovered:
            return proven_payload(self.bytes_at(offset, self._recovered[offset] + FOOTER_SIZE))
        start = offset - HEADER.size
        return self._payload_in(self.bytes_at(start, USUAL_FRAME), start, offset)

    def read_many_at(self, offsets: Sequence[int]) -> list[bytes | None]:
        """The same of several offsets, ascending; those that lie close are read in one go."""
        start = offsets[0] - HEADER.size
        if offsets[-1] - start > MAX_TOGETHER or not self._recovered.keys().isdisjoint(offsets):
            return [self.read_at(offset) for offset in offsets]
        together = self.bytes_at(start, offsets[-1] + USUAL_FRAME - start)
        return [self._payload_in(together, start, offset) for offset in offsets]

    def _payload_in(self, read: bytes, start: int, offset: int) -> bytes | None:
        """The payload at an offset, of which so much was read from a place before it."""
        place = offset - start
        length = record_framing.stated_length(read[place - HEADER.size : place])
        if length is None:
            return None
        end = place + length + FOOTER_SIZE
        is_whole = end <= len(read)
        return proven_payload(read[place:end] if is_whole else self.bytes_at(offset, end - place))

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
            if self.position + frames.needed > self.size > self.position + MAX_SEARCHED_TAIL:
                at_end = True  # nothing can be said of it before it is whole
                break
            if not self._is_worth_reading(frames.needed):
                settled = settled._replace(torn=True)
                break
            wanted = max(2 * wanted, frames.needed + HEADER.size)
        block = self._block(padded, frames, settled)
        if settled.torn:
            self._enter_damage()
        else:
            self._slice = min(MAX_PAYLOAD, 4 * self._slice)
            if at_end and not settled.is_open:
                self._tried_size = self.size
        return block if settled.stop or settled.torn else None

    def _settle(self, buffer: Octets, frames: Frames, at_end: bool) -> _Settled:
        """How far the frames of a buffer can be trusted.

        A bad payload is lost by itself if its frame leads on to a header that holds and nothing
        whole lies inside it. Else the frame is torn, as when two programs write to one file; so
        is one that begins inside another that proved to be none, however much is read at once.
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
            if self.position + start < self._doubtful_until:
                return _Settled(good[:row], start, torn=True)
            try:
                torn = (is_last and frames.damaged) or self._holds_a_record(start + 1, end)
            except SliceEnded:
                self._slice = end - start + HEADER.size
                if not row:
                    raise
                return _Settled(good[:row], start, torn=False, is_open=True)
            self._doubtful_until = self.position + end
            if torn:
                return _Settled(good[:row], start, torn=True)
        torn = frames.damaged or (
            at_end
            and frames.needed > 0
            and len(buffer) - frames.stop <= MAX_SEARCHED_TAIL
            and holds_whole_record(bytes(buffer[frames.stop + 1 :]))
        )
        return _Settled(good, frames.stop, torn)

    def _block(self, buffer: Octets, frames: Frames, settled: _Settled) -> Block:
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
        self._tried_size = -1
        self._slice = SLICE_BEHIND_DAMAGE
        self._damaged += 1

    def _holds_a_record(self, start: int, end: int) -> bool:
        """Whether a whole record begins in a frame, by offsets from the position."""
        last_header = self.position + end - HEADER.size
        return self._search.first(self.position + start, last_header + 1) is not None

    def _is_worth_reading(self, needed: int) -> bool:
        """Whether the frame at the position may be read, which does not fit what is read at once.

        Not before it is proven, if it is large, or if another one that reached here was false:
        else there could be one such frame behind the other, and each is read in vain.
        """
        start, end = self.position, self.position + needed
        if end > self.size:
            return True
        if start < self._doubtful_until and self._search.first(start, start + 1) is None:
            return False
        if needed <= LARGE or self._search.is_proven(start + HEADER.size, end - FOOTER_SIZE):
            return True
        self._doubtful_until = max(self._doubtful_until, end)
        return False

    def _pass_damage(self) -> Block | None:
        """Move the position to the next whole record; None while there is none.

        If the bytes up to there are one record whose header alone is damaged, it is not lost:
        its payload still proves itself by its own checksum.
        """
        start, following = self.position, self._search.first(self.position + 1, self.size)
        if following is None:
            if self.state is not FileState.UNREADABLE:
                self._tried_size = self.size
            return None
        frame = b""
        if following - start <= LARGE or self._search.is_proven(
            start + HEADER.size, following - FOOTER_SIZE
        ):
            frame = self.bytes_at(start, following - start)
        self._in_damage = False
        self.position = following
        tail_start = max(start, following - TAIL_SIZE)
        self.remember(self.bytes_at(tail_start, following - tail_start), tail_start, TAIL_SIZE)
        payload = proven_payload(frame[HEADER.size :])
        if payload is None:
            return self._nothing((Loss(0, None),))
        self._recovered[start + HEADER.size] = len(payload)
        starts, lengths = np.array([HEADER.size]), np.array([len(payload)])
        return Block(frame + bytes(PADDING), start, starts, lengths)

    def _nothing(self, losses: tuple[Loss, ...] = ()) -> Block:
        none = np.empty(0, np.int64)
        return Block(b"", self.position, none, none, losses)
