"""The op that made numbers bad, with what is recorded of what it took and put out."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.cause.explanation import ToldTensor
from tfdbg_tui.data.cause.gradients import eager_forward, stack_of
from tfdbg_tui.data.cause.held import bad_of, health_of, range_of
from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput, GraphTensor
from tfdbg_tui.data.flow.op_inputs import OpInputs
from tfdbg_tui.data.stores.tf_names import short_tensor_name

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.found_cause import FoundCause
    from tfdbg_tui.data.flow.graph_nodes import GraphNode, Vertex
    from tfdbg_tui.data.flow.op_inputs import OpInput
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.stores.graph import Op


class OriginOp:
    """The op of a cause: that of its tensor, or what wrote the variable that the tensor reads."""

    def __init__(self, index: HostIndex, cause: FoundCause) -> None:
        self.index = index
        self.host = index.host
        self.judged = cause.judged
        self.tensor = cause.tensor
        self.taken = OpInputs(index, cause.tensor)

    @cached_property
    def vertex(self) -> Vertex:
        """What made the numbers bad."""
        writer = self.judged.writer
        # An eager write is a line of the program by itself; one in a graph only if it is to blame.
        if writer is not None and (
            self.judged.writer_is_told or isinstance(writer, ExecutionOutput)
        ):
            return writer
        return self.taken.subject

    @property
    def is_write(self) -> bool:
        """Whether a variable became bad when it was written."""
        return self.vertex != self.taken.subject

    @cached_property
    def op_type(self) -> str:
        """Its type."""
        return self.named(self.vertex)[0]

    def named(self, vertex: Vertex) -> tuple[str, str, str]:
        """The type, the name and the short name of what a vertex is."""
        if isinstance(vertex, GraphTensor):
            op = self.host.graphs.op(vertex.graph_id, vertex.op_name)
            outputs = op.num_outputs if op else None
            name = vertex.op_name if vertex.slot is None else f"{vertex.op_name}:{vertex.slot}"
            short = short_tensor_name(vertex.op_name, vertex.slot, outputs)
            return op.type if op else "", name, short
        if isinstance(vertex, ExecutionOutput):
            site = self.host.executions.site_of(vertex.execution)
            number = self.host.executions.site_number(vertex.execution)
            tensor = self.index.sites.execution(number).tensor
            name = tensor if vertex.slot is None else f"{tensor}:{vertex.slot}"
            return site.op_type, name, short_tensor_name(tensor, vertex.slot, 1)
        return "", "", ""

    # Its line.

    @cached_property
    def stack(self) -> tuple[str, ...]:
        """The stack that created it."""
        vertex = self.vertex
        if isinstance(vertex, GraphTensor):
            op = self.host.graphs.op(vertex.graph_id, vertex.op_name)
            return () if op is None else op.stack
        if isinstance(vertex, ExecutionOutput):
            return self.host.executions.site_of(vertex.execution).stack
        return stack_of(self.index, self.tensor)

    @cached_property
    def line(self) -> tuple[tuple[str, ...], str | None]:
        """The stack that tells the user's line, and the forward op that it is of, if it is."""
        vertex = self.vertex
        if isinstance(vertex, GraphTensor):
            op = self.host.graphs.op(vertex.graph_id, vertex.op_name)
            forward = None if op is None else self.host.graphs.forward_of(op)
            if forward is not None:
                return forward.stack, forward.name
        execution = None if self.is_write else eager_forward(self.index, self.tensor)
        if execution is None:
            return self.stack, None
        site = self.host.executions.site_of(execution)
        return site.stack, site.op_type

    @cached_property
    def _of_line(self) -> Op | None:
        """The op of a graph that the user's line made: itself or, of a gradient, its forward op."""
        if not isinstance(self.vertex, GraphTensor):
            return None
        op = self.host.graphs.op(self.vertex.graph_id, self.vertex.op_name)
        return op and (self.host.graphs.forward_of(op) or op)

    @property
    def forward_type(self) -> str:
        """The type of the op whose gradient it is; "" for any other."""
        if self.line[1] is None:
            return ""
        return self.line[1] if self._of_line is None else self._of_line.type

    @property
    def number_in_line(self) -> int | None:
        """Its place among the ops of its type that its line made, from 0; None if not known."""
        own = self._of_line
        if own is None:
            return self._number_of_execution()
        ops = tuple(self.host.graphs.by_id[own.graph_id].ops.values())
        alike = [op.name for op in ops if op.type == own.type and op.stack == own.stack]
        return alike.index(own.name) if own.name in alike else None

    def _number_of_execution(self) -> int | None:
        """The same for an eager op: how often its line made one of its type before."""
        if self.is_write or not isinstance(self.vertex, ExecutionOutput):
            return None
        execution = eager_forward(self.index, self.tensor)
        execution = self.vertex.execution if execution is None else execution
        executions = self.host.executions
        numbers = executions.site_numbers[:execution]
        return int(np.count_nonzero(numbers == executions.site_number(execution)))

    # What it took, and what it put out.

    @cached_property
    def inputs(self) -> tuple[OpInput, ...]:
        """What it took."""
        return self.taken.of(self.vertex)

    @cached_property
    def told_inputs(self) -> tuple[ToldTensor | None, ...]:
        """The same as far as it is recorded; None for what is not."""
        return tuple(
            None if taken.node is None else self._told(taken.node, taken.event)
            for taken in self.inputs
        )

    @cached_property
    def output(self) -> ToldTensor:
        """The bad tensor."""
        return self.told(self.tensor)

    def _told(self, node: GraphNode, event: EventRef | None) -> ToldTensor:
        told = ToldTensor(node.shown, node.op_type, event, node.bad, node.health)
        if event is None:
            return told
        return told_of(self.index, event)._replace(name=node.shown, health=node.health)

    def told(self, event: EventRef, brief: bool = False) -> ToldTensor:
        """What is recorded of an event; in brief, without reading it back from disk."""
        return told_of(self.index, event, brief)


def told_of(index: HostIndex, event: EventRef, brief: bool = False) -> ToldTensor:
    """What is recorded of an event; in brief, without reading it back from disk."""
    facts = index.sites.of(event.kind, index.host.store_of(event.kind).site_number(event.event))
    health = None if brief else health_of(index, event)
    lowest, highest = (None, None) if brief else range_of(index, event)
    return ToldTensor(
        facts.name,
        facts.op_type,
        event,
        bad_of(index, event),
        health,
        lowest,
        highest,
        facts.line,
        facts.is_call,
        facts.is_backward,
    )
