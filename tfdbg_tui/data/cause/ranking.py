"""The causes of a run in order, the worst first; and what is no cause, because it is meant.

The gradient of an op that broke by the same number is the same cause as the op.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.gradients import eager_forward, op_of
from tfdbg_tui.data.cause.reach import Reach
from tfdbg_tui.data.stores.event_kind import EventKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.cause.found_cause import FoundCause
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.event_kind import EventRef


class Ranking:
    """What was found in a run up to one moment, in order."""

    def __init__(self, run: RunIndex, found: Sequence[FoundCause]) -> None:
        self._run = run
        self._found = tuple(found)
        merged = self._merged()
        self.causes = tuple(sorted((c for c in merged if not c.on_purpose), key=lambda c: c.order))
        """The causes that are no purpose of the program's, the worst first."""
        self.meant = tuple(sorted((c for c in merged if c.on_purpose), key=lambda c: c.time))
        """What is bad on purpose, in time."""

    def _merged(self) -> list[FoundCause]:
        """The causes, each gradient as part of the forward op that broke by the same number."""
        found = {cause.key: cause for cause in self._found}
        for cause in self._found:
            key = self._forward_cause(cause) if cause.is_gradient else None
            forward = None if key is None else found.get(key)
            if forward is None or found.pop(cause.key, None) is None:
                continue
            if cause.reached.reach.rank < forward.reached.reach.rank:
                found[forward.key] = replace(forward, reached=cause.reached)
        return list(found.values())

    def _forward_cause(self, gradient: FoundCause) -> int | None:
        """The cause that a gradient is part of: the forward op that broke the loss before.

        What a `where` took out of the loss did not: then the gradient is a cause by itself.
        """
        tensor = gradient.tensor
        of_host = (c for c in self._found if c.tensor.host == tensor.host)
        forward = [c for c in of_host if not c.is_gradient and self._is_before(c, tensor)]
        for cause in forward:
            if cause.reached.reach.rank <= Reach.LOSS.rank:
                return cause.key
        index = self._run.hosts[tensor.host]
        harmful = (c for c in forward if c.reached.reach is not Reach.ABSORBED)
        return next((c.key for c in harmful if _shares(index, c.tensor, tensor)), None)

    def _is_before(self, cause: FoundCause, gradient: EventRef) -> bool:
        """Whether a cause came before a gradient in the same step."""
        index = self._run.hosts[gradient.host]
        time = index.host.store_of(gradient.kind).wall_time(gradient.event)
        steps = index.steps
        if cause.tensor.kind is gradient.kind is EventKind.TRACE:
            # Within one call a gradient may be computed first.
            calls = [index.joins.execution_of(ref.event) for ref in (cause.tensor, gradient)]
            if calls[0] is not None and calls[0] == calls[1]:
                return True
        return cause.time <= time and steps.step_of(cause.time) == steps.step_of(time)


def _shares(index: HostIndex, forward: EventRef, gradient: EventRef) -> bool:
    """Whether a gradient is that of an op, or takes a number that the op took."""
    if gradient.kind is EventKind.EXECUTION:
        return forward[1:3] == (EventKind.EXECUTION, eager_forward(index, gradient))
    op, other = op_of(index, gradient), op_of(index, forward)
    if op is None or other is None or op.graph_id != other.graph_id:
        return False
    is_its = other is index.host.graphs.forward_of(op)
    return is_its or not set(op.inputs).isdisjoint(other.inputs)
