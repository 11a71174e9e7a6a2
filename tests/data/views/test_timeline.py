"""The strip over the timeline counts every execution and every bad tensor once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from tests.support.damage import BAD_VECTOR, event, trace, write_files
from tests.support.navigating import executions_at, indexed
from tfdbg_tui.data.views.timeline import density

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.views.timeline import Density

RECORDED = ("full_health", "keras_fit", "eager_only", "while_loop", "tf_data", "no_tensor")


def totals(found: Density) -> tuple[int, int]:
    """Executions and bad tensors of all cells."""
    return sum(cell.executions for cell in found.cells), sum(cell.bad for cell in found.cells)


def counted(index: HostIndex) -> tuple[int, int]:
    """Executions and bad tensors of a host."""
    host = index.host
    return len(host.executions), len(host.executions.alerts) + len(host.traces.alerts)


def recounted(index: HostIndex, found: Density, outermost: bool) -> list[tuple[int, int]]:
    """Executions and bad tensors of each cell by looking at all of them."""
    host, started = index.host, index.started
    length = (found.end - found.begin) / len(found.cells)
    cells = [[0, 0] for _ in found.cells]

    def count(seconds: float, what: int) -> None:
        number = math.floor((seconds - found.begin) / length)
        if outermost:
            number = max(0, min(number, len(cells) - 1))
        if 0 <= number < len(cells):
            cells[number][what] += 1

    for time in host.executions.events["wall_time"].tolist():
        count(time - started, 0)
    for store in (host.executions, host.traces):
        for bad in store.alerts["event"].tolist():
            count(float(store.events["wall_time"][bad]) - started, 1)
    return [(executions, bad) for executions, bad in cells]


@pytest.mark.parametrize("scenario", RECORDED)
@pytest.mark.parametrize("columns", [1, 7, 100, 1000])
def test_all_executions_and_all_bad_tensors_are_in_a_cell(
    library: Library, scenario: str, columns: int
) -> None:
    index = indexed(library.path(scenario))
    found = density(index, columns)
    assert len(found.cells) == columns
    assert totals(found) == counted(index)


def test_cells_are_equal_times(frozen: Path) -> None:
    # Its events are a millisecond apart, over 234: 17 cells have no edge on one.
    index = indexed(frozen)
    found = density(index, 17)
    assert [cell[:2] for cell in found.cells] == recounted(index, found, outermost=True)
    times = index.host.executions.events["wall_time"]
    assert found.begin == pytest.approx(float(times[0]) - index.started)
    assert found.end == pytest.approx(float(times[-1]) - index.started)


def test_a_cell_names_its_first_execution_or_the_next(library: Library) -> None:
    index = indexed(library.path("full_health"))
    found = density(index, 100)
    before = 0
    for number, cell in enumerate(found.cells):
        assert cell.first == before
        before += cell.executions
        for execution in range(cell.first, cell.first + cell.executions):
            assert found.cell_of(execution) == number
    assert {cell.executions for cell in found.cells} > {0}
    assert found.cell_of(-1) is found.cell_of(len(index.host.executions)) is None


@pytest.mark.parametrize("zoom", [4, 64, 1 << 20])
def test_zoomed_in_the_chosen_execution_is_in_view(library: Library, zoom: int) -> None:
    index = indexed(library.path("full_health"))
    whole = density(index, 60)
    for execution in range(len(index.host.executions)):
        part = density(index, 60, centre=execution, zoom=zoom)
        assert part.cell_of(execution) is not None
        assert whole.begin <= part.begin < part.end <= whole.end
        wanted = max((whole.end - whole.begin) / zoom, 1e-6)
        assert part.end - part.begin == pytest.approx(wanted, rel=0.3)
        assert all(cell.executions >= 0 and cell.bad >= 0 for cell in part.cells)


def test_zoomed_in_cells_hold_what_lies_in_them(frozen: Path) -> None:
    index = indexed(frozen)
    part = density(index, 17, centre=len(index.host.executions) // 2, zoom=4)
    assert [cell[:2] for cell in part.cells] == recounted(index, part, outermost=False)
    assert 0 < totals(part)[0] < len(index.host.executions)


def test_zoomed_in_without_a_centre_the_run_begins(library: Library) -> None:
    index = indexed(library.path("full_health"))
    part = density(index, 60, zoom=8)
    assert part.begin == density(index, 60).begin
    assert part.cell_of(0) is not None


def test_bad_tensors_before_the_first_execution_ends_are_in_the_first_cell(
    tmp_path: Path,
) -> None:
    executions = [event(wall_time=time, execution={"op_type": b"x"}) for time in (5.0, 9.0)]
    traces = [trace(time, tensor_proto=BAD_VECTOR) for time in (1.0, 6.0, 12.0)]
    index = indexed(write_files(tmp_path, execution=executions, graph_execution_traces=traces))
    assert [cell.bad for cell in density(index, 4).cells] == [1, 1, 0, 1]


def test_nothing_has_no_cells(library: Library, tmp_path: Path) -> None:
    for path in (library.path("circular"), library.path("nothing_computed")):
        assert density(indexed(path), 50).cells == ()
    assert density(indexed(executions_at(tmp_path, 1.0)), 0).cells == ()


@pytest.mark.parametrize(
    "times",
    [
        [7.0],
        [7.0] * 5,
        [9.0, 8.0, 7.0],
        [math.nan, 7.0, 8.0],
        [7.0, math.inf, 8.0, math.nan],
        [math.nan, math.inf, -math.inf],
        [-math.inf, 1.0, 2.0],
        [0.0, 0.0],
        [1e300, -1e300, 1e-300],
        [1e308, -1e308],
        [-1e308, 1e308],
    ],
)
def test_senseless_times_lose_no_execution(tmp_path: Path, times: list[float]) -> None:
    index = indexed(executions_at(tmp_path, *times, metadata=True))
    for columns in (1, 10):
        found = density(index, columns)
        assert totals(found) == (len(times), 0)
        for centre in range(len(times)):
            for zoom in (1, 4, 1 << 20):
                part = density(index, columns, centre, zoom)
                assert len(part.cells) == columns
                assert all(cell.executions >= 0 for cell in part.cells)
