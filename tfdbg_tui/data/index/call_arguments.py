"""Which input of a call becomes which argument of its function, also where numbers do not agree.

Small values are built into the graph and are handed over all the same. Handles of variables are
not, and keep their order among themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.index.eager_flow import argument_name, argument_number, arguments_of
from tfdbg_tui.data.stores.tf_names import is_read, is_variable, writes_variable

if TYPE_CHECKING:
    from tfdbg_tui.data.index.eager_flow import EagerFlow
    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.graph import Graph


class CallArguments:
    """The arguments of the calls of one host."""

    def __init__(self, executions: ExecutionStore, flow: EagerFlow) -> None:
        self._executions = executions
        self._flow = flow

    def given_for(self, graph: Graph, argument: str, call: int) -> int | None:
        """The id of the tensor that a call was given for an argument."""
        inputs = self._flow.inputs_of(call)
        number = argument_number(graph, argument, inputs)
        if number is not None:
            return inputs[number]
        handles = self._handles(graph, call)
        return next((given for given, name in handles.items() if name == argument), None)

    def becomes(self, graph: Graph, number: int, call: int) -> str | None:
        """The argument that an input of a call becomes."""
        inputs = self._flow.inputs_of(call)
        name = argument_name(graph, number, inputs)
        if name is not None or number >= len(inputs):
            return name
        return self._handles(graph, call).get(inputs[number])

    def handed_in(self, graph: Graph, inner: Graph | None, argument: str) -> str | None:
        """The argument that a function hands to one inside it, for a variable that this takes.

        The call inside leaves no op. What no op of the outer function takes is handed on, in order.
        """
        if inner is None or inner.outer_id != graph.id:
            return None
        handles = [name for name in arguments_of(inner) if _is_handle(inner, name)]
        arguments = arguments_of(graph)
        handed = [name for name in arguments if not graph.consumers(name, 0)]
        given = dict(zip(handles, handed, strict=True)) if len(handles) == len(handed) else {}
        return given.get(argument)

    def _handles(self, graph: Graph, call: int) -> dict[int, str]:
        """The ids of the handles that a call was given, each with its argument."""
        ids = dict.fromkeys(self._flow.inputs_of(call))
        given = [tensor_id for tensor_id in ids if self._is_variable(tensor_id, call)]
        names = [name for name in arguments_of(graph) if _is_handle(graph, name)]
        return dict(zip(given, names, strict=True)) if len(given) == len(names) else {}

    def _is_variable(self, tensor_id: int, call: int) -> bool:
        producer = self._flow.producer_of(tensor_id, call)
        return producer is not None and is_variable(self._executions.site_of(producer[0]).op_type)


def _is_handle(graph: Graph, name: str) -> bool:
    users = graph.consumers(name, 0)
    return any(not n and (is_read(op.type) or writes_variable(op.type)) for op, n in users)
