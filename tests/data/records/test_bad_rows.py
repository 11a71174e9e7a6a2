"""In which rows of a tensor bad numbers stand, against numpy looking at the whole of it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tfdbg_tui.data.records import bad_rows as module
from tfdbg_tui.data.records.bad_rows import BadRows, bad_rows
from tfdbg_tui.data.records.tensors import WrittenTensor

SOMETIMES_BAD = st.sampled_from([0.0, 1.5, -2.0, np.nan, np.inf, -np.inf])
SHAPES = hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=5)


@given(hnp.arrays(np.float32, SHAPES, elements=SOMETIMES_BAD))
def test_the_rows_are_those_that_numpy_finds(values: np.ndarray) -> None:
    expected = [row for row in range(len(values)) if not np.isfinite(values[row]).all()]
    written = WrittenTensor("float32", values.shape, values.size, values.reshape(-1))
    found = bad_rows(written)
    if not expected:
        assert found is None
    else:
        assert found == BadRows(tuple(expected[: module.MAX_TOLD]), len(expected), len(values))


def test_repeats_of_a_finite_number_add_no_rows() -> None:
    codes = np.array([1.0, np.nan, 0.0], np.float32)
    assert bad_rows(WrittenTensor("float32", (1 << 40, 2), 1 << 41, codes)) == BadRows(
        (0,), 1, 1 << 40
    )
    assert bad_rows(WrittenTensor("float32", (1 << 40, 2), 1 << 41, codes[:2])) is None


def test_what_was_not_read_as_a_whole_tells_no_rows() -> None:
    codes = np.array([1.0, np.nan], np.float32)
    assert bad_rows(WrittenTensor("float32", (4, 1), 4, codes, unread=2)) is None
    assert bad_rows(WrittenTensor("float32", (), 1, codes[1:])) is None
    assert bad_rows(None) is None
