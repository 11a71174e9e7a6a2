"""From a gradient op to the forward op it belongs to: the line of that one is the user's.

A gradient op is created where the gradient is asked for, and its stack says no more than that
one line. What it belongs to is not recorded; names and inputs tell:

- TensorFlow names it after the forward op: `gradient_tape/mul/Mul_1` belongs to `mul`,
  `gradients/Sqrt_grad/SqrtGrad`, as sessions have it, to `Sqrt`.
- An op of type `SqrtGrad` takes what a `Sqrt` put out, or what a `Softsign` took in.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.graphs import Graph, Op

TAPE = "gradient_tape/"
"""The scope of what a GradientTape creates."""

_SESSION_GRADIENT = re.compile(r"(?P<scope>(?:.*/)?)gradients(?:_\d+)?/(?P<forward>.+?)_grad/")
_GRADIENT_TYPE = re.compile(r"(?P<forward>\w+?)Grad(?:V\d+)?")
_VERSION = re.compile(r"V\d+$")


def forward_op(graph: Graph, op: Op) -> Op | None:
    """The op whose gradient this one computes, if it is one and that can be told."""
    return _by_name(graph, op.name) or _by_type(graph, op)


def _by_name(graph: Graph, name: str) -> Op | None:
    scope, tape, rest = name.partition(TAPE)
    while tape and "/" in rest:
        # Not the whole rest: its last part names the gradient op itself.
        rest = rest.rpartition("/")[0]
        found = graph.ops.get(scope + rest)
        if found is not None:
            return found
    match = _SESSION_GRADIENT.match(name)
    return None if match is None else graph.ops.get(match["scope"] + match["forward"])


def _by_type(graph: Graph, op: Op) -> Op | None:
    match = _GRADIENT_TYPE.fullmatch(op.type)
    if match is None:
        return None
    for tensor in op.inputs:
        maker = graph.ops.get(tensor.rpartition(":")[0])
        if maker is not None and _VERSION.sub("", maker.type) == match["forward"]:
            return maker
    for tensor in op.inputs:
        name, _, slot = tensor.rpartition(":")
        for taker in graph.consumers(name, int(slot) if slot.isdecimal() else 0):
            if _VERSION.sub("", taker.op.type) == match["forward"]:
                return taker.op
    return None
