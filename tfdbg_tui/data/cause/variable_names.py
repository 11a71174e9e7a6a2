"""What variables are called: by the line that made them, or by the argument that hands them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.code_parts import assigned_name
from tfdbg_tui.data.cause.keras_layers import layer_of
from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput, GraphTensor
from tfdbg_tui.data.flow.variable_reads import VariableReads
from tfdbg_tui.data.stores.tf_names import is_read, is_variable

if TYPE_CHECKING:
    from tfdbg_tui.data.flow.graph_nodes import Vertex
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.stores.graph import Op
    from tfdbg_tui.data.stores.sources import Location

MAX_READERS = 16
"""Ops that take a variable among which one is sought that reads it in a layer."""


class VariableNames:
    """The names of variables of one host, as far as they are told when they are first asked for."""

    def __init__(self, index: HostIndex) -> None:
        self._index = index
        self._host = index.host
        self._layers: dict[tuple[str, str], str] = {}
        """By graph and handle."""
        self._names_in_code: dict[tuple[str, ...], str] = {}
        """By stack."""

    def of(self, write: Vertex) -> str:
        """The name of the variable of a write; empty where nothing tells it."""
        if isinstance(write, ExecutionOutput):
            stacks = [self._host.executions.site_of(write.execution).stack]
            for handle in self._index.joins.inputs_of(write.execution)[:1]:
                producer = self._index.joins.producer_of(handle, write.execution)
                if producer is not None:
                    stacks.insert(0, self._host.executions.site_of(producer[0]).stack)
            return next(filter(None, map(self._name_in_code, stacks)), "")
        if isinstance(write, GraphTensor):
            return self._name_of_handle(write)
        return ""

    def _name_of_handle(self, write: GraphTensor) -> str:
        handle = VariableReads(self._host, self._index.joins).handle_of(write)
        if handle is None:
            return ""
        op = self._host.graphs.op(handle.graph_id, handle.op_name)
        if op is not None and is_variable(op.type):
            return handle.op_name
        layer = self._layer_of(handle)
        if layer:
            return layer
        source = None
        if handle.execution is not None:
            source = self._index.joins.placeholder_source(
                handle.graph_id, handle.op_name, handle.execution
            )
        stack = () if source is None else self._host.executions.site_of(source[0]).stack
        return self._name_in_code(stack) or _scope_of(handle.op_name)

    def _layer_of(self, handle: GraphTensor) -> str:
        """The layer in which a variable is read, by its handle; empty if in none."""
        key = (handle.graph_id, handle.op_name)
        if key not in self._layers:
            readers = self._readers(handle)
            layers = (layer_of(self._index, op.stack, op.name) for op in readers)
            self._layers[key] = next(filter(None, layers), "")
        return self._layers[key]

    def _readers(self, handle: GraphTensor) -> list[Op]:
        """The ops that read a variable, by its handle."""
        graph = self._host.graphs.by_id.get(handle.graph_id)
        users = () if graph is None else graph.consumers(handle.op_name, 0, MAX_READERS)
        return [user.op for user in users if is_read(user.op.type)]

    def _name_in_code(self, stack: tuple[str, ...]) -> str:
        """What the user's line calls the variable that it makes."""
        if stack not in self._names_in_code:
            location: Location | None = self._host.location_of(stack)
            code = None if location is None else location.code
            self._names_in_code[stack] = (assigned_name(code) or "") if code else ""
        return self._names_in_code[stack]


def _scope_of(name: str) -> str:
    """What a variable belongs to, from the name of the argument by which a function takes it.

    Keras names the argument after the op that reads it, in the scope of its layer.
    """
    for end in ("/resource", "/ReadVariableOp", "_resource", "/Read"):
        name = name.removesuffix(end)
    return name.rpartition("/")[0] or name
