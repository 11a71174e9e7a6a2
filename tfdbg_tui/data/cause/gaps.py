"""Whether an op may have been given its bad numbers by a tensor that was left out of the recording.

Then no rule is told but what its output proves by itself. In a recording that is known to lack
events (a sample, a filter, damage) every input has to be there; in any other, those of ops whose
tensors are always recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.operations import (
    SHAPED_BY_NUMBERS,
    is_float_op,
    needs_large_numbers,
    plain,
)
from tfdbg_tui.data.cause.rules import Rule
from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput, GraphTensor, UnknownInput
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.data_ops import is_data, is_data_in
from tfdbg_tui.data.stores.tf_names import ARGUMENT, read_call, takes_stored

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.origin_op import OriginOp
    from tfdbg_tui.data.flow.graph_nodes import Vertex
    from tfdbg_tui.data.flow.op_inputs import OpInput

NEVER_TRACED = frozenset(
    {"Identity", "StopGradient", "PreventGradient", "PlaceholderWithDefault", ARGUMENT}
    | {"Switch", "RefSwitch", "Merge", "RefMerge", "Enter", "RefEnter", "Exit", "RefExit"}
    | {"NextIteration", "If", "StatelessIf", "While", "StatelessWhile", "Case", "StatelessCase"}
)
"""Ops whose tensors no recording holds: what they took tells as much."""

_TOO_LARGE = frozenset({Rule.OVERFLOW, Rule.HALF_OVERFLOW, Rule.EXPLOSION})

MAX_PASSED = 32
"""Vertices on the way from an input to a recorded tensor."""


def may_be_given(op: OriginOp, rule: Rule) -> bool:
    """Whether a rule is not proven, because the op may have taken bad numbers unrecorded."""
    if not op.op_type:
        return True  # what the op is, is not on disk
    if _is_proven(op, rule):
        return False
    is_partial = op.index.is_partial or _is_filtered(op)
    if rule in (Rule.VARIABLE, Rule.OPTIMIZER_UPDATE) or op.op_type == ARGUMENT:
        return is_partial
    is_untold = bool(op.output.bad & Bad.UNTOLD) and rule in _TOO_LARGE
    if is_untold and any(isinstance(taken.vertex, UnknownInput) for taken in op.inputs):
        return True
    given = op.inputs[:1] if plain(op.op_type) in SHAPED_BY_NUMBERS else op.inputs
    return any(_is_missing(op, taken, is_partial) for taken in given)


def _is_filtered(op: OriginOp) -> bool:
    """Whether a filter left out what eager ops put out: they are there without their tensors."""
    return any(
        site.num_outputs and not site.tensors and read_call(site.op_type) is None
        for site in tuple(op.host.executions.sites)
        if is_float_op(site.op_type)
    )


def _is_proven(op: OriginOp, rule: Rule) -> bool:
    """Whether what came out can have come of clean numbers alone, or was read from outside."""
    if rule is Rule.LOG_OF_ZERO:
        return bool(op.output.bad & Bad.NEG_INF)
    if rule is Rule.DATA:
        return op.op_type != ARGUMENT and (is_data(op.op_type) or is_data_in("", op.op_type))
    return rule is Rule.UNKNOWN


def _is_missing(op: OriginOp, taken: OpInput, is_partial: bool) -> bool:
    """Whether an input, or what it comes from, should be recorded and is not."""
    pending: list[Vertex] = [taken.vertex]
    for vertex in pending:
        if _is_recorded(op, vertex):
            continue
        if isinstance(vertex, GraphTensor):
            made = op.host.graphs.op(vertex.graph_id, vertex.op_name)
            if made is not None and made.type not in NEVER_TRACED:
                always = is_float_op(made.type) or needs_large_numbers(made.type)
                if is_partial or (always and not takes_stored(made.type)):
                    return True
                continue
        inputs = op.taken.edges.inputs(vertex)
        if is_partial and (not inputs or isinstance(vertex, ExecutionOutput)):
            return True
        if len(pending) < MAX_PASSED:
            pending += [given for given in inputs if given not in pending]
    return False


def _is_recorded(op: OriginOp, vertex: Vertex) -> bool:
    if isinstance(vertex, ExecutionOutput):
        return bool(op.host.executions.site_of(vertex.execution).tensors)
    return op.taken.is_recorded(vertex)
