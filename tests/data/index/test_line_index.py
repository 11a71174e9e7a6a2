"""Lines of source files and the ops they created: equal to a recount, however files arrive."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from tests.recordings.fabricate import frame, split
from tests.support.reading import drain, hosts_of, load
from tests.support.recount import alerts_by_site, assert_equals_a_recount, created
from tfdbg_tui.data.index import line_index as line_index_module
from tfdbg_tui.data.index.line_index import LineFacts, LineIndex
from tfdbg_tui.data.index.site_facts import SiteIndex
from tfdbg_tui.data.records.debug_event_schema import message_class
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.graphs import Graphs
from tfdbg_tui.data.stores.site_alerts import SiteAlerts
from tfdbg_tui.data.stores.user_code import is_user_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.host import Host

LOG_LINE = "diff = -labels * tf.math.log(probs)"
CALL_LINE = "value = loss(model(x, w), labels)"


def read(path: Path) -> Host:
    (host,) = hosts_of(load(path))
    return host


def whole_index(host: Host) -> LineIndex:
    line_index = LineIndex(host, SiteIndex(host))
    while line_index.extend():
        pass
    return line_index


def file_named(host: Host, name: str) -> int:
    (number,) = (
        number
        for number in range(len(host.sources.files))
        if (source := host.sources.get(number)) and source.path.endswith(name)
    )
    return number


def place_of(host: Host, code: str, name: str = "scenarios/training.py") -> tuple[int, int]:
    """File and line of a line of code."""
    file = file_named(host, name)
    text = host.sources.lines(file)
    assert text is not None
    (line,) = (number for number, found in enumerate(text, 1) if found.strip() == code)
    return file, line


SCENARIOS = (
    "full_health", "keras_fit", "while_loop", "mirrored", "eager_only", "tf_data", "tf1_session",
)  # fmt: skip


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_line_of_every_file_equals_a_recount(library: Library, scenario: str) -> None:
    host = read(library.path(scenario))
    line_index = whole_index(host)
    assert_equals_a_recount(line_index, host)


def test_a_line_knows_the_ops_it_created(library: Library) -> None:
    host = read(library.path("full_health"))
    ops = whole_index(host).ops(*place_of(host, LOG_LINE))
    assert [(op.name, op.op_type, op.function, op.slots) for op in ops] == [
        ("Neg", "Neg", "loss", 1),
        ("Log", "Log", "loss", 1),
        ("mul", "Mul", "loss", 1),
    ]
    for op in ops:
        assert op.kind is EventKind.TRACE
        assert op.own
        assert host.graphs.op(op.graph_id, op.name) is not None
        assert [host.traces.sites[site].op_name for site in op.sites] == [op.name]
    assert [bool(op.alerts) for op in ops] == [False, True, True]


@pytest.mark.parametrize("scenario", ["full_health", "mirrored"])
def test_ops_know_their_alerts_and_the_first(library: Library, scenario: str) -> None:
    host = read(library.path(scenario))
    line_index = whole_index(host)
    alerts = {kind: alerts_by_site(host.store_of(kind)) for kind in EventKind}
    times = {kind: host.store_of(kind).wall_times for kind in EventKind}
    bad_ops = 0
    for entry in line_index.files():
        for line in line_index.lines(entry.file) if entry.is_user else ():
            for op in line_index.ops(entry.file, line):
                events = [event for site in op.sites for event in alerts[op.kind].get(site, [])]
                bad_ops += bool(events)
                first = min(events, key=lambda event: times[op.kind][event], default=None)
                assert (op.alerts, op.first_bad_event) == (len(events), first)
    assert bad_ops


def test_a_line_knows_the_eager_ops_and_calls_it_created(library: Library) -> None:
    host = read(library.path("full_health"))
    ops = whole_index(host).ops(*place_of(host, CALL_LINE))
    calls = {op.name: op for op in ops if op.kind is EventKind.EXECUTION and op.own}
    assert {"model", "loss"} <= calls.keys()
    for op in calls.values():
        (site,) = op.sites
        described = host.executions.sites[site]
        assert (op.op_type, op.slots) == (described.op_type, described.num_outputs)
        assert op.alerts == len(alerts_by_site(host.executions).get(site, []))
        assert op.function == op.name
    assert calls["loss"].alerts


def test_what_a_line_is_innermost_for_comes_first(library: Library) -> None:
    host = read(library.path("full_health"))
    file, line = place_of(host, CALL_LINE)
    line_index = whole_index(host)
    ops = line_index.ops(file, line)
    own = [op.own for op in ops]
    assert own == sorted(own, reverse=True)
    assert set(own) == {True, False}
    assert (len(ops), sum(own)) == line_index.lines(file)[line][1:3]
    assert line_index.ops(file, line, limit=3) == ops[:3]


def test_lines_without_ops_have_none(library: Library) -> None:
    host = read(library.path("full_health"))
    file, line = place_of(host, LOG_LINE)
    line_index = whole_index(host)
    assert line_index.ops(file, line + 100_000) == ()
    assert line_index.ops(10_000, 1) == ()
    assert line_index.lines(10_000) == {}


def test_files_list_all_sources_the_users_first(library: Library) -> None:
    host = read(library.path("full_health"))
    files = whole_index(host).files()
    assert sorted(entry.file for entry in files) == list(range(len(host.sources.files)))
    assert [entry.is_user for entry in files] == sorted(
        (entry.is_user for entry in files), reverse=True
    )
    things = list(created(host))
    for entry in files:
        source = host.sources.get(entry.file)
        assert source is not None
        assert (entry.path, entry.is_user) == (source.path, is_user_file(source.path))
        inside = [thing for thing in things if entry.file in {file for file, _ in thing.lines}]
        assert entry.ops == len(inside)
        assert entry.alerts == sum(len(a) for thing in inside for a in thing.sites.values())
    assert any(entry.alerts for entry in files if entry.is_user)


def test_what_lines_tell_is_added_up_in_bulk(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = read(library.path("full_health"))
    line_index = whole_index(host)
    files = [entry.file for entry in line_index.files()]
    expected = [line_index.lines(file) for file in files]
    assert any(facts.alerts for lines in expected for facts in lines.values())
    fresh = whole_index(host)
    for walked in (SiteAlerts.all, SiteAlerts.get, SiteAlerts.of_site):
        monkeypatch.setattr(SiteAlerts, walked.__name__, None)  # the screen asks at each snapshot
    monkeypatch.setattr(Graphs, "stack_of", None)
    assert [fresh.lines(file) for file in files] == expected


def test_slices_add_up(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    host = read(library.path("full_health"))
    expected = whole_index(host)
    monkeypatch.setattr(line_index_module, "SLICE_FRAMES", 1)
    line_index = LineIndex(host, SiteIndex(host))
    slices = 0
    while line_index.extend():
        slices += 1
    things = len(host.traces.sites) + len(host.executions.sites) + host.graphs.counts.ops
    assert slices == things
    assert line_index.files() == expected.files()
    assert_equals_a_recount(line_index, host)


@pytest.mark.parametrize(
    "late", [("stack_frames",), ("source_files",), ("graphs",), ("stack_frames", "source_files")]
)
def test_what_comes_late_is_found_when_it_comes(
    copy_of: Callable[[str], Path], late: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_index_module, "SLICE_FRAMES", 300)
    path = copy_of("full_health")
    rest = {}
    for suffix in late:
        (file,) = path.glob(f"*.{suffix}")
        content, middle = file.read_bytes(), split(file)[len(split(file)) // 3][0]
        file.write_bytes(content[:middle])
        rest[file] = content[middle:]
    logdir = load(path)
    (host,) = hosts_of(logdir)
    line_index = whole_index(host)
    assert_equals_a_recount(line_index, host)
    early = line_index.files()
    for file, content in rest.items():
        with file.open("ab") as appended:
            appended.write(content)
        drain(logdir)
        while line_index.extend():
            pass
        assert_equals_a_recount(line_index, host)
    assert line_index.files() != early
    assert line_index.files() == whole_index(read(path)).files()


def test_alerts_that_come_later_are_counted(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    (file,) = path.glob("*.graph_execution_traces")
    content, middle = file.read_bytes(), split(file)[70][0]
    file.write_bytes(content[:middle])
    logdir = load(path)
    (host,) = hosts_of(logdir)
    line_index = whole_index(host)
    file_number, line = place_of(host, LOG_LINE)
    early = line_index.lines(file_number)[line].alerts
    with file.open("ab") as appended:
        appended.write(content[middle:])
    drain(logdir)
    assert line_index.lines(file_number)[line].alerts > early
    assert_equals_a_recount(line_index, host)


def append_op(path: Path, stack: list[bytes], name: bytes, like: bytes = b"Log") -> None:
    """Record an op of a graph once more, from another stack and under some name."""
    (file,) = path.glob("*.graphs")
    for _, payload in split(file):
        event = message_class("DebugEvent").FromString(payload)
        op: Any = event.graph_op_creation  # type: ignore[attr-defined]
        if op.op_name == like:
            break
    op.op_name = name
    del op.code_location.stack_frame_ids[:]
    op.code_location.stack_frame_ids.extend(stack)
    with file.open("ab") as appended:
        appended.write(frame(event.SerializeToString()))


def test_an_op_recorded_again_moves_to_its_new_line(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    (host,) = hosts_of(logdir)
    line_index = whole_index(host)
    log_place = place_of(host, LOG_LINE)
    (mean,) = (
        op for graph in host.graphs.by_id.values() for op in graph.ops.values() if op.name == "Mean"
    )
    append_op(path, [frame_id.encode() for frame_id in mean.stack], b"Log")
    drain(logdir)
    while line_index.extend():
        pass
    assert [op.name for op in line_index.ops(*log_place)] == ["Neg", "mul"]
    assert_equals_a_recount(line_index, host)


def test_a_line_that_recurs_in_a_stack_counts_once(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    ids = list(read(path).frames.by_id)[:3]
    first, second, third = (frame_id.encode() for frame_id in ids)
    append_op(path, [first, second, first, third, second, first], b"recursive")
    host = read(path)
    line_index = whole_index(host)
    found = host.frames.by_id[ids[0]]
    ops = line_index.ops(found.file_index, found.line)
    assert [op.name for op in ops].count("recursive") == 1
    assert_equals_a_recount(line_index, host)


def test_a_recurring_line_that_comes_late_counts_once(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    known = next(iter(read(path).frames.by_id.values()))
    append_op(path, [known.id.encode(), b"late"], b"recursive")
    append_op(path, [known.id.encode()], b"other")
    logdir = load(path)
    (host,) = hosts_of(logdir)
    line_index = whole_index(host)
    place = {"file_index": known.file_index, "line": known.line, "func": b"f"}
    late: Any = {"id": b"late", "file_line_col": place}
    record = message_class("DebugEvent")(stack_frame_with_id=late).SerializeToString()
    (file,) = path.glob("*.stack_frames")
    with file.open("ab") as appended:
        appended.write(frame(record))
    drain(logdir)
    while line_index.extend():
        pass
    assert "late" in host.frames.by_id
    assert_equals_a_recount(line_index, host)


@pytest.mark.parametrize("scenario", ["same_second", "killed", "circular", "two_runs"])
def test_torn_and_cut_recordings_are_told_as_far_as_they_go(
    library: Library, scenario: str
) -> None:
    for host in hosts_of(load(library.path(scenario))):
        line_index = whole_index(host)
        assert_equals_a_recount(line_index, host)
        assert len(line_index.files()) == sum(
            host.sources.get(number) is not None for number in range(len(host.sources.files))
        )


def test_any_thread_may_ask_while_another_extends(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_index_module, "SLICE_FRAMES", 1)
    host = read(library.path("keras_fit"))
    line_index = LineIndex(host, SiteIndex(host))
    place = place_of(
        host,
        "model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0)",
        "scenarios/keras_models.py",
    )

    def extend() -> None:
        while line_index.extend():
            pass

    thread = threading.Thread(target=extend)
    thread.start()
    counts = []
    while thread.is_alive():
        counts.append(line_index.lines(place[0]).get(place[1], LineFacts(0, 0, 0, 0, 0, 0)).ops)
        counts.append(len(line_index.ops(*place)))
        line_index.files()
    thread.join()
    assert counts == sorted(counts)
    assert line_index.files() == whole_index(host).files()
