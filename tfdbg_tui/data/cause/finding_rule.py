"""The rule that the op of a cause broke: where its numbers came from, else what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.gaps import may_be_given
from tfdbg_tui.data.cause.gradients import in_optimizer, is_gradient, op_of
from tfdbg_tui.data.cause.operations import (
    SHAPED_BY_NUMBERS,
    needs_large_numbers,
    only_hands_on,
    plain,
)
from tfdbg_tui.data.cause.rules import Broken, Case, Held, Rule, rule_of
from tfdbg_tui.data.cause.training import has_trained
from tfdbg_tui.data.flow.graph_nodes import GraphTensor, UnknownInput
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.data_ops import is_data
from tfdbg_tui.data.stores.tf_names import ARGUMENT, is_optimizer, is_setup, takes_stored

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.explanation import ToldTensor
    from tfdbg_tui.data.cause.origin_op import OriginOp
    from tfdbg_tui.data.flow.graph_nodes import Vertex
    from tfdbg_tui.data.flow.op_inputs import OpInput

MAX_PASSED = 16
"""Vertices on the way from an input to where it entered."""


def broken_rule(op: OriginOp) -> Broken:
    """The rule that an op broke, and the input that tells why."""
    return _Finding(op).broken()


class _Finding:
    """The finding of one rule."""

    def __init__(self, op: OriginOp) -> None:
        self._op = op

    def broken(self) -> Broken:
        """Where the numbers came from, if no op made them out of clean ones; else what it did."""
        found = self._where_from() or rule_of(self._case())
        return Broken(Rule.UNKNOWN) if may_be_given(self._op, found.rule) else found

    def _case(self) -> Case:
        op = self._op
        return Case(
            op.op_type,
            _held(op.output),
            tuple(_held(told) for told in op.told_inputs),
            is_gradient(op.index, op.tensor),
            in_optimizer(op.index, op.stack),
            has_trained(op),
        )

    def _where_from(self) -> Broken | None:
        """The rule where numbers were not made bad by an op that took clean ones."""
        judged = self._op.judged
        if self._op.is_write:
            is_update = judged.writer_is_told and not self._sets_up
            return Broken(Rule.OPTIMIZER_UPDATE if is_update else Rule.VARIABLE)
        op = op_of(self._op.index, self._op.tensor)
        if (op is not None and self._op.host.graphs.came_with_data(op)) or is_data(
            self._op.op_type
        ):
            return Broken(Rule.DATA)
        if takes_stored(self._op.op_type):
            return Broken(Rule.VARIABLE)
        if not self._op.inputs:
            is_given = op is not None and op.type == ARGUMENT and self._op.output.bad & Bad.NAN
            return Broken(Rule.DATA if is_given else Rule.CONSTANT)
        return self._came_in()

    @property
    def _sets_up(self) -> bool:
        return is_setup(self._op.op_type) and not is_optimizer(self._op.op_type)

    def _came_in(self) -> Broken | None:
        """Numbers that an op can only have been given, by an input that is not recorded."""
        unrecorded = [taken for taken in self._numbers_taken if taken.node is None]
        if not all(map(self._is_from_outside, unrecorded)):
            return None
        if not unrecorded or any(told is not None and told.bad for told in self._op.told_inputs):
            return None
        has_nan = bool(self._op.output.bad & Bad.NAN)
        is_constant = any(isinstance(taken.vertex, UnknownInput) for taken in unrecorded)
        came = Broken(Rule.CONSTANT if is_constant and not has_nan else Rule.DATA)
        if plain(self._op.op_type) == "Fill":
            return Broken(Rule.CONSTANT)
        if only_hands_on(self._op.op_type):
            return came
        if not needs_large_numbers(self._op.op_type) or not has_nan:
            return None
        return Broken(Rule.ZERO_TIMES_INF, 0) if self._is_zero_times() else self._unless_empty(came)

    @property
    def _numbers_taken(self) -> tuple[OpInput, ...]:
        """The inputs out of which the op computes, without those that say how."""
        inputs = self._op.inputs
        return inputs[:1] if plain(self._op.op_type) in SHAPED_BY_NUMBERS else inputs

    def _is_from_outside(self, taken: OpInput) -> bool:
        """Whether nothing that is recorded made an input: Python handed it over, or a dataset."""
        pending: list[Vertex] = [taken.vertex]
        for vertex in pending:
            if isinstance(vertex, UnknownInput):
                return True
            inputs = self._op.taken.edges.inputs(vertex)
            if isinstance(vertex, GraphTensor) and not inputs:
                op = self._op.host.graphs.op(vertex.graph_id, vertex.op_name)
                return op is not None and op.type == ARGUMENT
            if len(pending) < MAX_PASSED:
                pending += [given for given in inputs if given not in pending]
        return False

    def _unless_empty(self, came: Broken) -> Broken | None:
        """Numbers came in, unless this is the mean of nothing."""
        first = self._op.told_inputs[0] if self._op.told_inputs else None
        is_told = first is not None and first.health is not None
        return None if plain(self._op.op_type) == "Mean" and is_told else came

    def _is_zero_times(self) -> bool:
        """Whether there is a NaN for every zero of the recorded factor: the other one is ∞."""
        nan = None if self._op.output.health is None else self._op.output.health.nan
        zeros = [told.health.zero for told in self._op.told_inputs if told and told.health]
        return plain(self._op.op_type) == "Mul" and bool(nan) and nan in zeros


def _held(told: ToldTensor | None) -> Held:
    if told is None:
        return Held(Bad.NONE, None)
    return Held(told.bad, told.health, told.lowest, told.highest)
