"""Records that follow each other as they did before: a step of a training loop, seen as a whole.

Where the last records of a file stood in the same order before, what followed them then is
expected to follow again. All of it, headers included, is compared in place as one row of bytes,
in which only the bytes that vary are left out: no record is looked at by itself. So recognising is
as exact as record by record, and several times as fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.files.checksums import FOOTER_SIZE, FRAME_OVERHEAD, HEADER
from tfdbg_tui.data.files.record_framing import HISTORY, what_followed
from tfdbg_tui.data.records.layout_table import SENSELESS
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.files.buffers import Octets
    from tfdbg_tui.data.files.tfrecord import Block
    from tfdbg_tui.data.records.layout_table import LayoutTable
    from tfdbg_tui.data.records.layouts import Layout

    Indices = npt.NDArray[np.int64]
    Numbers = npt.NDArray[np.int32]

COMPARED_AT_ONCE = 64 << 10
"""Bytes; short stretches are repeated up to here, so that few comparisons do."""

MAX_STRETCH = 1 << 20
"""Bytes of the longest stretch that is expected again."""

LAYOUT_SHIFT = 32
"""Bits of a site in the code of a record; the number of its layout is above them."""


class _Expected(NamedTuple):
    """What is expected again: a stretch of records, repeated a few times."""

    numbers: Numbers
    """The layout of each record."""
    sites: Numbers
    ends: Indices
    """Where each record begins, and the last ends, in the bytes."""
    mask: npt.NDArray[np.uint8]
    """All ones where bytes do not vary."""
    content: bytes
    """The bytes, masked: to compare bytes is faster than to compare arrays."""
    scratch: bytearray
    """As many bytes, for what is compared with them."""

    def rounds(self, buffer: Octets, position: int, most: int) -> int:
        """How many times in a row all of it stands in a buffer, from a position on."""
        mask, content, scratch = self.mask, self.content, self.scratch
        size, fixed = len(content), np.frombuffer(scratch, np.uint8)
        # The header of the first record need not be in the buffer.
        most = min(most, (len(buffer) - position) // size) if position >= 0 else 0
        for count in range(most):
            np.bitwise_and(buffer[position : position + size], mask, fixed)
            if scratch != content:
                return count
            position += size
        return most

    def first_other(self, found: Octets, start: int, end: int) -> int | None:
        """Where bytes differ from those between two places; None if they do not."""
        fixed = found & self.mask[start : start + len(found)]
        if fixed.tobytes() == self.content[start:end]:
            return None
        known = np.frombuffer(self.content, np.uint8)[start : start + len(found)]
        differs = np.flatnonzero(fixed != known)
        return start + (int(differs[0]) if len(differs) else len(found))


class Repetition:
    """Expects the records of one file to go on as before."""

    def __init__(self, table: LayoutTable) -> None:
        self._table = table
        self._expected: _Expected | None = None
        self._place = 0
        """Which record of the repetitions comes next."""
        self._is_whole = False
        """Whether the block has all records of its stretch of the file."""

    def begin(self, block: Block) -> None:
        """Look at the next block."""
        frame_sizes = block.lengths[:-1] + FRAME_OVERHEAD
        # Else there are bytes between its records that belong to none of them.
        self._is_whole = np.array_equal(np.diff(block.starts), frame_sizes)

    def recognise(self, block: Block, first: int, numbers: Numbers, sites: Numbers) -> int:
        """How many records from one on are those that are expected; notes what they are."""
        expected, place = self._expected, self._place
        if expected is None or not self._is_whole:
            return 0
        count = self._compare(block, first, expected)
        for column, known in ((numbers, expected.numbers), (sites, expected.sites)):
            _repeat_into(column[first : first + count], known, place)
        return count

    def expect(self, block: Block, numbers: Numbers, sites: Numbers) -> None:
        """Expect what followed when the last of these records came before, if they did."""
        self._expected, self._place = None, 0
        if not self._is_whole:
            return
        end = len(numbers)
        codes = numbers[-HISTORY:].astype(np.int64) << LAYOUT_SHIFT | sites[-HISTORY:]
        first = end - len(what_followed(codes))
        sizes = block.lengths[first:end] + FRAME_OVERHEAD
        size = int(sizes.sum())
        numbers, sites = numbers[first:], sites[first:]
        if first == end or (numbers == SENSELESS).any() or size > MAX_STRETCH:
            return
        repetitions = max(1, COMPARED_AT_ONCE // size)
        start = int(block.starts[first]) - HEADER.size
        begins = np.cumsum(sizes) - sizes
        mask = np.full(size, 0xFF, np.uint8)
        for number in sorted(set(numbers.tolist())):  # `np.unique` imports what takes 15 ms
            places = np.flatnonzero(numbers == number)
            _leave_out(mask, begins[places] + HEADER.size, self._table.layouts[number])
        content = np.frombuffer(block.buffer, np.uint8)[start : start + size] & mask
        self._expected = _Expected(
            np.tile(numbers, repetitions),
            np.tile(sites, repetitions),
            np.append(0, np.cumsum(np.tile(sizes, repetitions))),
            np.tile(mask, repetitions),
            content.tobytes() * repetitions,
            bytearray(repetitions * size),
        )

    def _compare(self, block: Block, first: int, expected: _Expected) -> int:
        """How many records from one on are those that are expected."""
        buffer = np.frombuffer(block.buffer, np.uint8)
        total, record = len(expected.ends) - 1, first
        while record < len(block):
            position = int(block.starts[record]) - HEADER.size
            if not self._place:
                rounds = expected.rounds(buffer, position, (len(block) - record) // total)
                record += rounds * total
                position += rounds * len(expected.content)
            compared = min(total - self._place, len(block) - record)
            start, end = expected.ends[[self._place, self._place + compared]].tolist()
            other = expected.first_other(buffer[position : position + end - start], start, end)
            if other is not None:
                compared = int(np.searchsorted(expected.ends, other, "right")) - 1 - self._place
                self._place += compared
                return record + compared - first
            self._place = (self._place + compared) % total
            record += compared
        return record - first


def _leave_out(mask: npt.NDArray[np.uint8], starts: Indices, layout: Layout) -> None:
    """Leave out what varies in the records of a layout, and their checksums."""
    spans = (*layout.variable, (layout.length, layout.length + FOOTER_SIZE))
    for payload in starts.tolist():
        for start, end in spans:
            mask[payload + start : payload + end] = 0


def _repeat_into(target: Numbers, pattern: Numbers, place: int) -> None:
    """Fill an array with a pattern over and over, from one of its places on."""
    begin = min(len(pattern) - place, len(target))
    target[:begin] = pattern[place : place + begin]
    rounds, rest = divmod(len(target) - begin, len(pattern))
    end = len(target) - rest
    target[begin:end].reshape(rounds, len(pattern))[:] = pattern
    target[end:] = pattern[:rest]
