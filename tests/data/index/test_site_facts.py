"""Facts of sites equal what the records say, and close their gaps as other files come."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.recordings.fabricate import split
from tests.support.navigating import Stages
from tests.support.reading import hosts_of, load, outermost_name
from tfdbg_tui.data.index.site_facts import SiteIndex
from tfdbg_tui.data.records.debug_event_schema import parse, text
from tfdbg_tui.data.stores.sources import Line
from tfdbg_tui.data.stores.user_code import is_user_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.host import Host

RECORDED = ("full_health", "keras_fit", "while_loop", "mirrored", "tf1_session", "retraced")


class Graph(NamedTuple):
    """A graph as `outermost_name` wants it."""

    graph_id: str
    graph_name: str
    outer_context_id: str


class Records:
    """What the files of a recording say, record by record."""

    def __init__(self, logdir: Path) -> None:
        self._logdir = logdir
        graphs = self._events("graphs")
        self.graphs = [
            Graph(text(g.graph_id), text(g.graph_name), text(g.outer_context_id))
            for g in (e.debugged_graph for e in graphs if e.HasField("debugged_graph"))
        ]
        creations = [e.graph_op_creation for e in graphs if e.HasField("graph_op_creation")]
        self.ops = {(text(op.graph_id), text(op.op_name)): op for op in creations}
        self.devices = {
            e.debugged_device.device_id: text(e.debugged_device.device_name)
            for e in graphs
            if e.HasField("debugged_device")
        }
        self.paths = [text(e.source_file.file_path) for e in self._events("source_files")]
        frames = [e.stack_frame_with_id for e in self._events("stack_frames")]
        self._frames = {text(frame.id): frame.file_line_col for frame in frames}

    def _events(self, suffix: str) -> list[Any]:
        (path,) = self._logdir.glob(f"*.{suffix}")
        return [parse(payload) for _, payload in split(path)]

    def line(self, stack: Iterable[bytes]) -> Line | None:
        """The innermost line of a stack that is in a file of the user."""
        for frame_id in reversed([text(one) for one in stack]):
            place = self._frames[frame_id]
            path = self.paths[place.file_index]
            if is_user_file(path):
                return Line(place.file_index, path, place.line, text(place.func))
        return None


def opened(path: Path) -> tuple[Host, SiteIndex]:
    """The only host of a recording, and its site_index."""
    (host,) = hosts_of(load(path))
    return host, SiteIndex(host)


@pytest.mark.parametrize("scenario", RECORDED)
def test_a_traced_tensor_has_the_names_and_the_line_of_its_op(
    library: Library, scenario: str
) -> None:
    host, site_index = opened(library.path(scenario))
    records = Records(library.path(scenario))
    names = {graph.graph_id: graph.graph_name for graph in records.graphs}
    assert host.traces.sites
    for number, site in enumerate(host.traces.sites):
        op = records.ops[site.graph_id, site.op_name]
        facts = site_index.trace(number)
        assert facts.tensor == f"{site.op_name}:{site.slot}"
        assert facts.op_type == text(op.op_type)
        assert facts.function == outermost_name(records.graphs, site.graph_id)
        assert facts.graph == (names[site.graph_id] or None)
        assert facts.line == records.line(op.code_location.stack_frame_ids)
        assert (facts.device, facts.is_call) == (site.device, False)


@pytest.mark.parametrize("scenario", [name for name in RECORDED if name != "tf1_session"])
def test_an_execution_has_the_name_and_the_line_of_its_call(
    library: Library, scenario: str
) -> None:
    host, site_index = opened(library.path(scenario))
    records = Records(library.path(scenario))
    names = {graph.graph_id: graph.graph_name for graph in records.graphs}
    for number, site in enumerate(host.executions.sites):
        facts = site_index.execution(number)
        is_call = site.op_type.startswith(("__forward_", "__inference_"))
        assert facts.is_call == is_call
        assert facts.op_type == site.op_type
        assert facts.line == records.line(frame.encode() for frame in site.stack)
        assert facts.graph == (names[site.graph_id] if site.graph_id else None)
        assert facts.function == (facts.tensor if is_call else None)
        assert facts.tensor in (names.values() if is_call else (site.op_type,))
        devices = site.device_ids
        assert facts.device == (records.devices[devices[0]] if devices else "")


def test_gradients_bear_the_name_of_their_function(library: Library) -> None:
    host, site_index = opened(library.path("full_health"))
    calls = [site_index.execution(site) for site in range(len(host.executions.sites))]
    named = {(facts.tensor, facts.is_backward) for facts in calls if facts.is_call}
    assert named == {("model", False), ("loss", False), ("model", True), ("loss", True)}


def test_gaps_are_closed_as_files_come(library: Library, tmp_path: Path) -> None:
    source = library.path("while_loop")
    stages = Stages(source, tmp_path / "stages")
    stages.come("metadata", "graph_execution_traces", "execution")
    (host,) = hosts_of(stages.logdir)
    site_index = SiteIndex(host)
    tensor = int(host.traces.events["site"][host.traces.alerts["event"][0]])
    call = next(n for n, site in enumerate(host.executions.sites) if site.graph_id)
    _, truth = opened(source)
    whole_trace, whole_call = truth.trace(tensor), truth.execution(call)
    assert site_index.trace(tensor)[1:5] == (None, None, None, None)
    assert site_index.execution(call)[2:6] == (whole_call.function, None, None, "")
    stages.come("graphs")
    assert site_index.trace(tensor) == whole_trace._replace(line=None, phase_is_open=True)
    assert site_index.execution(call) == whole_call._replace(
        line=None, line_is_open=True, phase_is_open=True
    )
    stages.come("stack_frames")
    assert site_index.trace(tensor).line is site_index.execution(call).line is None
    stages.come("source_files")
    assert (site_index.trace(tensor), site_index.execution(call)) == (whole_trace, whole_call)
    assert None not in (site_index.trace(tensor).line, site_index.execution(call).line)


def test_a_stack_without_a_line_of_the_user_has_none(library: Library, tmp_path: Path) -> None:
    logdir = shutil.copytree(library.path("full_health"), tmp_path / "copy")
    (path,) = logdir.glob("*.stack_frames")
    path.write_bytes(b"")
    host, site_index = opened(logdir)
    for site in range(len(host.traces.sites)):
        assert site_index.trace(site).line is None
        assert site_index.trace(site).op_type is not None
