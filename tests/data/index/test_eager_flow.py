"""Eager tensors lead from call to call, as far as that is certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.support.joining import Fabricated, called_graph, opened
from tfdbg_tui.data.index.eager_flow import LOOKAHEAD

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library


@pytest.mark.parametrize("scenario", ["full_health", "eager_only", "mirrored", "keras_fit"])
def test_producers_and_consumers_are_those_whose_records_say_so(
    library: Library, scenario: str
) -> None:
    host, joins = opened(library.path(scenario))
    records = [host.executions.read(i) for i in range(len(host.executions))]
    producers: dict[int, tuple[int, int]] = {}
    consumers: dict[int, list[tuple[int, int]]] = {}
    for index, record in enumerate(records):
        assert record is not None
        for place, tensor_id in enumerate(record.input_tensor_ids):
            assert joins.producer_of(tensor_id, index) == producers.get(tensor_id)
            consumers.setdefault(tensor_id, []).append((index, place))
        for slot, tensor_id in enumerate(record.output_tensor_ids):
            producers[tensor_id] = (index, slot)
            assert joins.producer_of(tensor_id, index) is None
    for tensor_id, (index, _) in producers.items():
        expected = [user for user in consumers.get(tensor_id, []) if user[0] <= index + LOOKAHEAD]
        assert joins.consumers_of(tensor_id, index, 1000) == expected
        assert joins.consumers_of(tensor_id, index, 1) == expected[:1]
    assert joins.producer_of(-1, 10) is joins.producer_of(10**12, 10) is None


def test_a_producer_is_found_across_many_executions_without_outputs(tmp_path: Path) -> None:
    made = Fabricated()
    first = [made.execution("Split", puts=(10 * number, 10 * number + 1)) for number in range(99)]
    for _ in range(300):
        made.execution("AssignSubVariableOp", takes=(1,))
    last = [made.execution("Split", puts=(5000 + n, 6000 + n)) for n in range(3)]
    _, joins = made.opened(tmp_path)
    for number, row in enumerate(first):
        assert joins.producer_of(10 * number + 1, last[0]) == (row, 1)
        assert joins.producer_of(10 * number + 2, last[0]) is None
    assert joins.producer_of(6002, last[-1] + 1) == (last[-1], 1)


def test_of_ids_that_come_again_the_last_before_counts(tmp_path: Path) -> None:
    made = Fabricated()
    rows = [made.execution("Cast", puts=(number,)) for _ in range(3) for number in range(50)]
    _, joins = made.opened(tmp_path)
    assert [joins.producer_of(20, before) for before in (20, 21, 71, 150)] == [
        None, (rows[20], 0), (rows[70], 0), (rows[120], 0),
    ]  # fmt: skip


def test_an_argument_leads_to_what_another_call_returned(library: Library) -> None:
    host, joins = opened(library.path("full_health"))
    graphs = {graph.name: graph.id for graph in host.graphs.by_id.values()}
    losses = [i for i in range(len(host.executions)) if called_graph(host, i) == "loss"]
    assert len(losses) == 12
    for loss in losses:
        source = joins.placeholder_source(graphs["loss"], "probs", loss)
        assert source == (loss - 1, 0)
        assert called_graph(host, loss - 1) == "model"
        returned = joins.output_source(*source)
        assert returned == (graphs["model"], "Identity", 0)
        op = host.graphs.op(*returned[:2])
        assert op is not None
        assert op.inputs == ("Softmax:0",)
        labels = joins.placeholder_source(graphs["loss"], "labels", loss)
        assert labels is not None
        assert host.executions.site_of(labels[0]).op_type == "OneHot"
        assert joins.placeholder_source(graphs["model"], "x", loss) is None
        assert joins.placeholder_source(graphs["loss"], "Neg", loss) is None


def test_what_a_function_takes_from_outside_at_the_call_comes_last(library: Library) -> None:
    host, joins = opened(library.path("mirrored"))
    last = len(host.executions) - 1
    graph_id = host.executions.site_of(last).graph_id
    made_by = {}
    for op in host.graphs.by_id[graph_id].ops.values():
        if op.type == "Placeholder":
            source = joins.placeholder_source(graph_id, op.name, last)
            made_by[op.name] = source and host.executions.site_of(source[0]).op_type
    assert made_by == {
        "x": "AddV2",
        "x_1": "ZerosLike",
        "MatMul/ReadVariableOp/resource": "VarHandleOp",
        "replica_1/MatMul/ReadVariableOp/resource": "VarHandleOp",
        "CollectiveReduceV2/ordering_token_0": "VarHandleOp",
        "CollectiveReduceV2_1/ordering_token_0": "VarHandleOp",
        "Placeholder": None,
        "Placeholder_1": None,
    }


@pytest.mark.parametrize("scenario", ["full_tensor", "half_types_full"])
def test_what_a_call_put_out_is_what_its_graph_computed(library: Library, scenario: str) -> None:
    host, joins = opened(library.path(scenario))
    compared = 0
    for execution in range(len(host.executions)):
        for slot in range(host.executions.site_of(execution).num_outputs):
            source = joins.output_source(execution, slot)
            if source is None:
                continue
            graph = host.graphs.by_id[source[0]]
            name, _, number = graph.ops[source[1]].inputs[0].rpartition(":")
            for site in joins.sites_of(graph.id, name, int(number)):
                trace = joins.nearest(site, joins.window_of(execution)[1] - 1)
                assert trace is not None
                computed = host.traces.values(trace)
                put_out = host.executions.values(execution, slot)
                assert computed is not None
                assert put_out is not None
                assert computed.dtype == put_out.dtype
                assert computed.tolist() == put_out.tolist() or np.isnan(computed).any()
                compared += 1
    assert compared >= 24


def test_a_function_traced_twice_has_the_graph_whose_tensors_it_computed(tmp_path: Path) -> None:
    made = Fabricated()
    for number in (1, 2):
        ops = (("x", "Placeholder", ()), ("Log", "Log", ("x:0",)))
        made.graph(f"step{number}", *ops, name="steps")
    made.execution("Cast", puts=(5,))
    calls = {}
    for number in (1, 2, 1):
        made.trace(f"step{number}", "Log")
        calls[made.execution(f"__forward_steps_{number}0", takes=(5,), puts=(7,))] = number
    silent = made.execution("__forward_steps_30", takes=(5,))
    _, joins = made.opened(tmp_path)
    for call, number in calls.items():
        assert joins.graph_of(call) == f"step{number}"
        assert joins.placeholder_source(f"step{number}", "x", call) == (0, 0)
        assert joins.placeholder_source(f"step{3 - number}", "x", call) is None
    assert joins.graph_of(silent) is None


def test_arguments_are_told_only_as_far_as_that_is_certain(tmp_path: Path) -> None:
    made = Fabricated()
    made.graph(
        "f",
        ("a", "Placeholder", ()),
        ("b", "Placeholder", ()),
        ("mul/x", "Const", ()),  # a tensor from outside, small enough to be built in
        ("mul", "Mul", ("a:0", "mul/x:0")),
        ("read/resource", "Placeholder", ()),
    )
    sources = [made.execution("Cast", puts=(number,)) for number in range(1, 5)]
    call = made.execution("__inference_f_3", "f", takes=(1, 2, 3, 4), puts=(9,))
    _, joins = made.opened(tmp_path)
    assert joins.placeholder_source("f", "a", call) == (sources[0], 0)
    assert joins.placeholder_source("f", "b", call) == (sources[1], 0)
    assert joins.placeholder_source("f", "read/resource", call) is None


def test_what_is_returned_is_open_until_the_end_of_the_graph_is_on_disk(tmp_path: Path) -> None:
    ends = [("Identity", "Identity", ("x:0",)), ("Identity_1", "Identity", ("y:0",))]
    for name, ops, expected in (
        ("cut", ends, None),
        ("whole", [*ends, ("NoOp", "NoOp", ())], ("f", "Identity_1", 0)),
    ):
        made = Fabricated()
        made.graph("f", *ops)
        call = made.execution("__inference_f_3", "f", puts=(9,))
        _, joins = made.opened(tmp_path / name)
        assert joins.output_source(call, 0) == expected
        assert joins.output_source(call, 1) is None
