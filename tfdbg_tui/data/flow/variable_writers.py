"""What last wrote a variable, before it was read: nothing records that, but handles tell it.

An eager write takes the handle of the variable, so the last one before a call is found by the
handle's id. Inside a graph a write takes the same handle as the read; it was done by the call
before, at the latest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput, GraphTensor
from tfdbg_tui.data.stores.tf_names import ARGUMENT, is_setup, is_variable, writes_variable

if TYPE_CHECKING:
    from tfdbg_tui.data.index.joins import Joins
    from tfdbg_tui.data.stores.host import Host


class VariableWriters:
    """Finds them on one host."""

    def __init__(self, host: Host, joins: Joins) -> None:
        self._host = host
        self._joins = joins

    def of_handle(self, tensor_id: int, before: int) -> ExecutionOutput | None:
        """The last eager write of a variable before an execution, by the id of its handle."""
        executions = self._host.executions
        for user in self._joins.users_before(tensor_id, before):
            if writes_variable(executions.site_of(user).op_type):
                return ExecutionOutput(user, None)
        return None

    def in_graph(self, vertex: GraphTensor) -> GraphTensor | None:
        """The op that writes the variable of a handle inside its graph, in the call before."""
        graph = self._host.graphs.by_id.get(vertex.graph_id)
        op = None if graph is None else graph.ops.get(vertex.op_name)
        if graph is None or op is None or not (op.type == ARGUMENT or is_variable(op.type)):
            return None
        # What is written comes behind the variable that it is written to.
        users = graph.consumers(vertex.op_name, vertex.slot or 0)
        writers = sorted(
            (user for user, number in users if number == 0 and writes_variable(user.type)),
            key=lambda user: is_setup(user.type),
        )
        call = self._call_before(vertex.execution)
        if not writers or call is None:
            return None
        return GraphTensor(vertex.graph_id, writers[0].name, None, call)

    def _call_before(self, execution: int | None) -> int | None:
        """The call before one, of the same function from the same line."""
        if execution is None or execution < 1:
            return None
        site = self._host.executions.site_number(execution)
        before = self._joins.nearest_execution(site, execution - 1)
        return before if before is not None and before < execution else None
