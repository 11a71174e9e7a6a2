"""A walk around a tensor ends, in loops and in damaged data, and says what it leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.recordings.fabricate import frame, split
from tests.support.reading import hosts_of, load
from tests.support.surroundings import Recorded, drawn, of, read
from tfdbg_tui.data.flow import graph_nodes
from tfdbg_tui.data.flow.graph_nodes import NOT_ON_DISK, Relation
from tfdbg_tui.data.records.debug_event_schema import message_class
from tfdbg_tui.data.views import branches, neighbourhood
from tfdbg_tui.data.views.neighbourhood import ExecutionSubject, NodeSubject

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tests.recordings.record import Library
    from tests.support.surroundings import AnySubject

OUTER, INPUT, SELF = Relation.OUTER, Relation.INPUT, Relation.SELF
CONSUMER, INNER = Relation.CONSUMER, Relation.INNER


# ------------------------------------------------------------------------------- bounds


def append_ops(
    path: Path, graph_id: str, ops: Mapping[str, Sequence[str]], outputs: int = 1
) -> None:
    """Add ops of the type Identity with their inputs to a graph."""
    (file,) = path.glob("*.graphs")
    with file.open("ab") as appended:
        for name, inputs in ops.items():
            content = {
                "op_type": b"Identity",
                "op_name": name.encode(),
                "graph_id": graph_id.encode(),
                "input_names": [tensor.encode() for tensor in inputs],
                "num_outputs": outputs,
                "output_tensor_ids": [7] * outputs,
            }
            event: Any = message_class("DebugEvent")(graph_op_creation=content)
            appended.write(frame(event.SerializeToString()))


def test_a_deeper_walk_shows_more(library: Library) -> None:
    recorded = read(library.path("keras_fit"))
    subject = recorded.trace("one_step_on_data", "compile_loss/mse/sub:0")
    sizes = [len(recorded.neighbours(subject, depth)) for depth in range(5)]
    assert sizes == sorted(set(sizes))
    assert {node.depth for node in recorded.neighbours(subject, 0)[2:]} == {0}


@pytest.mark.parametrize(("length", "is_reached"), [(1, True), (8, True), (9, False)])
def test_ops_without_recordings_cost_no_depth_on_the_way_to_one_with(
    copy_of: Callable[[str], Path], length: int, is_reached: bool
) -> None:
    path = copy_of("full_health")
    graph_id = read(path).graph_id("loss")
    chain = {f"between{n}": [f"between{n + 1}:0"] for n in range(length)}
    chain[f"between{length - 1}"] = ["Log:0"]
    append_ops(path, graph_id, {"end": ["between0:0"], **chain})
    recorded = read(path)
    near = recorded.trace("loss", "Mean:0").near
    inputs = of(recorded.neighbours(NodeSubject(graph_id, "end", 0, near), depth=1), INPUT)
    names = [node.name for node in inputs][::-1]
    if is_reached:
        assert names == [*(f"between{n}:0" for n in range(length)), "Log:0"]
    else:
        assert names == ["between0:0"]


def test_steps_that_cost_no_depth_are_limited(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    graph_id = read(path).graph_id("loss")
    comb = {f"tooth{n}": [f"tooth{n + 1}:0", "Log:0"] for n in range(30)}
    append_ops(path, graph_id, {"end": ["tooth0:0"], **comb})
    inputs = of(read(path).neighbours(NodeSubject(graph_id, "end", 0), depth=1), INPUT)
    teeth = [node.depth for node in inputs if node.name.startswith("tooth")]
    assert max(teeth) == branches.FREE_STEPS + 1


def test_where_depth_has_ended_only_ways_to_recordings_go_on(
    copy_of: Callable[[str], Path],
) -> None:
    path = copy_of("full_health")
    graph_id = read(path).graph_id("loss")
    append_ops(path, graph_id, {"end": ["fork:0"], "fork": ["dead:0", "Log:0"], "dead": []})
    recorded = read(path)
    subject = NodeSubject(graph_id, "end", 0)
    names = [[n.name for n in of(recorded.neighbours(subject, d), INPUT)] for d in (1, 2)]
    assert names[0] == ["Log:0", "fork:0"]
    assert "dead:0" in names[1]


def test_several_outputs_of_one_op_are_followed_once(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("keras_fit")
    graph_id = read(path).graph_id("one_step_on_data")
    append_ops(path, graph_id, {"many": ["mul:0"]}, outputs=3)
    append_ops(path, graph_id, {"all": ["many:0", "many:1", "many:2"]})
    append_ops(path, graph_id, {"passed": ["sgd_1/IdentityN:0", "sgd_1/IdentityN:1"]})
    recorded = read(path)
    inputs = of(recorded.neighbours(NodeSubject(graph_id, "all", 0), depth=2), INPUT)
    assert [node.name for node in inputs if node.depth < 3] == [
        "mul:0", "many:0", "many:1", "many:2",
    ]  # fmt: skip
    inputs = of(recorded.neighbours(NodeSubject(graph_id, "passed", 0), depth=2), INPUT)
    assert [node.name.rpartition("/")[2] for node in inputs if node.depth < 3] == [
        "MatMul:0", "IdentityN:0", "BiasAddGrad:0", "IdentityN:1",
    ]  # fmt: skip


def test_a_consumer_is_shown_by_an_output_that_is_recorded(
    copy_of: Callable[[str], Path],
) -> None:
    path = copy_of("full_health")
    graph_id = read(path).graph_id("loss")
    append_ops(path, graph_id, {"two": ["Log:0"]}, outputs=2)
    append_ops(path, graph_id, {"end": ["two:0"]})
    (file,) = path.glob("*.graph_execution_traces")
    event: Any = message_class("DebugEvent").FromString(split(file)[-1][1])
    event.graph_execution_trace.op_name = b"two"
    event.graph_execution_trace.output_slot = 1
    with file.open("ab") as appended:
        appended.write(frame(event.SerializeToString()))
    recorded = read(path)
    nodes = recorded.neighbours(NodeSubject(graph_id, "Log", 0), depth=2)
    assert [node.name for node in of(nodes, CONSUMER, 1)] == ["mul:0", "two:1"]
    # From any of its outputs the walk goes on.
    assert "end:0" in [node.name for node in of(nodes, CONSUMER, 2)]


def test_ops_that_lead_to_no_recording_cost_depth(library: Library) -> None:
    recorded = read(library.path("keras_fit"))
    subject = recorded.trace("one_step_on_data", "Sum:0")
    names = [node.name for node in of(recorded.neighbours(subject, depth=1), INPUT)]
    assert names == ["mul:0", "range:0"]
    assert "Rank:0" in [node.name for node in of(recorded.neighbours(subject, depth=2), INPUT)]


def test_a_loop_in_the_graph_ends(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    graph_id = read(path).graph_id("loss")
    append_ops(path, graph_id, {"a": ["b:0", "a:0"], "b": ["a:0", "Log:0"]})
    recorded = read(path)
    near = recorded.trace("loss", "Mean:0").near
    nodes = recorded.neighbours(NodeSubject(graph_id, "a", 0, near), depth=50)
    names = [node.name for node in of(nodes, INPUT)]
    assert [names.count(name) for name in ("a:0", "b:0", "Log:0")] == [2, 1, 1]


def test_a_graph_inside_itself_ends(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    graph_id = read(path).graph_id("loss")
    (file,) = path.glob("*.graphs")
    own = graph_id.encode()
    content: Any = {"graph_id": own, "graph_name": b"loss", "outer_context_id": own}
    with file.open("ab") as appended:
        event = message_class("DebugEvent")(debugged_graph=content)
        appended.write(frame(event.SerializeToString()))
    recorded = read(path)
    nodes = recorded.neighbours(NodeSubject(graph_id, "Log", 0, 5))
    assert [node.name for node in of(nodes, OUTER)] == ["loss"]


def test_what_there_is_no_room_for_is_counted(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    graph_id = read(path).graph_id("loss")
    takers: dict[str, list[str]] = {f"taker{n}": ["Log:0"] for n in range(100)}
    makers: dict[str, list[str]] = {f"maker{n}": [] for n in range(100)}
    all_made = {"all": [f"{name}:0" for name in makers]}
    append_ops(path, graph_id, {**takers, **makers, **all_made})
    recorded = read(path)
    consumers = of(recorded.neighbours(NodeSubject(graph_id, "Log", 0), depth=1), CONSUMER)
    assert consumers[-1].more == 101 - neighbourhood.MAX_CONSUMERS
    assert len(consumers) == neighbourhood.MAX_CONSUMERS + 1
    assert {node.more for node in consumers[:-1]} == {0}
    inputs = of(recorded.neighbours(NodeSubject(graph_id, "all", 0)), INPUT)
    assert inputs[0].more == 100 - neighbourhood.MAX_INPUTS
    assert [node.name for node in inputs[1:4]] == ["maker0:0", "maker1:0", "maker2:0"]


@pytest.mark.parametrize(
    "name", ["x", "x:", ":0", "x:y", "x:-1", "x:" + "9" * 5000, "", "^x", "é:٣"]
)
def test_inputs_with_senseless_names_are_shown_as_they_are(
    copy_of: Callable[[str], Path], name: str
) -> None:
    path = copy_of("full_health")
    graph_id = read(path).graph_id("loss")
    append_ops(path, graph_id, {"end": [name]})
    (node,) = of(read(path).neighbours(NodeSubject(graph_id, "end", 0)), INPUT)
    assert (node.note, node.trace) == (NOT_ON_DISK, None)


def test_the_health_of_large_neighbours_is_left_on_disk(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = read(library.path("full_tensor"))
    subject = recorded.trace("loss", "Log:0", 9)
    expected = recorded.neighbours(subject)
    monkeypatch.setattr(graph_nodes, "LARGE_RECORD", 10)
    nodes = recorded.neighbours(subject)
    assert {node.health for node in nodes} == {None}
    assert [node.trace for node in nodes] == [node.trace for node in expected]
    in_graph = [node.bad for node in nodes if node.trace is not None]
    assert in_graph == [node.bad for node in expected if node.trace is not None]
    assert any(in_graph)


# ------------------------------------------------------------------------- what is missing


def test_an_op_that_is_not_on_disk_yet_is_said_to_be_missing(
    copy_of: Callable[[str], Path],
) -> None:
    path = copy_of("full_health")
    (file,) = path.glob("*.graphs")
    records = split(file)
    ends = [offset for offset, payload in records if b"\x12\x03Log" in payload]
    content = file.read_bytes()
    file.write_bytes(content[: ends[0]])
    recorded = read(path)
    nodes = recorded.neighbours(recorded.trace("loss", "mul:0"))
    (self_node,) = of(nodes, SELF)
    assert (self_node.op_type, self_node.note) == (None, "")
    assert self_node.health is not None
    graph_id = recorded.graph_id("loss")
    (missing,) = recorded.neighbours(NodeSubject(graph_id, "unheard_of", 0))[1:]
    assert (missing.note, missing.name) == (NOT_ON_DISK, "unheard_of:0")


def test_a_graph_that_is_not_on_disk_yet_is_said_to_be_missing(library: Library) -> None:
    recorded = read(library.path("full_health"))
    nodes = recorded.neighbours(NodeSubject("nowhere", "x", 0))
    assert drawn(nodes) == [(OUTER, 1, "nowhere"), (SELF, 0, "x:0")]
    assert [node.note for node in nodes] == [NOT_ON_DISK, NOT_ON_DISK]


@pytest.mark.parametrize("number", [-1, 10**6])
def test_events_that_do_not_exist_are_around_nothing(library: Library, number: int) -> None:
    recorded = read(library.path("full_health"))
    assert recorded.neighbours(ExecutionSubject(number)) == ()
    subject = NodeSubject(recorded.graph_id("loss"), "Log", 0)
    assert recorded.neighbours(subject._replace(near=number)) == recorded.neighbours(subject)


@pytest.mark.parametrize(
    "scenario",
    ["same_second", "killed", "circular", "two_runs", "tf1_session", "tf_data", "no_tensor",
     "shape", "eager_only", "retraced", "nan_input", "half_types_full", "lstm"],
)  # fmt: skip
def test_every_event_of_every_recording_has_a_neighbourhood(
    library: Library, scenario: str
) -> None:
    for host in hosts_of(load(library.path(scenario))):
        recorded = Recorded(host)
        subjects: list[AnySubject] = [recorded.at(n) for n in range(0, len(host.traces), 11)]
        subjects += [ExecutionSubject(n) for n in range(0, len(host.executions), 7)]
        for subject in subjects:
            nodes = recorded.neighbours(subject)
            order = [list(Relation).index(node.relation) for node in nodes]
            assert order == sorted(order)
            assert len(of(nodes, SELF)) == 1
