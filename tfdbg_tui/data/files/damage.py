"""Whole records inside damage, wherever they begin, found in one pass over the bytes.

A header inside damage claims that a record of some length begins there; its payload proves or
refutes that. Payloads of many claims overlap, so none is read by itself: the CRC of any stretch
follows from the CRCs of what lies before its start and before its end. Each byte is read once,
however many claims it belongs to, and a hole in the file is passed without reading it.

All this goes on in slices: a claim of 2 GB is not settled while a key waits. And some claims are
given up, and counted: those that a million others wait for, and those that lie in a hole.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tfdbg_tui.data.files.checksums import (
    FOOTER_SIZE,
    HEADER,
    append_zeros,
    extended_crc32c,
    masked,
    unmasked,
)
from tfdbg_tui.data.files.record_framing import plausible_headers
from tfdbg_tui.data.files.slices import Allowance
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

    Column = npt.NDArray[Any]

FIRST_SEARCH_STEP, MAX_SEARCH_STEP = 4 << 10, 64 << 10
"""Bytes searched at first, and at once at most: the next whole record is usually near."""

PROOF_STEP = 1 << 20
"""Bytes of one payload that are checked at once."""

COST_OF_CLAIM, COST_OF_HOLE = 500, 100_000
"""What the start or the end of a claim costs, and what a hole does."""

MIN_HOLE = 1 << 20
"""Bytes of a hole from which on it is passed without reading it."""

MAX_HOLES = 128 << 20
"""Bytes of one record that may lie in holes: else a small file could claim all memory there is."""

MAX_CLAIMS = 1 << 20
"""Claims that are remembered at once."""

ALL_BITS = 0xFFFFFFFF
_ZEROS = bytes(MAX_SEARCH_STEP)


class Source(Protocol):
    """Bytes that can be searched."""

    size: int

    def bytes_at(self, offset: int, count: int) -> bytes:
        """The bytes at an offset, fewer than asked for at the end."""

    def next_data(self, offset: int) -> int:
        """Where there are bytes at or behind an offset; before, all are zeros."""

    def bytes_in_holes(self, start: int, end: int) -> int:
        """How many bytes between two offsets are nowhere."""


class _Buffer:
    """Bytes in memory as a source."""

    def __init__(self, content: bytes) -> None:
        self.size = len(content)
        self._content = content

    def bytes_at(self, offset: int, count: int) -> bytes:
        return self._content[offset : offset + count]

    def next_data(self, offset: int) -> int:
        return offset

    def bytes_in_holes(self, start: int, end: int) -> int:
        return 0


class _Claims(NamedTuple):
    """Headers that hold, in the order of their offsets; nothing is known of their payloads."""

    starts: Column
    """Where the headers begin."""
    ends: Column
    """Where the payloads end."""
    crcs: Column
    """CRCs of what the pass has seen before the payloads."""

    def chosen(self, rows: Column) -> _Claims:
        return _Claims(self.starts[rows], self.ends[rows], self.crcs[rows])

    def joined(self, others: _Claims) -> _Claims:
        if not len(others.starts):
            return self
        return _Claims(*map(np.concatenate, zip(self, others, strict=True)))


_NONE = np.empty(0, np.int64)
_NO_CLAIMS = _Claims(_NONE, _NONE, _NONE)


class Search:
    """The whole records of a file behind some offset, wherever they begin.

    It only ever moves forward. What it knows is kept while others ask about offsets that it has
    passed already; behind them it begins anew.
    """

    def __init__(self, source: Source, allowance: Allowance) -> None:
        self._source = source
        self._allowance = allowance
        self.given_up = 0
        """Claims that were neither proven nor refuted, because there were too many."""
        self._question: tuple[int, int] | None = None
        """What was asked and is not answered yet."""
        self._begin(0)

    def _begin(self, start: int) -> None:
        self._start = self._asked = self._passed = start
        """Headers between the first and the last of them are known."""
        self._step = FIRST_SEARCH_STEP
        self._size = self._source.size
        self._crc = 0
        """Of the bytes from the start to where it is now."""
        self._pending = _NO_CLAIMS
        """Claims whose payloads end farther on."""
        self._unfinished = _NO_CLAIMS
        """Claims whose payloads end where the file does not reach yet."""
        self._whole = _NONE
        """Where whole records begin."""

    def go_on(self) -> None:
        """Work on what was asked last, if that is not known yet: whoever asked will ask again."""
        if self._question is not None:
            self.first(*self._question)

    def first(self, start: int, stop: int) -> int | None:
        """Where the first whole record begins between two offsets; None if there is none yet.

        Raises `SliceEnded` while that is not known.
        """
        if not self._start <= start <= self._passed:
            self._begin(start)
        self._asked, self._question = start, (start, stop)
        self._note_growth()
        found = self._found(start, stop)
        self._question = None
        return found

    def _found(self, start: int, stop: int) -> int | None:
        while True:
            whole = _first_from(self._whole, start, stop)
            waits_for = _first_from(self._pending.starts, start, stop)
            if whole < waits_for:
                return whole
            if waits_for == stop and self._passed >= stop:
                return None
            if not self._advance():
                return None

    def _note_growth(self) -> None:
        if self._source.size == self._size:
            return
        self._size = self._source.size
        claims = self._unfinished
        finished = claims.ends <= self._size - FOOTER_SIZE
        if finished.any():
            self._unfinished = claims.chosen(~finished)
            pending = self._pending.joined(claims.chosen(finished))
            self._pending = pending.chosen(np.argsort(pending.starts, kind="stable"))

    def _advance(self) -> bool:
        """Pass some bytes; False at the end of the file."""
        self._allowance.check()
        at, size = self._passed, self._source.size
        data = min(self._source.next_data(at), size)
        if data - at >= MIN_HOLE:
            self._allowance.spend(COST_OF_HOLE)
            self._pass_zeros(data)
            return True
        buffer = self._source.bytes_at(at, min(self._step, size - at))
        self._step = min(2 * self._step, MAX_SEARCH_STEP)
        if len(buffer) < HEADER.size:
            return False
        self._allowance.spend(len(buffer))
        if _ZEROS.startswith(buffer):
            self._pass_zeros(at + len(buffer))
        else:
            self._pass_bytes(buffer)
        return True

    def _pass_zeros(self, end: int) -> None:
        """Go on to where zeros end; no header begins and ends in them."""
        due, at = self._take_due(end), self._passed
        self._passed = end - HEADER.size + 1
        counts = np.append(due.ends, self._passed) - at
        crcs = append_zeros(np.full(len(counts), self._crc ^ ALL_BITS), counts) ^ ALL_BITS
        self._crc = int(crcs[-1])
        self._settle(due, crcs[:-1], np.zeros(len(due.ends), np.uint32))

    def _pass_bytes(self, buffer: bytes) -> None:
        at, end = self._passed, self._passed + len(buffer)
        self._passed = end - HEADER.size + 1  # a header may begin in the last bytes
        headers = plausible_headers(buffer)
        lengths: Column = np.ndarray((len(buffer) - 7,), "<u8", buffer, strides=(1,))
        bodies = at + headers + HEADER.size
        found = _Claims(at + headers, bodies + lengths[headers].astype(np.int64), bodies)
        near = found.ends[found.ends <= end - FOOTER_SIZE]
        due_before = self._pending.ends[self._pending.ends <= end - FOOTER_SIZE]
        asked = np.unique(np.concatenate((bodies, near, due_before, [self._passed])))
        crcs = self._crcs_at(buffer, asked - at)
        self._crc = int(crcs[np.searchsorted(asked, self._passed)])
        self._add(found._replace(crcs=crcs[np.searchsorted(asked, bodies)]))
        due = self._take_due(end)
        footers: Column = np.ndarray((len(buffer) - 3,), "<u4", buffer, strides=(1,))
        self._settle(due, crcs[np.searchsorted(asked, due.ends)], footers[due.ends - at])
        self._forget_some()

    def _crcs_at(self, buffer: bytes, offsets: Column) -> Column:
        """The CRCs of all that was passed up to offsets in the next bytes."""
        self._allowance.spend(COST_OF_CLAIM * len(offsets))
        crc, before = self._crc, 0
        crcs = []
        for offset in offsets.tolist():
            crc = extended_crc32c(crc, buffer[before:offset])
            crcs.append(crc)
            before = offset
        return np.array(crcs, np.int64)

    def _add(self, found: _Claims) -> None:
        finished = found.ends <= self._size - FOOTER_SIZE
        self._pending = self._pending.joined(found.chosen(finished))
        self._unfinished = self._unfinished.joined(found.chosen(~finished))

    def _take_due(self, end: int) -> _Claims:
        """The claims whose payloads and checksums end up to an offset, which wait no longer."""
        is_due = self._pending.ends <= end - FOOTER_SIZE
        due = self._pending.chosen(is_due)
        if len(due.starts):
            self._pending = self._pending.chosen(~is_due)
        return due

    def _settle(self, due: _Claims, crcs: Column, footers: Column) -> None:
        """Keep those of some claims whose payloads match the checksums behind them."""
        if not len(due.starts):
            return
        payload_crcs = crcs ^ append_zeros(due.crcs, due.ends - due.starts - HEADER.size)
        whole = due.starts[payload_crcs == unmasked(footers)]
        if len(whole):
            self._whole = np.sort(np.concatenate((self._whole, whole)), kind="stable")

    def _forget_some(self) -> None:
        """Keep no more claims than can be remembered: the oldest are those that all wait for."""
        known = len(self._whole) + len(self._pending.starts) + len(self._unfinished.starts)
        if known <= MAX_CLAIMS:
            return
        self._whole = self._whole[self._whole >= self._asked]
        limit = int(self._whole[0]) if len(self._whole) else None
        self._pending = self._kept(self._pending, limit)
        self._unfinished = self._kept(self._unfinished, limit)

    def _kept(self, claims: _Claims, limit: int | None) -> _Claims:
        """Claims without those before a limit, or without the older half."""
        claims = claims.chosen(claims.starts >= self._asked)
        half = len(claims.starts) // 2
        rows = np.arange(len(claims.starts))
        is_kept = rows >= half if limit is None else claims.starts > limit
        self.given_up += int(len(rows) - is_kept.sum())
        return claims.chosen(is_kept)


class Proof:
    """Whether one long payload matches the checksum behind it, without holding it in memory."""

    def __init__(self, source: Source, allowance: Allowance, start: int, end: int) -> None:
        self.span = start, end
        """Where the payload begins and ends."""
        self._source = source
        self._allowance = allowance
        self._at = start
        self._crc = self._in_holes = 0

    def holds(self) -> bool:
        """Whether it matches, and is on disk; raises `SliceEnded` while that is not known."""
        end = self.span[1]
        while self._at < end:
            self._allowance.check()
            stop = min(self._at + PROOF_STEP, end)
            self._in_holes += self._source.bytes_in_holes(self._at, stop)
            piece = self._source.bytes_at(self._at, stop - self._at)
            if self._in_holes > MAX_HOLES or len(piece) < stop - self._at:
                return False
            self._crc = extended_crc32c(self._crc, piece)
            self._at = stop
            self._allowance.spend(len(piece))
        footer = self._source.bytes_at(end, FOOTER_SIZE)
        return masked(self._crc) == int.from_bytes(footer, "little")


def _first_from(offsets: Column, start: int, stop: int) -> int:
    """The first of some sorted offsets between two, the second of these if there is none."""
    row = int(np.searchsorted(offsets, start))
    return min(int(offsets[row]), stop) if row < len(offsets) else stop


def is_in(content: bytes) -> bool:
    """Whether a whole record lies somewhere in some bytes."""
    return Search(_Buffer(content), Allowance(math.inf)).first(0, len(content)) is not None
