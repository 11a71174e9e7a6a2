"""Sites by step: every event in its place, however it came, and none that is bad is lost."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.support.damage import event as event_record
from tests.support.damage import write_files
from tests.support.navigating import browsing, finish, index_of, indexed
from tests.support.reading import Copier, drain
from tfdbg_tui.data.index import step_grid
from tfdbg_tui.data.index.bucket_totals import BucketTotals
from tfdbg_tui.data.index.step_axis import UNITS_PER_SECOND
from tfdbg_tui.data.index.step_grid import StepGrid
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.index.host_index import HostIndex

SCENARIOS = ("full_health", "keras_fit", "while_loop", "eager_only", "tf1_session")

Cell = tuple[int, int, int, int]


def one_by_one(index: HostIndex, kind: EventKind, width: int) -> dict[tuple[int, int], Cell]:
    """Every cell by site and column, from one event after the other."""
    store = index.host.store_of(kind)
    events: dict[tuple[int, int], list[int]] = defaultdict(list)
    for event in range(len(store)):
        step = index.steps.step_of(store.wall_time(event))
        assert step is not None
        events[store.site_number(event), step // width].append(event)
    found = {}
    for place, inside in events.items():
        bad = [event for event in inside if store.bad(event)]
        flags = 0
        for event in inside:
            flags |= int(store.bad(event))
        found[place] = (len(inside), len(bad), flags, [*bad, *inside][0])
    return found


def in_bulk(
    grid: StepGrid, index: HostIndex, kind: EventKind, columns: int
) -> tuple[int, dict[tuple[int, int], Cell]]:
    """The width of a column, and every cell that is not empty by site and column."""
    extent = grid.extent
    assert extent is not None
    sites = np.arange(len(index.host.store_of(kind).sites))
    view = grid.view(kind, sites, (0, extent[1]), columns)
    assert view.first == 0
    found = {}
    for site, column in np.argwhere(view.cells.counts > 0).tolist():
        found[site, column] = tuple(int(part[site, column]) for part in view.cells)
    return view.width, found  # type: ignore[return-value]


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("columns", [1, 3, 500])
def test_every_cell_says_what_its_events_say(library: Library, scenario: str, columns: int) -> None:
    index = indexed(library.path(scenario))
    grid = StepGrid(index)
    finish(grid)
    assert grid.has_steps
    for kind in grid.kinds:
        width, found = in_bulk(grid, index, kind, columns)
        assert found == one_by_one(index, kind, width)


@pytest.mark.parametrize("buckets", [2, 4])
def test_merged_buckets_lose_nothing(
    library: Library, monkeypatch: pytest.MonkeyPatch, buckets: int
) -> None:
    index = indexed(library.path("full_health"))
    monkeypatch.setattr(step_grid, "BucketTotals", lambda: BucketTotals(buckets))
    grid = StepGrid(index)
    finish(grid)
    assert grid.finest > 1
    for kind in grid.kinds:
        width, found = in_bulk(grid, index, kind, 500)
        assert width == grid.finest
        assert found == one_by_one(index, kind, width)


def test_slices_add_up(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    index = indexed(library.path("full_health"))
    monkeypatch.setattr(step_grid, "ROWS_PER_SLICE", 7)
    grid = StepGrid(index)
    slices = 1
    while grid.extend():
        slices += 1
    assert slices > 10
    for kind in grid.kinds:
        width, found = in_bulk(grid, index, kind, 500)
        assert found == one_by_one(index, kind, width)


def test_a_part_of_the_steps_looks_at_its_own_blocks_only(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = indexed(library.path("full_health"))
    monkeypatch.setattr(step_grid, "ROWS_PER_SLICE", 16)
    whole = StepGrid(index)
    finish(whole)
    part = StepGrid(index, (5, 6), whole)
    slices = 1
    while part.extend():
        slices += 1
    assert slices < len(index.host.traces) / 16
    for kind in whole.kinds:
        sites = np.arange(len(index.host.store_of(kind).sites))
        expected = whole.view(kind, sites, (5, 6), 2)
        found = part.view(kind, sites, (5, 6), 2)
        assert (found.first, found.width) == (expected.first, expected.width) == (5, 1)
        for one, other in zip(found.cells, expected.cells, strict=True):
            assert (one == other).all()


def test_a_live_run_is_complete_at_every_moment(library: Library, tmp_path: Path) -> None:
    copier = Copier(library.path("full_health"), tmp_path)
    for name in copier.names:
        is_event_file = name.endswith(("_traces", "execution"))
        copier.append(name, 0 if is_event_file else 100_000)
    logdir = Logdir(tmp_path)
    drain(logdir)
    navigator = browsing(logdir.runs[-1])
    index = index_of(navigator)
    grid = StepGrid(index)
    seen = set()
    for _ in range(400):
        for name in copier.names:
            copier.append(name, 2)
        drain(logdir)
        finish(*navigator.jobs())
        if grid.is_outdated:
            grid = StepGrid(index)
        finish(grid)
        if grid.has_steps:
            seen.add(len(index.steps))
            for kind in grid.kinds:
                width, found = in_bulk(grid, index, kind, 500)
                assert found == one_by_one(index, kind, width)
    assert len(seen) > 5, "it grew while it was looked at"


def test_without_steps_the_axis_is_time(tmp_path: Path) -> None:
    times = (1000.0, 1000.5, 1007.25, float("nan"), 1e300)
    executions = [
        event_record(wall_time=when, execution={"op_type": f"Op{n}".encode(), "num_outputs": 1})
        for n, when in enumerate(times)
    ]
    index = indexed(write_files(tmp_path, execution=executions))
    grid = StepGrid(index)
    finish(grid)
    assert not grid.has_steps
    extent = grid.extent
    assert extent == (0, int(7.25 * UNITS_PER_SECOND))
    counts = grid.view(EventKind.EXECUTION, np.arange(len(times)), extent, 8).cells.counts
    assert counts.sum() == len(times), "what has a damaged time is counted, too"
    assert counts.argmax(axis=1).tolist()[:2] == [0, 0]
    assert counts[2, -1] == 1


def test_sums_name_the_first_bad_event_and_the_last_of_all(library: Library) -> None:
    index = indexed(library.path("full_health"))
    grid = StepGrid(index)
    finish(grid)
    for kind in grid.kinds:
        store, sums = index.host.store_of(kind), grid.sums(kind)
        for site in range(len(store.sites)):
            events = [n for n in range(len(store)) if store.site_number(n) == site]
            bad = [n for n in events if store.is_bad(n)]
            told = (sums.counts[site], sums.bad[site], sums.first_bad[site], sums.last[site])
            assert told == (len(events), len(bad), (bad or [-1])[0], events[-1])


def test_steps_of_many_events_are_those_of_each(library: Library) -> None:
    for scenario in SCENARIOS:
        index = indexed(library.path(scenario))
        times = index.steps.times
        assert times is not None
        stores = (index.host.traces, index.host.executions)
        for store in stores:
            every = store.wall_times
            shuffled = every[np.random.default_rng(1).permutation(len(every))]
            for some in (every, shuffled, np.append(every, [np.nan, -np.inf, np.inf])):
                expected = [index.steps.step_of(float(time)) for time in some]
                assert times.of(some).tolist() == expected
