"""Columns that one thread extends while others read."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfdbg_tui.data.stores.columns import INITIAL_ROWS, Table, distinct

READERS = 2
EXTENSIONS = 400
SPREAD = 0x1_0001


def test_a_new_table_is_empty() -> None:
    table = Table(a=np.int64, b=np.uint8)
    assert len(table) == len(table["a"]) == len(table["b"]) == 0
    assert table.names == ("a", "b")
    assert table.row_bytes == 9


@given(st.lists(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=700), max_size=12))
def test_rows_come_back_in_order_across_growth(batches: list[list[int]]) -> None:
    table = Table(number=np.int32, half=np.float64)
    for batch in batches:
        numbers = np.array(batch, np.int32)
        table.extend(number=numbers, half=numbers / 2)
    expected = np.array([number for batch in batches for number in batch], np.int32)
    np.testing.assert_array_equal(table["number"], expected)
    np.testing.assert_array_equal(table["half"], expected / 2)


def test_one_batch_may_be_larger_than_any_growth_step() -> None:
    table = Table(number=np.int64)
    numbers = np.arange(INITIAL_ROWS * 20)
    table.extend(number=numbers)
    np.testing.assert_array_equal(table["number"], numbers)


def test_a_view_keeps_what_it_showed() -> None:
    table = Table(number=np.int64)
    table.extend(number=np.arange(10))
    view = table["number"]
    table.extend(number=np.arange(INITIAL_ROWS * 4))
    assert view.tolist() == list(range(10))


def test_an_extension_that_fails_adds_nothing() -> None:
    table = Table(a=np.int64, b=np.int64)
    table.extend(a=np.arange(3), b=np.arange(3))
    with pytest.raises(ValueError, match="broadcast"):
        table.extend(a=np.arange(5), b=np.arange(4))
    with pytest.raises(KeyError):
        table.extend(a=np.arange(5))
    assert (len(table), table["a"].tolist(), table["b"].tolist()) == (3, [0, 1, 2], [0, 1, 2])


def test_readers_never_see_a_torn_row() -> None:
    table = Table(row=np.int64, scaled=np.int64, small=np.uint16)
    done = threading.Event()
    torn: list[str] = []

    def read() -> None:
        finished = False
        seen = 0
        while not finished:
            finished = done.is_set()  # asked before reading, so that the end is read once more
            length = len(table)
            rows, scaled, small = table["row"], table["scaled"], table["small"]
            if not seen <= length <= min(len(rows), len(scaled), len(small)):
                torn.append(f"{length} rows after {seen}")
            expected = np.arange(length)
            for name, column, values in (
                ("row", rows, expected),
                ("scaled", scaled, expected * SPREAD),
                ("small", small, expected.astype(np.uint16)),
            ):
                if not np.array_equal(column[:length], values):
                    torn.append(f"{name} of {length} rows")
            seen = length

    readers = [threading.Thread(target=read) for _ in range(READERS)]
    for reader in readers:
        reader.start()
    random = np.random.default_rng(1)
    for added in random.integers(1, 300, EXTENSIONS).tolist():
        rows = np.arange(len(table), len(table) + added)
        table.extend(row=rows, scaled=rows * SPREAD, small=rows.astype(np.uint16))
    done.set()
    for reader in readers:
        reader.join()
    assert torn == []


@given(st.lists(st.lists(st.integers(-(2**40), 2**40), max_size=40), max_size=8))
def test_a_column_is_as_narrow_as_its_numbers_allow_and_loses_none(
    batches: list[list[int]],
) -> None:
    table = Table(number=(np.int8, np.int32, np.int64))
    known: list[int] = []
    for batch in batches:
        before = table["number"]
        table.extend(number=np.array(batch, np.int64))
        assert before.tolist() == known
        known += batch
        assert table["number"].tolist() == known
    largest = max(map(abs, known), default=0)
    if largest < 2**31:
        assert table["number"].itemsize <= 4
    if largest < 2**7:
        assert table["number"].itemsize == 1


def test_rows_that_are_expected_have_room_and_are_not_there() -> None:
    table = Table(number=np.int64)
    table.expect(100_000)
    table.extend(number=np.arange(3))
    room = table["number"].base
    table.extend(number=np.arange(99_997))
    assert table["number"].base is room, "nothing was copied"
    assert table["number"].tolist() == [0, 1, 2, *range(99_997)]


@given(st.lists(st.integers(-5, 5)))
def test_distinct_numbers_are_those_that_numpy_finds(numbers: list[int]) -> None:
    values = np.array(numbers, np.int64)
    assert distinct(values).tolist() == np.unique(values).tolist()
