"""What layouts say of the records of a block, as columns, is what they say one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tfdbg_tui.data.records import layout_table
from tfdbg_tui.data.records.layout_table import APART, NO_LAYOUT, LayoutTable, Recognised
from tfdbg_tui.data.records.layouts import Layout
from tfdbg_tui.data.records.tensor_spans import HealthSource, TensorSpan

if TYPE_CHECKING:
    import pytest

SPANS = st.builds(
    TensorSpan,
    st.sampled_from(list(HealthSource)),
    st.integers(0, 500),
    st.just(600),
    st.sampled_from([4, 5]),
)

LAYOUTS = st.builds(
    Layout,
    st.integers(1, 9),
    st.sampled_from([-1, 1, 9]),
    st.tuples(st.integers(0, 3), st.integers(3, 5)),
    st.just(()),
    st.lists(SPANS, max_size=4).map(tuple),
)


@given(st.lists(LAYOUTS, min_size=1, max_size=6), st.data())
def test_tensors_come_in_file_order(layouts: list[Layout], data: st.DataObject) -> None:
    table = LayoutTable()
    drawn = data.draw(st.lists(st.sampled_from([NO_LAYOUT, *layouts]), max_size=30))
    numbers = np.array([table.number_of(layout) for layout in drawn], np.int32)
    recognised = Recognised(table.columns, numbers, numbers)
    wanted = [
        (record, position, span)
        for record, layout in enumerate(drawn)
        for position, span in enumerate(layout.tensors)
        if span.source is not HealthSource.NOTHING
    ]
    tensors, columns = recognised.tensors(), table.columns
    assert columns.wall_times[numbers].tolist() == [layout.wall_time for layout in drawn]
    assert columns.id_starts[numbers].tolist() == [layout.output_ids[0] for layout in drawn]
    assert columns.id_ends[numbers].tolist() == [layout.output_ids[1] for layout in drawn]
    assert tensors.records.tolist() == [record for record, _, _ in wanted]
    assert columns.span_positions[tensors.spans].tolist() == [place for _, place, _ in wanted]
    assert columns.span_starts[tensors.spans].tolist() == [span.start for _, _, span in wanted]
    modes = [span.mode if span.source is HealthSource.VECTOR else APART for _, _, span in wanted]
    assert columns.span_modes[tensors.spans].tolist() == modes
    assert {*modes} - {APART} <= {*columns.vector_modes}

    flags = np.array(data.draw(st.lists(st.integers(0, 15), min_size=len(wanted))), np.uint8)
    flags = flags[: len(wanted)]
    together = [0] * len(drawn)
    for (record, _, _), flag in zip(wanted, flags.tolist(), strict=True):
        together[record] |= flag
    assert tensors.any_of_record(flags).tolist() == together

    apart = {number: records.tolist() for number, records in recognised.records_apart()}
    assert apart == {
        number: np.flatnonzero(numbers == number).tolist()
        for number in {*numbers.tolist()}
        if any(
            span.source in (HealthSource.VALUES, HealthSource.ALONE)
            for span in table.layouts[number].tensors
        )
    }


def test_a_layout_has_one_number() -> None:
    table = LayoutTable()
    layouts = [Layout(length, -1, (0, 0), (), ()) for length in (3, 4)]
    numbers = [table.number_of(layout) for layout in layouts * 2]
    assert numbers[:2] == numbers[2:]
    assert [table.layouts[number] for number in numbers] == layouts * 2


def test_very_many_layouts_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout_table, "MAX_LAYOUTS", 20)
    monkeypatch.setattr(layout_table, "MAX_SPANS", 50)
    lean, rich = LayoutTable(), LayoutTable()
    spans = (TensorSpan(HealthSource.VECTOR, 0, 8, 4),) * 10
    for length in range(15):
        assert not lean.is_full
        assert rich.is_full == (length > 5)
        lean.number_of(Layout(length + 1, -1, (0, 0), (), ()))
        rich.number_of(Layout(length + 1, -1, (0, 0), (), spans))
