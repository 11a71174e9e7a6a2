"""Whoever reads while the feed's thread adds sees one consistent value, at every line of it.

A tracer asks between any two lines of the code that adds: another thread may ask just then.
"""

from __future__ import annotations

import shutil
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import tfdbg_tui
from tests.support.navigating import browsed, finish, index_of
from tests.support.reading import drain, hosts_of
from tests.support.sessions_told import as_tensorflow_records
from tfdbg_tui.data.index import line_groups
from tfdbg_tui.data.index import steps as steps_module
from tfdbg_tui.data.index.line_groups import LineGroups
from tfdbg_tui.data.index.session_runs import SessionRuns
from tfdbg_tui.data.index.steps import Steps
from tfdbg_tui.data.search import matches as matches_module
from tfdbg_tui.data.stores.host import STORES
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import Any

    import pytest

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.graphs import Graphs
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.sources import SourceFiles, StackFrames

ENGINE = str(Path(tfdbg_tui.__file__).parent / "data")


@contextmanager
def asking_at_every_line(ask: Callable[[], None]) -> Iterator[list[int]]:
    """Ask whenever a line of the data engine is about to run; gives how often so far."""
    asked = [0]

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        if not frame.f_code.co_filename.startswith(ENGINE):
            return None
        if event == "line":
            sys.settrace(None)
            asked[0] += 1
            try:
                ask()
            finally:
                sys.settrace(trace)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield asked
    finally:
        sys.settrace(before)


def stores_to_fill(path: Path) -> Host:
    """A host of which nothing is read yet."""
    logdir = Logdir(path)
    logdir.scan()
    (host,) = hosts_of(logdir)
    for file in host.files():
        file.look()
    return host


def fill(store: Graphs | SourceFiles | StackFrames) -> None:
    block = store.file.read()
    assert block is not None
    store.extend(block)


def test_a_graph_is_never_taken_for_an_outermost_one(library: Library) -> None:
    path = library.path("while_loop")
    (whole,) = hosts_of(loaded(path))
    wanted = {graph: whole.graphs.function_of(graph) for graph in whole.graphs.by_id}
    graphs = stores_to_fill(path).graphs
    assert any(graph.outer_id and graph.name for graph in whole.graphs.by_id.values())

    def ask() -> None:
        for graph, function in wanted.items():
            assert graphs.function_of(graph) in (None, function)

    with asking_at_every_line(ask) as asked:
        fill(graphs)
    assert asked[0] > 100
    assert {graph: graphs.function_of(graph) for graph in wanted} == wanted


def test_ops_and_frames_that_are_counted_are_there(library: Library) -> None:
    host = stores_to_fill(library.path("retraced"))
    graphs, frames = host.graphs, host.frames

    def ask() -> None:
        assert graphs.counts.ops <= sum(len(graph.ops) for graph in graphs.by_id.values())
        assert graphs.counts.devices <= len(graphs.devices)
        assert frames.records <= len(frames.by_id)

    with asking_at_every_line(ask):
        fill(graphs)
        fill(frames)
    assert graphs.counts.ops > 0
    assert frames.records > 0


def test_source_files_and_their_count_come_together(library: Library) -> None:
    sources = stores_to_fill(library.path("retraced")).sources

    def ask() -> None:
        files = sources.files
        assert (len(files) > 0) == (sources.records > 0)
        assert sources.records in (0, len(files))

    with asking_at_every_line(ask):
        fill(sources)
    assert sources.records == len(sources.files) > 1


def test_metadata_comes_as_a_whole(library: Library) -> None:
    metadata = stores_to_fill(library.path("retraced")).metadata
    seen = set()
    block = metadata.file.read()
    assert block is not None
    with asking_at_every_line(lambda: seen.add(metadata.stated)):
        metadata.extend(block)
    assert len(seen | {metadata.stated}) == 2
    assert None not in metadata.stated


def test_alerts_by_site_change_from_block_to_block(library: Library) -> None:
    traces = stores_to_fill(library.path("full_health")).traces
    states: list[list[object]] = [[]]
    while (block := traces.file.read(2000)) is not None:
        seen: list[list[object]] = []

        def ask(seen: list[list[object]] = seen) -> None:
            found: list[object] = list(traces.site_alerts.all())
            if not seen or seen[-1] != found:
                seen.append(found)

        with asking_at_every_line(ask):
            traces.extend(block)
        after: list[object] = list(traces.site_alerts.all())
        assert all(found in (states[-1], after) for found in seen)
        states.append(after)
    assert len(states[-1]) > 1


def test_groups_and_matches_lie_in_what_was_looked_at(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_groups, "ROWS_PER_SLICE", 9)
    monkeypatch.setattr(matches_module, "CHUNK_ROWS", 9)
    navigator = browsed(library.path("full_health"))
    index = index_of(navigator)
    navigator.search_for("bad")
    assert navigator.search is not None
    groups, matches = LineGroups(index.host, index.sites), navigator.search.executions

    def ask() -> None:
        for rows, scanned in (groups.so_far, matches.so_far):
            assert not len(rows) or rows[-1] < scanned

    with asking_at_every_line(ask):
        finish(groups, matches)
    assert len(groups.rows) > 9
    assert len(matches) > 9


def test_a_step_is_the_one_before_a_slice_or_after_it(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = index_of(browsed(library.path("full_health")))
    monkeypatch.setattr(steps_module, "SLICE_ROWS", 11)
    steps = Steps(index.host, index.sites)
    times = index.host.executions.wall_times[::5].tolist()

    def told() -> list[int | None]:
        return [steps.step_of(time) for time in times]

    has_more = True
    while has_more:
        seen = [told()]
        with asking_at_every_line(lambda seen=seen: seen.append(told())):  # type: ignore[misc]
            has_more = steps.extend()
        for found in zip(*seen, told(), strict=True):
            assert len(set(found)) <= 2, "before, or after"
            assert list(dict.fromkeys(found)) == [found[0], found[-1]][: len(set(found))]
    assert len(steps) > 1


def test_runs_of_sessions_are_never_fewer_and_in_order(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tfdbg_tui.data.index.session_runs.SLICE_ROWS", 60)
    path = as_tensorflow_records(library.path("tf1_graphs"), tmp_path / "copy")
    index = index_of(browsed(path))
    runs = SessionRuns(index.origin)
    steps = Steps(index.host, index.sites)
    counts = [0]

    def ask() -> None:
        settled, columns = runs.settled, runs.events.columns
        times, sites = columns["wall_time"], columns["site"]
        assert len(times) == len(sites) >= max(counts[-1], settled)
        assert (np.diff(times) > 0).all()
        assert not len(sites) or sites.max() < len(runs.sites)
        counts.append(len(times))

    with asking_at_every_line(ask):
        while runs.extend_runs():
            finish(steps)
    assert len(set(counts)) > 4
    assert counts[-1] == len(index.host.executions)


def test_replaced_files_change_all_at_once(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "copy"
    shutil.copytree(library.path("full_health"), path)
    logdir = loaded(path)
    (host,) = hosts_of(logdir)
    before = stores_of(host)
    for file in path.iterdir():  # other files under the same names
        other = file.with_suffix(".other")
        other.write_bytes(file.read_bytes())
        other.replace(file)
    seen = []
    with asking_at_every_line(lambda: seen.append(stores_of(host))):
        host.refresh()
    after = stores_of(host)
    assert all(stores in (before, after) for stores in seen)
    assert not any(map(is_same, before, after))
    assert host.restarted_files == len(before)


def stores_of(host: Host) -> list[object]:
    return [getattr(host, attribute) for attribute in STORES.values()]


def is_same(one: object, other: object) -> bool:
    return one is other


def loaded(path: Path) -> Logdir:
    logdir = Logdir(path)
    drain(logdir)
    return logdir
