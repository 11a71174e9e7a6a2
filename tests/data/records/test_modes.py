"""What each mode tells follows from its vector, in one home."""

from __future__ import annotations

import pytest

from tfdbg_tui.data.records.health import Bad, bad_told_by
from tfdbg_tui.data.records.modes import (
    BY_DETAIL,
    NUMBERS,
    VECTOR_FIELDS,
    Mode,
    records_tensors,
    tells_bad,
    tells_values,
    told_by,
)
from tfdbg_tui.data.search.bulk_health import COLUMNS_OF_VECTOR

UNKNOWN = 99


def test_modes_that_tell_bad_numbers() -> None:
    telling = {mode for mode in [*Mode, UNKNOWN] if tells_bad(mode)}
    assert telling == {
        Mode.CURT_HEALTH,
        Mode.CONCISE_HEALTH,
        Mode.FULL_HEALTH,
        Mode.FULL_TENSOR,
    }


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        (Mode.CURT_HEALTH, Bad.UNTOLD),
        (Mode.CONCISE_HEALTH, Bad.NEG_INF | Bad.POS_INF | Bad.NAN),
        (Mode.FULL_HEALTH, Bad.NEG_INF | Bad.POS_INF | Bad.NAN),
        (Mode.FULL_TENSOR, Bad.NEG_INF | Bad.POS_INF | Bad.NAN),
        (Mode.SHAPE, Bad.NONE),
        (Mode.NO_TENSOR, Bad.NONE),
        (UNKNOWN, Bad.NONE),
    ],
)
def test_kinds_of_bad_numbers_that_a_mode_tells_apart(mode: int, told: Bad) -> None:
    assert bad_told_by(mode) == told


def test_only_whole_tensors_tell_values_and_all_numbers() -> None:
    assert [mode for mode in [*Mode, UNKNOWN] if tells_values(mode)] == [Mode.FULL_TENSOR]
    assert told_by(Mode.FULL_TENSOR) == set(NUMBERS)
    assert told_by(Mode.NO_TENSOR) == told_by(UNKNOWN) == set()


def test_two_modes_record_nothing_of_a_tensor() -> None:
    without = [mode for mode in [*Mode, UNKNOWN] if not records_tensors(mode)]
    assert without == [Mode.UNSPECIFIED, Mode.NO_TENSOR]


def test_a_mode_with_more_detail_tells_no_fewer_numbers() -> None:
    counting = [mode for mode in BY_DETAIL if mode is not Mode.SHAPE]
    numbers = [len(told_by(mode).intersection(NUMBERS)) for mode in counting]
    assert numbers == sorted(numbers, reverse=True)


@pytest.mark.parametrize("mode", VECTOR_FIELDS)
def test_numbers_are_kept_side_by_side_in_their_order(mode: Mode) -> None:
    first, columns = COLUMNS_OF_VECTOR[mode]
    kept = VECTOR_FIELDS[mode][first : first + len(columns)]
    assert kept == tuple(NUMBERS[column] for column in columns)
    assert set(kept) == told_by(mode).intersection(NUMBERS)
