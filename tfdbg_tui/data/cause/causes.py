"""Cause against consequence: whether a bad tensor made its NaN or ∞ itself, or was given one.

A bad tensor *follows* if one of the recorded tensors that it was computed from is bad, past
whatever was not recorded between, as the graph pane walks; else it is a *cause*. The first in
time is always a cause. Some inputs are not recorded where they matter:

- What was stored (a variable, a list of a loop) carries on what was computed before: what takes
  it follows if something was bad before. What takes it unrecorded follows if an earlier call was
  bad.
- What enters the body of a loop or a branch is not told: an op that takes it follows if something
  was bad before in the same call. What comes out follows from what was bad inside.
- Constants, data and what a call was given by numpy are no evidence: what takes them is a cause,
  and so is bad data itself, unless the first in time was computed inside a dataset.

The walk is bounded, and what it finds is kept by event, unless more may come to disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.data.cause.absorbed import is_absorbed
from tfdbg_tui.data.cause.evidence import evidence_of
from tfdbg_tui.data.flow.graph_nodes import GraphNode, GraphTensor, NodeMaker, Relation
from tfdbg_tui.data.stores.columns import sorted_positions
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import is_data, is_dataset_function

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.alert_log import AlertLog

MAX_KEPT = 1 << 16
"""Events whose judgement is kept."""

MAX_IN_ROW = 16
"""Bad tensors of one call, or executions of one row, that are judged for a row."""

MAX_IN_CALL = 500
"""Bad tensors of one call that are looked at for its causes."""

MAX_SITES_IN_CALL = 100
"""Sites among them of which one is judged."""


class Judged(NamedTuple):
    """Whether a bad tensor follows from another one."""

    follows: bool
    source: EventRef | None = None
    """The bad tensor that it was computed from, where one was found."""
    is_final: bool = True
    """Whether nothing that comes to disk later can change it."""


CAUSE = Judged(follows=False)


class Causes:
    """The judgements over one run, for any thread; one home for what `!` and `~` mean."""

    def __init__(self, run: RunIndex) -> None:
        self.hosts = tuple(
            HostCauses(number, index, run.log) for number, index in enumerate(run.hosts)
        )

    def judge(self, tensor: EventRef) -> Judged:
        """Whether a bad tensor follows from another one."""
        return self.hosts[tensor.host].judge(tensor.kind, tensor.event)


class HostCauses:
    """The judgements over the tensors of one host."""

    def __init__(self, number: int, index: HostIndex, log: AlertLog) -> None:
        self._number = number
        self._index = index
        self._log = log
        self._judged: dict[tuple[EventKind, int], Judged] = {}
        self._cause_sites: set[int] = set()
        """Sites of traces that were a cause whenever it was asked: they are asked first."""

    # Tensors.

    def judge(self, kind: EventKind, event: int) -> Judged:
        """Whether a bad event follows from another one; nothing is meant by it for others."""
        if self._is_first(kind, event):
            return CAUSE._replace(is_final=False)
        known = self._judged.get((kind, event))
        if known is None:
            known = self._trace(event) if kind is EventKind.TRACE else self._execution(event)
            if known.is_final and len(self._judged) < MAX_KEPT:
                self._judged[kind, event] = known
            if kind is EventKind.TRACE and not known.follows:
                self._cause_sites.add(self._index.host.traces.site_number(event))
        return known

    def follows(self, kind: EventKind, event: int) -> bool:
        """Whether it is bad, and that follows from something else."""
        is_bad = self._index.host.store_of(kind).is_bad(event)
        return is_bad and self.judge(kind, event).follows

    def is_bad(self, tensor: EventRef) -> bool:
        """Whether a tensor is bad at all."""
        return self._index.host.store_of(tensor.kind).is_bad(tensor.event)

    def is_absorbed(self, tensor: EventRef) -> bool:
        """Whether nothing that was computed from a bad tensor is bad."""
        return is_absorbed(self._index, tensor.kind, tensor.event)

    def time_of(self, tensor: EventRef) -> float:
        """When a tensor was computed."""
        return self._index.host.store_of(tensor.kind).wall_time(tensor.event)

    def _is_first(self, kind: EventKind, event: int) -> bool:
        first = self._log.first()
        return first is not None and first[:3] == (self._number, kind, event)

    def _trace(self, trace: int) -> Judged:
        host, joins = self._index.host, self._index.joins
        site, call = host.traces.site_of(trace), joins.execution_of(trace)
        maker = NodeMaker(host, self._index.sites, joins, trace, call)
        subject = GraphTensor(site.graph_id, site.op_name, site.slot, call)
        told = evidence_of(self._index, self._number, maker, subject, trace)
        follows = told.source is not None or told.is_stored
        follows = follows or (told.takes_stored and self._was_bad_before_call(trace, call))
        follows = follows or (told.takes_untold and self._was_bad_in_call(trace, call))
        op = host.op_of(site)
        follows = follows or (op is not None and self._is_data_gone_bad(op.type))
        ends = host.executions.wall_times
        # Which call it belongs to is told when that has ended.
        has_ended = call is not None or bool(len(ends) and ends[-1] >= host.traces.wall_time(trace))
        return Judged(follows, told.source, has_ended and not told.is_open)

    def _execution(self, execution: int) -> Judged:
        index = self._index
        executions = index.host.executions
        site = executions.site_number(execution)
        is_call = index.sites.execution(site).is_call
        inside = self._bad_inside(execution, 1)
        if inside:
            return Judged(True, EventRef(self._number, EventKind.TRACE, inside[0], 0))
        maker = NodeMaker(index.host, index.sites, index.joins, None, None)
        subject = maker.output_of(execution)
        told = evidence_of(index, self._number, maker, subject, None)
        # What a call reads inside is not known where nothing of it is recorded.
        follows = told.source is not None or told.is_stored or is_call
        if told.takes_stored:
            follows = follows or self._was_bad_before(executions.wall_time(execution))
        follows = follows or self._is_data_gone_bad(executions.sites[site].op_type)
        return Judged(follows, told.source, not told.is_open)

    def _is_data_gone_bad(self, op_type: str) -> bool:
        """Whether an op yields data, and a function of a dataset made the first bad tensor."""
        first = self._log.first() if is_data(op_type) else None
        if first is None or first.kind is EventKind.EXECUTION or first.host != self._number:
            return False
        graph_id = self._index.host.traces.site_of(first.event).graph_id
        return is_dataset_function(self._index.host.graphs.name_of(graph_id) or "")

    def _was_bad_before(self, time: float) -> bool:
        first = self._log.first()
        return first is not None and first.wall_time < time

    def _was_bad_before_call(self, trace: int, call: int | None) -> bool:
        host = self._index.host
        if call is None:
            return self._was_bad_before(host.traces.wall_time(trace))
        return call > 0 and self._was_bad_before(host.executions.wall_time(call - 1))

    def _was_bad_in_call(self, trace: int, call: int | None) -> bool:
        host = self._index.host
        if call is None:
            return self._was_bad_before(host.traces.wall_time(trace))
        earlier = host.traces.bad_events
        low, high = sorted_positions(earlier, (self._index.joins.window_of(call)[0], trace))
        return bool(len(self._index.joins.own_traces(call, earlier[low:high][-MAX_IN_CALL:])))

    # Rows and nodes.

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
        inside = self._bad_inside(execution, MAX_IN_CALL)
        if not inside:
            return self.follows(EventKind.EXECUTION, execution)
        numbers = self._index.host.traces.site_numbers
        likely = [trace for trace in inside if int(numbers[trace]) in self._cause_sites]
        asked = dict.fromkeys((*likely[:MAX_IN_ROW], *inside[:MAX_IN_ROW]))
        return all(self.judge(EventKind.TRACE, trace).follows for trace in asked)

    def _bad_inside(self, execution: int, most: int) -> list[int]:
        index = self._index
        site = index.host.executions.site_number(execution)
        is_call = index.sites.execution(site).is_call
        return index.bad_inside(execution)[:most].tolist() if is_call else []

    def marked(self, nodes: Iterable[GraphNode]) -> tuple[GraphNode, ...]:
        """The nodes of a graph, those that follow from something bad marked so."""
        return tuple(node._replace(follows=True) if self._node(node) else node for node in nodes)

    def _node(self, node: GraphNode) -> bool:
        if not node.bad:
            return False
        if node.trace is not None:
            return self.follows(EventKind.TRACE, node.trace)
        if node.execution is None:
            return False
        # A call around the subject may hold the cause; what a call put out follows from that.
        if node.relation is Relation.OUTER:
            return self.row_follows(node.execution)
        return self.follows(EventKind.EXECUTION, node.execution)

    def in_call(self, execution: int) -> tuple[EventRef, ...]:
        """The causes in a call, in time."""
        numbers = self._index.host.traces.site_numbers
        inside = self._bad_inside(execution, MAX_IN_CALL)
        first_of_site = {int(numbers[trace]): trace for trace in reversed(inside)}
        asked = sorted(first_of_site.values())[:MAX_SITES_IN_CALL]
        causes = [trace for trace in asked if not self.judge(EventKind.TRACE, trace).follows]
        return tuple(EventRef(self._number, EventKind.TRACE, trace, 0) for trace in causes)
