"""One tensor over its invocations: exact about bad numbers, bounded in what it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.reading import Copier, drain, hosts_of, load
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.views import tensor_history as history_module
from tfdbg_tui.data.views.tensor_history import (
    HistoryCell,
    Outcome,
    TensorHistory,
    health_at,
    outcome_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.traces import TraceStore

    AnyStore = TraceStore | ExecutionStore

COLUMNS = (1, 2, 7, 100, 5000)


def read(path: Path) -> Host:
    (host,) = hosts_of(load(path))
    return host


def whole(store: AnyStore, site: int, position: int) -> TensorHistory:
    """The history of all that is loaded."""
    history = TensorHistory(store, site, position)
    while history.extend():
        pass
    return history


def tensors(host: Host) -> Iterator[tuple[AnyStore, int, int]]:
    """Store, site and position of every recorded tensor."""
    for number in range(len(host.traces.sites)):
        yield host.traces, number, 0
    for number, site in enumerate(host.executions.sites):
        for position in range(site.tensors):
            yield host.executions, number, position


def invocations(store: AnyStore, site: int, position: int) -> list[tuple[int, Bad]]:
    """Every event of a tensor with its bad numbers, read back one by one."""
    found = []
    for event, number in enumerate(store.events["site"].tolist()):
        if number == site:
            health = health_at(store, event, position)
            found.append((event, health.bad if health else Bad.NONE))
    return found


def busiest(store: AnyStore, bad: bool = True) -> int:
    """The site with most events, among those that are ever bad or never."""
    ever_bad = {alert.site for alert in store.site_alerts.all()}
    sites: list[int] = [n for n in store.events["site"].tolist() if (n in ever_bad) == bad]
    return max(set(sites), key=sites.count)


@pytest.mark.parametrize("scenario", ["full_health", "filter_dtypes", "curt_health", "while_loop"])
def test_cells_say_of_every_tensor_what_its_records_say(library: Library, scenario: str) -> None:
    host = read(library.path(scenario))
    for store, site, position in tensors(host):
        expected = invocations(store, site, position)
        history = whole(store, site, position)
        assert history.count == len(expected)
        for columns in COLUMNS:
            cells = history.cells(columns)
            assert len(cells) == min(columns, len(expected))
            assert_cells_hold(cells, expected)


def assert_cells_hold(cells: tuple[HistoryCell, ...], expected: list[tuple[int, Bad]]) -> None:
    start = 0
    for cell in cells:
        part = expected[start : start + cell.invocations]
        start += cell.invocations
        bad_events = [event for event, bad in part if bad]
        together = Bad.NONE
        for _, bad in part:
            together |= bad
        assert (cell.first_event, cell.last_event) == (part[0][0], part[-1][0])
        assert (cell.bad, cell.bad_invocations) == (together, len(bad_events))
        assert cell.sampled_event == (bad_events or [part[0][0]])[0]
    assert start == len(expected)


def test_cells_break_where_the_outcome_changes(library: Library) -> None:
    traces = read(library.path("full_health")).traces
    (log,) = (n for n, site in enumerate(traces.sites) if site.op_name == "Log")
    history = whole(traces, log, 0)
    outcomes = [cell.outcome for cell in history.cells(100)]
    assert outcomes == [Outcome.OK] * 7 + [Outcome.INF] + [Outcome.NAN] * 4
    cells = history.cells(3)
    assert [(cell.outcome, cell.invocations) for cell in cells] == [
        (Outcome.OK, 7),
        (Outcome.INF, 1),
        (Outcome.NAN, 4),
    ]
    assert [cell.invocations for cell in history.cells(6)] == [2, 2, 3, 1, 2, 2]
    assert [cell.is_mixed for cell in history.cells(2)] == [False, True]


class ManyTimes:
    """A store whose one tensor was computed often, with these flags."""

    def __init__(self, flags: list[int]) -> None:
        self.bad_flags = np.array(flags, np.uint8)
        self.site_numbers = np.zeros(len(flags), np.uint8)

    def __len__(self) -> int:
        return len(self.bad_flags)

    def record_size(self, event: int) -> int:
        """Larger than anything that is read."""
        return 1 << 40


flags = st.lists(st.sampled_from([0, 0, 1, 2, 3, 4, 6, 8]), max_size=60)


@given(flags, st.integers(1, 70), st.integers(1, 20))
def test_cells_of_any_course_are_exact(told: list[int], columns: int, part: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(history_module, "TraceStore", ManyTimes)
        patch.setattr(history_module, "ROWS_PER_SLICE", part)
        history = whole(cast("Any", ManyTimes(told)), 0, 0)
    cells = history.cells(columns)
    assert_cells_hold(cells, [(event, Bad(flag)) for event, flag in enumerate(told)])
    assert len(cells) == min(columns, len(told))
    parts = [told[cell.first_event : cell.last_event + 1] for cell in cells]
    mixed = [len({outcome_of(Bad(flag)) for flag in part}) > 1 for part in parts]
    assert [cell.is_mixed for cell in cells] == mixed
    changes = [event for event in range(1, len(told)) if told_apart(told, event)]
    if len(changes) < columns:
        assert not any(mixed), "there is room to keep them apart"
    else:
        sizes = {len(part) for part in parts}
        assert max(sizes) - min(sizes) <= 1


def told_apart(told: list[int], event: int) -> bool:
    return outcome_of(Bad(told[event - 1])) is not outcome_of(Bad(told[event]))


def test_one_output_of_several_is_judged_by_itself(library: Library) -> None:
    executions = read(library.path("full_health")).executions
    mixed = next(
        (event, site)
        for event, number in enumerate(executions.events["site"].tolist())
        if (site := executions.sites[number]).op_type == "SparseFillEmptyRows"
    )
    event, site = mixed
    number = executions.sites.index(site)
    flags = [whole(executions, number, place).cells(5)[0].bad for place in range(site.tensors)]
    assert int(executions.events["bad"][event]) == Bad.NAN
    assert flags == [Bad.NONE, Bad.NAN, Bad.NONE, Bad.NONE]


def test_shares_are_those_of_the_sampled_record(library: Library) -> None:
    traces = read(library.path("full_health")).traces
    (softmax,) = (n for n, site in enumerate(traces.sites) if site.op_name == "Softmax")
    (log,) = (n for n, site in enumerate(traces.sites) if site.op_name == "Log")
    for site in (softmax, log):
        for cell in whole(traces, site, 0).cells(100):
            health = health_at(traces, cell.sampled_event, 0)
            assert health is not None
            assert cell.health == health
            assert health.size
            bad = (health.neg_inf or 0) + (health.pos_inf or 0) + (health.nan or 0)
            assert cell.zero_share == pytest.approx((health.zero or 0) / health.size)
            assert cell.bad_share == pytest.approx(bad / health.size)
            assert bool(cell.bad) == bool(bad)
    assert any(cell.zero_share for cell in whole(traces, softmax, 0).cells(100))
    assert any(cell.bad_share for cell in whole(traces, log, 0).cells(100))


@pytest.mark.parametrize("scenario", ["curt_health", "no_tensor", "shape"])
def test_what_the_mode_does_not_tell_is_not_known(library: Library, scenario: str) -> None:
    traces = read(library.path(scenario)).traces
    for site in range(len(traces.sites)):
        for cell in whole(traces, site, 0).cells(10):
            assert (cell.zero_share, cell.bad_share) == (None, None)


def test_an_event_is_found_in_its_cell(library: Library) -> None:
    traces = read(library.path("keras_fit")).traces
    site = busiest(traces)
    history = whole(traces, site, 0)
    events = [
        event for event, number in enumerate(traces.events["site"].tolist()) if number == site
    ]
    for columns in COLUMNS:
        cells = history.cells(columns)
        for event in events:
            (place,) = (cell for cell in cells if cell.first_event <= event <= cell.last_event)
            if not place.is_mixed:
                assert place.outcome is outcome_of(traces.bad(event))


@pytest.mark.parametrize("columns", [0, -1])
def test_without_room_there_are_no_cells(library: Library, columns: int) -> None:
    traces = read(library.path("full_health")).traces
    history = whole(traces, 0, 0)
    assert history.cells(columns) == ()


def test_before_anything_is_read_there_is_nothing(tmp_path: Path, library: Library) -> None:
    traces = read(library.path("full_health")).traces
    history = TensorHistory(traces, 0, 0)
    assert (history.count, history.cells(10)) == (0, ())


def test_slices_add_up(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    host = read(library.path("full_health"))
    stores: tuple[AnyStore, ...] = (host.traces, host.executions)
    for store in stores:
        site = busiest(store)
        expected = whole(store, site, 0).cells(9)
        with monkeypatch.context() as small:
            small.setattr(history_module, "ROWS_PER_SLICE", 10)
            history = TensorHistory(store, site, 0)
            slices = 1
            while history.extend():
                slices += 1
        assert slices == -(-len(store) // 10)
        assert history.cells(9) == expected


def test_it_grows_with_its_store(library: Library, tmp_path: Path) -> None:
    copier = Copier(library.path("full_health"), tmp_path)
    logdir = Logdir(tmp_path)
    (traces_name,) = (name for name in copier.names if name.endswith("_traces"))
    for name in copier.names:
        copier.append(name, 0 if name == traces_name else 10_000)
    drain(logdir)
    (host,) = hosts_of(logdir)
    history = None
    counts = []
    for _ in range(100):
        copier.append(traces_name, 1)
        drain(logdir)
        if not host.traces.sites:
            continue
        history = history or TensorHistory(host.traces, 0, 0)
        while history.extend():
            pass
        counts.append(history.count)
        assert history.cells(7) == whole(host.traces, 0, 0).cells(7)
    assert len(set(counts)) > 2


def test_events_whose_alerts_are_still_to_come_wait(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    logdir = Logdir(library.path("full_health"))
    logdir.scan()
    (host,) = hosts_of(logdir)
    store: Any = host.executions
    histories: dict[tuple[int, int], TensorHistory] = {}
    publish_alerts = store._publish_alerts

    def publish_late(*arguments: Any) -> None:
        # What another thread does at the worst of moments.
        for number, site in enumerate(store.sites):
            for position in range(site.tensors):
                place = (number, position)
                histories.setdefault(place, TensorHistory(store, number, position)).extend()
        publish_alerts(*arguments)

    monkeypatch.setattr(store, "_publish_alerts", publish_late)
    drain(logdir, limit=5000)
    assert histories
    for (site, position), history in histories.items():
        while history.extend():
            pass
        assert history.cells(50) == whole(store, site, position).cells(50)


def test_a_cell_costs_one_record_and_only_once(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    traces = read(library.path("keras_fit")).traces
    history = whole(traces, busiest(traces), 0)
    reads = counted_reads(monkeypatch)
    first = history.cells(5)
    assert len(reads) == len(first) == 5
    assert history.cells(5) == first
    assert len(reads) == 5


def counted_reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The events whose records are read from now on."""
    reads: list[int] = []

    def counting(store: AnyStore, event: int, position: int) -> Any:
        reads.append(event)
        return health_at(store, event, position)

    monkeypatch.setattr(history_module, "health_at", counting)
    return reads


def test_large_records_are_read_a_few_at_a_time(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    traces = read(library.path("full_tensor")).traces
    site = busiest(traces)
    expected = whole(traces, site, 0).cells(6)
    assert len(expected) == 6
    largest = max(traces.record_size(cell.sampled_event) for cell in expected)
    monkeypatch.setattr(history_module, "READ_BYTES", 2 * largest)
    history = whole(traces, site, 0)
    known = [sum(cell.health is not None for cell in history.cells(6)) for _ in range(6)]
    assert 0 < known[0] < 6
    assert known == sorted(known)
    assert history.cells(6) == expected


def test_records_too_large_to_read_still_tell_what_is_bad(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    traces = read(library.path("full_tensor")).traces
    expected = whole(traces, busiest(traces), 0).cells(6)
    monkeypatch.setattr(history_module, "READ_BYTES", 10)
    cells = whole(traces, busiest(traces), 0).cells(6)
    assert cells == tuple(cell._replace(health=None) for cell in expected)
    assert any(cell.bad for cell in cells)
    assert {cell.zero_share for cell in cells} == {None}


def test_records_read_long_ago_are_forgotten(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_module, "KEPT_RECORDS", 3)
    traces = read(library.path("keras_fit")).traces
    history = whole(traces, busiest(traces), 0)
    reads = counted_reads(monkeypatch)
    cells = history.cells(8)
    assert len(reads) == len(cells) == 8
    assert all(cell.health is not None for cell in cells)
    assert history.cells(8) == cells
    assert len(reads) > 8


def test_a_recording_that_is_gone_keeps_what_is_known(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    traces = read(path).traces
    history = whole(traces, busiest(traces), 0)
    for file in path.glob("*.graph_execution_traces"):
        file.write_bytes(b"")
    cells = history.cells(5)
    assert any(cell.bad for cell in cells)
    assert {cell.health for cell in cells} == {None}
