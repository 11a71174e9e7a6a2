"""Who made the inputs of a tensor or an execution, and who takes its outputs: one step of a walk.

Inside a graph the recorder writes the edges down. Between executions the ids of tensors join
producer and consumer, and the argument of a called function leads to what its call was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput, GraphTensor, UnknownInput
from tfdbg_tui.data.flow.variable_writers import VariableWriters
from tfdbg_tui.data.stores.tf_names import (
    ARGUMENT,
    is_branch,
    is_read,
    is_variable,
    read_tensor,
    runs_branch,
    writes_variable,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.index.joins import Joins
    from tfdbg_tui.data.stores.graph import Consumer
    from tfdbg_tui.data.stores.host import Host
from tfdbg_tui.data.flow.graph_nodes import NodeMaker, Vertex

MAX_SLOTS = 16
"""Outputs of an op or an execution whose consumers are looked for."""

MAX_EXECUTIONS = 32
"""Producers of one execution, or consumers of one tensor, that are looked for."""

PASS_THROUGH = frozenset({"IdentityN", "While", "StatelessWhile"})
"""Op types each output of which is, or replaces, the input of the same number."""


class Edges:
    """The steps from vertex to vertex."""

    def __init__(self, host: Host, joins: Joins, maker: NodeMaker, subject: Vertex) -> None:
        self._host = host
        self._joins = joins
        self._maker = maker
        self._subject = subject
        self._writers = VariableWriters(host, joins)
        self._inputs: dict[Vertex, list[Vertex]] = {}
        self._consumers: dict[Vertex, list[Vertex]] = {}

    def is_recorded(self, vertex: Vertex) -> bool:
        """Whether there are recordings of a vertex, in whatever invocation."""
        return not isinstance(vertex, GraphTensor) or bool(self._maker.sites_of(vertex))

    def origin(self, vertex: Vertex) -> Vertex:
        """The same for all outputs that are computed together, from the same inputs."""
        if isinstance(vertex, GraphTensor):
            op = self._host.graphs.op(vertex.graph_id, vertex.op_name)
            passes_through = op is not None and op.type in PASS_THROUGH
            return vertex if passes_through else vertex._replace(slot=None)
        if isinstance(vertex, ExecutionOutput) and not self._returned_tensor(vertex):
            return vertex._replace(slot=None)
        return vertex

    def is_write(self, vertex: Vertex) -> bool:
        """Whether a vertex is what wrote a variable; what it took is of another step."""
        if vertex == self._subject:
            return False
        if isinstance(vertex, GraphTensor):
            op = self._host.graphs.op(vertex.graph_id, vertex.op_name)
            return op is not None and writes_variable(op.type)
        if isinstance(vertex, ExecutionOutput):
            return writes_variable(self._host.executions.site_of(vertex.execution).op_type)
        return False

    def inputs(self, vertex: Vertex) -> list[Vertex]:
        """What a vertex is computed from, each once."""
        if vertex not in self._inputs:
            found: list[Vertex] = []
            if isinstance(vertex, GraphTensor):
                found = self._tensor_inputs(vertex)
            elif isinstance(vertex, ExecutionOutput):
                found = self._returned_tensor(vertex) or self._arguments(vertex.execution)
            if self.is_write(vertex):
                found = [given for given in found if not self.is_handle(given)]
            self._inputs[vertex] = list(dict.fromkeys(found))
        return self._inputs[vertex]

    def is_handle(self, vertex: Vertex) -> bool:
        """Whether a vertex only says which variable is meant."""
        if isinstance(vertex, ExecutionOutput):
            return is_variable(self._host.executions.site_of(vertex.execution).op_type)
        if not isinstance(vertex, GraphTensor):
            return False
        op = self._host.graphs.op(vertex.graph_id, vertex.op_name)
        if op is None or op.type != ARGUMENT:
            return op is not None and is_variable(op.type)
        return self._is_handed_variable(vertex)

    def _is_handed_variable(self, vertex: GraphTensor) -> bool:
        """Whether an argument is the handle of a variable, by what takes it or what was given."""
        graph = self._host.graphs.by_id[vertex.graph_id]
        users = graph.consumers(vertex.op_name, vertex.slot or 0, MAX_EXECUTIONS)
        if any(
            is_read(op.type) or (number == 0 and writes_variable(op.type)) for op, number in users
        ):
            return True
        if vertex.execution is None:
            return False
        source = self._joins.placeholder_source(vertex.graph_id, vertex.op_name, vertex.execution)
        return source is not None and is_variable(self._host.executions.site_of(source[0]).op_type)

    def consumers(self, vertex: Vertex) -> list[Vertex]:
        """What is computed from a vertex, each once; of an op from any of its outputs.

        Of the subject from that very output, but of an execution from the others as well: they
        are what its gradient takes.
        """
        if vertex not in self._consumers:
            found: list[Vertex] = []
            if isinstance(vertex, GraphTensor):
                found = self._tensor_consumers(vertex) or self._returned_as(vertex)
            elif isinstance(vertex, ExecutionOutput):
                found = self._execution_consumers(vertex)
            self._consumers[vertex] = list(dict.fromkeys(found))
        return self._consumers[vertex]

    def inner_graphs(self, vertex: GraphTensor) -> list[str]:
        """The graphs that an op runs, as far as names tell."""
        graph = self._host.graphs.by_id.get(vertex.graph_id)
        if graph is None:
            return []
        names = {inner: self._host.graphs.name_of(inner) or "" for inner in tuple(graph.inner_ids)}
        if vertex.op_name not in graph.ops:
            # A call of a function: it is not written which, so it must be the only one.
            called = [inner for inner, name in names.items() if not is_branch(name)]
            return called if len(called) == 1 else []
        return [inner for inner, name in names.items() if runs_branch(vertex.op_name, name)]

    def _tensor_inputs(self, vertex: GraphTensor) -> list[Vertex]:
        op = self._host.graphs.op(vertex.graph_id, vertex.op_name)
        if op is None:
            return []
        if not op.inputs:
            return self._given(vertex) if op.type == ARGUMENT else self._written(vertex)
        names: Sequence[str] = op.inputs
        if op.type in PASS_THROUGH and vertex.slot is not None and vertex.slot < len(names):
            names = names[vertex.slot : vertex.slot + 1]
        return [tensor_named(vertex, name) for name in names]

    def _given(self, vertex: GraphTensor) -> list[Vertex]:
        """What the call was given for an argument of its function."""
        if vertex.execution is None:
            return []
        source = self._joins.placeholder_source(vertex.graph_id, vertex.op_name, vertex.execution)
        if source is None:
            return self._written(vertex)
        write = self._last_write(source[0], vertex.execution)
        for writer in self._written(vertex):
            # The call before may have written it later than what else did.
            is_later = isinstance(writer, GraphTensor) and (
                write is None or (writer.execution or 0) > (write.execution or 0)
            )
            if is_later and self.is_handle(vertex):
                return [writer]
        return [write or ExecutionOutput(*source)]

    def _written(self, vertex: GraphTensor) -> list[Vertex]:
        """What last wrote the variable of a handle, if it is one."""
        writer = self._writers.in_graph(vertex)
        return [] if writer is None else [writer]

    def _last_write(self, producer: int, before: int) -> ExecutionOutput | GraphTensor | None:
        """The last write of a variable, where its handle is what was put out: that tells more."""
        if not is_variable(self._host.executions.site_of(producer).op_type):
            return None
        record = self._maker.record(producer)
        ids = () if record is None else record.output_tensor_ids[:1]
        return next((self._writers.of_handle(handle, before) for handle in ids), None)

    def _returned_tensor(self, vertex: ExecutionOutput) -> list[Vertex]:
        """The tensor inside a call that is its output; not looked for inside the subject."""
        if vertex == self._subject or vertex.slot is None:
            return []
        source = self._joins.output_source(vertex.execution, vertex.slot)
        return [] if source is None else [GraphTensor(*source, vertex.execution)]

    def _arguments(self, execution: int) -> list[Vertex]:
        record = self._maker.record(execution)
        ids = () if record is None else record.input_tensor_ids[:MAX_EXECUTIONS]
        is_write = writes_variable(self._host.executions.site_of(execution).op_type)
        found: list[Vertex] = []
        for number, tensor_id in enumerate(ids):
            producer = self._joins.producer_of(tensor_id, execution)
            if producer is None:
                found.append(UnknownInput(execution, number))
                continue
            writer = None if is_write else self._last_write(producer[0], execution)
            found.append(writer or ExecutionOutput(*producer))
        return found

    def _tensor_consumers(self, vertex: GraphTensor) -> list[Vertex]:
        graph = self._host.graphs.by_id.get(vertex.graph_id)
        if graph is None or vertex.slot is None:
            return []
        op = graph.ops.get(vertex.op_name)
        slots: Sequence[int] = (vertex.slot,)
        if vertex != self._subject and op is not None and op.type not in PASS_THROUGH:
            slots = range(min(op.num_outputs, MAX_SLOTS))
        users = [user for slot in slots for user in graph.consumers(vertex.op_name, slot)]
        return [self._consumer(user, vertex.execution) for user in users]

    def _consumer(self, user: Consumer, execution: int | None) -> GraphTensor:
        """A consumer, by the output that says most of it."""
        op, index = user
        if op.num_outputs <= 0:
            return GraphTensor(op.graph_id, op.name, None, execution)
        if op.type in PASS_THROUGH and index < op.num_outputs:
            return GraphTensor(op.graph_id, op.name, index, execution)
        outputs = [
            GraphTensor(op.graph_id, op.name, slot, execution)
            for slot in range(min(op.num_outputs, MAX_SLOTS))
        ]
        return next(filter(self.is_recorded, outputs), outputs[0])

    def _returned_as(self, vertex: GraphTensor) -> list[Vertex]:
        """The output of its call that a tensor becomes if no op in its graph takes it."""
        if vertex.execution is None:
            return []
        outputs = self._host.executions.site_of(vertex.execution).num_outputs
        for slot in range(min(outputs, MAX_SLOTS)):
            source = self._joins.output_source(vertex.execution, slot)
            if source is None:
                break
            if source == vertex[:3]:
                return [ExecutionOutput(vertex.execution, slot)]
        return []

    def _execution_consumers(self, vertex: ExecutionOutput) -> list[Vertex]:
        ids = list(self._joins.outputs_of(vertex.execution))
        if vertex.slot is not None:
            others = ids if vertex == self._subject else []
            ids = ids[vertex.slot : vertex.slot + 1] + others
        found: list[Vertex] = []
        for tensor_id in list(dict.fromkeys(ids))[:MAX_SLOTS]:
            users = self._joins.consumers_of(tensor_id, vertex.execution, MAX_EXECUTIONS)
            found += [self._maker.output_of(execution) for execution, _ in users]
        return found


def tensor_named(consumer: GraphTensor, name: str) -> GraphTensor:
    """The tensor that an input of an op names as `op:slot`."""
    told = read_tensor(name)
    op_name, slot = (name, 0) if told is None else told
    return GraphTensor(consumer.graph_id, op_name, slot, consumer.execution)
