"""Records that follow each other as they did before: a step of a training loop, seen as a whole.

Where the last records of a file stood in the same order before, what followed them then is
expected to follow again. All of it, headers included, is compared in place as one row of bytes,
in which only the bytes that vary are left out: no record is looked at by itself. So recognising is
as exact as record by record, and several times as fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tfdbg_tui.data.files.checksums import FOOTER_SIZE, FRAME_OVERHEAD, HEADER
from tfdbg_tui.data.files.record_framing import HISTORY, what_followed
from tfdbg_tui.data.records.layouts import Match

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.files.tfrecord import Block
    from tfdbg_tui.data.records.layouts import Layout

    Indices = npt.NDArray[np.int64]

COMPARED_AT_ONCE = 64 << 10
"""Bytes; short stretches are repeated up to here, so that few comparisons do."""

MAX_STRETCH = 1 << 20
"""Bytes of the longest stretch that is expected again."""

MAX_LAYOUTS = 1 << 16
"""Layouts that are numbered; a recording of differing tensor sizes could have any number."""

LAYOUT_SHIFT = 32
"""Bits of a site in the code of a record; the number of its layout is above them."""


class _Part(NamedTuple):
    """The records of a stretch that have one layout."""

    layout: Layout
    places: Indices
    sites: npt.NDArray[np.int32]


class _Expected(NamedTuple):
    """What is expected again: a stretch of records, and some repetitions of it as bytes."""

    records: int
    """In the stretch."""
    parts: list[_Part]
    ends: Indices
    """Where each record of the repetitions begins, and the last ends, in their bytes."""
    mask: npt.NDArray[np.uint8]
    """All ones where bytes do not vary."""
    content: bytes
    """The same bytes, masked: to compare bytes is faster than to compare arrays."""


class Repetition:
    """Expects the records of one file to go on as before."""

    def __init__(self) -> None:
        self._layouts: dict[Layout, int] = {}
        self._expected: _Expected | None = None
        self._place = 0
        """Which record of the repetitions comes next."""
        self._known: list[Match] = []
        """What is known of the block."""
        self._is_whole = False
        """Whether the block has all records of its stretch of the file."""

    def begin(self, block: Block) -> None:
        """Look at the next block."""
        if len(self._layouts) > MAX_LAYOUTS:
            self._layouts, self._expected = {}, None
        frame_sizes = block.lengths[:-1] + FRAME_OVERHEAD
        # Else there are bytes between its records that belong to none of them.
        self._is_whole = np.array_equal(np.diff(block.starts), frame_sizes)

    def recognise(self, block: Block, first: int) -> list[Match]:
        """The records from one on, as far as they are those that are expected."""
        expected, place = self._expected, self._place
        if expected is None or not self._is_whole:
            return []
        count = self._compare(block, first, expected)
        matches = _matches(expected, place % expected.records, first, count)
        self.note(matches)
        return matches

    def end(self) -> None:
        """The block is done."""
        self._known = []

    def note(self, matches: list[Match]) -> None:
        """Take note of records that were recognised."""
        self._known += matches

    def _codes(self, end: int) -> Indices:
        """A number for every record of the block up to one: its layout and its site; or -1."""
        codes = np.full(end, -1, np.int64)
        for layout, records, sites in self._known:
            number = self._layouts.setdefault(layout, len(self._layouts))
            codes[records] = number << LAYOUT_SHIFT | sites.astype(np.int64)
        return codes

    def expect(self, block: Block, end: int) -> None:
        """Expect what followed when the records before one came before, if they did."""
        self._expected, self._place = None, 0
        if not self._is_whole:
            return
        codes = what_followed(self._codes(end)[-HISTORY:])
        sizes = block.lengths[end - len(codes) : end] + FRAME_OVERHEAD
        size = int(sizes.sum())
        if not len(codes) or (codes < 0).any() or size > MAX_STRETCH:
            return
        repetitions = max(1, COMPARED_AT_ONCE // size)
        start = int(block.starts[end - len(codes)]) - HEADER.size
        layouts = list(self._layouts)
        numbers = codes >> LAYOUT_SHIFT
        sites = codes.astype(np.int32)
        begins = np.cumsum(sizes) - sizes
        mask = np.full(size, 0xFF, np.uint8)
        parts = []
        for number in sorted(set(numbers.tolist())):  # `np.unique` imports what takes 15 ms
            layout, places = layouts[number], np.flatnonzero(numbers == number)
            parts.append(_Part(layout, places, sites[places]))
            _leave_out(mask, begins[places] + HEADER.size, layout)
        content = np.frombuffer(block.buffer, np.uint8)[start : start + size] & mask
        ends = np.append(0, np.cumsum(np.tile(sizes, repetitions)))
        self._expected = _Expected(
            len(codes), parts, ends, np.tile(mask, repetitions), content.tobytes() * repetitions
        )

    def _compare(self, block: Block, first: int, expected: _Expected) -> int:
        """How many records from one on are those that are expected."""
        buffer = np.frombuffer(block.buffer, np.uint8)
        scratch = np.empty_like(expected.mask)
        total, record = len(expected.ends) - 1, first
        while record < len(block):
            compared = min(total - self._place, len(block) - record)
            start, end = expected.ends[[self._place, self._place + compared]].tolist()
            position = int(block.starts[record]) - HEADER.size
            found, wanted = buffer[position : position + end - start], end - start
            end = start + len(found)
            fixed = scratch[: len(found)]
            np.bitwise_and(found, expected.mask[start:end], out=fixed)
            if fixed.tobytes() != expected.content[start : start + wanted]:
                known = np.frombuffer(expected.content, np.uint8)[start : start + len(found)]
                differs = np.flatnonzero(fixed != known)
                wrong = start + (int(differs[0]) if len(differs) else len(found))
                compared = int(np.searchsorted(expected.ends, wrong, "right")) - 1 - self._place
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


def _matches(expected: _Expected, place: int, first: int, count: int) -> list[Match]:
    """So many records, from one on, that are those from a place of the stretch on."""
    if not count:
        return []
    rounds = -(-(place + count) // expected.records)
    begins = np.arange(rounds)[:, None] * expected.records - place
    matches = []
    for layout, places, sites in expected.parts:
        records = (begins + places).ravel()
        last = place + count - (rounds - 1) * expected.records
        low, left_out = np.searchsorted(places, (place, last)).tolist()
        high = len(records) - len(places) + left_out
        if high > low:
            matches.append(
                Match(layout, records[low:high] + first, np.tile(sites, rounds)[low:high])
            )
    return matches
