"""What a tensor is to a program that trains: an activation, a gradient of a variable, a sum before.

Told by the type of an op first, which is cheap and leaves few; then by what takes the tensor, which
is asked only of those that look suspicious. A hinge loss is a `Relu`, too, but nothing multiplies
what it puts out with weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.gradients import is_gradient
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import (
    computes_gradient,
    is_body,
    is_of_gradient,
    without_version,
)

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.stores.graph import Op

RECTIFIERS = frozenset({"Relu", "Relu6"})
"""What puts out exact zeros for all that is negative."""

SQUASHERS = frozenset({"Softmax", "Sigmoid"})
"""What puts out exact zeros only where it is saturated."""

BENDERS = frozenset({"Tanh", "Sigmoid", "Elu", "Selu", "Softplus", "Softsign", "LeakyRelu"})
"""Activations that are next to constant, or next to linear, where all signs are the same."""

SUMMERS = frozenset({"BiasAdd", "Add", "MatMul", "Conv2D", "FusedBatchNorm", "Conv3D"})
"""What stands before an activation."""

WEIGHERS = frozenset(
    {"MatMul", "BatchMatMul", "Conv2D", "Conv3D", "DepthwiseConv2dNative", "Conv2DBackpropInput"}
    | {"Einsum", "_FusedMatMul", "_FusedConv2D"}
)
"""What multiplies with weights."""

WEIGHT_GRADIENTS = frozenset(
    {"MatMul", "BatchMatMul", "BiasAddGrad", "Conv2DBackpropFilter", "Conv3DBackpropFilter"}
    | {"DepthwiseConv2dNativeBackpropFilter"}
)
"""What computes the gradient of weights out of what they were multiplied with."""

HANDED_ON = frozenset(
    {"Identity", "Reshape", "Squeeze", "ExpandDims", "Cast", "MaxPool", "AvgPool", "Pad", "PadV2"}
    | {"Mul", "RealDiv", "SelectV2", "Select", "ConcatV2", "Concat", "Add", "AddN", "Transpose"}
    | {"FusedBatchNorm", "Mean", "Max", "IdentityN", "StopGradient", "Sub", "MirrorPad"}
)
"""What may lie between an activation and the next weights."""

MAX_TAKERS, MAX_VISITED = 32, 96
"""Ops that take one tensor, and ops in all, that are looked at."""


def type_of(op_type: str) -> str:
    """A type without its version; both additions are one."""
    plain = without_version(op_type)
    return "Add" if plain == "AddV2" else plain


class Tensors:
    """Asks what tensors of one host are for."""

    def __init__(self, index: HostIndex) -> None:
        self._index = index
        self._graphs = index.host.graphs

    def op(self, event: EventRef) -> Op | None:
        """The op of a graph that an event is of."""
        traces = self._index.host.traces
        return self._index.host.op_of(traces.site_of(event.event)) if is_trace(event) else None

    def op_type(self, event: EventRef) -> str:
        """The type of what made it, without a version; empty while that is not on disk."""
        if not is_trace(event):
            return type_of(self._index.host.executions.site_of(event.event).op_type)
        op = self.op(event)
        return "" if op is None else type_of(op.type)

    def is_in_loop(self, event: EventRef) -> bool:
        """Whether it is computed in the body of a loop: several times in a step, and not alike."""
        if not is_trace(event):
            return False
        graph_id = self._index.host.traces.site_of(event.event).graph_id
        return is_body(self._graphs.name_of(graph_id) or "")

    def feeds_weights(self, event: EventRef) -> bool:
        """Whether it goes on to be multiplied with weights, by the way forward."""
        if is_trace(event):
            op = self.op(event)
            return op is not None and any(type_of(o.type) in WEIGHERS for o in self._behind(op))
        return self._feeds_weights_eagerly(event)

    def _behind(self, op: Op) -> list[Op]:
        """The ops behind one, through those that only hand on."""
        graph = self._graphs.by_id.get(op.graph_id)
        queue, seen = [op], {op.name}
        found: list[Op] = []
        for at in queue if graph is not None else ():
            for slot in range(max(1, min(at.num_outputs, 4))):
                for user, _ in graph.consumers(at.name, slot, MAX_TAKERS):  # type: ignore[union-attr]
                    if user.name in seen or is_of_gradient(user.name) or len(seen) > MAX_VISITED:
                        continue
                    seen.add(user.name)
                    found.append(user)
                    if type_of(user.type) in HANDED_ON:
                        queue.append(user)
        return found

    def _feeds_weights_eagerly(self, event: EventRef) -> bool:
        executions = self._index.host.executions
        queue, seen = [event.event], {event.event}
        for at in queue:
            for tensor_id in self._index.joins.outputs_of(at)[:1]:
                for user, _ in self._index.joins.consumers_of(tensor_id, at, MAX_TAKERS):
                    if user in seen or len(seen) > MAX_VISITED:
                        continue
                    seen.add(user)
                    kind = type_of(executions.site_of(user).op_type)
                    if is_gradient(self._index, EventRef(event.host, EventKind.EXECUTION, user)):
                        continue
                    if kind in WEIGHERS:
                        return True
                    if kind in HANDED_ON:
                        queue.append(user)
        return False

    def bent_by(self, event: EventRef) -> str:
        """The activation that takes it and feeds weights in turn; empty if there is none."""
        op = self.op(event)
        graph = None if op is None else self._graphs.by_id.get(op.graph_id)
        if op is None or graph is None:
            return ""
        for user, _ in graph.consumers(op.name, 0, MAX_TAKERS):
            behind = (type_of(o.type) in WEIGHERS for o in self._behind(user))
            if type_of(user.type) in BENDERS and not is_of_gradient(user.name) and any(behind):
                return user.type
        return ""

    def may_be_weight_gradient(self, site: int) -> bool | None:
        """Whether a site of traces has the type and the name of a gradient of weights."""
        described = self._index.host.traces.sites[site]
        op = self._index.host.op_of(described)
        if op is None:
            return None
        if type_of(op.type) not in WEIGHT_GRADIENTS:
            return False
        return is_of_gradient(op.name) or computes_gradient(self._graphs.name_of(op.graph_id) or "")

    def is_weight_gradient(self, event: EventRef) -> bool:
        """Whether a gradient leaves the way back: nothing that computes gradients takes it."""
        op = self.op(event)
        graph = None if op is None else self._graphs.by_id.get(op.graph_id)
        if op is None or graph is None or type_of(op.type) not in WEIGHT_GRADIENTS:
            return False
        in_own_graph = computes_gradient(graph.name or "")
        queue, seen = [op.name], {op.name}
        for name in queue:
            for user, _ in graph.consumers(name, 0, MAX_TAKERS):
                if type_of(user.type) in ("Identity", "Reshape", "IdentityN", "Cast"):
                    if user.name not in seen:
                        seen.add(user.name)
                        queue.append(user.name)
                elif in_own_graph or type_of(user.type) == "AddN" or is_of_gradient(user.name):
                    return False  # taken further back, or one of several parts of a gradient
        return True


def is_trace(event: EventRef) -> bool:
    """Whether it was computed inside a graph."""
    return event.kind is EventKind.TRACE
