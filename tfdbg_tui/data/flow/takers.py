"""Who took a tensor: the way forward, out of calls, into them, into branches and into writes.

`Edges.consumers` is what is drawn below a tensor. This goes further: it enters the calls and the
branches that were given a tensor, which leave no op of their own to be drawn.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tfdbg_tui.data.flow.graph_edges import MAX_EXECUTIONS, MAX_SLOTS, PASS_THROUGH, Edges
from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput, GraphTensor
from tfdbg_tui.data.flow.loop_arguments import argument_names, first_input
from tfdbg_tui.data.stores.tf_names import (
    is_branch,
    is_call_op,
    is_gradient_graph,
    runs_branch,
    those_that_run,
    writes_variable,
)
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.flow.graph_nodes import Vertex
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.stores.graph import Graph, Op

MAX_TAKERS = 256
"""Takers of one tensor that are looked at."""

MAX_OPS_OF_CALL = 10_000
"""Ops of a graph among which those are sought that take what a call inside it puts out."""


class Taker(NamedTuple):
    """One thing that took a tensor."""

    vertex: Vertex
    """What it put out or, of a write, the write itself."""
    op_type: str = ""
    writes: bool = False
    """Whether it wrote the tensor to a variable."""
    enters_branch: bool = False
    """Whether it is inside a branch, which may not have run."""


class Takers:
    """The takers of tensors in the invocation of one subject."""

    def __init__(self, index: HostIndex, edges: Edges) -> None:
        self._host = index.host
        self._joins = index.joins
        self._edges = edges

    def of(self, vertex: Vertex) -> list[Taker]:
        """Who took a vertex, each once."""
        found: list[Taker] = []
        if isinstance(vertex, GraphTensor):
            found = self._of_tensor(vertex)
        elif isinstance(vertex, ExecutionOutput):
            found = self._of_execution(vertex)
        return list(dict.fromkeys(found))

    # Inside graphs.

    def _of_tensor(self, vertex: GraphTensor) -> list[Taker]:
        graph = self._host.graphs.by_id.get(vertex.graph_id)
        if graph is None:
            return []
        found: list[Taker] = []
        slot = vertex.slot or 0
        for op, number in graph.consumers(vertex.op_name, slot, MAX_TAKERS):
            found += self._op(graph, op, number, vertex.execution)
        return found or self._returned(graph, vertex)

    def _op(self, graph: Graph, op: Op, number: int, execution: int | None) -> list[Taker]:
        vertex = GraphTensor(graph.id, op.name, None, execution)
        if writes_variable(op.type):
            return [Taker(vertex, op.type, writes=True)] if number else []
        inside = self._branches(graph, op, number, execution)
        if op.num_outputs <= 0:
            return [*inside, Taker(vertex, op.type)]
        slots = range(min(op.num_outputs, MAX_SLOTS))
        if op.type in PASS_THROUGH and number < op.num_outputs:
            slots = range(number, number + 1)
        outputs = [vertex._replace(slot=slot) for slot in slots]
        return inside + [Taker(output, op.type) for output in outputs]

    def _branches(self, graph: Graph, op: Op, number: int, execution: int | None) -> list[Taker]:
        """The arguments of branches and loops that an op hands a tensor to."""
        found = []
        for inner_id in tuple(graph.inner_ids):
            inner = self._host.graphs.by_id.get(inner_id)
            if inner is None or not runs_branch(op.name, inner.name or ""):
                continue
            arguments = argument_names(inner)
            place = number - first_input(op, arguments)
            if 0 <= place < len(arguments):
                vertex = GraphTensor(inner_id, arguments[place], 0, execution)
                found.append(Taker(vertex, enters_branch=True))
        return found

    def _returned(self, graph: Graph, vertex: GraphTensor) -> list[Taker]:
        """What a tensor becomes that no op in its graph takes: an output of what ran the graph."""
        outputs = self._edges.consumers(vertex)
        if outputs:
            return [Taker(output) for output in outputs]
        outer = self._outer(graph, vertex)
        if outer is None or not outer.name:
            return self._out_of_call(vertex)
        while outer is not None and outer.name:
            found: list[Taker] = []
            for op, number in self._that_take(outer, graph):
                found += self._op(outer, op, number, vertex.execution)
            if found or not is_gradient_graph(graph.name or ""):
                return found
            # A gradient stands within its function, and is called from where that is called.
            outer = self._outer(outer, vertex)
        return []

    def _outer(self, graph: Graph, vertex: GraphTensor) -> Graph | None:
        """The graph around another one, as the call of a tensor runs it."""
        return self._host.graphs.by_id.get(
            self._joins.executed_as(graph.outer_id, vertex.execution)
        )

    def _that_take(self, outer: Graph, inner: Graph) -> list[tuple[Op, int]]:
        """The ops that take what the call or the branch of an inner graph put out."""
        ops = list(outer.ops.values())[:MAX_OPS_OF_CALL]
        if is_branch(inner.name or ""):
            runs = set(those_that_run(inner.name or "", [op.name for op in ops]))
        else:
            runs = {name for op in ops for name in _calls(op, outer)}
        takers = (
            (op, number)
            for op in ops
            for number, name in enumerate(op.inputs)
            if name.rpartition(":")[0] in runs
        )
        return list(islice(takers, MAX_TAKERS))

    def _out_of_call(self, vertex: GraphTensor) -> list[Taker]:
        """Any bad output of a call, where it is not told which of its tensors it returns."""
        call = vertex.execution
        if call is None or self._joins.graph_of(call) is None:
            return []
        outputs = self._host.executions.bad_outputs(call)
        returned = [ExecutionOutput(call, slot) for slot in outputs][:MAX_SLOTS]
        return [Taker(output) for output in returned]

    # Between executions.

    def _of_execution(self, vertex: ExecutionOutput) -> list[Taker]:
        found: list[Taker] = []
        for tensor_id in self._ids(vertex):
            users = self._joins.consumers_of(tensor_id, vertex.execution, MAX_EXECUTIONS)
            for user, number in users:
                found += self._execution(user, number)
        return found

    def _ids(self, vertex: ExecutionOutput) -> list[int]:
        """The ids of the bad outputs of an execution: what its gradient takes is among them."""
        executions = self._host.executions
        ids = self._joins.outputs_of(vertex.execution)
        site = executions.site_of(vertex.execution)
        if site.tensors != site.num_outputs:
            return list(ids[:MAX_TAKERS])
        bad = [n for n in executions.bad_outputs(vertex.execution) if n < len(ids)]
        return [ids[n] for n in bad[:MAX_TAKERS]]

    def _execution(self, user: int, number: int) -> list[Taker]:
        executions = self._host.executions
        site = executions.site_of(user)
        if writes_variable(site.op_type):
            vertex = ExecutionOutput(user, None)
            return [Taker(vertex, site.op_type, writes=True)] if number else []
        argument = self._joins.argument_of(user, number)
        found = []
        if argument is not None:
            found.append(Taker(GraphTensor(*argument, 0, user)))
        outputs = executions.bad_outputs(user)
        if not site.num_outputs:
            return found
        if outputs and site.tensors == site.num_outputs:
            slots = list(outputs)[:MAX_SLOTS]
            return found + [Taker(ExecutionOutput(user, n), site.op_type) for n in slots]
        return [*found, Taker(ExecutionOutput(user, None), site.op_type)]


def _calls(op: Op, graph: Graph) -> list[str]:
    """The calls among what an op takes: ops that are named and never written down."""
    names = (name.rpartition(":")[0] for name in op.inputs)
    return [name for name in names if name not in graph.ops and is_call_op(name)]
