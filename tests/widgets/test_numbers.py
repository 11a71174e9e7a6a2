"""Numbers as people read them: never a share that lies, never a number without its commas."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tfdbg_tui.data.records.health import Bad, Health
from tfdbg_tui.data.views.number_words import bad_words, elapsed, extent
from tfdbg_tui.widgets.numbers import bar, counts, percent, shares
from tfdbg_tui.widgets.pieces import Pieces, width_of

NUMBERS = st.lists(st.integers(0, 10**12), min_size=6, max_size=6)


def text(pieces: Pieces) -> str:
    return "".join(piece.text for piece in pieces)


@given(st.integers(0, 10**15), st.integers(1, 10**15))
def test_a_share_is_nothing_or_all_only_if_it_is(part: int, whole: int) -> None:
    part = min(part, whole)
    shown = percent(part, whole)
    assert (shown == "0%") == (part == 0)
    assert (shown == "100%") == (part == whole)


@pytest.mark.parametrize(
    ("part", "whole", "shown"),
    [
        (0, 0, "0%"),
        (1, 2, "50%"),
        (1, 1_000_000, "<1%"),
        (999_999, 1_000_000, ">99%"),
        (2, 3, "67%"),
        (995, 1000, ">99%"),
        (5, 1000, "<1%"),
    ],
)
def test_shares_are_rounded_honestly(part: int, whole: int, shown: str) -> None:
    assert percent(part, whole) == shown


@given(NUMBERS.filter(any), st.integers(0, 160))
def test_the_shares_of_a_bar_fill_it(numbers: list[int], width: int) -> None:
    cells = shares(numbers, width)
    assert sum(cells) == width
    assert min(cells) >= 0
    assert not any(cell for cell, number in zip(cells, numbers, strict=True) if not number)


@given(NUMBERS.filter(any), st.integers(6, 160))
def test_what_is_there_at_all_has_a_cell(numbers: list[int], width: int) -> None:
    cells = shares(numbers, width)
    assert all(cell for cell, number in zip(cells, numbers, strict=True) if number)


@given(NUMBERS, st.integers(1, 160))
def test_a_bar_is_as_wide_as_its_column_or_empty(numbers: list[int], width: int) -> None:
    nan, neg_inf, pos_inf, zero, negative, positive = numbers
    health = Health(
        nan=nan, neg_inf=neg_inf, pos_inf=pos_inf, zero=zero, negative=negative, positive=positive
    )
    assert width_of(bar(health, Bad.NONE, width)) == (width if any(numbers) else 0)


def test_a_bar_is_drawn_with_signs() -> None:
    health = Health(nan=2, zero=2, negative=2, positive=2)
    assert text(bar(health, Bad.NAN, 8)) == "!!00--++"
    assert [piece.role for piece in bar(health, Bad.NAN, 8)] == ["bad", "dim", "dim", "dim"]


def test_a_tensor_that_is_bad_without_counts_is_marked_all_over() -> None:
    assert text(bar(Health(bad=Bad.UNTOLD), Bad.UNTOLD, 5)) == "!!!!!"
    assert text(bar(None, Bad.NAN, 3)) == "!!!"
    assert text(bar(None, Bad.NONE, 3)) == ""


def test_counts_name_the_bad_ones_first_with_separators() -> None:
    health = Health(bad=Bad.NAN, nan=1_234_567, zero=1000, positive=3, negative=0)
    assert text(counts(health, Bad.NAN)) == "NaN 1,234,567  zero 1,000  + 3"


def test_bad_numbers_without_counts_are_named() -> None:
    assert text(counts(None, Bad.NAN | Bad.NEG_INF)).strip() == "NaN -inf"
    assert text(counts(Health(bad=Bad.UNTOLD), Bad.UNTOLD)).strip() == "NaN or inf"
    assert bad_words(Bad.POS_INF) == "+inf"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0.0, "0.000s"),
        (0.0004, "0.000s"),
        (59.999, "59.999s"),
        (60.0, "1:00.000"),
        (3599.9, "59:59.900"),
        (3600.0, "1:00:00.00"),
        (90_061.5, "25:01:01.50"),
        (-0.5, "?"),
        (float("nan"), "?"),
        (float("inf"), "?"),
    ],
)
def test_times_since_the_start(seconds: float, shown: str) -> None:
    assert elapsed(seconds) == shown


@given(st.floats(0, 1e9))
@example(59.9999)
@example(3599.9999)
@example(29281979.99609375)
def test_a_time_never_shows_sixty_seconds(seconds: float) -> None:
    assert ":60" not in elapsed(seconds)
    assert not elapsed(seconds).startswith("60.")


def test_an_extent_is_a_shape_or_else_rank_and_size() -> None:
    assert extent(Health(shape=(2, 3))).replace("×", "x") == "2x3"
    assert extent(Health(shape=())) == "scalar"
    assert extent(Health(rank=2, size=5000)) == "2D 5,000"
    assert extent(Health(size=7)) == "7"
    assert extent(None) == ""
