"""What one op took, input by input, each with what is recorded of it.

An input that was not recorded itself stands for the recorded tensor that it was computed from,
past ops that are never recorded: an Identity, a call, an argument.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.flow.graph_edges import MAX_EXECUTIONS, Edges, tensor_named
from tfdbg_tui.data.flow.graph_nodes import (
    ExecutionOutput,
    GraphTensor,
    NodeMaker,
    Relation,
    UnknownInput,
)
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.flow.graph_nodes import GraphNode, Vertex
    from tfdbg_tui.data.index.host_index import HostIndex

MAX_INPUTS = 32
"""Inputs of one op that are looked at."""

MAX_STEPS = 32
"""Vertices that are passed on the way from one input to a recorded tensor."""


class OpInput(NamedTuple):
    """One input of an op."""

    number: int
    vertex: Vertex
    """What the op takes."""
    node: GraphNode | None
    """The recorded tensor that it is, or comes from; None where there is none."""
    event: EventRef | None
    """The same as an event."""

    @property
    def is_itself_recorded(self) -> bool:
        """Whether the recording is of the very tensor that the op takes."""
        if self.node is None:
            return False
        if isinstance(self.vertex, GraphTensor):
            same = (self.node.graph_id, self.node.op_name) == self.vertex[:2]
            return same and self.node.trace is not None
        return isinstance(self.vertex, ExecutionOutput) and (
            self.node.execution == self.vertex.execution
        )


class OpInputs:
    """The inputs of the op of one event."""

    def __init__(self, index: HostIndex, event: EventRef) -> None:
        self._index = index
        self._host_number = event.host
        self.call: int | None = None
        if event.kind is EventKind.TRACE:
            site = index.host.traces.site_of(event.event)
            self.call = index.joins.execution_of(event.event)
            self._maker = NodeMaker(index.host, index.sites, index.joins, event.event, self.call)
            self.subject: Vertex = GraphTensor(site.graph_id, site.op_name, site.slot, self.call)
        else:
            self._maker = NodeMaker(index.host, index.sites, index.joins, None, None)
            self.subject = self._maker.output_of(event.event, event.output)
        self.edges = Edges(index.host, index.joins, self._maker, self.subject)

    def of_subject(self) -> tuple[OpInput, ...]:
        """The inputs of the event's own op."""
        return self.of(self.subject)

    def of(self, vertex: Vertex) -> tuple[OpInput, ...]:
        """The inputs of a vertex, in the order in which its op takes them."""
        return tuple(
            self._input(number, given)
            for number, given in enumerate(self.vertices(vertex)[:MAX_INPUTS])
        )

    def vertices(self, vertex: Vertex) -> list[Vertex]:
        """What the op of a vertex takes; the same may stand there twice."""
        if isinstance(vertex, GraphTensor):
            op = self._index.host.graphs.op(vertex.graph_id, vertex.op_name)
            return [] if op is None else [tensor_named(vertex, name) for name in op.inputs]
        if not isinstance(vertex, ExecutionOutput):
            return []
        found: list[Vertex] = []
        ids = self._index.joins.inputs_of(vertex.execution)[:MAX_EXECUTIONS]
        for number, tensor_id in enumerate(ids):
            producer = self._index.joins.producer_of(tensor_id, vertex.execution)
            found.append(
                UnknownInput(vertex.execution, number)
                if producer is None
                else ExecutionOutput(*producer)
            )
        return found

    def is_recorded(self, vertex: Vertex) -> bool:
        """Whether a tensor is recorded in the invocation of the subject."""
        return self._recorded(vertex) is not None

    def later_event(self, vertex: Vertex) -> tuple[EventRef | None, bool]:
        """The event of a tensor that may follow from the subject, and whether it is recorded."""
        if isinstance(vertex, GraphTensor):
            event = self._maker.later_event_of(vertex)
            return self._trace(event), event is not None
        if isinstance(vertex, ExecutionOutput):
            bad = self._maker.bad_output(vertex)
            if bad is None:
                return None, False
            site = self._index.host.executions.site_of(vertex.execution)
            is_told = vertex.slot is not None and site.tensors == site.num_outputs
            output = vertex.slot if is_told else None
            return EventRef(self._host_number, EventKind.EXECUTION, vertex.execution, output), True
        return None, False

    def _trace(self, event: int | None) -> EventRef | None:
        return None if event is None else EventRef(self._host_number, EventKind.TRACE, event, 0)

    def _input(self, number: int, vertex: Vertex) -> OpInput:
        pending, seen = [vertex], {vertex}
        for reached in pending:
            node = self._recorded_inside(reached) or self._recorded(reached)
            if node is not None:
                return OpInput(number, vertex, node, self._event(node))
            if len(pending) < MAX_STEPS:
                new = [given for given in self.edges.inputs(reached) if given not in seen]
                pending += new
                seen.update(new)
        return OpInput(number, vertex, None, None)

    def _recorded_inside(self, vertex: Vertex) -> GraphNode | None:
        """The tensor inside a call that the call put out: its name tells more."""
        if not isinstance(vertex, ExecutionOutput):
            return None
        for _ in range(MAX_STEPS):
            inside = [v for v in self.edges.inputs(vertex) if isinstance(v, GraphTensor)]
            if not inside:
                return None
            node = self._recorded(inside[0])
            if node is not None:
                return node
            vertex = inside[0]
        return None

    def _recorded(self, vertex: Vertex) -> GraphNode | None:
        if isinstance(vertex, GraphTensor):
            event = self._maker.event_of(vertex)
            if event is None:
                return None
            return self._maker.node(vertex, Relation.INPUT, 1)
        if isinstance(vertex, ExecutionOutput):
            if self._maker.bad_output(vertex) is None:
                return None
            node = self._maker.node(vertex, Relation.INPUT, 1)
            return None if node.health is None and not node.bad else node
        return None

    def _event(self, node: GraphNode) -> EventRef | None:
        if node.trace is not None:
            return self._trace(node.trace)
        if node.execution is None:
            return None
        return EventRef(self._host_number, EventKind.EXECUTION, node.execution, node.position or 0)
