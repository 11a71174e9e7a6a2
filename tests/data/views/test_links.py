"""Whatever is chosen, all that belongs to it is chosen with it."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

import pytest

from tests.support.damage import INJURIES, hostile_recording, offsets_of, trace, write_files
from tests.support.navigating import browsed, finish, index_of, indexed, unrecorded
from tests.support.reading import GUILTY_LINES
from tfdbg_tui.data.index.stacks import FrameKind
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views import links
from tfdbg_tui.data.views.selection import Node, Selection

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.index.host_index import HostIndex

RECORDED = (
    "full_health", "keras_fit", "while_loop", "mirrored", "retraced", "tf_data", "tf1_session",
    "eager_only", "filter_op_regex", "no_tensor", "two_runs",
)  # fmt: skip


def assert_place_is_in_the_stack(index: HostIndex, chosen: Selection) -> None:
    """Frame, file and line are those of one frame, the innermost that may be the user's."""
    frames = links.stack_of(index, chosen)
    candidates = [frame for frame in frames if frame.kind is not FrameKind.LIBRARY]
    if not candidates:
        assert (chosen.frame, chosen.file, chosen.line) == (None, None, None)
        return
    frame = candidates[0]
    assert (chosen.frame, chosen.file, chosen.line) == (frame.id, frame.file, frame.line)
    assert not chosen.pinned


@pytest.mark.parametrize("scenario", RECORDED)
def test_a_trace_brings_its_call_its_tensor_and_its_line(library: Library, scenario: str) -> None:
    index = indexed(library.path(scenario))
    for event in range(len(index.host.traces)):
        chosen = links.select_trace(index, 0, event, Selection())
        site = index.host.traces.site_of(event)
        assert (chosen.kind, chosen.trace, chosen.host) == (EventKind.TRACE, event, 0)
        assert chosen.execution == index.joins.execution_of(event)
        assert chosen.node == Node(site.graph_id, site.op_name, site.slot)
        assert chosen.node.tensor_name == site.tensor_name
        assert_place_is_in_the_stack(index, chosen)


@pytest.mark.parametrize("scenario", RECORDED)
def test_an_execution_brings_its_tensors_and_its_line(library: Library, scenario: str) -> None:
    index = indexed(library.path(scenario))
    for execution in range(len(index.host.executions)):
        chosen = links.select_execution(index, 0, execution, Selection())
        inside = index.joins.traces_of(execution).tolist()
        assert (chosen.kind, chosen.execution) == (EventKind.EXECUTION, execution)
        assert chosen.trace == (inside[0] if inside else None)
        assert chosen.node is None
        assert_place_is_in_the_stack(index, chosen)


@pytest.mark.parametrize("scenario", GUILTY_LINES)
def test_the_first_alert_brings_the_guilty_line(library: Library, scenario: str) -> None:
    navigator = browsed(library.path(scenario))
    index = index_of(navigator)
    assert navigator.first_alert()
    chosen = navigator.selection
    module, code, function = GUILTY_LINES[scenario]
    assert chosen.file is not None
    assert chosen.line is not None
    source, lines = index.host.sources.get(chosen.file), index.host.sources.lines(chosen.file)
    assert source is not None
    assert lines is not None
    assert PurePath(source.path).stem == module
    assert lines[chosen.line - 1].strip() == code
    frames = {frame.id: frame.function for frame in links.stack_of(index, chosen)}
    assert frames[chosen.frame or ""] == function


def bad_outputs(index: HostIndex, execution: int) -> list[int]:
    read = index.host.executions.read(execution)
    assert read is not None
    return [place for place, health in enumerate(read.health) if health and health.bad]


def test_an_execution_shows_its_first_bad_output_unless_told_which(library: Library) -> None:
    index = indexed(library.path("full_health"))
    firsts = set()
    for execution in range(len(index.host.executions)):
        bad = bad_outputs(index, execution)
        chosen = links.select_execution(index, 0, execution, Selection())
        assert chosen.output == (bad[0] if bad else 0)
        firsts.add(chosen.output)
        assert links.select_execution(index, 0, execution, Selection(), 3).output == 3
    assert firsts > {0}


# ---------------------------------------------------------------------- tensors of graphs


def test_a_node_is_chosen_in_the_invocation_looked_at(library: Library) -> None:
    index = indexed(library.path("full_health"))
    traces = index.host.traces
    logs = [t for t in range(len(traces)) if traces.site_of(t).op_name == "Log"]
    for log in logs:
        before = links.select_trace(index, 0, log, Selection())
        (negated,) = (
            t for t in index.joins.traces_of(before.execution or 0).tolist()
            if traces.site_of(t).op_name == "Neg"
        )  # fmt: skip
        site = traces.site_of(negated)
        node = Node(site.graph_id, site.op_name, site.slot)
        assert links.select_node(index, node, before) == links.select_trace(
            index, 0, negated, before
        )


def test_in_a_loop_a_node_is_chosen_in_the_same_iteration(library: Library) -> None:
    index = indexed(library.path("while_loop"))
    traces = index.host.traces
    sites = {traces.site_of(t).graph_id for t in range(len(traces))}
    body = next(g for g in sites if "while_body" in (index.host.graphs.name_of(g) or ""))
    inside = [t for t in range(len(traces)) if traces.site_of(t).graph_id == body]
    first, second = (traces.site_of(t) for t in inside[:2])
    firsts = [t for t in inside if traces.site_of(t) == first]
    seconds = [t for t in inside if traces.site_of(t) == second]
    assert len(firsts) == len(seconds) > 3
    for event, companion in zip(firsts, seconds, strict=True):
        before = links.select_trace(index, 0, event, Selection())
        node = Node(second.graph_id, second.op_name, second.slot)
        assert links.select_node(index, node, before).trace == companion


def test_a_node_on_several_devices_stays_on_the_device_looked_at(tmp_path: Path) -> None:
    computed = [(op, device) for op in (b"x", b"y") for device in (b"CPU:0", b"CPU:1")]
    payloads = [
        trace(wall_time, op_name=op, device_name=device)
        for wall_time, (op, device) in enumerate(computed, start=1)
    ]
    index = indexed(write_files(tmp_path, graph_execution_traces=payloads))
    for near, expected in ((2, 0), (3, 1), (0, 0), (1, 1)):
        before = links.select_trace(index, 0, near, Selection())
        assert links.select_node(index, Node("g", "x", 0), before).trace == expected


def test_without_anything_chosen_a_node_is_its_last_computation(library: Library) -> None:
    index = indexed(library.path("full_health"))
    traces = index.host.traces
    last = max(t for t in range(len(traces)) if traces.site_of(t).op_name == "Log")
    site = traces.site_of(last)
    node = Node(site.graph_id, site.op_name, site.slot)
    assert links.select_node(index, node, Selection()).trace == last


def test_a_node_that_was_not_recorded_is_chosen_beside_what_was(library: Library) -> None:
    index = indexed(library.path("full_health"))
    before = links.select_trace(index, 0, 40, Selection())
    graph_id = index.host.traces.site_of(40).graph_id
    node = Node(graph_id, unrecorded(index, graph_id), 0)
    chosen = links.select_node(index, node, before)
    assert (chosen.is_node, chosen.node) == (True, node)
    assert (chosen.trace, chosen.execution) == (40, before.execution)
    assert chosen.line is not None
    assert_place_is_in_the_stack(index, chosen)


def test_a_node_that_nobody_knows_is_chosen_without_a_place(library: Library) -> None:
    index = indexed(library.path("full_health"))
    chosen = links.select_node(index, Node("no graph", "no op", 7), Selection())
    assert (chosen.is_node, chosen.trace, chosen.line) == (True, None, None)
    assert links.stack_of(index, chosen) == ()


# ---------------------------------------------------------------------- frames and lines


def test_the_file_that_the_user_looks_at_is_kept_while_walking(library: Library) -> None:
    index = indexed(library.path("full_health"))
    start = links.select_trace(index, 0, 40, Selection())
    frames = links.stack_of(index, start)
    outer = next(f for f in frames if f.kind is FrameKind.USER and f.file != start.file)
    pinned = links.select_frame(start, outer)
    assert (pinned.frame, pinned.file, pinned.line) == (outer.id, outer.file, outer.line)
    walked = links.select_trace(index, 0, 41, pinned)
    assert (walked.file, walked.pinned) == (outer.file, True)
    assert walked.frame in {frame.id for frame in links.stack_of(index, walked)}
    # On another host the number of a file means another file.
    elsewhere = links.select_trace(index, 1, 41, pinned)
    assert (elsewhere.file, elsewhere.pinned) == (start.file, False)


def test_a_file_that_the_stack_lacks_is_left(library: Library) -> None:
    index = indexed(library.path("full_health"))
    start = links.select_trace(index, 0, 40, Selection())
    in_stack = {frame.file for frame in links.stack_of(index, start)}
    other = next(n for n in range(len(index.host.sources.files)) if n not in in_stack)
    pinned = links.select_line(index, start, other, 12)
    assert (pinned.frame, pinned.file, pinned.line, pinned.pinned) == (None, other, 12, True)
    assert (pinned.kind, pinned.trace) == (start.kind, start.trace)
    assert links.select_trace(index, 0, 40, pinned) == start


@pytest.mark.parametrize("scenario", RECORDED)
def test_a_line_brings_an_op_that_it_created(library: Library, scenario: str) -> None:
    index = indexed(library.path(scenario))
    finish(index)
    for entry in index.lines.files():
        for line, facts in index.lines.lines(entry.file).items():
            chosen = links.select_line(index, Selection(), entry.file, line)
            assert (chosen.file, chosen.line, chosen.pinned) == (entry.file, line, True)
            places = {(f.id, f.file, f.line) for f in links.stack_of(index, chosen)}
            assert (chosen.frame, entry.file, line) in places
            if facts.own_alerts:
                assert is_bad(index, chosen), (entry.path, line)


def test_a_line_that_created_the_subject_leaves_it(library: Library) -> None:
    index = indexed(library.path("full_health"))
    finish(index)
    start = links.select_trace(index, 0, 40, Selection())
    for frame in links.stack_of(index, start):
        assert frame.file is not None
        assert frame.line is not None
        chosen = links.select_line(index, start, frame.file, frame.line)
        assert (chosen.kind, chosen.trace, chosen.line) == (EventKind.TRACE, 40, frame.line)


def is_bad(index: HostIndex, chosen: Selection) -> bool:
    """Whether what is chosen held NaN or ∞."""
    assert chosen.event is not None
    return index.host.store_of(chosen.event.kind).is_bad(chosen.event.event)


def test_nothing_chosen_has_no_stack(library: Library) -> None:
    index = indexed(library.path("full_health"))
    assert links.stack_of(index, Selection()) == ()
    assert links.relinked(index, Selection()) == Selection()


# ---------------------------------------------------------------------- damage


def select_everything(index: HostIndex) -> list[Selection]:
    traces, executions = len(index.host.traces), len(index.host.executions)
    found = [links.select_trace(index, 0, event, Selection()) for event in range(traces)]
    found += [links.select_execution(index, 0, event, Selection()) for event in range(executions)]
    return found


@pytest.mark.parametrize("suffix", ["graphs", "execution", "stack_frames", "source_files"])
@pytest.mark.parametrize("injury", ["cut at 50%", "garbage over 4 records at 50%"])
def test_damaged_files_leave_links_that_hold(
    copy_of: Callable[[str], Path], suffix: str, injury: str
) -> None:
    logdir = copy_of("full_health")
    (path,) = logdir.glob(f"*.{suffix}")
    path.write_bytes(INJURIES[injury].apply(path.read_bytes(), offsets_of(path)))
    index = indexed(logdir)
    for chosen in select_everything(index):
        assert_place_is_in_the_stack(index, chosen)


@pytest.mark.parametrize("missing", ["graphs", "execution", "stack_frames", "source_files"])
def test_missing_files_leave_links_that_hold(copy_of: Callable[[str], Path], missing: str) -> None:
    logdir = copy_of("full_health")
    (path,) = logdir.glob(f"*.{missing}")
    path.unlink()
    index = indexed(logdir)
    for chosen in select_everything(index):
        assert_place_is_in_the_stack(index, chosen)
        if missing == "execution":
            assert chosen.execution is None


def test_hostile_names_are_chosen_like_others(tmp_path: Path) -> None:
    index = indexed(hostile_recording(tmp_path, b"[/x]\x1b[2J\0\xff"))
    (chosen,) = select_everything(index)
    assert chosen.node is not None
    assert chosen.node.op_name == index.host.traces.site_of(0).op_name
    assert Bad(int(index.host.traces.events["bad"][0])) is Bad.NAN


def test_every_selection_can_be_relinked(library: Library) -> None:
    index = indexed(library.path("full_health"))
    for chosen in select_everything(index):
        assert links.relinked(index, chosen) == chosen
        pinned = links.select_line(index, chosen, 0, 1)
        assert links.relinked(index, pinned) == pinned
