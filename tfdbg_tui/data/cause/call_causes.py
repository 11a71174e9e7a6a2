"""Whether rows and nodes that stand for several tensors hold a cause: calls, groups, graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.inside import MAX_IN_CALL, bad_inside
from tfdbg_tui.data.flow.graph_nodes import GraphNode, Relation
from tfdbg_tui.data.stores.columns import sorted_positions
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfdbg_tui.data.cause.causes import HostCauses
    from tfdbg_tui.data.index.host_index import HostIndex

MAX_IN_ROW = 16
"""Bad tensors of one call, or executions of one row, that are judged for a row."""

MAX_SITES_IN_CALL = 100
"""Sites among them of which one is judged."""


class CallCauses:
    """What the judgements over one host mean for its calls."""

    def __init__(self, number: int, index: HostIndex, causes: HostCauses) -> None:
        self._number = number
        self._index = index
        self._causes = causes

    def row_follows(self, execution: int, count: int = 1) -> bool:
        """Whether the row of an execution, or of several, is bad and holds no cause.

        A call holds one if a tensor inside is one; its first bad tensors are looked at, and those
        whose site was a cause elsewhere.
        """
        if count > 1:
            events = self._index.host.executions.bad_events
            low, high = sorted_positions(events, (execution, execution + count))
            bad = dict.fromkeys(events[low:high][:MAX_IN_ROW].tolist())
            return bool(bad) and all(map(self._call_follows, bad))
        return self._call_follows(execution)

    def _call_follows(self, execution: int) -> bool:
        inside = bad_inside(self._index, execution, MAX_IN_CALL)
        if not inside:
            return self._causes.follows(EventKind.EXECUTION, execution)
        numbers = self._index.host.traces.site_numbers
        likely = [trace for trace in inside if int(numbers[trace]) in self._causes.cause_sites]
        asked = dict.fromkeys((*likely[:MAX_IN_ROW], *inside[:MAX_IN_ROW]))
        return all(self._causes.judge(EventKind.TRACE, trace).follows for trace in asked)

    def marked(self, nodes: Iterable[GraphNode]) -> tuple[GraphNode, ...]:
        """The nodes of a graph, those that follow from something bad marked so."""
        return tuple(node._replace(follows=True) if self._node(node) else node for node in nodes)

    def _node(self, node: GraphNode) -> bool:
        if not node.bad:
            return False
        if node.trace is not None:
            return self._causes.follows(EventKind.TRACE, node.trace)
        if node.execution is None:
            return False
        # A call around the subject may hold the cause; what a call put out follows from that.
        if node.relation is Relation.OUTER:
            return self.row_follows(node.execution)
        return self._causes.follows(EventKind.EXECUTION, node.execution)

    def in_call(self, execution: int) -> tuple[EventRef, ...]:
        """The causes in a call, in time."""
        numbers = self._index.host.traces.site_numbers
        inside = bad_inside(self._index, execution, MAX_IN_CALL)
        first_of_site = {int(numbers[trace]): trace for trace in reversed(inside)}
        asked = sorted(first_of_site.values())[:MAX_SITES_IN_CALL]
        causes = [
            trace for trace in asked if not self._causes.judge(EventKind.TRACE, trace).follows
        ]
        return tuple(EventRef(self._number, EventKind.TRACE, trace, 0) for trace in causes)
