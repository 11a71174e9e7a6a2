"""Totals by bucket: exact at any width of a bucket, whatever the order in which they are added."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tfdbg_tui.data.index.bucket_totals import BucketTotals, Cells, together

ROWS, UNITS = 5, 200


class Event(NamedTuple):
    row: int
    unit: int
    flags: int


EVENTS = st.lists(
    st.builds(
        Event,
        st.integers(0, ROWS - 1),
        st.integers(0, UNITS - 1),
        st.sampled_from([0, 0, 0, 1, 2, 4, 5, 8]),
    ),
    min_size=1,
    max_size=60,
)


def add(totals: BucketTotals, events: list[Event], first: int) -> None:
    """Add events that are numbered from one on."""
    rows, units = (np.array([event[field] for event in events], np.int64) for field in (0, 1))
    flags = np.array([event.flags for event in events], np.uint8)
    totals.add(rows, units, np.arange(len(events)) + first, flags)


def added(events: list[Event], slices: int, buckets: int = 8) -> BucketTotals:
    """All events, a slice after the other."""
    totals = BucketTotals(buckets)
    bounds = [len(events) * part // slices for part in range(slices + 1)]
    for first, end in pairwise(bounds):
        add(totals, events[first:end], first)
    return totals


def expected(events: list[Event], row: int, first: int, end: int) -> tuple[int, int, int, int]:
    """A cell, counted one by one."""
    inside = [n for n, event in enumerate(events) if event.row == row and first <= event.unit < end]
    bad = [n for n in inside if events[n].flags]
    flags = 0
    for n in inside:
        flags |= events[n].flags
    return len(inside), len(bad), flags, next(iter([*bad, *inside]), -1)


def cell(cells: Cells, row: int, column: int) -> tuple[int, ...]:
    return tuple(int(part[row, column]) for part in cells)


@given(EVENTS, st.integers(1, 5), st.integers(1, 4), st.integers(0, 3))
def test_every_cell_is_what_counting_one_by_one_finds(
    events: list[Event], slices: int, merged: int, first: int
) -> None:
    totals = added(events, slices)
    width = merged << totals.scale
    columns = 9
    cells = totals.cells(np.arange(ROWS + 2), first, columns, merged)
    for row in range(ROWS):
        for column in range(columns):
            begin = (first << totals.scale) + column * width
            assert cell(cells, row, column) == expected(events, row, begin, begin + width)
    assert not cells.counts[ROWS:].any(), "rows that nobody has heard of are empty"


@given(EVENTS, st.integers(2, 6))
def test_slices_add_up_to_all_at_once(events: list[Event], slices: int) -> None:
    once, often = added(events, 1), added(events, slices)
    assert once.scale == often.scale
    every = (np.arange(ROWS), 0, 8, 1)
    for one, other in zip(once.cells(*every), often.cells(*every), strict=True):
        assert (one == other).all()


@given(EVENTS, EVENTS)
def test_what_stands_apart_is_put_together(settled: list[Event], others: list[Event]) -> None:
    both = added([*settled, *others], 1)
    both.prepare(ROWS, UNITS - 1)
    first = BucketTotals(8)
    first.prepare(ROWS, UNITS - 1)
    tail = first.empty_copy()
    add(first, settled, 0)
    add(tail, others, len(settled))
    assert tail.has_shape_of(first)
    every = (np.arange(ROWS), 0, 8, 1)
    found = together(first.cells(*every), tail.cells(*every))
    for one, other in zip(both.cells(*every), found, strict=True):
        assert (one == other).all()


def test_very_many_rows_have_fewer_buckets_and_lose_nothing() -> None:
    rows = np.arange(40_000)
    totals = BucketTotals()
    totals.add(rows[:100], rows[:100], rows[:100], np.full(100, 4, np.uint8))
    totals.add(rows, rows % 500, rows + 100, (rows % 7 == 0).astype(np.uint8) * 4)
    buckets = -(-500 >> totals.scale) + 1
    cells = totals.cells(rows, 0, buckets, 1)
    assert int(cells.counts.sum()) == 40_100
    assert int(cells.bad.sum()) == 100 + len(rows[::7])
    assert (cells.flags > 0).sum() == (cells.bad > 0).sum()
