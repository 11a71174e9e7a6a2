"""Gradients that TensorFlow composes of plain ops, by what they are computed from.

The gradient of `acos(x)` is made of `Square`, `Sub`, `Sqrt` and `Reciprocal` in the scope in which
`acos` was called, and nothing names `acos`. But as long as no slope is multiplied in, they are
computed from its `x` alone: the one op of that scope that takes `x` and has such a gradient is
theirs. Where there is none, or more than one, nothing is told: a wrong line is worse than none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.tf_names import TAPE, read_tensor, without_version

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.graph import Graph, Op

FORMULA = frozenset(
    {"Add", "Cos", "Cosh", "Digamma", "Exp", "Neg", "Reciprocal", "Rsqrt"}
    | {"Sin", "Sinh", "Sqrt", "Square", "Sub"}
)
"""Types of ops that such gradients are made of before a slope is multiplied in."""

COMPOSED = frozenset(
    {"Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cos", "Cosh", "Erf", "Erfc"}
    | {"Expm1", "Lgamma", "Log", "Log1p", "Sin", "Sinh", "Tan"}
)
"""Types of ops whose gradients are composed so."""

CONSTANT = "Const"

MAX_OPS, MAX_TAKERS = 12, 100
"""Ops that a formula is made of at the most, and ops that take one tensor."""


def composed_for(graph: Graph, op: Op) -> Op | None:
    """The op that a part of a composed gradient belongs to, if that can be told."""
    scope = _gradient_scope(op.name)
    if scope is None or without_version(op.type) not in FORMULA:
        return None
    given = _computed_from(graph, op, scope)
    if given is None or len(given) != 1:
        return None
    (tensor,) = given
    takers = {
        taker.op.name: taker.op
        for taker in graph.consumers(*(read_tensor(tensor) or (tensor, 0)), MAX_TAKERS)
        if without_version(taker.op.type) in COMPOSED and _scope(taker.op.name) == scope
    }
    return next(iter(takers.values())) if len(takers) == 1 else None


def _computed_from(graph: Graph, op: Op, scope: str) -> set[str] | None:
    """The tensors from outside a formula; None if something other than a formula is in it."""
    given: set[str] = set()
    pending = list(op.inputs)
    for _ in range(MAX_OPS):
        if not pending:
            return given
        tensor = pending.pop()
        maker = graph.ops.get(tensor.rpartition(":")[0] or tensor)
        if maker is None:
            return None
        if maker.type == CONSTANT:
            continue
        if _gradient_scope(maker.name) is None:
            given.add(tensor)
        elif _gradient_scope(maker.name) == scope and without_version(maker.type) in FORMULA:
            pending += maker.inputs
        else:
            return None
    return None


def _gradient_scope(name: str) -> str | None:
    """The scope whose gradient an op is of; None if it is none of a tape."""
    outer, tape, inner = name.partition(TAPE)
    return (outer + _scope(inner)).rstrip("/") if tape else None


def _scope(name: str) -> str:
    return name.rpartition("/")[0]
