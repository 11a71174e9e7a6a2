"""Times are sorted as numpy sorts them, whatever they are."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tfdbg_tui.data.stores.time_order import by_time

NOW = 1.7e9
AN_HOUR = 3600.0

recorded = st.floats(NOW, NOW + AN_HOUR) | st.sampled_from([NOW, NOW + 1])
odd = st.floats() | st.sampled_from([0.0, -0.0, float("nan"), float("inf"), -1.0, 5e-324])


@given(st.lists(recorded) | st.lists(recorded | odd), st.integers(0, 1 << 31))
def test_the_order_is_that_of_a_stable_sort(values: list[float], first: int) -> None:
    times = np.array([NOW, *values])
    numbers = first + np.arange(len(times), dtype=np.uint32)[::-1]
    wanted = numbers[np.lexsort((numbers, times))].tolist()
    end = first + len(times)
    assert by_time(times.copy(), numbers, end).tolist() == wanted
