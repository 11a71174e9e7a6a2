"""What is around a tensor or an execution, in the same invocation and in drawing order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.surroundings import drawn, of, read
from tfdbg_tui.data.flow.graph_nodes import NOT_RECORDED, OUTSIDE, Relation
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.views import neighbourhood as neighbourhood_module
from tfdbg_tui.data.views.neighbourhood import ExecutionSubject, NodeSubject, recorded_inputs

if TYPE_CHECKING:
    from tests.recordings.record import Library
    from tests.support.surroundings import Recorded

OUTER, INPUT, SELF = Relation.OUTER, Relation.INPUT, Relation.SELF
CONSUMER, INNER = Relation.CONSUMER, Relation.INNER


# --------------------------------------------------------------------- tensors of graphs


def test_inputs_stand_above_the_tensor_and_consumers_below(library: Library) -> None:
    recorded = read(library.path("full_health"))
    nodes = recorded.neighbours(recorded.trace("loss", "Log:0", 7))
    assert drawn(nodes) == [
        (OUTER, 1, "loss"),
        (INPUT, 4, "Softmax:0"),
        (INPUT, 3, "Identity:0"),
        (INPUT, 2, "model:0"),
        (INPUT, 1, "probs:0"),
        (SELF, 0, "Log:0"),
        (CONSUMER, 1, "mul:0"),
        (CONSUMER, 2, "Mean:0"),
    ]
    assert [node.op_type for node in nodes[1:]] == [
        "Softmax", "Identity", "__forward_model_125", "Placeholder", "Log", "Mul", "Mean",
    ]  # fmt: skip
    assert [node.graph for node in nodes] == [
        "loss", "model", "model", None, "loss", "loss", "loss", "loss",
    ]  # fmt: skip


def test_an_argument_leads_to_the_call_that_made_it_and_into_it(library: Library) -> None:
    recorded = read(library.path("full_health"))
    subject = recorded.trace("loss", "Log:0", 7)
    nodes = {node.name: node for node in recorded.neighbours(subject)}
    assert nodes["loss"].execution == recorded.calls("__forward_loss")[7]
    assert nodes["model:0"].execution == recorded.calls("__forward_model")[7]
    assert nodes["model:0"].is_call
    assert nodes["Softmax:0"].trace == recorded.trace("model", "Softmax:0", 7).near
    assert nodes["Log:0"].trace == subject.near
    assert nodes["mul:0"].trace == recorded.trace("loss", "mul:0", 7).near
    # What one graph puts out is what the next takes.
    assert nodes["model:0"].health is not None
    assert nodes["Softmax:0"].health is not None
    assert nodes["model:0"].health.zero == nodes["Softmax:0"].health.zero


def test_recorded_inputs_are_found_past_what_is_not_recorded(library: Library) -> None:
    recorded = read(library.path("full_health"))
    traces = recorded.host.traces
    for subject, inputs in (
        (recorded.trace("loss", "Log:0", 3), {"Softmax:0"}),
        (recorded.trace("loss", "mul:0", 3), {"Neg:0", "Log:0"}),
        (recorded.trace("loss", "Mean:0", 3), {"mul:0"}),
    ):
        events = recorded_inputs(recorded.neighbours(subject, depth=2))
        assert {traces.site_of(event).tensor_name for event in events} == inputs
        assert all(event < (subject.near or 0) for event in events)
    assert recorded_inputs(()) == []


def test_a_tensor_that_a_function_returns_leads_to_who_takes_it(library: Library) -> None:
    recorded = read(library.path("full_health"))
    nodes = recorded.neighbours(recorded.trace("model", "Softmax:0", 3))
    assert drawn(of(nodes, CONSUMER)) == [
        (CONSUMER, 1, "Identity:0"),
        (CONSUMER, 2, "model:0"),
        (CONSUMER, 3, "loss"),
    ]
    call, taker = of(nodes, CONSUMER)[1:]
    assert call.execution == recorded.calls("__forward_model")[3]
    assert taker.execution == recorded.calls("__forward_loss")[3]


@pytest.mark.parametrize(
    "scenario", ["full_health", "keras_fit", "while_loop", "lstm", "curt_health"]
)
def test_nodes_say_what_their_records_say(library: Library, scenario: str) -> None:
    recorded = read(library.path(scenario))
    traces, executions = recorded.host.traces, recorded.host.executions
    for event in range(0, len(traces), 7):
        for node in recorded.neighbours(recorded.at(event)):
            if node.trace is not None:
                trace = traces.read(node.trace)
                assert trace is not None
                assert trace.site[:3] == (node.graph_id, node.op_name, node.slot)
                assert node.health == trace.health
                assert node.bad == Bad(int(traces.events["bad"][node.trace]))
            if node.execution is not None and node.position is not None:
                execution = executions.read(node.execution)
                assert execution is not None
                assert node.health == execution.health[node.position]


@pytest.mark.parametrize("scenario", ["full_health", "keras_fit", "mirrored", "while_loop"])
def test_all_that_is_near_belongs_to_the_same_call(library: Library, scenario: str) -> None:
    recorded = read(library.path(scenario))
    for event in range(0, len(recorded.host.traces), 5):
        subject = recorded.at(event)
        call = recorded.joins.execution_of(event)
        function = recorded.host.graphs.function_of(subject.graph_id)
        for node in recorded.neighbours(subject, depth=1):
            if node.trace is not None and node.graph_id == subject.graph_id:
                # What wrote a variable did so in the call before.
                own = recorded.joins.execution_of(node.trace)
                is_older = own is not None and call is not None and own < call
                assert own == call or (node.relation is INPUT and node.depth > 2 and is_older)
            if node.relation is OUTER and node.execution is not None:
                assert (node.execution, node.name) == (call, function)


@pytest.mark.parametrize("scenario", ["keras_fit", "lstm"])
def test_inputs_and_consumers_are_those_of_the_graph(library: Library, scenario: str) -> None:
    recorded = read(library.path(scenario))
    for event in range(0, len(recorded.host.traces), 5):
        subject = recorded.at(event)
        graph = recorded.host.graphs.by_id[subject.graph_id]
        nodes = recorded.neighbours(subject, depth=1)
        op = graph.ops[subject.op_name]
        inputs = op.inputs if op.type != "IdentityN" else op.inputs[subject.slot :][:1]
        assert [node.name for node in of(nodes, INPUT, 1)] == list(dict.fromkeys(inputs))
        users = graph.consumers(subject.op_name, subject.slot)
        taking = [node.op_name for node in of(nodes, CONSUMER, 1) if not node.more]
        assert list(dict.fromkeys(taking)) == list(dict.fromkeys(user.op.name for user in users))


def test_what_passes_through_an_op_is_not_mixed_up(library: Library) -> None:
    recorded = read(library.path("keras_fit"))
    gradient = "gradient_tape/sequential_1/dense_1/MatMul/MatMul:0"
    nodes = of(recorded.neighbours(recorded.trace("one_step_on_data", gradient)), CONSUMER)
    assert drawn(nodes) == [
        (CONSUMER, 1, "sgd_1/Identity:0"),
        (CONSUMER, 1, "sgd_1/IdentityN:0"),
        (CONSUMER, 2, "sgd_1/Mul:0"),
        (CONSUMER, 1, "sgd_1/IdentityN:4"),
    ]
    nodes = of(recorded.neighbours(recorded.trace("one_step_on_data", "sgd_1/Mul:0")), INPUT)
    assert [node.name for node in nodes[:2]] == [gradient, "sgd_1/IdentityN:0"]


def test_graphs_around_a_tensor_come_first_outermost_on_top(library: Library) -> None:
    recorded = read(library.path("while_loop"))
    subject = next(
        recorded.at(event)
        for event, (_, tensor) in recorded.computed()
        if tensor == "while/while/mul:0"
    )
    outer = of(recorded.neighbours(subject), OUTER)
    assert drawn(outer)[0] == (OUTER, 3, "grow")
    assert [node.name.rstrip("0123456789") for node in outer] == [
        "grow", "while_body_", "while_while_body_",
    ]  # fmt: skip
    assert outer[0].execution == recorded.joins.execution_of(subject.near or 0)
    assert [node.execution for node in outer[1:]] == [None, None]
    assert drawn(recorded.neighbours(subject))[: len(outer)] == drawn(outer)


def test_a_loop_shows_the_graphs_it_runs(library: Library) -> None:
    recorded = read(library.path("while_loop"))
    inside = recorded.trace("square", "mul:0", 3)
    subject = NodeSubject(recorded.graph_id("explode"), "while", 3, inside.near)
    nodes = of(recorded.neighbours(subject), INNER)
    assert [node.name.rstrip("0123456789") for node in nodes if node.depth == 1] == [
        "while_cond_", "while_body_",
    ]  # fmt: skip
    body = next(place for place, node in enumerate(nodes) if "body" in node.name)
    assert {node.graph for node in nodes[body + 1 :]} == {nodes[body].name, "square"}
    call = recorded.joins.execution_of(inside.near or 0)
    for node in nodes:
        if node.trace is not None:
            assert recorded.joins.execution_of(node.trace) == call


def test_a_branch_and_the_gradient_of_a_loop_show_theirs(library: Library) -> None:
    recorded = read(library.path("while_loop"))
    (body,) = (g for g in recorded.host.graphs.by_id.values() if "while/cond" in g.ops)
    names = inner_names(recorded, body.id, "while/cond")
    assert names == ["while_cond_true_", "while_cond_false_"]
    recorded = read(library.path("lstm"))
    (step,) = (
        graph for graph in recorded.host.graphs.by_id.values()
        if "sequential_1/lstm_1/while" in graph.ops
    )  # fmt: skip
    loops = [op.name for op in step.ops.values() if op.type == "While"]
    forward, gradient = (inner_names(recorded, step.id, name) for name in loops)
    assert [name.split("_while_")[1] for name in forward] == ["cond_", "body_"]
    assert all(name.endswith("_grad_") for name in gradient)
    assert len(gradient) == 2


def inner_names(recorded: Recorded, graph_id: str, op_name: str) -> list[str]:
    nodes = recorded.neighbours(NodeSubject(graph_id, op_name, 0))
    return [node.name.rstrip("0123456789") for node in of(nodes, INNER, 1)]


def test_a_call_inside_a_graph_is_outside_what_is_recorded(library: Library) -> None:
    recorded = read(library.path("keras_fit"))
    near = recorded.trace("multi_step_on_iterator", "IteratorGetNext:0").near
    graph = recorded.graph_id("multi_step_on_iterator")
    (called,) = of(recorded.neighbours(NodeSubject(graph, "optional", 0, near)), INPUT)
    assert (called.name, called.note) == ("StatefulPartitionedCall:0", OUTSIDE)
    # It can be chosen itself, and the only function inside is what it calls.
    nodes = recorded.neighbours(NodeSubject(graph, "StatefulPartitionedCall", 0, near))
    assert [node.note for node in of(nodes, SELF)] == [OUTSIDE]
    assert [node.name for node in of(nodes, CONSUMER, 1)] == ["optional:0"]
    assert [node.name for node in of(nodes, INNER, 1)] == ["one_step_on_data"]


def test_types_that_are_never_traced_are_said_not_to_be_recorded(library: Library) -> None:
    recorded = read(library.path("full_health"))
    near = recorded.trace("loss", "Mean:0").near
    subject = NodeSubject(recorded.graph_id("loss"), "Identity", 0, near)
    nodes = recorded.neighbours(subject)
    (self_node,) = of(nodes, SELF)
    assert (self_node.note, self_node.trace, self_node.health) == (NOT_RECORDED, None, None)
    (mean,) = of(nodes, INPUT, 1)
    assert (mean.name, mean.trace, mean.note) == ("Mean:0", near, "")


def test_tensors_that_a_filter_left_out_are_said_not_to_be_recorded(library: Library) -> None:
    recorded = read(library.path("filter_op_regex"))
    nodes = recorded.neighbours(recorded.trace("loss", "mul:0"), depth=1)
    notes = {node.name: node.note for node in nodes}
    assert (notes["Neg:0"], notes["Log:0"], notes["Mean:0"]) == (NOT_RECORDED, "", NOT_RECORDED)


def test_without_an_invocation_structure_is_all_there_is(library: Library) -> None:
    recorded = read(library.path("full_health"))
    nodes = recorded.neighbours(NodeSubject(recorded.graph_id("loss"), "Log", 0))
    assert [node.name for node in nodes] == ["loss", "probs:0", "Log:0", "mul:0", "Mean:0"]
    assert {node.trace for node in nodes} | {node.execution for node in nodes} == {None}
    assert [node.note for node in nodes] == ["", NOT_RECORDED, "", "", ""]


def test_a_call_fixes_the_invocation_where_no_trace_does(library: Library) -> None:
    recorded = read(library.path("full_health"))
    subject = recorded.trace("loss", "Log:0", 5)
    call = recorded.joins.execution_of(subject.near or 0)
    assert recorded.neighbours(subject._replace(near=None, execution=call)) == recorded.neighbours(
        subject
    )


# --------------------------------------------------------------------------- executions


def test_a_call_shows_the_first_bad_tensors_of_its_graph(library: Library) -> None:
    recorded = read(library.path("full_health"))
    bad = recorded.joins.execution_of(recorded.trace("loss", "Log:0", 9).near or 0)
    assert bad is not None
    nodes = of(recorded.neighbours(ExecutionSubject(bad)), INNER)
    assert drawn(nodes) == [
        (INNER, 1, "loss"), (INNER, 2, "Log:0"), (INNER, 2, "mul:0"), (INNER, 2, "Mean:0"),
    ]  # fmt: skip
    assert all(node.bad for node in nodes[1:])
    assert all(recorded.joins.execution_of(node.trace or 0) == bad for node in nodes[1:])


@pytest.mark.parametrize("number", [0, 1])
def test_of_each_tensor_inside_a_call_the_first_computation_counts(
    library: Library, number: int
) -> None:
    recorded = read(library.path("while_loop"))
    traces = recorded.host.traces
    call = recorded.calls("__inference_explode")[number]
    inside = recorded.joins.traces_of(call, 10_000).tolist()
    bad = [trace for trace in inside if traces.events["bad"][trace]]
    assert bool(bad) == (number == 1)
    for node in of(recorded.neighbours(ExecutionSubject(call)), INNER, 2):
        same = [t for t in bad or inside if traces.site_of(t) == traces.site_of(node.trace or 0)]
        assert node.trace == min(same)


def test_a_healthy_call_shows_the_first_tensors_of_its_graph(library: Library) -> None:
    recorded = read(library.path("full_health"))
    nodes = of(recorded.neighbours(ExecutionSubject(recorded.calls("__forward_loss")[0])), INNER)
    assert [node.name for node in nodes] == ["loss", "Neg:0", "Log:0", "mul:0", "Mean:0"]


def test_only_a_few_of_many_tensors_inside_are_shown(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbourhood_module, "MAX_INNER", 2)
    recorded = read(library.path("while_loop"))
    call = recorded.calls("__inference_grow")[0]
    nodes = of(recorded.neighbours(ExecutionSubject(call)), INNER)
    assert [node.depth for node in nodes] == [1, 2, 2, 2]
    assert nodes[-1].more > 0
    times = [node.trace for node in nodes[1:3] if node.trace is not None]
    assert times == sorted(times)


def test_an_op_has_nothing_inside(library: Library) -> None:
    recorded = read(library.path("full_health"))
    for op in recorded.calls("Mul"):
        assert of(recorded.neighbours(ExecutionSubject(op)), INNER) == []


def test_outputs_of_one_execution_are_told_apart(library: Library) -> None:
    recorded = read(library.path("full_health"))
    (execution,) = recorded.calls("SparseFillEmptyRows")
    nodes = [
        of(recorded.neighbours(ExecutionSubject(execution, position)), SELF)[0]
        for position in range(4)
    ]
    assert [node.name for node in nodes] == [f"SparseFillEmptyRows:{slot}" for slot in range(4)]
    assert [node.bad for node in nodes] == [Bad.NONE, Bad.NAN, Bad.NONE, Bad.NONE]
    # The mode looks at floats only.
    assert [node.note for node in nodes] == [NOT_RECORDED, "", NOT_RECORDED, NOT_RECORDED]


def test_a_filtered_output_is_shown_by_its_place_without_a_slot(library: Library) -> None:
    recorded = read(library.path("filter_dtypes"))
    (execution,) = recorded.calls("SparseFillEmptyRows")
    (node,) = of(recorded.neighbours(ExecutionSubject(execution, 0)), SELF)
    assert (node.slot, node.position, node.bad) == (None, 0, Bad.NAN)
    assert node.health is not None
    assert node.health.nan == 1


def test_what_one_execution_made_is_followed_once(library: Library) -> None:
    recorded = read(library.path("full_health"))
    backward = recorded.calls("__inference___backward_loss")[2]
    inputs = of(recorded.neighbours(ExecutionSubject(backward)), INPUT)
    forward = recorded.calls("__forward_loss")[2]
    assert [node.slot for node in inputs if node.execution == forward] == [1, 2, 3]
    assert len([node for node in inputs if node.depth == 2 and node.is_call]) == 1
    assert inputs[0].name == "input 0"  # has no inputs of its own


def test_an_output_of_a_call_is_followed_apart_from_what_its_gradient_takes(
    library: Library,
) -> None:
    recorded = read(library.path("full_health"))
    backward = recorded.calls("__inference___backward_model")[2]
    inputs = of(recorded.neighbours(ExecutionSubject(backward), depth=4), INPUT)
    names = [node.name for node in inputs]
    assert {"model:0", "model:1", "AssignSubVariableOp", "Softmax:0"} <= set(names)
    assert names.count("Softmax:0") == names.count("AssignSubVariableOp") == 1


def test_of_several_outputs_that_go_on_all_count(library: Library) -> None:
    recorded = read(library.path("full_health"))
    subject = recorded.trace("model", "Softmax:0", 7)
    taker = of(recorded.neighbours(subject), CONSUMER)[-1]
    assert (taker.name, taker.slot) == ("loss", None)
    assert taker.bad == Bad.NEG_INF | Bad.NAN
    (sparse,) = recorded.calls("SparseFillEmptyRows")
    (node,) = of(recorded.neighbours(ExecutionSubject(sparse, 99)), SELF)
    assert (node.slot, node.position, node.bad) == (None, 1, Bad.NAN)


def test_an_execution_without_outputs_is_shown_without_a_slot(library: Library) -> None:
    recorded = read(library.path("full_health"))
    assign = recorded.calls("AssignSubVariableOp")[0]
    (node,) = of(recorded.neighbours(ExecutionSubject(assign)), SELF)
    assert (node.name, node.slot, node.note) == ("AssignSubVariableOp", None, "")
