"""The value of a tensor by the session alone: a cursor, parts, bad elements, other computations."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.recordings.freeze_values import FROZEN_VALUES
from tests.support.damage import absurd_tensors, event, trace, write_files
from tests.support.held_values import held
from tests.support.navigating import finish
from tests.support.sessions import opened
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.values.slices import parse_slice
from tfdbg_tui.data.values.value_error import ValueQueryError
from tfdbg_tui.data.views.value_page import (
    CellKind,
    CurvePage,
    GridPage,
    PicturePage,
    SummaryPage,
    Way,
)
from tfdbg_tui.screens.session.session import Session
from tfdbg_tui.screens.session.value_cursor import ValueCursor
from tfdbg_tui.screens.session.value_look import NO_MORE, NO_TENSOR, ValueLook
from tfdbg_tui.screens.session.value_others import EXPECTED, NO_OTHER
from tfdbg_tui.screens.session.value_pages import value_page

if TYPE_CHECKING:
    from tests.recordings.record import Library
    from tfdbg_tui.data.views.value_page import ValuePage

ADD, LOG = 12, 11
"""Traces of the second call: `scores` of the shape 2x6x6, and the logarithm of the mask."""

ROOM = (20, 100)


def looking_at(trace: int, path: Path = FROZEN_VALUES) -> ValueLook:
    session = opened(path)
    session.links.go_to_tensor(EventRef(0, EventKind.TRACE, trace, 0))
    look = session.looks.value
    assert look.begin() == ""
    finish(look.work)
    return look


def page_of(look: ValueLook, room: tuple[int, int] = ROOM) -> ValuePage:
    """The page when the feed has done all that it was asked for."""
    value_page(look, room)
    finish(look.work)
    return value_page(look, room)


def grid_of(look: ValueLook, room: tuple[int, int] = ROOM) -> GridPage:
    body = page_of(look, room).body
    assert isinstance(body, GridPage)
    return body


def test_two_dimensions_are_in_view_and_the_others_are_stepped() -> None:
    look = looking_at(ADD)
    expected = look.index.host.traces.values(ADD)
    assert expected is not None
    page = page_of(look)
    assert (page.name, page.dtype, page.shape) == ("add:0", "float32", (2, 6, 6))
    assert page.selected == "[0, :, :]"
    for layer in (0, 1, 0):
        grid = grid_of(look)
        assert (grid.row_labels, grid.column_labels) == (tuple("012345"),) * 2
        for row, cells in zip(expected[layer], grid.rows, strict=True):
            for number, cell in zip(row, cells, strict=True):
                assert (cell.kind is CellKind.BAD) == (not np.isfinite(number))
                assert float(cell.text.lstrip("!")) == pytest.approx(number, rel=1e-3, nan_ok=True)
        look.cursor.step_others(1)
    assert look.cursor.turn() == ""
    assert page_of(look).selected == "[:, 0, :]"


def test_the_cursor_moves_and_the_window_follows() -> None:
    cursor = ValueCursor(held(np.arange(3000.0).reshape(50, 60)), parse_slice("").on((50, 60)))
    page = cursor.page(40, 10)
    columns = len(page.column_labels)
    assert (len(page.rows), page.first, page.cursor) == (10, (0, 0), (0, 0))
    cursor.page_by(1, 1)
    cursor.move(5, 0)
    page = cursor.page(40, 10)
    assert cursor.place == (14, columns - 1)
    assert page.first == (5, 0)
    cursor.to_edge(1, 0)
    cursor.to_edge(0, 1)
    page = cursor.page(40, 10)
    assert page.rows[-1][-1].text == "2999"
    assert page.row_labels[-1] == "49"
    assert cursor.move(1, 1) == "There is nothing farther on in this direction."
    cursor.at(0, 0)
    assert cursor.place == page.first


def test_a_vector_goes_on_in_the_next_row_and_a_number_stands_alone() -> None:
    cursor = ValueCursor(held(np.arange(25)), parse_slice("").on((25,)))
    page = cursor.page(60, 10)
    assert (page.row_labels, page.column_labels[:3]) == (("0", "10", "20"), ("0", "+1", "+2"))
    assert [cell.text for cell in page.rows[2]] == ["20", "21", "22", "23", "24"]
    cursor.move(1, 3)
    assert cursor.index == [13]
    cursor.to_edge(0, 1)
    assert cursor.index == [19]
    alone = ValueCursor(held(7.5), parse_slice("").on(()))
    assert alone.page(60, 10).rows[0][0].text == "7.5"
    assert alone.move(1, 1) != ""
    empty = ValueCursor(held(np.empty((0, 3))), parse_slice("").on((0, 3)))
    assert empty.page(60, 10).rows == ()
    assert "empty" in empty.move(1, 0)


def test_bad_elements_are_walked_and_their_indices_said() -> None:
    look = looking_at(ADD)
    values = look.index.host.traces.values(ADD)
    assert values is not None
    expected = [tuple(index) for index in np.argwhere(~np.isfinite(values)).tolist()]
    found = []
    while not look.go_to_bad(1):
        finish(look.work)
        assert look.settle() == ""
        found.append(look.here[0])
        assert look.here[2]
    assert found == expected
    assert look.go_to_bad(1) == NO_MORE[1]
    assert look.go_to_bad(-1) == ""
    assert look.here[0] == expected[-2]


def test_slices_elements_and_ranges_are_typed() -> None:
    look = looking_at(ADD)
    assert look.slice("[1, ::2, -1]") == ""
    grid = grid_of(look)
    assert grid.row_labels[0] == "0"
    assert page_of(look).selected == "[1, 0:6:2, 5]"
    assert "not in the slice" in look.go_to("@1,1,5")
    assert look.here[0] == (1, 1, 5)
    assert look.go_to("0, -1, 0") == ""
    assert look.here[0] == (0, 5, 0)
    assert look.look_for(">0.5") == ""
    kinds = {cell.kind for row in grid_of(look).rows for cell in row}
    assert CellKind.IN_RANGE in kinds
    for sentence in (look.slice("[9]"), look.slice("[x]"), look.go_to("1"), look.look_for("?")):
        assert sentence.endswith(".")
    assert look.here[0] == (0, 5, 0)
    assert look.look_for("") == ""
    assert look.slice("") == ""


def test_numbers_are_written_as_wanted() -> None:
    look = looking_at(ADD)
    look.slice("[0, 1]")
    assert "5 digits" in look.cursor.write_numbers(digits=1)
    look.cursor.write_numbers(other=True)
    look.cursor.write_numbers(other=True)
    assert "scientific" in page_of(look).notation
    assert any("e-0" in cell.text for row in grid_of(look).rows for cell in row)


def test_it_can_be_looked_at_in_other_ways() -> None:
    look = looking_at(ADD)
    values = look.index.host.traces.values(ADD)
    assert values is not None
    look.look(Way.SUMMARY)
    summary = page_of(look).body
    assert isinstance(summary, SummaryPage)
    assert summary.statistics is not None
    assert summary.histogram is not None
    assert summary.statistics.finite == np.isfinite(values).sum()
    assert sum(summary.histogram.counts) == np.isfinite(values).sum()
    look.look(Way.PICTURE)
    picture = page_of(look).body
    assert isinstance(picture, PicturePage)
    cells = np.array(picture.cells)
    np.testing.assert_array_equal(np.isnan(cells), ~np.isfinite(values[0]))
    finite = np.isfinite(values[0])
    np.testing.assert_allclose(cells[finite] * picture.limit, values[0][finite], rtol=1e-6)
    small = page_of(look, (2, 3)).body
    assert isinstance(small, PicturePage)
    assert (len(small.cells), len(small.cells[0]), small.per_cell) == (2, 3, (3, 2))
    assert look.look(Way.PICTURE) == ""
    assert look.way is Way.GRID


def test_a_vector_has_a_curve() -> None:
    look = looking_at(LOG)
    look.look(Way.PICTURE)
    curve = page_of(look).body
    assert isinstance(curve, CurvePage)
    values = look.index.host.traces.values(LOG)
    assert values is not None
    assert curve.bad == tuple(~np.isfinite(values))
    assert [p[0] for p in curve.points if p is not None] == values[np.isfinite(values)].tolist()


def test_the_same_element_over_the_computations_of_its_tensor() -> None:
    look = looking_at(ADD)
    look.go_to("1,1,1")
    look.look(Way.OVER_TIME)
    curve = page_of(look).body
    assert isinstance(curve, CurvePage)
    traces = look.index.host.traces
    numbers = [traces.values(event)[1, 1, 1] for event in (2, 12, 22)]  # type: ignore[index]
    found = [np.nan if point is None else point[0] for point in curve.points]
    np.testing.assert_allclose(found, [n if np.isfinite(n) else np.nan for n in numbers], rtol=1e-6)
    assert curve.bad == tuple(not np.isfinite(n) for n in numbers)
    assert curve.here == 1


def test_the_ranges_of_all_its_computations() -> None:
    look = looking_at(ADD)
    look.look(Way.RANGES_OVER_TIME)
    curve = page_of(look).body
    assert isinstance(curve, CurvePage)
    for number, point, is_bad in zip((2, 12, 22), curve.points, curve.bad, strict=True):
        values = look.index.host.traces.values(number)
        assert values is not None
        finite = values[np.isfinite(values)]
        assert point == ((finite.min(), finite.max()) if len(finite) else None)
        assert is_bad == (len(finite) < values.size)


def test_what_is_cut_meanwhile_is_told(tmp_path: Path) -> None:
    shutil.copytree(FROZEN_VALUES, tmp_path / "copy")
    look = looking_at(ADD, tmp_path / "copy")
    Path(look.index.host.traces.file.path).write_bytes(b"")
    assert "cannot be read back" in look.go_to_bad(1)
    with pytest.raises(ValueQueryError, match="cannot be read back"):
        value_page(look, ROOM)


def test_other_computations_and_what_differs_from_them() -> None:
    look = looking_at(ADD)
    traces = look.index.host.traces
    assert look.subtract() == ""
    assert page_of(look).minus == 2
    grid = grid_of(look)
    expected = traces.values(12)[0] - traces.values(2)[0]  # type: ignore[index]
    assert float(grid.rows[1][1].text) == pytest.approx(expected[1, 1], rel=1e-3)
    assert look.other(1) == ""
    assert (look.event.event, page_of(look).minus) == (22, 12)
    assert look.other(1) == NO_OTHER[1]
    assert look.subtract() == ""
    assert page_of(look).minus is None
    assert look.other(-1) == look.other(-1) == ""
    assert look.other(-1) == look.subtract() == NO_OTHER[-1]


def test_what_differs_from_another_tensor() -> None:
    look = looking_at(ADD)
    traces = look.index.host.traces
    assert look.subtract("MatMul:0") == look.subtract("#10") == ""
    assert page_of(look).minus == 10
    expected = traces.values(ADD)[1, 1, 1] - traces.values(10)[1, 1, 1]  # type: ignore[index]
    assert look.go_to("1,1,1") == ""
    assert float(look.here[1]) == pytest.approx(float(expected), abs=1e-6)
    assert look.subtract("#22") == ""
    assert page_of(look).minus == 22
    for name in ("nonsense", "Log:x", ":0", "#x", "Nothing:0"):
        assert look.subtract(name).endswith(EXPECTED)
    assert look.subtract("#99999") == "There is no #99,999."
    assert "Only tensors of one shape" in look.subtract("Log:0")
    assert page_of(look).minus == 22


def test_it_is_saved_and_copied(tmp_path: Path) -> None:
    look = looking_at(ADD)
    path = tmp_path / "value.npy"
    look.slice("[0]")
    for name, replace in ((str(path), False), (str(path), True)):
        assert look.taking.save(look.cursor, name, replace).startswith("Saving")
        finish(look.work)
        assert look.settle() == f"Saved {path}."
    assert np.load(path).shape == (6, 6)
    assert "with ! behind it" in look.taking.save(look.cursor, str(path))
    assert look.taking.save(look.cursor, "value.txt").endswith("the name has to end so.")
    copied = look.taking.copied(look.cursor)
    assert copied is not None
    assert len(copied.split("\n")) == 6
    look.cursor.selected = parse_slice("").on((1 << 20,))
    look.cursor.axes, look.cursor.index = (None, 0), [0]
    assert look.taking.copied(look.cursor) is None


def test_where_there_is_no_value_a_sentence_says_why(frozen: Path) -> None:
    session = Session()
    assert session.looks.value.begin() == NO_TENSOR
    session = opened(frozen)
    session.go_to_first_bad()
    said = session.looks.value.begin()
    assert said.startswith("FULL_HEALTH does not record values; FULL_TENSOR does.")
    assert "V records it again" in said


@pytest.mark.parametrize("scenario", ["half_types_full", "tf_data"])
def test_every_recorded_value_can_be_looked_at_in_every_way(
    scenario: str, library: Library
) -> None:
    session = opened(library.path(scenario))
    look = session.looks.value
    index = session.navigator.index
    assert index is not None
    stores = {kind: index.host.store_of(kind) for kind in EventKind}
    for kind, store in stores.items():
        for number in range(0, len(store), 7):
            session.links.go_to_tensor(EventRef(0, kind, number, 0))
            if look.begin() == "":
                _look_in_every_way(look)


def _look_in_every_way(look: ValueLook) -> None:
    for room in ((3, 20), (40, 150)):
        for way in Way:
            if look.look(way) == "":
                assert page_of(look, room).way is look.way
    look.look(Way.GRID)
    look.cursor.page_by(1, 1)
    look.cursor.turn()
    look.go_to_bad(1)
    look.subtract()
    look.other(1)
    assert page_of(look).body


def test_few_values_that_stand_for_more_than_anybody_counts_are_looked_at(tmp_path: Path) -> None:
    tensors = [fields for _, mode, fields in absurd_tensors() if mode == 7]
    records = [trace(mode=7, tensor_proto=fields) for fields in tensors]
    metadata = [event(debug_metadata={"tfdbg_run_id": b"run"})]
    session = opened(write_files(tmp_path, metadata=metadata, graph_execution_traces=records))
    look, seen = session.looks.value, 0
    for number in range(len(tensors)):
        session.links.go_to_tensor(EventRef(0, EventKind.TRACE, number, 0))
        if look.begin() == "":
            seen += 1
            look.cursor.to_edge(1, 1)
            assert look.here[1]
            _look_in_every_way(look)
    assert seen > 5
