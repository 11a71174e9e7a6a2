"""Whether what was written to a variable was bad when it was read the next time.

A write leaves no tensor. That a variable was poisoned, or that the write was skipped as loss
scaling does, is told by the next read alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput, GraphTensor
from tfdbg_tui.data.flow.loop_arguments import LoopArguments
from tfdbg_tui.data.stores.tf_names import is_read

if TYPE_CHECKING:
    from tfdbg_tui.data.flow.graph_nodes import Vertex
    from tfdbg_tui.data.index.joins import Joins
    from tfdbg_tui.data.stores.graph import Op
    from tfdbg_tui.data.stores.host import Host

Read = ExecutionOutput | int
"""A read of a variable: an execution, or a trace by its number."""

MAX_USERS = 64
"""Ops or executions that take one handle, of which a read is sought."""

MAX_NESTING = 32
"""Branches inside branches through which a handle is followed outwards."""


class VariableReads:
    """Finds the next reads of variables on one host, as it is when they are first asked for."""

    def __init__(self, host: Host, joins: Joins) -> None:
        self._host = host
        self._joins = joins
        self._arguments = LoopArguments(host)
        self._next_reads: dict[Vertex, list[Read]] = {}

    def is_bad_next(self, write: Vertex) -> bool | None:
        """Whether the variable of a write is bad when read next; None if it is not read again."""
        reads = self.next_reads(write)
        return self.is_bad(reads[0]) if reads else None

    def is_bad(self, read: Read) -> bool:
        """Whether a variable was bad when it was read."""
        if isinstance(read, ExecutionOutput):
            return self._host.executions.is_bad(read.execution)
        return self._host.traces.is_bad(read)

    def next_reads(self, write: Vertex) -> list[Read]:
        """The next reads of the variable of a write, those of one call together."""
        known = self._next_reads.get(write)
        if known is None:
            known = self._next_reads[write] = self._reads_after(write)
        return known

    def _reads_after(self, write: Vertex) -> list[Read]:
        if isinstance(write, ExecutionOutput):
            return self._after_execution(write.execution)
        if isinstance(write, GraphTensor):
            return self._after_op(write)
        return []

    def handle_of(self, write: GraphTensor) -> GraphTensor | None:
        """The handle that a write takes, as the outermost graph has it."""
        op = self._host.graphs.op(write.graph_id, write.op_name)
        if op is None or not op.inputs:
            return None
        graph_id, name = write.graph_id, op.inputs[0].rpartition(":")[0]
        for _ in range(MAX_NESTING):
            outer = self._outside_branch(graph_id, name)
            if outer is None:
                break
            graph_id, name = outer
        return GraphTensor(graph_id, name, 0, write.execution)

    def _outside_branch(self, graph_id: str, argument: str) -> tuple[str, str] | None:
        """What a branch or a loop was given for one of its arguments."""
        graph = self._host.graphs.by_id.get(graph_id)
        place = None if graph is None else self._arguments.place_of(graph, argument)
        if place is None:
            return None
        op, number = place
        return op.graph_id, op.inputs[number].rpartition(":")[0]

    def _after_op(self, write: GraphTensor) -> list[Read]:
        handle = self.handle_of(write)
        graph = None if handle is None else self._host.graphs.by_id.get(handle.graph_id)
        if handle is None or graph is None or write.execution is None:
            return []
        reads = [u.op for u in graph.consumers(handle.op_name, 0, MAX_USERS) if is_read(u.op.type)]
        maker = graph.ops.get(handle.op_name)
        if maker is not None and is_read(maker.type):
            reads.append(maker)
        begin = self._joins.window_of(write.execution)[1]
        return self._first_events(reads, begin, len(self._host.traces))

    def _first_events(self, reads: list[Op], begin: int, end: int) -> list[Read]:
        """The first traces of some reads among some rows, as far as they are of one call."""
        found: list[int] = []
        numbers = self._host.traces.site_numbers[begin:end]
        for op in reads:
            for site in self._joins.sites_of(op.graph_id, op.name, 0):
                hits = np.flatnonzero(numbers == site)[:1].tolist()
                found += [begin + hit for hit in hits]
        found.sort()
        calls = [self._joins.execution_of(trace) for trace in found]
        return [trace for trace, call in zip(found, calls, strict=True) if call == calls[0]]

    def _after_execution(self, write: int) -> list[Read]:
        executions = self._host.executions
        for handle in self._joins.inputs_of(write)[:1]:
            for user, number in self._joins.consumers_of(handle, write, MAX_USERS):
                if is_read(executions.site_of(user).op_type):
                    return [ExecutionOutput(user, None)]
                inside = self._reads_inside(user, number)
                if inside:
                    return inside
        return []

    def _reads_inside(self, call: int, number: int) -> list[Read]:
        """The traces by which a call reads a variable that it was handed."""
        argument = self._joins.argument_of(call, number)
        graph = None if argument is None else self._host.graphs.by_id.get(argument[0])
        if graph is None or argument is None:
            return []
        reads = [u.op for u in graph.consumers(argument[1], 0, MAX_USERS) if is_read(u.op.type)]
        return self._first_events(reads, *self._joins.window_of(call))
