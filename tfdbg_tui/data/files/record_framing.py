"""Where the records of a buffer begin.

Every header leads to the next, one at a time: a loop in Python, the slowest part of reading. But
training repeats itself, and so do the lengths of its records. Where the last few lengths have
been seen in a row before, what followed them then is guessed to follow again, and numpy checks
the headers at all the guessed offsets at once. A wrong guess costs little: the loop goes on from
the first header that is not where it was expected. A guess that held to the end of a buffer goes on
in the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.files.checksums import (
    FOOTER_SIZE,
    FRAME_OVERHEAD,
    HEADER,
    crc32c,
    masked,
    masked_length_crcs,
)
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.files.buffers import Buffer

    Column = npt.NDArray[Any]

MAX_PAYLOAD = 1 << 31
"""Bytes; protobuf's own limit. A longer record is damage."""

MAX_KNOWN_HEADERS = 1 << 16
"""Headers remembered; a recording of differing tensor sizes could have any number."""

CONTEXT = 8
"""Frames in a row that must have been seen before for a guess."""

LONG_CONTEXT, CANDIDATES = 256, 64
"""Frames compared to choose between several such stretches, and how many of them."""

HISTORY = 1 << 13
"""Frames remembered; a training step with more cannot be guessed."""

MIN_STEPS, MAX_STEPS = 64, 1 << 20
"""Frames walked one by one between two guesses: few while guesses are right, then more."""

WINDOW = 64 << 10
"""Bytes in which headers are looked up one by one; slices of bytes are faster than of arrays."""

PAYS_OFF = 1024
"""Frames that a guess must get right to be worth its while."""


class Frames(NamedTuple):
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


class _Cycle(NamedTuple):
    """Frames that are expected to come over and over, some times in a row."""

    frames: int
    """In one round."""
    place: int
    """Which of them comes next."""
    lengths: npt.NDArray[np.int64]
    checksums: npt.NDArray[np.uint32]
    """That the headers state."""
    begins: npt.NDArray[np.int64]
    """Where each frame begins, and the last ends, from the beginning of the first round on."""

    def covering(self, size: int) -> _Cycle:
        """The same with as many rounds as so many bytes may hold, from any place on."""
        of_round = int(self.begins[self.frames])
        if int(self.begins[-1]) - of_round >= size:
            return self
        rounds = size // of_round + 2
        begins = np.arange(rounds)[:, None] * of_round + self.begins[: self.frames]
        return self._replace(
            lengths=np.tile(self.lengths[: self.frames], rounds),
            checksums=np.tile(self.checksums[: self.frames], rounds),
            begins=np.append(begins, rounds * of_round),
        )

    def headers(self, position: int, end: int) -> tuple[Column, slice]:
        """Where the next headers stand if one is at a position, and which of all frames they are.

        Of those frames only that end in time.
        """
        begin = position - int(self.begins[self.place])
        last = int(np.searchsorted(self.begins, end - begin, "right")) - 1
        frames = slice(self.place, last)
        return self.begins[frames] + begin, frames

    def moved_on(self, frames: int) -> _Cycle:
        """The same when so many more frames have come."""
        return self._replace(place=(self.place + frames) % self.frames)


class FrameWalker:
    """Walks from header to header; headers seen before are known to hold."""

    def __init__(self) -> None:
        self._frame_sizes: dict[bytes, int] = {}
        self._header_crcs: dict[int, int] = {}
        self._recent: Column = np.empty(0, np.int64)
        self._steps = MIN_STEPS
        self._cycle: _Cycle | None = None
        """What held to the end of all that was read so far."""

    def walk(self, buffer: Buffer) -> Frames:
        """Find the whole frames at the beginning of a buffer."""
        found: list[Column] = []
        position = needed = 0
        walking = True
        while walking:
            guessed = self._guess(buffer, position)
            position += int(guessed.sum())
            stepped, position, walking = self._step(buffer, position)
            if position > len(buffer):
                needed = stepped.pop()
                position -= needed
            if stepped:
                self._cycle = None
            sizes = np.append(guessed, np.array(stepped, np.int64)) if stepped else guessed
            latest = sizes[-HISTORY:]
            self._recent = np.append(self._recent[-HISTORY:], latest)[-HISTORY:]
            found.append(sizes)
        self._recent = self._recent.copy()  # the end of an array keeps all of it in memory
        frame_sizes = np.concatenate(found)
        ends = np.cumsum(frame_sizes)
        return Frames(
            starts=ends - frame_sizes + HEADER.size,
            lengths=frame_sizes - FRAME_OVERHEAD,
            stop=position,
            needed=needed,
            damaged=not needed and len(buffer) - position >= HEADER.size,
        )

    def _step(self, buffer: Buffer, position: int) -> tuple[list[int], int, bool]:
        """Walk some frames one by one: sizes, where the walk ends, whether it may go on.

        The last frame may run past the end of the buffer.
        """
        size_of = self._frame_sizes.get
        sizes: list[int] = []
        append = sizes.append
        window, start, last = b"", position, -1
        for _ in range(self._steps):
            place = position - start
            if place > last:
                window = bytes(buffer[position : position + WINDOW])
                start, place, last = position, 0, len(window) - HEADER.size
            size = size_of(window[place : place + 12])
            if size is None:
                size = self._learn(window[place : place + 12])
                if size is None:
                    return sizes, position, False
            append(size)
            position += size
        return sizes, position, position <= len(buffer)

    def _learn(self, header: bytes) -> int | None:
        if len(header) < HEADER.size:
            return None
        length, checksum = HEADER.unpack(header)
        if length >= MAX_PAYLOAD or masked(crc32c(header[:8])) != checksum:
            return None
        if len(self._frame_sizes) >= MAX_KNOWN_HEADERS:
            self._frame_sizes.clear()
            self._header_crcs.clear()
            self._recent = self._recent[:0]
        size: int = length + FRAME_OVERHEAD
        self._frame_sizes[header] = size
        self._header_crcs[size] = checksum
        return size

    def _guess(self, buffer: Buffer, position: int) -> Column:
        """The sizes of the next whole frames, as far as they repeat what came before."""
        if len(buffer) - position <= FRAME_OVERHEAD * PAYS_OFF:
            self._cycle = None
            return self._recent[:0]
        cycle = self._cycle or self._guessed_cycle()
        if cycle is None:
            return self._recent[:0]
        cycle = cycle.covering(len(buffer))
        headers, within = cycle.headers(position, len(buffer))
        lengths: Column = np.ndarray((len(buffer) - 7,), "<i8", buffer, strides=(1,))
        checksums: Column = np.ndarray((len(buffer) - 11,), "<u4", buffer, 8, strides=(1,))
        right = lengths[headers] == cycle.lengths[within]
        right &= checksums[headers] == cycle.checksums[within]
        holds = bool(right.all())
        correct = len(right) if holds else int(np.argmin(right))
        paid_off = correct >= PAYS_OFF
        self._steps = MIN_STEPS if paid_off else min(MAX_STEPS, self._steps * 4)
        self._cycle = cycle.moved_on(correct) if holds else None
        return cycle.lengths[within][:correct] + FRAME_OVERHEAD

    def _guessed_cycle(self) -> _Cycle | None:
        sizes = what_followed(self._recent)
        if not len(sizes):
            return None
        checksums = [self._header_crcs[size] for size in sizes.tolist()]
        return _Cycle(
            frames=len(sizes),
            place=0,
            lengths=sizes - FRAME_OVERHEAD,
            checksums=np.array(checksums, np.uint32),
            begins=np.append(0, np.cumsum(sizes)),
        )


def what_followed(recent: Column) -> Column:
    """What came after the frames where most of the last sizes stood before, in the same order."""
    count = len(recent) - CONTEXT
    if count <= 0:
        return recent[:0]
    same = recent[:count] == recent[count]
    for step in range(1, CONTEXT):
        same &= recent[step : step + count] == recent[count + step]
    ends = np.flatnonzero(same)[-CANDIDATES:] + CONTEXT
    if not len(ends):
        return recent[:0]
    # A step within an epoch looks like any other; how long the past agrees tells them apart.
    back = np.arange(1, min(LONG_CONTEXT, int(ends[0])) + 1)
    differs = recent[ends[:, None] - back] != recent[-back]
    agreement = np.where(differs.any(axis=1), np.argmax(differs, axis=1), len(back))
    longest = np.flatnonzero(agreement == agreement.max())[-1]
    return recent[ends[longest] :]


def plausible_headers(buffer: Buffer) -> Column:
    """Where in a buffer a length stands that is followed by its own checksum."""
    count = len(buffer) - HEADER.size + 1
    if count <= 0:
        return np.empty(0, np.int64)
    # Most bytes begin no length below the limit: the upper half of such a one is zero.
    octets = np.frombuffer(buffer, np.uint8)
    is_zero = octets == 0
    two_zeros = is_zero[4:-1] & is_zero[5:]
    may_be = two_zeros[:count] & two_zeros[2 : 2 + count] & (octets[3 : 3 + count] < 0x80)
    offsets = np.flatnonzero(may_be)
    lengths: Column = np.ndarray((count,), "<u8", buffer, strides=(1,))
    checksums: Column = np.ndarray((count,), "<u4", buffer, 8, strides=(1,))
    offsets = offsets[lengths[offsets] > 0]
    holds = masked_length_crcs(lengths[offsets]) == checksums[offsets]
    found: Column = offsets[holds]
    return found


def stated_length(header: bytes) -> int | None:
    """How long the payload behind a header is; None if it is cut, or fails its own checksum."""
    if len(header) < HEADER.size:
        return None
    length, checksum = HEADER.unpack(header)
    is_header = length < MAX_PAYLOAD and masked(crc32c(header[:8])) == checksum
    return int(length) if is_header else None


def proven_payload(data: bytes) -> bytes | None:
    """A payload that is followed by its own checksum, without it; None if it is not."""
    payload, footer = data[:-FOOTER_SIZE], data[-FOOTER_SIZE:]
    matches = len(footer) == FOOTER_SIZE and masked(crc32c(payload)) == int.from_bytes(
        footer, "little"
    )
    return payload if matches else None
