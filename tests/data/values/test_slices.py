"""Slices against numpy's, on tensors of any shape, and what is said of those that are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tfdbg_tui.data.values import windows
from tfdbg_tui.data.values.slices import parse_indices, parse_name, parse_slice, whole
from tfdbg_tui.data.values.value_error import ValueQueryError
from tfdbg_tui.data.values.windows import read_window

SHAPES = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=7)


@st.composite
def sliced(draw: st.DrawFn) -> tuple[Any, str, Any]:
    """An array, a slice as text and what numpy makes of it."""
    shape = draw(SHAPES)
    array = np.arange(int(np.prod(shape))).reshape(shape)
    index = draw(hnp.basic_indices(shape, allow_ellipsis=True, allow_newaxis=False))
    parts = index if isinstance(index, tuple) else (index,)
    return array, ", ".join(map(written, parts)), array[index]


def written(part: Any) -> str:
    if part is Ellipsis:
        return "..."
    if not isinstance(part, slice):
        return str(part)
    words = ["" if number is None else str(number) for number in (part.start, part.stop)]
    return ":".join(words) + ("" if part.step is None else f":{part.step}")


@pytest.mark.parametrize(("together", "gap"), [(1 << 18, 1024), (6, 2), (1, 1)])
@settings(max_examples=60)
@given(sliced())
def test_slices_are_those_of_numpy(together: int, gap: int, case: tuple[Any, str, Any]) -> None:
    array, text, expected = case
    selected = parse_slice(f"[{text}]").on(array.shape)
    flat = array.ravel()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows, "TOGETHER", together)
        patch.setattr(windows, "GAP", gap)
        found = read_window(lambda start, end: flat[start:end], selected, array.dtype)
    assert (selected.shape, selected.size) == (np.shape(expected), np.size(expected))
    np.testing.assert_array_equal(found, expected)
    for index in np.ndindex(selected.shape):
        place = selected.flat_index(index)
        assert flat[place] == np.asarray(expected)[index]
        assert selected.index_in(selected.tensor_index(index)) == index
    left_out = set(flat.tolist()) - set(np.ravel(expected).tolist())
    for place in left_out:
        index = tuple(int(n) for n in np.unravel_index(place, array.shape))
        assert selected.index_in(index) is None


@settings(max_examples=60)
@given(sliced(), st.integers(1, 40))
def test_parts_that_follow_each_other_are_all_of_it(case: tuple[Any, str, Any], most: int) -> None:
    array, text, expected = case
    selected, flat = parse_slice(text).on(array.shape), array.ravel()
    blocks = selected.blocks(most)
    seen = 0
    for number in range(blocks.count):
        place, part = blocks.block(number)
        assert place == seen
        assert 0 < part.size <= most
        assert blocks.holding(place) == blocks.holding(place + part.size - 1) == number
        found = read_window(lambda start, end: flat[start:end], part, array.dtype)
        np.testing.assert_array_equal(found.ravel(), np.ravel(expected)[place : place + part.size])
        seen += part.size
    assert seen == np.size(expected)


def test_a_part_of_a_part_is_narrowed_again() -> None:
    array = np.arange(4 * 5 * 6).reshape(4, 5, 6)
    selected = parse_slice("[::-1, 2, 1:]").on(array.shape).narrowed(slice(1, 3), -1)
    found = read_window(lambda start, end: array.ravel()[start:end], selected, array.dtype)
    np.testing.assert_array_equal(found, array[::-1, 2, 1:][1:3, -1])
    assert selected.kept == (0,)


def test_shapes_beyond_counting_are_selected_from_all_the_same() -> None:
    selected = parse_slice("[..., 5, ::-1]").on((1 << 62, 8, 1 << 62))
    assert selected.shape == (1 << 62, 1 << 62)
    assert selected.tensor_index((0, 0)) == (0, 5, (1 << 62) - 1)
    assert selected.blocks(1000).block(3)[0] == 3000
    assert whole((0, 1 << 62)).size == 0
    assert whole((0, 1 << 62)).blocks(10).count == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[0", "bracket at both ends"),
        ("[a]", "not a"),
        ("[0, , 1]", "not nothing"),
        ("[1.5]", "not 1.5"),
        ("[0:1:2:3]", "not 0:1:2:3"),
        ("[::0]", "cannot be 0"),
        ("[..., 1, ...]", "once at the most"),
        ("[None]", "not None"),
        ("[[0, 1]]", "looks like"),
        ("[" + "9" * 30 + "]", "looks like"),
        ("0," * 600, "1,200 characters"),
        ("[__import__('os')]", "looks like"),
        ("[٣]", "looks like"),
        ("[0, 0, 0]", "3 indices for 2 dimensions"),
        ("[4]", "dimension 0 has 0 to 3"),
        ("[0, -6]", "dimension 1 has 0 to 4"),
    ],
)
def test_what_is_no_slice_is_told(text: str, why: str) -> None:
    with pytest.raises(ValueQueryError, match=why):
        parse_slice(text).on((4, 5))


def test_a_name_may_have_a_slice_behind_it() -> None:
    assert parse_name("w/read:0[0:5, :]") == ("w/read:0", "[0:5, :]")
    assert parse_name(" loss:0 ") == ("loss:0", None)
    for text in ("", "[0]", "  "):
        with pytest.raises(ValueQueryError, match="named as in"):
            parse_name(text)


def test_one_element_is_named_by_all_its_indices() -> None:
    assert parse_indices("@10,0", (20, 3)) == (10, 0)
    assert parse_indices("[-1, 2]", (20, 3)) == (19, 2)
    assert parse_indices("@", ()) == ()
    for text in ("@1", "@1,2,3", "@:,1", "@", "@x,1"):
        with pytest.raises(ValueQueryError, match=r"@0,0|looks like"):
            parse_indices(text, (20, 3))
    with pytest.raises(ValueQueryError, match="no index 20"):
        parse_indices("20,0", (20, 3))
