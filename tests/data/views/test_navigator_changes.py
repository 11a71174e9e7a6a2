"""What is chosen stays chosen while files come, are replaced, and hosts join."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.browsing import (
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
from tfdbg_tui.data.views.navigator import EXECUTIONS
from tfdbg_tui.data.views.selection import Node, Selection, Subject

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.data.views.navigator import Browser


# ---------------------------------------------------------------------- files that come


def test_what_was_not_on_disk_is_linked_when_it_comes(library: Library, tmp_path: Path) -> None:
    source = library.path("full_health")
    truth = browsed(source)
    truth.first_alert()
    stages = Stages(source, tmp_path / "stages")
    stages.come("metadata", "graph_execution_traces")
    browser = browsing(stages.logdir.runs[0])
    browser.select_trace(truth.selection.trace or 0)
    chosen = browser.selection
    assert (chosen.execution, chosen.frame, chosen.line) == (None, None, None)
    assert not browser.relink()
    known = []
    for suffix in ("execution", "graphs", "stack_frames", "source_files"):
        stages.come(suffix)
        assert not browser.take(stages.logdir.runs[0])
        if browser.relink():
            known.append(suffix)
        assert not browser.relink()
    assert known == ["graphs", "stack_frames", "source_files"]
    assert browser.selection == truth.selection
    assert not browser.back()


def test_a_chosen_line_stays_while_the_rest_is_linked(library: Library, tmp_path: Path) -> None:
    stages = Stages(library.path("full_health"), tmp_path / "stages")
    stages.come("metadata", "graph_execution_traces", "graphs", "stack_frames", "source_files")
    browser = browsing(stages.logdir.runs[0])
    browser.select_trace(40)
    browser.select_line(1, 5)
    stages.come("execution")
    assert browser.relink()
    chosen = browser.selection
    assert (chosen.file, chosen.line, chosen.pinned) == (1, 5, True)
    assert chosen.execution is not None
    assert browser.back()
    assert browser.selection.line != 5
    assert browser.forward()
    assert browser.selection == chosen


def test_a_node_that_was_not_recorded_gets_its_line_when_it_comes(
    library: Library, tmp_path: Path
) -> None:
    truth = indexed(library.path("full_health"))
    graph_id = truth.host.traces.site_of(40).graph_id
    stages = Stages(library.path("full_health"), tmp_path / "stages")
    stages.come("metadata", "graph_execution_traces", "graphs", "execution")
    browser = browsing(stages.logdir.runs[0])
    browser.select_trace(40)
    browser.select_node(Node(graph_id, unrecorded(truth, graph_id), 0))
    assert (browser.selection.subject, browser.selection.line) == (Subject.NODE, None)
    stages.come("stack_frames", "source_files")
    assert browser.relink()
    assert browser.selection.line is not None


# ---------------------------------------------------------------------- runs that change


def rewrite(logdir: Path, suffix: str, share: float) -> None:
    """Replace a file by another one with the first part of it."""
    (path,) = logdir.glob(f"*.{suffix}")
    content = path.read_bytes()
    path.unlink()
    path.with_suffix(".new").write_bytes(content[: int(len(content) * share)])
    path.with_suffix(".new").rename(path)


def read_again(browser: Browser, logdir: Logdir) -> bool:
    drain(logdir)
    changed = browser.take(logdir.runs[0])
    finish(*browser.jobs())
    return changed


def test_the_same_run_is_indexed_once(library: Library) -> None:
    logdir = load(library.path("full_health"))
    browser = browsing(logdir.runs[0])
    run = browser.run
    drain(logdir)
    assert not browser.take(logdir.runs[0])
    assert browser.run is run


def test_a_replaced_file_is_indexed_anew_and_keeps_what_is_still_there(
    copy_of: Callable[[str], Path],
) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    browser = browsing(logdir.runs[0])
    browser.search_for("op:Log")
    browser.select_trace(90)
    browser.select_execution(109)
    browser.select_trace(10)
    rewrite(path, "graph_execution_traces", 0.5)
    assert read_again(browser, logdir)
    index = index_of(browser)
    assert 10 < len(index.host.traces) < 90
    assert browser.selection.trace == 10
    assert browser.search is not None
    assert browser.search.index is index
    assert browser.back()
    assert browser.selection.execution == 109
    assert not browser.back(), "trace 90 is no more"


def test_what_a_replaced_file_lacks_is_no_longer_chosen(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    browser = browsing(logdir.runs[0])
    last = len(index_of(browser).host.traces) - 1
    browser.select_trace(last)
    rewrite(path, "graph_execution_traces", 1 - 1e-9)  # without its last byte
    assert read_again(browser, logdir)
    assert len(index_of(browser).host.traces) == last
    assert browser.selection == Selection()
    assert not browser.back()


def test_between_reading_and_taking_a_replaced_file_keys_work_on_the_old_one(
    copy_of: Callable[[str], Path],
) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    browser = browsing(logdir.runs[0])
    browser.select_trace(100)
    rewrite(path, "graph_execution_traces", 0.1)
    rewrite(path, "execution", 0.1)
    drain(logdir)
    assert len(logdir.runs[0].hosts[0].traces) < 100
    alerts = len(browser.run.log) if browser.run else 0
    assert browser.relink() is False
    assert browser.first_alert()
    for _ in range(alerts - 1):
        assert browser.step_alert(1)
    rows = browser.trace_rows()
    assert rows is not None
    assert len(rows.rows(90, 108)) == 18
    assert walk_matches(browser, EXECUTIONS, -1)
    assert browser.take(logdir.runs[0])


def test_another_run_begins_with_nothing_chosen(library: Library) -> None:
    healthy, bad = load(library.path("two_runs")).runs
    browser = browsing(healthy)
    browser.select_trace(3)
    browser.show_only("op:Mul")
    assert browser.take(bad)
    assert browser.selection == Selection()
    assert not browser.back()
    assert browser.filter is not None
    assert browser.filter.index is browser.index
    assert browser.filter.query.text == "op:Mul"


# ---------------------------------------------------------------------- several hosts


@pytest.fixture
def two_hosts(library: Library, tmp_path: Path) -> Path:
    """One run of two hosts that recorded the same."""
    for name in ("host-b", "host-c"):
        add_host(library.path("full_health"), tmp_path / "hosts", name)
    return tmp_path / "hosts"


def test_an_event_of_another_host_brings_that_host(two_hosts: Path) -> None:
    browser = browsed(two_hosts)
    assert browser.run is not None
    assert len(browser.run.hosts) == 2
    browser.search_for("op:Log")
    browser.select_trace(12)
    on_first = browser.selection
    browser.select_at(1, True, 12)
    assert browser.index is browser.run.hosts[1]
    assert browser.search is not None
    assert browser.search.index is browser.index
    assert (browser.selection.host, browser.selection.trace) == (1, 12)
    rows = browser.trace_rows()
    assert rows is not None
    assert rows.index is browser.index
    assert browser.back()
    assert browser.selection == on_first
    assert browser.search.index is browser.run.hosts[0]
    browser.look_at_host(1)
    assert browser.selection == Selection(host=1)
    assert browser.index is browser.run.hosts[1]


def test_alerts_of_all_hosts_are_stepped_through_in_time_order(two_hosts: Path) -> None:
    browser = browsed(two_hosts)
    wanted = [alert[:4] for alert in alerts_of(browser)]
    assert {host for host, *_ in wanted} == {0, 1}
    assert walk_alerts(browser, 1) == wanted


def test_a_host_that_joins_does_not_change_what_is_chosen(
    library: Library, two_hosts: Path
) -> None:
    logdir = load(two_hosts)
    browser = browsing(logdir.runs[0])
    browser.select_at(1, False, 9)
    browser.select_at(0, True, 5)
    before = browser.selection
    add_host(library.path("full_health"), two_hosts, "host-a")
    assert read_again(browser, logdir)
    assert browser.run is not None
    names = [index.host.name for index in browser.run.hosts]
    assert names == ["host-a", "host-b", "host-c"]
    assert (browser.selection.host, browser.selection.trace) == (1, 5)
    assert (browser.selection.frame, browser.selection.line) == (before.frame, before.line)
    assert browser.back()
    assert (browser.selection.host, browser.selection.execution) == (2, 9)
