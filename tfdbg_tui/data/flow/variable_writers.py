"""What last wrote a variable, before it was read: nothing records that, but handles tell it.

An eager write takes the handle of the variable, so the last one before a call is found by the
handle's id. Inside a graph a write takes the same handle as the read; it was done by the call
before, at the latest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput, GraphTensor
from tfdbg_tui.data.stores.tf_names import (
    ARGUMENT,
    is_read,
    is_setup,
    is_variable,
    read_call,
    writes_variable,
)

if TYPE_CHECKING:
    from tfdbg_tui.data.index.joins import Joins
    from tfdbg_tui.data.stores.host import Host

MAX_EXECUTIONS, MAX_WRITES = 1 << 14, 200
"""Executions among which an eager write is sought, and writes of any variable that are read."""


class VariableWriters:
    """Finds them on one host."""

    def __init__(self, host: Host, joins: Joins) -> None:
        self._host = host
        self._joins = joins
        self._is_write: list[bool] = []
        """By site of executions."""

    def of_handle(self, tensor_id: int, before: int) -> ExecutionOutput | GraphTensor | None:
        """The last write of a variable before an execution, by the id of its handle.

        None where a call took the handle later of which it is not known what it did with it.
        """
        eager = -1
        for write in self._writes_before(before):
            if self._joins.inputs_of(write)[:1] == (tensor_id,):
                eager = write
                break
        for user in self._joins.users_before(tensor_id, before):
            if user <= eager:
                break
            argument = self._joins.argument_of(user, self._joins.inputs_of(user).index(tensor_id))
            if argument is None:
                if read_call(self._host.executions.site_of(user).op_type):
                    return None
                continue
            writer = self._writer_in(*argument)
            if writer is not None:
                return GraphTensor(argument[0], writer, None, user)
            if self._may_hand_on(*argument):
                return None
        return None if eager < 0 else ExecutionOutput(eager, None)

    def assigned_between(self, tensor_id: int, after: int, before: int) -> ExecutionOutput | None:
        """The last eager write between two executions that gives a variable other contents."""
        for write in self._writes_before(before):
            if write <= after:
                break
            is_setup_op = is_setup(self._host.executions.site_of(write).op_type)
            if is_setup_op and self._joins.inputs_of(write)[:1] == (tensor_id,):
                return ExecutionOutput(write, None)
        return None

    def _writer_in(self, graph_id: str, op_name: str, slot: int = 0) -> str | None:
        """The op of a graph that writes the variable of a handle."""
        # What is written comes behind the variable that it is written to.
        users = self._host.graphs.by_id[graph_id].consumers(op_name, slot)
        writers = sorted(
            (user for user, number in users if number == 0 and writes_variable(user.type)),
            key=lambda user: is_setup(user.type),
        )
        return writers[0].name if writers else None

    def _may_hand_on(self, graph_id: str, op_name: str) -> bool:
        """Whether a graph may hand a handle on to a function inside, or to a branch."""
        graph = self._host.graphs.by_id[graph_id]
        users = graph.consumers(op_name, 0)
        only_reads = bool(users) and all(is_read(user.op.type) for user in users)
        return bool(graph.inner_ids) and not only_reads

    def _writes_before(self, before: int) -> list[int]:
        """Eager writes of any variable before an execution, the last one first."""
        executions = self._host.executions
        sites = tuple(executions.sites)
        for number in range(len(self._is_write), len(sites)):
            self._is_write.append(writes_variable(sites[number].op_type))
        first = max(0, before - MAX_EXECUTIONS)
        numbers = executions.site_numbers[first : max(0, before)]
        rows = np.flatnonzero(np.array(self._is_write, np.bool_)[numbers])
        found: list[int] = (first + rows[::-1][:MAX_WRITES]).tolist()
        return found

    def in_graph(self, vertex: GraphTensor) -> GraphTensor | None:
        """The op that writes the variable of a handle inside its graph, in the call before."""
        graph = self._host.graphs.by_id.get(vertex.graph_id)
        op = None if graph is None else graph.ops.get(vertex.op_name)
        if graph is None or op is None or not (op.type == ARGUMENT or is_variable(op.type)):
            return None
        writer = self._writer_in(vertex.graph_id, vertex.op_name, vertex.slot or 0)
        call = self._call_before(vertex.execution)
        if writer is None or call is None:
            return None
        return GraphTensor(vertex.graph_id, writer, None, call)

    def _call_before(self, execution: int | None) -> int | None:
        """The call before one, of the same function from the same line."""
        if execution is None or execution < 1:
            return None
        site = self._host.executions.site_number(execution)
        before = self._joins.nearest_execution(site, execution - 1)
        return before if before is not None and before < execution else None
