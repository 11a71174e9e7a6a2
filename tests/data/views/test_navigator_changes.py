"""What is chosen stays chosen while files come, are replaced, and hosts join."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.navigating import (
    Stages,
    add_host,
    alerts_of,
    browsed,
    browsing,
    finish,
    index_of,
    indexed,
    unrecorded,
    walk_alerts,
    walk_matches,
)
from tests.support.reading import drain, load
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.views.selection import Node, Selection

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.data.views.navigator import Navigator


# ---------------------------------------------------------------------- files that come


def test_what_was_not_on_disk_is_linked_when_it_comes(library: Library, tmp_path: Path) -> None:
    source = library.path("full_health")
    truth = browsed(source)
    truth.first_alert()
    stages = Stages(source, tmp_path / "stages")
    stages.come("metadata", "graph_execution_traces")
    navigator = browsing(stages.logdir.runs[0])
    navigator.select_trace(truth.selection.trace or 0)
    chosen = navigator.selection
    assert (chosen.execution, chosen.frame, chosen.line) == (None, None, None)
    assert not navigator.relink()
    known = []
    for suffix in ("execution", "graphs", "stack_frames", "source_files"):
        stages.come(suffix)
        assert not navigator.open_run(stages.logdir.runs[0])
        if navigator.relink():
            known.append(suffix)
        assert not navigator.relink()
    assert known == ["graphs", "stack_frames", "source_files"]
    assert navigator.selection == truth.selection
    assert not navigator.back()


def test_a_chosen_line_stays_while_the_rest_is_linked(library: Library, tmp_path: Path) -> None:
    stages = Stages(library.path("full_health"), tmp_path / "stages")
    stages.come("metadata", "graph_execution_traces", "graphs", "stack_frames", "source_files")
    navigator = browsing(stages.logdir.runs[0])
    navigator.select_trace(40)
    navigator.select_line(1, 5)
    stages.come("execution")
    assert navigator.relink()
    chosen = navigator.selection
    assert (chosen.file, chosen.line, chosen.pinned) == (1, 5, True)
    assert chosen.execution is not None
    assert navigator.back()
    assert navigator.selection.line != 5
    assert navigator.forward()
    assert navigator.selection == chosen


def test_a_node_that_was_not_recorded_gets_its_line_when_it_comes(
    library: Library, tmp_path: Path
) -> None:
    truth = indexed(library.path("full_health"))
    graph_id = truth.host.traces.site_of(40).graph_id
    stages = Stages(library.path("full_health"), tmp_path / "stages")
    stages.come("metadata", "graph_execution_traces", "graphs", "execution")
    navigator = browsing(stages.logdir.runs[0])
    navigator.select_trace(40)
    navigator.select_node(Node(graph_id, unrecorded(truth, graph_id), 0))
    assert (navigator.selection.is_node, navigator.selection.line) == (True, None)
    stages.come("stack_frames", "source_files")
    assert navigator.relink()
    assert navigator.selection.line is not None


# ---------------------------------------------------------------------- runs that change


def rewrite(logdir: Path, suffix: str, share: float) -> None:
    """Replace a file by another one with the first part of it."""
    (path,) = logdir.glob(f"*.{suffix}")
    content = path.read_bytes()
    path.unlink()
    path.with_suffix(".new").write_bytes(content[: int(len(content) * share)])
    path.with_suffix(".new").rename(path)


def read_again(navigator: Navigator, logdir: Logdir) -> bool:
    drain(logdir)
    changed = navigator.open_run(logdir.runs[0])
    finish(*navigator.jobs())
    return changed


def test_the_same_run_is_indexed_once(library: Library) -> None:
    logdir = load(library.path("full_health"))
    navigator = browsing(logdir.runs[0])
    run = navigator.run
    drain(logdir)
    assert not navigator.open_run(logdir.runs[0])
    assert navigator.run is run


def test_a_replaced_file_is_indexed_anew_and_keeps_what_is_still_there(
    copy_of: Callable[[str], Path],
) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    navigator = browsing(logdir.runs[0])
    navigator.search_for("op:Log")
    navigator.select_trace(90)
    navigator.select_execution(109)
    navigator.select_trace(10)
    rewrite(path, "graph_execution_traces", 0.5)
    assert read_again(navigator, logdir)
    index = index_of(navigator)
    assert 10 < len(index.host.traces) < 90
    assert navigator.selection.trace == 10
    assert navigator.search is not None
    assert navigator.search.index is index
    assert navigator.back()
    assert navigator.selection.execution == 109
    assert not navigator.back(), "trace 90 is no more"


def test_what_a_replaced_file_lacks_is_no_longer_chosen(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    navigator = browsing(logdir.runs[0])
    last = len(index_of(navigator).host.traces) - 1
    navigator.select_trace(last)
    rewrite(path, "graph_execution_traces", 1 - 1e-9)  # without its last byte
    assert read_again(navigator, logdir)
    assert len(index_of(navigator).host.traces) == last
    assert navigator.selection == Selection()
    assert not navigator.back()


def test_between_reading_and_taking_a_replaced_file_keys_work_on_the_old_one(
    copy_of: Callable[[str], Path],
) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    navigator = browsing(logdir.runs[0])
    navigator.select_trace(100)
    rewrite(path, "graph_execution_traces", 0.1)
    rewrite(path, "execution", 0.1)
    drain(logdir)
    assert len(logdir.runs[0].hosts[0].traces) < 100
    alerts = len(navigator.run.log) if navigator.run else 0
    assert navigator.relink() is False
    assert navigator.first_alert()
    for _ in range(alerts - 1):
        assert navigator.step_alert(1)
    rows = navigator.trace_rows()
    assert rows is not None
    assert len(rows.rows(90, 108)) == 18
    assert walk_matches(navigator, EventKind.EXECUTION, -1)
    assert navigator.open_run(logdir.runs[0])


def test_another_run_begins_with_nothing_chosen(library: Library) -> None:
    healthy, bad = load(library.path("two_runs")).runs
    navigator = browsing(healthy)
    navigator.select_trace(3)
    navigator.show_only("op:Mul")
    assert navigator.open_run(bad)
    assert navigator.selection == Selection()
    assert not navigator.back()
    assert navigator.filter is not None
    assert navigator.filter.index is navigator.index
    assert navigator.filter.query.text == "op:Mul"


# ---------------------------------------------------------------------- several hosts


@pytest.fixture
def two_hosts(library: Library, tmp_path: Path) -> Path:
    """One run of two hosts that recorded the same."""
    for name in ("host-b", "host-c"):
        add_host(library.path("full_health"), tmp_path / "hosts", name)
    return tmp_path / "hosts"


def test_an_event_of_another_host_brings_that_host(two_hosts: Path) -> None:
    navigator = browsed(two_hosts)
    assert navigator.run is not None
    assert len(navigator.run.hosts) == 2
    navigator.search_for("op:Log")
    navigator.select_trace(12)
    on_first = navigator.selection
    navigator.select_at(EventRef(1, EventKind.TRACE, 12))
    assert navigator.index is navigator.run.hosts[1]
    assert navigator.search is not None
    assert navigator.search.index is navigator.index
    assert (navigator.selection.host, navigator.selection.trace) == (1, 12)
    rows = navigator.trace_rows()
    assert rows is not None
    assert rows.index is navigator.index
    assert navigator.back()
    assert navigator.selection == on_first
    assert navigator.search.index is navigator.run.hosts[0]
    navigator.look_at_host(1)
    assert navigator.selection == Selection(host=1)
    assert navigator.index is navigator.run.hosts[1]


def test_alerts_of_all_hosts_are_stepped_through_in_time_order(two_hosts: Path) -> None:
    navigator = browsed(two_hosts)
    wanted = [alert[:4] for alert in alerts_of(navigator)]
    assert {host for host, *_ in wanted} == {0, 1}
    assert walk_alerts(navigator, 1) == wanted


def test_a_host_that_joins_does_not_change_what_is_chosen(
    library: Library, two_hosts: Path
) -> None:
    logdir = load(two_hosts)
    navigator = browsing(logdir.runs[0])
    navigator.select_at(EventRef(1, EventKind.EXECUTION, 9))
    navigator.select_at(EventRef(0, EventKind.TRACE, 5))
    before = navigator.selection
    add_host(library.path("full_health"), two_hosts, "host-a")
    assert read_again(navigator, logdir)
    assert navigator.run is not None
    names = [index.host.name for index in navigator.run.hosts]
    assert names == ["host-a", "host-b", "host-c"]
    assert (navigator.selection.host, navigator.selection.trace) == (1, 5)
    assert (navigator.selection.frame, navigator.selection.line) == (before.frame, before.line)
    assert navigator.back()
    assert (navigator.selection.host, navigator.selection.execution) == (2, 9)
