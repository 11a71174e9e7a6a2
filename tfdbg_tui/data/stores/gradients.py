"""From a gradient op to the forward op it belongs to: the line of that one is the user's.

A gradient op is created where the gradient is asked for, and its stack says no more than that
one line. What it belongs to is not recorded; names and inputs tell:

- TensorFlow names it after the forward op: `gradient_tape/mul/Mul_1` belongs to `mul`,
  `gradients/Sqrt_grad/SqrtGrad`, as sessions have it, to `Sqrt`.
- An op of type `SqrtGrad` takes what a `Sqrt` put out, or what a `Softsign` took in.
- What is composed of other ops has neither: see `composed_gradients`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.composed_gradients import composed_for
from tfdbg_tui.data.stores.tf_names import (
    differentiated_type,
    forward_names,
    read_tensor,
    without_version,
)

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.graph import Graph, Op

MAX_INPUTS, MAX_TAKERS = 64, 100
"""Inputs of a gradient op that are looked at, and ops that take one of them: no gradient of
TensorFlow has more inputs, and what everything takes tells nothing."""


def forward_op(graph: Graph, op: Op) -> Op | None:
    """The op whose gradient this one computes, if it is one and that can be told."""
    return forward_by_name(graph, op.name) or _by_type(graph, op) or composed_for(graph, op)


def forward_by_name(graph: Graph, name: str) -> Op | None:
    """The op of a graph whose gradient an op computes, as its name tells."""
    known = (graph.ops.get(forward) for forward in forward_names(name))
    return next((op for op in known if op is not None), None)


def _by_type(graph: Graph, op: Op) -> Op | None:
    forward = differentiated_type(op.type)
    if forward is None:
        return None
    tensors = list(dict.fromkeys(op.inputs))[:MAX_INPUTS]
    for tensor in tensors:
        maker = graph.ops.get(tensor.rpartition(":")[0])
        if maker is not None and without_version(maker.type) == forward:
            return maker
    for tensor in tensors:
        for taker in graph.consumers(*(read_tensor(tensor) or (tensor, 0)), MAX_TAKERS):
            if without_version(taker.op.type) == forward:
                return taker.op
    return None
