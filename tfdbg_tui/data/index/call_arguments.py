"""Which input of a call becomes which argument of its function, also where numbers do not agree.

Small values are built into the graph and are handed over all the same. Handles of variables are
not, and keep their order among themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.index.eager_flow import argument_name, argument_number, arguments_of
from tfdbg_tui.data.stores.tf_names import is_read, is_variable, writes_variable
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.index.eager_flow import EagerFlow
    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.graph import Graph


MAX_KEPT = 1024
"""Graphs whose arguments are kept."""


class _Arguments(NamedTuple):
    """The arguments of a graph, as it was in some state."""

    state: tuple[int, float]
    handles: tuple[str, ...]
    """Those of variables."""
    untaken: tuple[str, ...]
    """Those that no op of the graph takes: they are handed on."""


class CallArguments:
    """The arguments of the calls of one host."""

    def __init__(self, executions: ExecutionStore, flow: EagerFlow) -> None:
        self._executions = executions
        self._flow = flow
        self._kept: dict[str, _Arguments] = {}
        """By graph."""

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
        handles, handed = self._arguments_of(inner).handles, self._arguments_of(graph).untaken
        given = dict(zip(handles, handed, strict=True)) if len(handles) == len(handed) else {}
        return given.get(argument)

    def _handles(self, graph: Graph, call: int) -> dict[int, str]:
        """The ids of the handles that a call was given, each with its argument."""
        ids = dict.fromkeys(self._flow.inputs_of(call))
        given = [tensor_id for tensor_id in ids if self._is_variable(tensor_id, call)]
        names = self._arguments_of(graph).handles
        return dict(zip(given, names, strict=True)) if len(given) == len(names) else {}

    def _arguments_of(self, graph: Graph) -> _Arguments:
        """What the arguments of a graph are, looked at again when ops were added to it."""
        state, known = (len(graph.ops), graph.newest), self._kept.get(graph.id)
        if known is None or known.state != state:
            names = arguments_of(graph)
            handles = tuple(name for name in names if _is_handle(graph, name))
            untaken = tuple(name for name in names if not graph.consumers(name, 0))
            if len(self._kept) >= MAX_KEPT:
                self._kept = {}
            known = self._kept[graph.id] = _Arguments(state, handles, untaken)
        return known

    def _is_variable(self, tensor_id: int, call: int) -> bool:
        producer = self._flow.producer_of(tensor_id, call)
        return producer is not None and is_variable(self._executions.site_of(producer[0]).op_type)


def _is_handle(graph: Graph, name: str) -> bool:
    users = graph.consumers(name, 0)
    return any(not n and (is_read(op.type) or writes_variable(op.type)) for op, n in users)
