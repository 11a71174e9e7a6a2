"""Recognising records laid out alike, a block at a time.

A training program writes the same few thousand records over and over: same op, same stack, same
lengths, with another time, other tensor ids and other numbers. The first record of a kind is
*learned*: decoded by protobuf, its varying bytes located. What is left, with those bytes zeroed,
is its *template*; it belongs to one *site* (the op and tensor it speaks of). All later records
of that length are compared with the templates in bulk, byte for byte, so recognising is exact:
a record either equals a template in every fixed byte or is learned itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.files.buffers import gather
from tfdbg_tui.data.records.large_records import LARGE
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from tfdbg_tui.data.files.tfrecord import Block
    from tfdbg_tui.data.records.tensor_spans import TensorSpan

    Words = npt.NDArray[np.uint64]
    Indices = npt.NDArray[np.int64]

WORD = 8
"""Bytes compared at once."""

MAX_TEMPLATE = 1 << 16
"""Bytes; longer records are large tensors, decoded one by one rather than remembered."""

MAX_REMEMBERED = 64 << 20
"""Bytes of templates in all; a program that never repeats itself must not fill the memory."""

FIRST_LEARNED = 16
"""Unknown records learned one by one before the rest is compared in bulk again."""

INDEX_AFTER = 4
"""Templates are indexed anew when a fourth as many are new, or were looked up one by one.

Each time takes as long as there are templates: once for every new one would be without end.
"""

KEY_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""An odd number without pattern; its multiples weigh the words of a key."""


class Layout(NamedTuple):
    """Which bytes of a record vary, and what they mean."""

    length: int
    wall_time: int
    """Where the event's time stands, or -1."""
    output_ids: tuple[int, int]
    """Where the packed ids of an execution's outputs stand; empty if there are none."""
    variable: tuple[tuple[int, int], ...]
    tensors: tuple[TensorSpan, ...]


class LearnedRecord(NamedTuple):
    """What learning one record gives."""

    layout: Layout
    site: int


class Match(NamedTuple):
    """Records of one layout."""

    layout: Layout
    records: Indices
    """Their numbers in the block."""
    sites: npt.NDArray[np.int32]


class _Templates:
    """The templates of one layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._mask = _fixed_bytes(layout)
        self._by_bytes: dict[bytes, int] = {}
        self._sites: list[int] = []
        self._waiting = 0
        """New templates, and records found one by one, since the templates were indexed."""
        self._rows: Words = np.empty((0, len(self._mask)), np.uint64)
        self._site_column: npt.NDArray[np.int32] = np.empty(0, np.int32)
        self._keys: Words = np.empty(0, np.uint64)
        self._key_order: Indices = np.empty(0, np.int64)
        self._key_columns: Indices = np.empty(0, np.int64)

    def add(self, row: Words, site: int) -> None:
        self._by_bytes[(row & self._mask).tobytes()] = len(self._sites)
        self._sites.append(site)
        self._waiting += 1

    def site_of(self, row: Words) -> int | None:
        """The site of a record, found by its exact bytes."""
        number = self._by_bytes.get((row & self._mask).tobytes())
        if number is None:
            return None
        self._waiting += 1
        return self._sites[number]

    def match(self, rows: Words) -> tuple[Indices, npt.NDArray[np.int32]]:
        """Which rows equal a template that is indexed, and the sites of those."""
        if self._waiting * INDEX_AFTER >= max(1, len(self._rows)):
            self._index()
        fixed = rows & self._mask
        if len(self._rows) == 1:
            hits = _whole_rows(fixed == self._rows[0])
            return hits, np.full(len(hits), self._sites[0], np.int32)
        ranks = np.searchsorted(self._keys, self._key_of(fixed))
        ranks[ranks == len(self._keys)] = 0
        numbers = self._key_order[ranks]
        hits = _whole_rows(fixed == self._rows[numbers])
        return hits, self._site_column[numbers[hits]]

    def _index(self) -> None:
        """Prepare to find templates by a key made of the columns in which they differ.

        Two templates with one key would only cost time: the second is found by its bytes.
        """
        packed = np.frombuffer(b"".join(self._by_bytes), np.uint64)
        self._rows = packed.reshape(len(self._sites), len(self._mask))
        self._site_column = np.array(self._sites, np.int32)
        self._key_columns = np.flatnonzero((self._rows != self._rows[0]).any(axis=0))
        keys = self._key_of(self._rows)
        self._key_order = np.argsort(keys)
        self._keys = keys[self._key_order]
        self._waiting = 0

    def _key_of(self, fixed: Words) -> Words:
        columns = self._key_columns
        words = fixed[:, columns]
        # High bytes must reach the low ones, where a product keeps them apart.
        words ^= words >> np.uint64(29)
        weights = KEY_MULTIPLIER * (2 * np.arange(len(columns), dtype=np.uint64) + np.uint64(1))
        keys: Words = words @ weights
        return keys


class LayoutRegistry:
    """All layouts learned from one file."""

    def __init__(self, learn: Callable[[bytes | memoryview], LearnedRecord | None]) -> None:
        self._learn = learn
        self._layouts_by_length: dict[int, dict[Layout, _Templates]] = {}
        self._remembered = 0

    def match(self, block: Block, first: int = 0, end: int | None = None) -> Iterator[Match]:
        """Every record between two of a block that makes sense, grouped by layout."""
        for group in _groups_of_equal_length(block.lengths[first:end]):
            records = group + first
            length = int(block.lengths[records[0]])
            if not length:
                continue
            width = -(-length // WORD) * WORD
            if length > LARGE:
                yield from self._learned_where_they_are(block, records, length)
                continue
            rows: Words = gather(block.buffer, block.starts[records], width).view(np.uint64)
            layouts = self._layouts_by_length.setdefault(length, {})
            count = FIRST_LEARNED
            while len(records):
                for templates in layouts.values():
                    hits, sites = templates.match(rows)
                    if not len(hits):
                        continue
                    if len(hits) == len(rows):
                        yield Match(templates.layout, records, sites)
                        records, rows = records[:0], rows[:0]
                        break
                    yield Match(templates.layout, records[hits], sites)
                    records, rows = np.delete(records, hits), np.delete(rows, hits, axis=0)
                if len(records):
                    yield from self._learned(layouts, records[:count], rows[:count], length)
                    records, rows = records[count:], rows[count:]
                    count *= 4  # each round of comparing in bulk must pay for itself

    def _learned_where_they_are(
        self, block: Block, records: Indices, length: int
    ) -> Iterator[Match]:
        """Records so large that nothing of them is copied or remembered."""
        for record in records.tolist():
            start = int(block.starts[record])
            learned = self._learn(block.octets[start : start + length])
            if learned is not None:
                yield Match(learned.layout, np.array([record]), np.array([learned.site], np.int32))

    def _learned(
        self, layouts: dict[Layout, _Templates], records: Indices, rows: Words, length: int
    ) -> Iterator[Match]:
        """Records that no template knew: learned one by one, handed on together."""
        found: dict[Layout, tuple[list[int], list[int]]] = {}
        for number, row in enumerate(rows):
            learned = self._find(layouts, row) or self._learn_layout(layouts, row, length)
            if learned is not None:
                numbers, sites = found.setdefault(learned.layout, ([], []))
                numbers.append(number)
                sites.append(learned.site)
        for layout, (numbers, sites) in found.items():
            yield Match(layout, records[numbers], np.array(sites, np.int32))

    def _find(self, layouts: dict[Layout, _Templates], row: Words) -> LearnedRecord | None:
        for templates in layouts.values():
            site = templates.site_of(row)
            if site is not None:
                return LearnedRecord(templates.layout, site)
        return None

    def _learn_layout(
        self, layouts: dict[Layout, _Templates], row: Words, length: int
    ) -> LearnedRecord | None:
        learned = self._learn(row.tobytes()[:length])
        if learned is None:
            return None
        if length <= MAX_TEMPLATE and self._remembered + length <= MAX_REMEMBERED:
            self._remembered += length
            if learned.layout not in layouts:
                layouts[learned.layout] = _Templates(learned.layout)
            layouts[learned.layout].add(row, learned.site)
        return learned


def _whole_rows(equal: npt.NDArray[np.bool_]) -> Indices:
    """The rows that are equal everywhere; nearly always that is all of them."""
    return np.arange(len(equal)) if equal.all() else np.flatnonzero(equal.all(axis=1))


def _groups_of_equal_length(lengths: Indices) -> list[Indices]:
    order = np.argsort(lengths, kind="stable")
    in_order = lengths[order]
    return np.split(order, np.flatnonzero(in_order[1:] != in_order[:-1]) + 1) if len(order) else []


def _fixed_bytes(layout: Layout) -> Words:
    """A mask over the words of a record: all ones where its bytes do not vary."""
    mask = np.zeros(-(-layout.length // WORD) * WORD, np.uint8)
    mask[: layout.length] = 0xFF
    for start, end in layout.variable:
        mask[start:end] = 0
    return mask.view(np.uint64)
