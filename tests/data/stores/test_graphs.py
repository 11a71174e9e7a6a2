"""Graphs, ops, consumers and devices, tolerant of order and of what is not there yet."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.recordings.fabricate import frame
from tests.recordings.reference import events
from tests.support.counting import lines_run
from tfdbg_tui.data.files.tfrecord import RecordFile
from tfdbg_tui.data.records.debug_event_schema import message_class
from tfdbg_tui.data.stores.gradients import forward_op
from tfdbg_tui.data.stores.graph import Graph, Op
from tfdbg_tui.data.stores.graphs import Graphs
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.recordings.record import Library


def event(**content: Any) -> bytes:
    return frame(message_class("DebugEvent")(**content).SerializeToString())


def op(graph: bytes, name: bytes, *inputs: bytes) -> bytes:
    content = {
        "op_type": name.capitalize(),
        "op_name": name,
        "graph_id": graph,
        "input_names": inputs,
        "num_outputs": 2,
        "code_location": {"host_name": b"vm", "stack_frame_ids": [b"outer", b"inner"]},
        "output_tensor_ids": [4, 5],
    }
    return event(graph_op_creation=content)


def graph(graph_id: bytes, name: bytes, outer: bytes = b"") -> bytes:
    content = {"graph_id": graph_id, "graph_name": name, "outer_context_id": outer}
    return event(debugged_graph=content)


def device(number: int, name: bytes) -> bytes:
    return event(debugged_device={"device_id": number, "device_name": name})


@pytest.fixture
def graphs(tmp_path: Path) -> Graphs:
    return Graphs(RecordFile(tmp_path / "graphs"))


def read_into(store: Graphs, data: bytes) -> None:
    """Append to the store's file and read what is new."""
    with open(store.file.path, "ab") as file:
        file.write(data)
    store.file.look()
    while (block := store.file.read()) is not None:
        store.extend(block)


RECORDS = (
    device(0, b"CPU:0"),
    graph(b"default", b""),
    graph(b"f", b"train", b"default"),
    graph(b"body", b"while_body", b"f"),
    op(b"f", b"log", b"x:0"),
    op(b"f", b"mul", b"log:0", b"log:1", b"log:0"),
    op(b"body", b"add", b"log:0"),
)


def told(graphs: Graphs) -> dict[str, Any]:
    """Everything the store says, in a form that can be compared."""
    return {
        "counts": graphs.counts,
        "devices": graphs.devices,
        "functions": [graphs.function_of(name) for name in ("default", "f", "body", "none")],
        "names": [graphs.name_of(name) for name in ("default", "f", "body", "none")],
        "inner": {name: sorted(graphs.by_id[name].inner_ids) for name in ("default", "f", "body")},
        "ops": {name: graphs.op("f", name) for name in ("log", "mul", "none")},
        "consumers": [
            sorted((user.op.name, user.input_index) for user in graphs.by_id["f"].consumers(*place))
            for place in (("log", 0), ("log", 1), ("mul", 0))
        ],
    }


def test_what_is_told_of_graphs_and_ops(graphs: Graphs) -> None:
    read_into(graphs, b"".join(RECORDS))
    stack = ("outer", "inner")
    log = Op("f", "log", "Log", ("x:0",), 2, "", "vm", stack, (4, 5))
    assert told(graphs) == {
        "counts": (3, 3, 1),
        "devices": {0: "CPU:0"},
        "functions": [None, "train", "train", None],
        "names": ["", "train", "while_body", None],
        "inner": {"default": ["f"], "f": ["body"], "body": []},
        "ops": {
            "log": log,
            "mul": log._replace(name="mul", type="Mul", inputs=("log:0", "log:1", "log:0")),
            "none": None,
        },
        "consumers": [[("mul", 0), ("mul", 2)], [("mul", 1)], []],
    }
    assert graphs.stacks() == [stack]
    assert graphs.undescribed_graphs() == set()


@pytest.mark.parametrize("order", [*itertools.permutations(range(7))][::97])
def test_the_order_of_records_does_not_matter(tmp_path: Path, order: tuple[int, ...]) -> None:
    in_order, shuffled = (Graphs(RecordFile(tmp_path / name)) for name in ("a", "b"))
    read_into(in_order, b"".join(RECORDS))
    read_into(shuffled, b"".join(RECORDS[number] for number in order))
    assert told(shuffled) == told(in_order)


def test_graphs_that_others_name_are_open_until_described(graphs: Graphs) -> None:
    read_into(graphs, op(b"f", b"log"))
    assert graphs.undescribed_graphs() == {"f"}
    assert (graphs.name_of("f"), graphs.function_of("f")) == (None, None)
    read_into(graphs, graph(b"f", b"train", b"default"))
    assert graphs.undescribed_graphs() == {"default"}
    read_into(graphs, graph(b"default", b""))
    assert graphs.undescribed_graphs() == set()
    assert graphs.function_of("f") == "train"


def test_a_function_is_not_named_after_an_inner_graph(graphs: Graphs) -> None:
    read_into(graphs, graph(b"body", b"while_body", b"f"))
    assert graphs.function_of("body") is None  # which function is not on disk yet
    read_into(graphs, graph(b"f", b"train") + op(b"body", b"add"))
    assert graphs.function_of("body") == "train"


def test_graphs_inside_each_other_in_a_circle_end(graphs: Graphs) -> None:
    read_into(graphs, graph(b"a", b"A", b"b") + graph(b"b", b"B", b"a") + graph(b"c", b"C", b"c"))
    assert graphs.function_of("a") in ("A", "B", None)
    assert graphs.function_of("c") in ("C", None)


def test_a_record_that_comes_twice_is_counted_and_told_once(graphs: Graphs) -> None:
    read_into(graphs, b"".join(RECORDS) * 2)
    assert graphs.counts == (6, 6, 2)
    assert graphs.by_id["f"].inner_ids == {"body": None}
    users = graphs.by_id["f"].consumers("log", 1)
    assert [user.op.name for user in users] == ["mul"]


def test_records_of_other_kinds_are_counted_as_damage(graphs: Graphs) -> None:
    read_into(graphs, event(graph_id=b"x") + frame(b"\xff") + graph(b"f", b"train"))
    assert graphs.file.corrupt_records == 2
    assert graphs.name_of("f") == "train"


def test_ops_of_a_real_recording_equal_tensorflows_protos(library: Library) -> None:
    logdir = Logdir(library.path("keras_fit"))
    logdir.load()
    (host,) = logdir.runs[0].hosts
    for _, found in events(Path(logdir.path), "graphs"):
        if found.HasField("debugged_graph"):
            theirs = found.debugged_graph
            ours = host.graphs.by_id[theirs.graph_id]
            assert (ours.name, ours.outer_id) == (theirs.graph_name, theirs.outer_context_id)
        elif found.HasField("graph_op_creation"):
            assert_equal_op(host.graphs, found.graph_op_creation)


def assert_equal_op(graphs: Graphs, theirs: Any) -> None:
    ours = graphs.op(theirs.graph_id, theirs.op_name)
    assert ours is not None
    assert (ours.type, ours.num_outputs) == (theirs.op_type, theirs.num_outputs)
    assert ours.inputs == tuple(theirs.input_names)
    assert ours.output_tensor_ids == tuple(theirs.output_tensor_ids)
    assert ours.stack == tuple(theirs.code_location.stack_frame_ids)
    for index, tensor in enumerate(ours.inputs):
        producer, _, slot = tensor.rpartition(":")
        users = graphs.by_id[theirs.graph_id].consumers(producer, int(slot))
        assert (ours, index) in [(user.op, user.input_index) for user in users]


# ------------------------------------------------------------------ recorded again


def plain_op(name: str, kind: str, inputs: tuple[str, ...]) -> Op:
    return Op("g", name, kind, inputs, 1, "", "", (), ())


def takes_many(inputs: int) -> list[Op]:
    return [plain_op("sum", "AddNGrad", ("x:0",) * inputs)] * 2


def taken_by_many(ops: int) -> list[Op]:
    return [plain_op(f"op{number}", "SqrtGrad", ("x:0",)) for number in range(ops)] * 2


@pytest.mark.parametrize("recorded", [takes_many, taken_by_many])
def test_recording_ops_again_costs_what_recording_them_once_does(
    recorded: Callable[[int], list[Op]],
) -> None:
    def work(size: int) -> int:
        graph, ops = Graph("g"), [op._replace() for op in recorded(size)]
        return lines_run(lambda: list(map(graph.add, ops)))

    assert work(4000) < 6 * work(1000)


@pytest.mark.parametrize("recorded", [takes_many, taken_by_many])
def test_an_op_that_was_replaced_takes_nothing_any_more(
    recorded: Callable[[int], list[Op]],
) -> None:
    graph, ops = Graph("g"), [op._replace() for op in recorded(50)]
    for op in ops:
        graph.add(op)
        users = graph.consumers("x", 0)
        assert all(graph.ops[user.op.name] is user.op for user in users)
        assert len(set(users)) == len(users)
    assert len(graph.consumers("x", 0)) == 50
    graph.add(plain_op(ops[-1].name, "Other", ()))
    assert len(graph.consumers("x", 0)) == 50 - len(ops[-1].inputs)


@pytest.mark.parametrize("recorded", [takes_many, taken_by_many])
def test_looking_for_forward_ops_costs_no_more_where_all_take_one_tensor(
    recorded: Callable[[int], list[Op]],
) -> None:
    def work(size: int) -> int:
        graph, ops = Graph("g"), [op._replace() for op in recorded(size)]
        for op in ops:
            graph.add(op)
        return lines_run(lambda: [forward_op(graph, op) for op in ops[-20:]])

    work(1)  # compiles patterns
    assert work(2000) < 2 * work(500)
