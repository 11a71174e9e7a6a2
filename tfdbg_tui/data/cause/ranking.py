"""The causes of a run in order, the worst first; and what is no cause, because it is meant.

The gradient of an op that broke by the same number is the same cause as the op.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.gradients import eager_forward, op_of
from tfdbg_tui.data.cause.reach import Reach
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.cause.found_cause import FoundCause
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.event_kind import EventRef


MAX_FORWARD = 64
"""Causes of one call or one step of which a gradient may be part."""


class Ranking:
    """What was found in a run up to one moment, in order."""

    def __init__(self, run: RunIndex, found: Sequence[FoundCause]) -> None:
        self._run = run
        self._found = tuple(found)
        self._forward: dict[_Moment, list[FoundCause]] = {}
        self.part_of: dict[int, int] = {}
        """Of each gradient that is part of a forward op's cause, the key of that."""
        merged = self._merged()
        self.causes = tuple(sorted((c for c in merged if not c.on_purpose), key=lambda c: c.order))
        """The causes that are no purpose of the program's, the worst first."""
        self.meant = tuple(sorted((c for c in merged if c.on_purpose), key=lambda c: c.time))
        """What is bad on purpose, in time."""

    def _merged(self) -> list[FoundCause]:
        """The causes, each gradient as part of the forward op that broke by the same number."""
        found = {cause.key: cause for cause in self._found}
        gradients = [cause for cause in self._found if cause.is_gradient]
        for cause in self._found if gradients else ():
            if not cause.is_gradient:
                for moment in self._moments(cause):
                    self._forward.setdefault(moment, []).append(cause)
        for cause in gradients:
            key = self._forward_cause(cause)
            forward = None if key is None else found.get(key)
            if forward is None or found.pop(cause.key, None) is None:
                continue
            self.part_of[cause.key] = forward.key
            if cause.reached.reach.rank < forward.reached.reach.rank:
                found[forward.key] = forward._replace(reached=cause.reached)
        return list(found.values())

    def _forward_cause(self, gradient: FoundCause) -> int | None:
        """The cause that a gradient is part of: the forward op that broke the loss before.

        What a `where` took out of the loss did not: then the gradient is a cause by itself.
        """
        forward = self._before(gradient)
        for cause in forward:
            if cause.reached.reach.rank <= Reach.LOSS.rank:
                return cause.key
        index = self._run.hosts[gradient.tensor.host]
        harmful = (c for c in forward if c.reached.reach is not Reach.ABSORBED)
        return next((c.key for c in harmful if _shares(index, c.tensor, gradient.tensor)), None)

    def _before(self, gradient: FoundCause) -> list[FoundCause]:
        """The causes before a gradient in its step; within one call it may be computed first."""
        in_call, in_step = self._moments(gradient)
        own = [] if in_call.number is None else self._forward.get(in_call, [])[:MAX_FORWARD]
        near = self._forward.get(in_step, [])[:MAX_FORWARD]
        found = dict.fromkeys((*own, *(c for c in near if c.time <= gradient.time)))
        return sorted(found, key=lambda cause: cause.time)

    def _moments(self, cause: FoundCause) -> tuple[_Moment, _Moment]:
        """The call, of what was computed inside one, and the step of a cause."""
        tensor = cause.tensor
        index = self._run.hosts[tensor.host]
        is_trace = tensor.kind is EventKind.TRACE
        call = index.joins.execution_of(tensor.event) if is_trace else None
        step = index.steps.step_of(cause.time)
        return _Moment(tensor.host, "call", call), _Moment(tensor.host, "step", step)


class _Moment(NamedTuple):
    """A call or a step of a host."""

    host: int
    kind: str
    number: int | None


def _shares(index: HostIndex, forward: EventRef, gradient: EventRef) -> bool:
    """Whether a gradient is that of an op, or takes a number that the op took."""
    if gradient.kind is EventKind.EXECUTION:
        return forward[1:3] == (EventKind.EXECUTION, eager_forward(index, gradient))
    op, other = op_of(index, gradient), op_of(index, forward)
    if op is None or other is None or op.graph_id != other.graph_id:
        return False
    is_its = other is index.host.graphs.forward_of(op)
    return is_its or not set(op.inputs).isdisjoint(other.inputs)
