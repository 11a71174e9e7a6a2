"""Who made what an execution or a tensor takes; of a variable, who last wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.surroundings import of, read
from tfdbg_tui.data.flow.graph_nodes import NOT_RECORDED, Relation
from tfdbg_tui.data.views import neighbourhood as neighbourhood_module
from tfdbg_tui.data.views.neighbourhood import ExecutionSubject, nearest_inputs

if TYPE_CHECKING:
    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.executions import ExecutionStore

INPUT, CONSUMER = Relation.INPUT, Relation.CONSUMER


def source(
    executions: ExecutionStore, made_by: dict[int, tuple[int, int]], number: int, tensor_id: int
) -> tuple[int, int | None]:
    """Who made an input or, where it is the handle of a variable, who wrote that last before.

    What writes the variable itself was made by nobody else than who made the handle.
    """

    def writes(execution: int) -> bool:
        return executions.site_of(execution).op_type.startswith("Assign")

    maker = made_by[tensor_id]
    if executions.site_of(maker[0]).op_type == "VarHandleOp" and not writes(number):
        for other in range(number - 1, maker[0], -1):
            record = executions.read(other)
            if record is not None and writes(other) and tensor_id in record.input_tensor_ids:
                return other, None
    return maker


def test_producers_and_consumers_of_executions_are_exact(library: Library) -> None:
    recorded = read(library.path("full_health"))
    executions = recorded.host.executions
    records = [executions.read(number) for number in range(len(executions))]
    made_by = {
        tensor_id: (number, slot)
        for number, record in enumerate(records) if record
        for slot, tensor_id in enumerate(record.output_tensor_ids)
    }  # fmt: skip

    for number, record in enumerate(records):
        assert record is not None
        nodes = recorded.neighbours(ExecutionSubject(number), depth=1)
        inputs = [(node.execution, node.slot) for node in of(nodes, INPUT, 1)]
        assert [made for made in inputs if made[0] is not None] == list(
            dict.fromkeys(
                source(executions, made_by, number, i)
                for i in record.input_tensor_ids
                if i in made_by
            )
        )
        unknown = [node for node in of(nodes, INPUT) if node.execution is None]
        assert len(unknown) == sum(i not in made_by for i in record.input_tensor_ids)
        assert {node.note for node in unknown} <= {NOT_RECORDED}
        takers = {
            other for other in range(number + 1, len(records))
            if set(record.output_tensor_ids) & set(records[other].input_tensor_ids)  # type: ignore[union-attr]
        }  # fmt: skip
        found = [node.execution for node in of(nodes, CONSUMER, 1) if not node.more]
        assert set(found) <= takers
        assert len(found) == min(len(takers), neighbourhood_module.MAX_CONSUMERS)


def test_a_variable_leads_to_its_last_eager_write(library: Library) -> None:
    recorded = read(library.path("full_health"))
    for step in (1, 7, 9):
        subject = recorded.trace("model", "MatMul/ReadVariableOp:0", step)
        nodes = recorded.neighbours(subject)
        call = recorded.calls("__forward_model")[step]
        (write,) = (node for node in of(nodes, INPUT) if node.op_type == "AssignSubVariableOp")
        assert write.execution is not None
        assert recorded.calls("__forward_model")[step - 1] < write.execution < call
        (written,) = nearest_inputs(nodes)
        assert (written.op_type, written.execution) == ("Mul", write.execution - 1)
        assert "VarHandleOp:0" not in [node.name for node in of(nodes, INPUT)]


def test_before_the_first_step_a_variable_leads_to_its_first_value(library: Library) -> None:
    recorded = read(library.path("full_health"))
    nodes = recorded.neighbours(recorded.trace("model", "MatMul/ReadVariableOp:0", 0))
    assert "AssignVariableOp" in [node.op_type for node in of(nodes, INPUT)]


def test_inside_a_graph_it_was_written_by_the_call_before(library: Library) -> None:
    recorded = read(library.path("keras_fit"))
    host, joins = recorded.host, recorded.joins
    reads = [
        trace
        for trace in range(len(host.traces))
        if host.traces.site_of(trace).op_name.endswith("dense_1/MatMul/ReadVariableOp")
        or host.traces.site_of(trace).op_name.endswith("dense_1/Cast/ReadVariableOp")
    ]
    assert len(reads) > 4
    for trace in reads:
        found = of(recorded.neighbours(recorded.at(trace)), INPUT)
        writers = [node for node in found if node.op_type == "AssignSubVariableOp"]
        call = joins.execution_of(trace)
        assert call is not None
        sites = host.executions.site_numbers
        has_earlier_call = bool((sites[:call] == sites[call]).any())
        assert len(writers) == has_earlier_call, "nothing was written before the first call"
        for node in nearest_inputs(recorded.neighbours(recorded.at(trace))):
            if not has_earlier_call:
                assert node.execution is not None, "its first value was assigned outside"
                continue
            assert node.trace is not None
            before = joins.execution_of(node.trace)
            assert before is not None
            assert before < call, "the gradient of the step before"
