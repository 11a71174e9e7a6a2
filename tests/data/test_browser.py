"""Where keys lead: through alerts, matches, hosts, and back; while files come and are replaced."""

from __future__ import annotations

import math
import shutil
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.data.browsing import (
    Stages,
    add_host,
    browsed,
    browsing,
    executions_at,
    finish,
    index_of,
    indexed,
    unrecorded,
)
from tests.data.damage import BAD_VECTOR, event, trace, write_files
from tests.data.reading import drain, load
from tfdbg_tui.data.browser import EXECUTIONS, TRACES, Browser
from tfdbg_tui.data.links import stack_of
from tfdbg_tui.data.query import QueryError
from tfdbg_tui.data.selection import Node, Selection, Subject
from tfdbg_tui.data.stacks import FrameKind

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.alerts import Alert
    from tfdbg_tui.data.logdir import Logdir

WITH_ALERTS = ("full_health", "keras_fit", "eager_only", "tf1_session", "half_types_full")


def chosen_tensor(browser: Browser) -> tuple[int, bool, int | None, int]:
    """Host, kind, event and output of the selection, as an alert tells them."""
    chosen = browser.selection
    graph = chosen.subject is Subject.TRACE
    return chosen.host, graph, chosen.trace if graph else chosen.execution, chosen.output


def alerts_of(browser: Browser) -> list[Alert]:
    assert browser.run is not None
    log = browser.run.run.alerts
    return [log[rank] for rank in range(len(log))]


# ---------------------------------------------------------------------- before there is anything


def test_without_a_run_nothing_happens() -> None:
    browser = Browser()
    browser.select_trace(0)
    browser.select_execution(0)
    browser.select_node(Node("g", "x", 0))
    browser.look_at_host(1)
    browser.search_for("log")
    assert (browser.trace_rows(), browser.execution_rows(), browser.index) == (None, None, None)
    steps = (browser.step_alert(1), browser.step_match(TRACES, 1), browser.first_alert())
    others = (browser.back(), browser.forward(), browser.relink(), browser.next_output())
    assert not any((*steps, *others))
    assert browser.selection == Selection()
    assert browser.followers() == []


def test_a_run_without_events_has_nothing_to_choose(library: Library) -> None:
    browser = browsed(library.path("circular"))
    browser.select_trace(0)
    browser.select_execution(0)
    assert not any((browser.first_alert(), browser.step_alert(1), browser.step_alert(-1)))
    assert not any((browser.step_match(TRACES, 1), browser.step_match(EXECUTIONS, -1)))
    assert not browser.relink()
    assert browser.selection == Selection()
    rows = browser.trace_rows(), browser.execution_rows()
    assert [len(source or ()) for source in rows] == [0, 0]


def test_events_that_are_not_there_change_nothing(library: Library) -> None:
    browser = browsed(library.path("full_health"))
    browser.select_trace(7)
    before = browser.selection
    for number in (-1, 10**9):
        browser.select_trace(number)
        browser.select_execution(number)
        browser.select_at(number, True, 0)
        browser.look_at_host(10**9)
    assert browser.selection == before


# ---------------------------------------------------------------------- alerts


@pytest.mark.parametrize("scenario", WITH_ALERTS)
def test_stepping_visits_every_alert_once_in_time_order_and_back(
    library: Library, scenario: str
) -> None:
    browser = browsed(library.path(scenario))
    wanted = [alert[:4] for alert in alerts_of(browser)]
    assert len(set(wanted)) == len(wanted) > 0
    assert browser.first_alert()
    visited: list[Any] = [chosen_tensor(browser)]
    while browser.step_alert(1):
        visited.append(chosen_tensor(browser))
    assert visited == wanted
    back: list[Any] = [chosen_tensor(browser)]
    while browser.step_alert(-1):
        back.append(chosen_tensor(browser))
    assert back == wanted[::-1]


def test_from_anywhere_the_next_alert_is_the_next_in_time(library: Library) -> None:
    browser = browsed(library.path("full_health"))
    alerts = alerts_of(browser)
    host = index_of(browser).host
    for graph, store in ((True, host.traces), (False, host.executions)):
        for number in range(0, len(store), 3):
            time = float(store.events["wall_time"][number])
            earlier = [alert[:4] for alert in alerts if alert.wall_time < time]
            later = [alert[:4] for alert in alerts if alert.wall_time > time]
            browser.select_at(0, graph, number)
            assert browser.step_alert(-1) == bool(earlier)
            assert not earlier or chosen_tensor(browser) == earlier[-1]
            browser.select_at(0, graph, number)
            last_of_event = [a for a in alerts if (a.graph, a.event) == (graph, number)][1:]
            if not last_of_event:
                assert browser.step_alert(1) == bool(later)
                assert not later or chosen_tensor(browser) == later[0]


def test_with_nothing_chosen_the_next_alert_is_the_first(library: Library) -> None:
    browser = browsed(library.path("full_health"))
    assert not browser.step_alert(-1)
    assert browser.step_alert(1)
    assert chosen_tensor(browser) == alerts_of(browser)[0][:4]


def test_from_an_output_between_two_bad_ones_both_are_next_to_it(tmp_path: Path) -> None:
    outputs = {"num_outputs": 3, "tensor_debug_mode": 4}
    protos = [BAD_VECTOR, {}, BAD_VECTOR]
    payload = event(wall_time=1.0, execution={"op_type": b"x", **outputs, "tensor_protos": protos})
    browser = browsed(write_files(tmp_path, execution=[payload]))
    for steps, output in ((1, 2), (-1, 0)):
        browser.select_execution(0, output=1)
        assert browser.step_alert(steps)
        assert browser.selection.output == output


@pytest.mark.parametrize(
    "times",
    [
        [math.nan] * 4,
        [3.0, math.nan, 1.0, math.inf, -math.inf, math.nan, 1.0],
        [0.0] * 5,
        [5.0, 4.0, 3.0, 4.0],
    ],
)
def test_alerts_with_senseless_times_are_visited_once_each(
    tmp_path: Path, times: list[float]
) -> None:
    payloads = [trace(time, tensor_proto=BAD_VECTOR) for time in times]
    browser = browsed(write_files(tmp_path, graph_execution_traces=payloads))
    wanted = [alert.event for alert in alerts_of(browser)]
    assert sorted(wanted) == list(range(len(times)))
    visited = []
    while browser.step_alert(1):
        visited.append(browser.selection.trace)
    assert visited == wanted
    back = [browser.selection.trace]
    while browser.step_alert(-1):
        back.append(browser.selection.trace)
    assert back == wanted[::-1]


# ---------------------------------------------------------------------- matches


def walk(browser: Browser, kind: str, steps: int) -> list[int | None]:
    """The events that are chosen by stepping until there is no more."""
    visited = []
    while browser.step_match(kind, steps):
        chosen = browser.selection
        visited.append(chosen.trace if kind == TRACES else chosen.execution)
    return visited


@pytest.mark.parametrize("scenario", ["full_health", "eager_only", "while_loop"])
@pytest.mark.parametrize("kind", [TRACES, EXECUTIONS])
def test_without_a_search_matches_are_bad_events(
    library: Library, scenario: str, kind: str
) -> None:
    browser = browsed(library.path(scenario))
    store = getattr(index_of(browser).host, kind)
    bad = np.flatnonzero(store.events["bad"]).tolist()
    assert walk(browser, kind, 1) == bad
    assert walk(browser, kind, -1) == bad[::-1][1:]


def test_with_nothing_chosen_the_first_event_and_the_last_one_count(tmp_path: Path) -> None:
    payloads = [trace(float(time), tensor_proto=BAD_VECTOR) for time in range(3)]
    browser = browsed(write_files(tmp_path, graph_execution_traces=payloads))
    assert walk(browser, TRACES, 1) == [0, 1, 2]
    browser.selection = Selection()
    assert walk(browser, TRACES, -1) == [2, 1, 0]


@pytest.mark.parametrize("kind", [TRACES, EXECUTIONS])
@pytest.mark.parametrize("query", ["op:MatMul", "loss", "bad"])
def test_a_search_is_stepped_through_from_anywhere(library: Library, kind: str, query: str) -> None:
    browser = browsed(library.path("full_health"))
    browser.search_for(query)
    assert browser.search is not None
    finish(browser.search)
    index = index_of(browser)
    store = getattr(index.host, kind)
    matches = getattr(browser.search, kind).rows.tolist()
    for number in range(len(store)):
        later = [match for match in matches if match > number]
        earlier = [match for match in matches if match < number]
        for steps, wanted in ((1, later[:1]), (-1, earlier[-1:])):
            browser.select_at(0, kind == TRACES, number)
            assert browser.step_match(kind, steps) == bool(wanted)
            found = browser.selection.trace if kind == TRACES else browser.selection.execution
            assert found == (wanted[0] if wanted else number)


def test_an_empty_query_ends_a_search_and_a_wrong_one_keeps_it(library: Library) -> None:
    browser = browsed(library.path("full_health"))
    browser.search_for("op:Log")
    browser.show_only("bad")
    assert len(browser.followers()) == 3
    with pytest.raises(QueryError):
        browser.search_for("nan>x")
    assert browser.search is not None
    browser.search_for("")
    browser.show_only("")
    assert browser.followers() == [browser.run]


# ---------------------------------------------------------------------- back and forward


def test_back_and_forward_go_through_what_was_chosen(library: Library) -> None:
    browser = browsed(library.path("full_health"))
    visited = []
    for number in (3, 50, 20):
        browser.select_trace(number)
        visited.append(browser.selection)
    browser.select_execution(9)
    visited.append(browser.selection)
    for selection in visited[-2::-1]:
        assert browser.back()
        assert browser.selection == selection
    assert not browser.back()
    assert browser.forward()
    assert browser.selection == visited[1]
    browser.select_trace(99)
    assert not browser.forward()
    assert browser.back()
    assert browser.selection == visited[1]


def test_choosing_the_same_again_is_no_step(library: Library) -> None:
    browser = browsed(library.path("full_health"))
    browser.select_trace(3)
    browser.select_trace(4)
    browser.select_trace(4)
    assert browser.back()
    assert browser.selection.trace == 3


def test_frames_and_lines_are_steps_too(library: Library) -> None:
    browser = browsed(library.path("full_health"))
    browser.select_trace(40)
    start = browser.selection
    index = index_of(browser)
    stack = stack_of(index, start)
    browser.select_frame(next(frame for frame in stack if frame.kind is FrameKind.LIBRARY))
    browser.select_line(0, 12)
    assert (browser.selection.file, browser.selection.line, browser.selection.trace) == (0, 12, 40)
    assert browser.back()
    assert browser.back()
    assert browser.selection == start


def test_outputs_of_an_execution_go_round(library: Library) -> None:
    browser = browsed(library.path("full_health"))
    executions = index_of(browser).host.executions
    tensors = [executions.site_of(row).tensors for row in range(len(executions))]
    browser.select_execution(tensors.index(4))
    seen = []
    for _ in range(5):
        seen.append(browser.selection.output)
        assert browser.next_output()
    assert seen == [0, 1, 2, 3, 0]
    browser.select_execution(tensors.index(1))
    assert not browser.next_output()
    browser.select_trace(0)
    assert not browser.next_output()


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
    assert known == ["graphs", "source_files"]
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
    finish(*browser.followers())
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
    assert walk(browser, EXECUTIONS, -1)
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
    visited: list[Any] = []
    while browser.step_alert(1):
        visited.append(chosen_tensor(browser))
    assert visited == wanted


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


# ---------------------------------------------------------------------- lists


def test_lists_are_whole_filtered_or_collapsed(library: Library) -> None:
    browser = browsed(library.path("full_health"))
    index = index_of(browser)
    whole = browser.execution_rows()
    browser.collapsed = True
    collapsed = browser.execution_rows()
    browser.show_only("bad")
    assert browser.filter is not None
    finish(browser.filter)
    filtered = browser.execution_rows()
    lengths = [len(rows or ()) for rows in (whole, collapsed, filtered)]
    bad = int(np.count_nonzero(index.host.executions.events["bad"]))
    assert lengths == [len(index.host.executions), len(index.groups.rows), bad]


def test_times_that_run_back_can_be_browsed(tmp_path: Path) -> None:
    browser = browsed(executions_at(tmp_path, 5.0, math.nan, 3.0, math.inf, 4.0, metadata=True))
    for number in range(5):
        browser.select_execution(number)
        assert browser.selection.execution == number
    assert not browser.step_alert(1)


def test_a_vanished_logdir_can_still_be_browsed(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    browser = browsing(logdir.runs[0])
    shutil.rmtree(path)
    drain(logdir)
    assert browser.first_alert()
    rows = browser.trace_rows()
    assert rows is not None
    assert len(rows.rows(0, 40)) == 40
