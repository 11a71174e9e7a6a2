"""Marks beside a list stand where its bad tensors and its matches are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.navigating import browsed, finish, index_of
from tfdbg_tui.data.stores.columns import RowsSoFar
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views import scroll_marks as marks_module
from tfdbg_tui.data.views.event_rows import AllEvents, GroupedEvents, Positions, SomeEvents
from tfdbg_tui.data.views.scroll_marks import BAD, HIT, marks

if TYPE_CHECKING:
    import numpy.typing as npt

    from tests.recordings.record import Library


def expected(
    positions: Positions, length: int, buckets: int, bad: set[int], hits: set[int]
) -> list[str]:
    """The same by looking at every event of every place."""
    found = [""] * buckets
    for bucket in range(buckets):
        for place in range(bucket * length // buckets, (bucket + 1) * length // buckets):
            first = positions.event_at(place)
            events = set(range(first, first + positions.size_at(place)))
            if events & hits:
                found[bucket] = HIT
            elif events & bad and found[bucket] != HIT:
                found[bucket] = BAD
    return found


class Column:
    """A sorted column that a test fills; as groups, all of them are looked at up to an end."""

    def __init__(self, numbers: list[int], end: int = 0) -> None:
        self.rows = column(numbers)
        self.so_far = RowsSoFar(self.rows, end)


def column(numbers: list[int]) -> npt.NDArray[np.uint32]:
    return np.array(sorted(set(numbers)), np.uint32)


END = 60
events = st.lists(st.integers(0, END - 1), max_size=30)


@given(events, events, events, st.integers(1, 80), st.booleans())
def test_marks_of_a_list_with_gaps_or_groups_are_true(
    listed: list[int], bad: list[int], hits: list[int], buckets: int, grouped: bool
) -> None:
    positions: Positions = SomeEvents(Column(listed))
    if grouped:
        positions = GroupedEvents(Column([0, *listed], END))
    length = len(positions)
    found = marks(positions, length, buckets, column(bad), column(hits) if hits else None)
    wanted = expected(positions, length, buckets, set(bad), set(hits))
    assert found == (wanted if length else [])


@pytest.mark.parametrize("buckets", [1, 9, 40, 500])
@pytest.mark.parametrize("kind", EventKind)
def test_marks_of_a_recording_are_true(library: Library, kind: EventKind, buckets: int) -> None:
    navigator = browsed(library.path("full_health"))
    navigator.search_for("op:MatMul")
    navigator.show_only("loss")
    assert navigator.search is not None
    assert navigator.filter is not None
    finish(navigator.search, navigator.filter)
    index = index_of(navigator)
    store, hits = index.host.store_of(kind), navigator.search.of(kind).rows
    bad = store.bad_events
    lists: list[Positions] = [AllEvents(store), SomeEvents(navigator.filter.of(kind))]
    if kind is EventKind.EXECUTION:
        lists.append(GroupedEvents(index.groups))
    for positions in lists:
        length = len(positions)
        wanted = expected(positions, length, buckets, set(bad.tolist()), set(hits.tolist()))
        assert marks(positions, length, buckets, bad, hits) == wanted
        assert {BAD} <= set(marks(positions, length, buckets, bad, None))


def test_a_bad_tensor_in_the_last_group_is_marked() -> None:
    groups = GroupedEvents(Column([0, 10], 20))
    assert marks(groups, 2, 2, column([19]), None) == ["", BAD]


def test_what_a_filter_hides_is_not_marked() -> None:
    assert marks(SomeEvents(Column([0, 10, 20])), 3, 3, column([5, 20]), None) == ["", "", BAD]


def test_nothing_has_no_marks() -> None:
    nothing = SomeEvents(Column([]))
    assert marks(nothing, 0, 10, column([1]), None) == []
    assert marks(SomeEvents(Column([1])), 1, 0, column([1]), None) == []


def test_of_a_long_part_only_the_first_events_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(marks_module, "LOOKED_AT", 4)
    even = SomeEvents(Column(list(range(0, 100, 2))))
    odd = list(range(1, 100, 2))
    assert marks(even, 50, 1, column([*odd, 4]), None) == [BAD]
    assert marks(even, 50, 1, column([*odd, 98]), None) == [""]
    assert marks(even, 50, 1, column([98]), None) == [BAD], "few enough to look at all"
