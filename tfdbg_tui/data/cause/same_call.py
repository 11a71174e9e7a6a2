"""What else was bad in the call that computed a tensor, where it is not told what came from what.

What a function inside a call was given by its caller is not recorded; what is bad in the same call
may be it. Parallel ops are written as they end, so the order in which tensors were written tells
little: what counts is what could have been computed before at all.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.gradients import is_gradient
from tfdbg_tui.data.cause.inside import MAX_IN_CALL
from tfdbg_tui.data.cause.operations import only_hands_on
from tfdbg_tui.data.stores.columns import sorted_positions
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import ARGUMENT, is_of_gradient, takes_stored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.index.host_index import HostIndex

MAX_COMPARED = 32
"""Sites whose place in the call is looked for."""

MAX_OPS = 256
"""Ops that something is computed from, and that are asked whether a function is among them."""


class SameCall:
    """The bad tensors of the call of one trace."""

    def __init__(self, index: HostIndex, host_number: int, trace: int, call: int) -> None:
        self._index = index
        self._host_number = host_number
        self._trace = trace
        self._call = call
        self._graph_id = index.host.traces.site_of(trace).graph_id

    def was_bad_before(self, is_inside: bool) -> bool:
        """Whether the trace may follow from something that was written before it.

        Where what is not told is an argument (`is_inside`), it was computed outside the function.
        A gradient may be computed first, by the same number; nothing forward follows from it.
        """
        may_lead_here = self._may_be_given if is_inside else self._is_not_from_here
        earlier = list(self._bad(before=self._trace))
        if not (self._is_gradient(self._trace) or self._takes_gradient() or self._hands_on()):
            earlier = [event for event in earlier if not self._is_gradient(event)]
        return any(map(may_lead_here, earlier[:MAX_COMPARED]))

    def given_from_around(self) -> EventRef | None:
        """A bad tensor of a function around that one, in which no function had a part.

        Whatever was handed in may have been computed from it; it follows from nothing inside.
        """
        joins = self._index.joins
        outer = joins.enclosing_graphs(self._graph_id)[1:]
        enclosing = {joins.executed_as(graph_id, self._call) for graph_id in outer}
        for event in islice(self._bad(), MAX_COMPARED):
            site = self._index.host.traces.site_of(event)
            if site.graph_id in enclosing and not self._is_from_inside(site.graph_id, site.op_name):
                return EventRef(self._host_number, EventKind.TRACE, event, 0)
        return None

    def _bad(self, before: int | None = None) -> Iterator[int]:
        """One bad tensor of the call for each site: the last before an event, or the first."""
        traces, joins = self._index.host.traces, self._index.joins
        first, end = joins.window_of(self._call)
        bad = traces.bad_events
        low, high = sorted_positions(bad, (first, end if before is None else before)).tolist()
        found = bad[low:high][-MAX_IN_CALL:][::-1] if before is not None else bad[low:high]
        own = joins.own_traces(self._call, found[:MAX_IN_CALL]).tolist()
        seen: set[int] = set()
        for event in own:
            site = traces.site_number(event)
            if event != self._trace and site not in seen:
                seen.add(site)
                yield event

    def _may_be_given(self, event: int) -> bool:
        """Whether a tensor may have come in from outside: not if it was computed in the same round.

        Nor if it was computed inside that, where there was no round before.
        """
        traces, joins = self._index.host.traces, self._index.joins
        site = traces.site_of(event)
        if site.graph_id == self._graph_id:
            here = joins.event_in_same_call(self._trace, traces.site_number(event))
            return here != event
        if self._graph_id not in joins.enclosing_graphs(site.graph_id):
            return True
        own = traces.site_number(self._trace)
        before = joins.nearest(own, self._trace - 1)
        return before is not None and joins.window_of(self._call)[0] <= before < self._trace

    def _is_not_from_here(self, event: int) -> bool:
        """Whether a tensor may have been computed without the trace."""
        traces = self._index.host.traces
        site, own = traces.site_of(event), traces.site_of(self._trace)
        if site.graph_id != self._graph_id:
            return True
        takes_it = own.op_name in self._computed_from(site.graph_id, site.op_name)
        joins = self._index.joins
        here = joins.event_in_same_call(self._trace, traces.site_number(event), later=True)
        return here != event or not takes_it

    def _is_from_inside(self, graph_id: str, op_name: str) -> bool:
        """Whether a function inside may have had a part in what an op put out.

        A call in a graph has no record; the argument of a branch or of a loop, and a variable, may
        be what was computed there.
        """
        names = self._computed_from(graph_id, op_name)
        is_outermost = self._index.joins.enclosing_graphs(graph_id)[1:] == ()
        taken = [self._index.host.graphs.op(graph_id, name) for name in names]
        return len(names) > MAX_OPS or any(
            op is None or takes_stored(op.type) or (op.type == ARGUMENT and not is_outermost)
            for op in taken
        )

    def _computed_from(self, graph_id: str, op_name: str) -> list[str]:
        """The ops of its graph that an op's output is computed from, itself first."""
        pending = [op_name]
        seen = set(pending)
        for name in pending:
            op = self._index.host.graphs.op(graph_id, name)
            new = (
                {} if op is None else dict.fromkeys(given.rpartition(":")[0] for given in op.inputs)
            )
            pending += [given for given in new if given not in seen]
            seen.update(new)
            if len(pending) > MAX_OPS:
                break
        return pending

    def _hands_on(self) -> bool:
        """Whether the op made nothing of its own: it was given what is bad, whatever that is."""
        op = self._index.host.op_of(self._index.host.traces.site_of(self._trace))
        return op is not None and only_hands_on(op.type)

    def _takes_gradient(self) -> bool:
        """Whether an op takes a gradient that is not written down: TensorFlow vectorises some."""
        op = self._index.host.op_of(self._index.host.traces.site_of(self._trace))
        return op is not None and any(map(is_of_gradient, op.inputs))

    def _is_gradient(self, trace: int) -> bool:
        return is_gradient(self._index, EventRef(self._host_number, EventKind.TRACE, trace, 0))
