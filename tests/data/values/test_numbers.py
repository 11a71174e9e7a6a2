"""What is worked out of values, against numpy: statistics, histograms, ranges, bad elements."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.support.held_values import held
from tfdbg_tui.data.values import bad_elements, pieces, statistics
from tfdbg_tui.data.values.bad_elements import BadSearch
from tfdbg_tui.data.values.differences import difference
from tfdbg_tui.data.values.histograms import HistogramJob, usual_range
from tfdbg_tui.data.values.ranges import parse_ranges
from tfdbg_tui.data.values.slices import parse_slice
from tfdbg_tui.data.values.statistics import SHARES, Statistics, StatisticsJob
from tfdbg_tui.data.values.value_error import ValueQueryError

NAN, INF = math.nan, math.inf

floats = st.floats(width=32, allow_subnormal=False) | st.sampled_from([0.0, NAN, INF, -INF])
arrays = hnp.arrays(np.float32, hnp.array_shapes(max_dims=3, max_side=6), elements=floats)


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "PIECE", 5)
    monkeypatch.setattr(bad_elements, "PIECE", 5)


def statistics_of(values: Any, part: str = "", **more: Any) -> Statistics:
    value = held(values, **more)
    return StatisticsJob(value, parse_slice(part).on(value.shape)).to_the_end()


# ---------------------------------------------------------------------- statistics


@settings(max_examples=40)
@given(arrays)
def test_statistics_are_those_of_numpy(array: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "PIECE", 5)
        told = statistics_of(array)
    finite = array[np.isfinite(array)].astype(np.float64)
    counts = told.counts
    assert (told.size, told.finite, told.sampled) == (array.size, len(finite), None)
    assert (counts.nan, counts.zero) == (np.isnan(array).sum(), (array == 0).sum())
    assert (counts.neg_inf, counts.pos_inf) == ((array == -INF).sum(), (array == INF).sum())
    assert (counts.negative, counts.positive) == ((finite < 0).sum(), (finite > 0).sum())
    if not len(finite):
        assert told[3:7] == (None, None, None, None)
        assert told.quantiles == ()
        return
    assert (told.lowest, told.highest) == (finite.min(), finite.max())
    scale = float(np.abs(finite).max()) or 1.0
    assert told.mean == pytest.approx(finite.mean(), rel=1e-9, abs=1e-12 * scale)
    assert told.deviation == pytest.approx(finite.std(), rel=1e-6, abs=1e-9 * scale)
    assert [share for share, _ in told.quantiles] == list(SHARES)
    found = [number for _, number in told.quantiles]
    np.testing.assert_allclose(found, np.quantile(finite, SHARES), rtol=1e-12, atol=1e-12 * scale)


def test_statistics_of_a_part_and_of_what_is_repeated() -> None:
    array = np.arange(24.0).reshape(4, 6)
    assert statistics_of(array, "[1::2, ::-1]").mean == array[1::2].mean()
    told = statistics_of([1.0, NAN, 3.0], size=1 << 40)
    assert (told.size, told.finite, told.counts.nan) == (1 << 40, (1 << 40) - 1, 1)
    assert told.mean == pytest.approx(3.0)
    assert dict(told.quantiles)[0.5] == 3.0
    some = statistics_of([2.0, 4.0], "[1000:3000:2]", size=1 << 50)
    assert (some.size, some.lowest, some.highest) == (1000, 4.0, 4.0)


def test_numbers_of_any_type_have_statistics() -> None:
    assert statistics_of([True, False, True]).mean == pytest.approx(2 / 3)
    large = statistics_of(np.array([-(2**63), 2**63 - 1]))
    assert (large.lowest, large.highest) == (-(2**63), 2**63 - 1)
    complex_ones = statistics_of(np.array([3 + 4j, complex(NAN, 1), 0]))
    assert (complex_ones.lowest, complex_ones.highest) == (0, 5)
    assert complex_ones.is_magnitude
    assert statistics_of(np.array([b"a", b"b"], object)).finite == 0
    assert statistics_of(np.empty((0, 3))).quantiles == ()
    extreme = statistics_of([1.7e308, 1.7e308, -1.7e308])
    assert extreme.mean == pytest.approx(1.7e308 / 3)
    assert extreme.deviation == pytest.approx(1.7e308 * math.sqrt(8 / 9))


def test_quantiles_of_very_many_are_those_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "MAX_SAMPLE", 1000)
    array = np.tile(np.arange(100.0), (700, 1))  # each row is like the others
    told = statistics_of(array)
    assert told.sampled == pytest.approx(1000, abs=30)
    for share, number in told.quantiles:
        assert number == pytest.approx(np.quantile(array, share), abs=4)


# ---------------------------------------------------------------------- histograms


@settings(max_examples=30)
@given(arrays, st.integers(1, 12))
def test_histograms_are_those_of_numpy(array: Any, bins: int) -> None:
    value = held(array)
    span = usual_range(StatisticsJob(value, value.whole).to_the_end())
    finite = array[np.isfinite(array)].astype(np.float64)
    assert (span is None) == (not len(finite))
    if span is None:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "PIECE", 5)
        told = HistogramJob(value, value.whole, span, bins).to_the_end()
    assert told.counts == tuple(np.histogram(finite, bins, span)[0].tolist())
    assert told.bad == array.size - len(finite)
    assert (told.below, told.above) == ((finite < span[0]).sum(), (finite > span[1]).sum())
    assert sum(told.counts) + told.below + told.above == len(finite)


def test_few_that_lie_far_outside_do_not_hide_the_others() -> None:
    array = np.append(np.linspace(-1, 1, 999), 1e9)
    value = held(array)
    span = usual_range(StatisticsJob(value, value.whole).to_the_end())
    assert span is not None
    assert -1 < span[0] < span[1] < 1.1
    told = HistogramJob(value, value.whole, span, 10).to_the_end()
    assert told.above > 0
    assert told.outside == pytest.approx(0.02, abs=0.003)
    assert max(told.counts) < 2 * min(told.counts)


def test_the_largest_numbers_have_a_histogram() -> None:
    most = float(np.finfo(np.float64).max)
    for values in ([-most, 0.0, most], [most, most], [0.0], [1e-300]):
        value = held(values)
        span = usual_range(StatisticsJob(value, value.whole).to_the_end())
        assert span is not None
        told = HistogramJob(value, value.whole, span, 4).to_the_end()
        assert sum(told.counts) == len(values)
    repeated = held([1.0, 2.0], size=1 << 50)
    told = HistogramJob(repeated, repeated.whole, (0.0, 3.0), 3).to_the_end()
    assert told.counts == (0, 1, (1 << 50) - 1)


# ---------------------------------------------------------------------- bad elements


@settings(max_examples=40)
@given(arrays, st.sampled_from(["", "[::-1]", "[..., ::2]", "[1:]"]))
def test_bad_elements_follow_each_other(array: Any, part: str) -> None:
    value = held(array)
    selected = parse_slice(part).on(value.shape)
    seen = value.window(selected)
    expected = [tuple(index) for index in np.argwhere(~np.isfinite(seen)).tolist()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bad_elements, "PIECE", 5)
        for direction in (1, -1):
            found: list[tuple[int, ...]] = []
            place = None
            while True:
                search = BadSearch(value, selected, place, direction)
                if search.to_the_end() is None:
                    break
                assert search.index is not None
                found.append(search.index)
                assert not np.isfinite(array[search.tensor_index])
                place = search.found
            assert found == expected[::direction]


def test_what_is_repeated_is_looked_at_once() -> None:
    bad_at_the_end = held([1.0, NAN, 2.0, INF], size=1 << 60)
    whole = bad_at_the_end.whole
    assert BadSearch(bad_at_the_end, whole, 1).to_the_end() == (3,)
    assert BadSearch(bad_at_the_end, whole, 1 << 50).to_the_end() == ((1 << 50) + 1,)
    assert BadSearch(bad_at_the_end, whole, None, -1).to_the_end() == ((1 << 60) - 1,)
    good = held([1.0, NAN, 2.0], size=1 << 60)
    assert BadSearch(good, good.whole, 1).to_the_end() is None
    assert BadSearch(good, good.whole, None, -1).to_the_end() == (1,)
    for nothing in (held([1, 2]), held([b"a"], dtype=object), held(np.empty((0,)))):
        assert BadSearch(nothing, nothing.whole, None).to_the_end() is None


@pytest.mark.usefixtures("small_pieces")
def test_a_search_goes_on_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bad_elements, "SLICE_SECONDS", -1.0)
    value = held([0.0] * 23 + [NAN])
    search = BadSearch(value, value.whole, None)
    shares = []
    while search.extend():
        shares.append(search.looked_at)
    assert len(shares) >= 4
    assert shares == sorted(shares)
    assert (search.index, search.is_done) == ((23,), True)


# ---------------------------------------------------------------------- ranges


@pytest.mark.parametrize(
    ("text", "held_numbers"),
    [
        (">1", [2, INF]),
        (">= 1", [1, 2, INF]),
        ("<-1", [-2, -INF]),
        ("<=-1", [-1, -2, -INF]),
        ("=0", [0]),
        ("!=0", [-INF, -2, -1, 1, 2, INF]),
        ("[1, inf]", [1, 2, INF]),
        ("[[-inf,-2],[2,inf]]", [-INF, -2, 2, INF]),
        ("[ [ -1e0 , .5 ] ]", [-1, 0]),
    ],
)
def test_ranges_hold_numbers(text: str, held_numbers: list[float]) -> None:
    numbers = np.array([-INF, -2, -1, 0, 1, 2, INF, NAN])
    found = numbers[parse_ranges(text).holds(numbers)]
    assert sorted(found.tolist()) == sorted(held_numbers)


def test_ranges_are_asked_of_any_element() -> None:
    assert parse_ranges(">4").holds(np.array([3 + 4j, 1j])).tolist() == [True, False]
    assert not parse_ranges(">4").holds(np.array([b"a"], object)).any()
    assert parse_ranges("=1").holds(np.array([True, False])).tolist() == [True, False]


@pytest.mark.parametrize(
    "text", ["", "x", ">", "> 1 2", "[1]", "[1,2", "[1,2,3]", "[[1,2],]x", "[nan,1]", "9" * 600]
)
def test_what_is_no_range_is_told(text: str) -> None:
    with pytest.raises(ValueQueryError, match="A range looks like"):
        parse_ranges(text)


def test_a_range_goes_up() -> None:
    with pytest.raises(ValueQueryError, match=r"\[1, 2\]"):
        parse_ranges("[2, 1]")


# ---------------------------------------------------------------------- differences


@pytest.mark.parametrize("dtype", ["float32", "float16", "complex64", "int8", "bool", "uint64"])
def test_differences_are_those_of_numpy(dtype: str) -> None:
    values = np.array([0, 1, 1, 0], dtype), np.array([1, 1, 0, 0], dtype)
    found = difference(held(values[0]), held(values[1]))
    assert found.elements(1, 3).tolist() == [0, 1]
    assert found.window(found.whole).tolist() == [-1, 0, 1, 0]


def test_differences_of_wide_integers_are_exact_before_they_are_rounded() -> None:
    low, high = -(2**63), 2**63 - 1
    one, other = held([low, high, high]), held([high, low, high - 1])
    assert difference(one, other).elements(0, 3).tolist() == [-(2.0**64), 2.0**64, 1.0]
    unsigned, others = (held(np.array(v, np.uint64)) for v in ([2**64 - 1, 0], [2**64 - 2, 5]))
    assert difference(unsigned, others).elements(0, 2).tolist() == [1.0, -5.0]
    assert difference(unsigned, held([-1, 7])).elements(0, 2).tolist() == [2.0**64, -7.0]


def test_differences_keep_what_is_repeated() -> None:
    found = difference(held([5.0, 1.0], size=1 << 40), held([1.0], size=1 << 40))
    assert (found.settled, found.size) == (2, 1 << 40)
    assert found.elements(0, 3).tolist() == [4, 0, 0]


def test_what_has_no_difference_is_told() -> None:
    with pytest.raises(ValueQueryError, match=r"\[2\] and \[3\]"):
        difference(held([1, 2]), held([1, 2, 3]))
    with pytest.raises(ValueQueryError, match="not strings"):
        difference(held([b"a"], dtype=object), held([b"b"], dtype=object))
