"""The indexes of a run speak of one moment of it, and tell when they are out of date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.counting import lines_run
from tests.support.damage import GOOD_VECTOR, event, trace, write_files
from tests.support.navigating import add_host, finish
from tests.support.reading import drain, load
from tfdbg_tui.data.index import joins
from tfdbg_tui.data.index.run_index import RunIndex
from tfdbg_tui.data.stores.host import STORES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from tests.recordings.record import Library


def test_it_is_current_while_the_run_consists_of_the_same(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    index = RunIndex(logdir.runs[0])
    finish(index)
    with next(path.glob("*.execution")).open("ab") as file:
        file.write(b"a cut tail")
    drain(logdir)
    assert index.is_current(logdir.runs[0])


def test_another_run_is_not_the_same(library: Library) -> None:
    first, second = load(library.path("two_runs")).runs
    assert RunIndex(first).is_current(first)
    assert not RunIndex(first).is_current(second)


def test_any_replaced_file_makes_it_out_of_date(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    (run,) = logdir.runs
    for suffix in STORES:
        if suffix == "metadata":  # nothing is indexed of it
            continue
        index = RunIndex(run)
        (file,) = path.glob(f"*.{suffix}")
        file.write_bytes(file.read_bytes()[:-1])
        drain(logdir)
        assert not index.is_current(run), suffix
        assert RunIndex(run).is_current(run)


def test_a_replaced_file_leaves_the_old_index_of_one_piece(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    (run,) = logdir.runs
    index = RunIndex(run)
    finish(index)
    (host,) = index.hosts
    traces, alerts = len(host.host.traces), len(index.log)
    for file in path.glob("*.graph_execution_traces"):
        file.write_bytes(b"")
    drain(logdir)
    assert len(run.hosts[0].traces) == 0
    assert len(host.host.traces) == traces
    assert host.joins.execution_of(traces - 1) is not None
    assert len(index.log) == alerts > len(run.alerts)
    assert index.log.reads([host.host.traces, host.host.executions])


def test_hosts_are_indexed_in_the_order_in_which_alerts_number_them(
    library: Library, tmp_path: Path
) -> None:
    for name in ("b", "a", "c"):
        add_host(library.path("full_health"), tmp_path / "hosts", name)
    (run,) = load(tmp_path / "hosts").runs
    index = RunIndex(run)
    finish(index)
    assert [host.host.name for host in index.hosts] == ["a", "b", "c"]
    for rank in range(len(index.log)):
        alert = index.log[rank]
        host = index.hosts[alert.host].host
        assert index.log.store_of(alert) is host.store_of(alert.kind)


def test_a_host_that_joins_makes_it_out_of_date_and_is_told_apart(
    library: Library, tmp_path: Path
) -> None:
    add_host(library.path("full_health"), tmp_path / "hosts", "b")
    logdir = load(tmp_path / "hosts")
    before = RunIndex(logdir.runs[0])
    add_host(library.path("full_health"), tmp_path / "hosts", "a")
    drain(logdir)
    (run,) = logdir.runs
    assert run is before.run
    assert not before.is_current(run)
    after = RunIndex(run)
    assert [after.number_of(host) for host in before.hosts] == [1]
    assert [before.number_of(host) for host in after.hosts] == [None, 0]


def test_all_parts_are_extended(library: Library) -> None:
    index = RunIndex(load(library.path("full_health")).runs[0])
    (host,) = index.hosts
    assert (len(host.steps), host.groups.so_far.scanned) == (0, 0)
    finish(index)
    assert len(host.steps) == 12
    assert host.groups.so_far.scanned == len(host.host.executions)
    assert any(entry.ops for entry in host.lines.files())


def test_a_run_without_events_can_be_indexed(library: Library) -> None:
    index = RunIndex(load(library.path("circular")).runs[0])
    assert not index.extend()
    assert index.is_current(index.run)


def test_a_finished_index_has_met_all_sites_before_a_key_asks(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = RunIndex(load(library.path("full_health")).runs[0])
    finish(index)
    (host,) = index.hosts
    monkeypatch.setattr(joins._SitesByTensor, "_extend", None)  # any meeting would fail
    found = [host.joins.sites_of(*site[:3]) for site in host.host.traces.sites]
    assert all(number in sites for number, sites in enumerate(found))


def traced_ops(logdir: Path, count: int) -> Path:
    """A recording of so many sites: each op of a function is traced once."""
    described = event(debugged_graph={"graph_id": b"g", "graph_name": b"f"})
    traces = [trace(op_name=b"op%05d" % op, tensor_proto=GOOD_VECTOR) for op in range(count)]
    write_files(logdir, graphs=[described], graph_execution_traces=traces)
    return logdir


def test_sites_are_met_in_slices(tmp_path: Path) -> None:
    index = RunIndex(load(traced_ops(tmp_path, 2 * joins.SLICE_SITES + 1)).runs[0])
    (host,) = index.hosts
    turns = 1
    while host.joins.extend():
        turns += 1
    assert turns == 3


def test_whether_it_is_current_is_asked_at_every_snapshot_and_looks_at_no_site(
    tmp_path: Path,
) -> None:
    def work(sites: int) -> int:
        index = RunIndex(load(traced_ops(tmp_path / f"{sites}", sites)).runs[0])
        (host,) = index.hosts
        assert len(host.host.traces.sites) == sites
        assert not len(host.host.executions)
        return lines_run(lambda: index.is_current(index.run))

    assert work(1000) == work(10)
