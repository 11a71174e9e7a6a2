"""What a whole tensor holds, in a few numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.support.navigating import indexed
from tfdbg_tui.data.records.tensors import WrittenTensor
from tfdbg_tui.data.records.value_facts import FIRST, ValueFacts, value_facts
from tfdbg_tui.data.views import links
from tfdbg_tui.data.views.health_facts import health_facts
from tfdbg_tui.data.views.selection import Selection

if TYPE_CHECKING:
    import numpy.typing as npt

    from tests.recordings.record import Library


def whole(values: npt.NDArray[Any] | None) -> WrittenTensor:
    """A tensor of which all values are written."""
    assert values is not None
    return WrittenTensor(values.dtype.name, values.shape, values.size, values.reshape(-1))


def test_values_that_stand_for_many_are_weighed() -> None:
    written = WrittenTensor("float32", (1 << 40,), 1 << 40, np.array([5.0, 1.0], np.float32))
    facts = value_facts(written)
    assert facts is not None
    assert facts[:2] == (1.0, 5.0)
    assert facts.mean == pytest.approx(1.0)
    assert facts.first == ("5", *["1"] * (FIRST - 1))


def test_bad_numbers_are_no_part_of_the_range() -> None:
    values = np.array([[np.nan, 1.0], [np.inf, -3.0]], np.float32)
    assert value_facts(whole(values)) == ValueFacts(-3.0, 1.0, -1.0, ("nan", "1", "inf", "-3"))


@pytest.mark.parametrize("values", [np.array([np.nan]), np.array([b"a\x1b", b"b"], object)])
def test_without_finite_numbers_there_is_no_range(values: np.ndarray) -> None:
    facts = value_facts(whole(values))
    assert facts is not None
    assert facts[:3] == (None, None, None)
    assert len(facts.first) == len(values)
    assert not any("\x1b" in text for text in facts.first)


def test_only_the_first_values_are_told() -> None:
    facts = value_facts(whole(np.full(1000, 1e308)))
    assert facts is not None
    assert len(facts.first) == FIRST
    assert (facts.lowest, facts.highest) == (1e308, 1e308)
    assert value_facts(None) is None


def test_recorded_tensors_tell_what_they_hold(library: Library) -> None:
    index = indexed(library.path("full_tensor"))
    for event in range(len(index.host.traces)):
        facts = health_facts(index, links.select_trace(index, 0, event, Selection()))
        assert facts is not None
        assert facts.values == value_facts(whole(index.host.traces.values(event)))
    for event in range(len(index.host.executions)):
        facts = health_facts(index, links.select_execution(index, 0, event, Selection()))
        assert facts is not None
        assert (facts.values is None) == (facts.health is None)
    other = indexed(library.path("full_health"))
    facts = health_facts(other, links.select_trace(other, 0, 0, Selection()))
    assert facts is not None
    assert facts.values is None
