"""Cause against consequence: whether a bad tensor made its NaN or ∞ itself, or was given one.

A bad tensor *follows* if one of the recorded tensors that it was computed from is bad, past
whatever was not recorded between, as the graph pane walks; else it is a *cause*. The first in
time is always a cause. Some inputs are not recorded where they matter:

- What was stored (a variable, a list of a loop) carries on what was computed before: what takes
  it follows if something was bad before. What takes it unrecorded follows if an earlier call was
  bad.
- What enters the body of a loop or a branch is not told: an op that takes it follows if something
  was bad before in the same call.
- Constants, data and what a call was given by numpy are no evidence: what takes them is a cause,
  and so is bad data itself, unless the first in time was computed inside a dataset.

The walk is bounded, and what it finds is kept by event, unless more may come to disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.data.stores.columns import sorted_positions
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import (
    ARGUMENT,
    hands_out,
    is_data,
    is_data_in,
    is_dataset_function,
    takes_stored,
)
from tfdbg_tui.data.views.absorbed import is_absorbed
from tfdbg_tui.data.views.graph_edges import MAX_EXECUTIONS, Edges
from tfdbg_tui.data.views.graph_nodes import (
    ExecutionOutput,
    GraphNode,
    GraphTensor,
    NodeMaker,
    Relation,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.alert_log import AlertLog
    from tfdbg_tui.data.views.graph_nodes import Vertex
    from tfdbg_tui.data.views.selection import Selection

MAX_STEPS = 64
"""Vertices without recordings that are walked through on the way to the inputs of a tensor."""

MAX_INPUTS = 128
"""Inputs that are looked at; an op that adds up hundreds is judged by the first of them."""

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


class _Evidence(NamedTuple):
    """What the inputs of a tensor tell."""

    source: EventRef | None = None
    """One that is bad."""
    is_stored: bool = False
    """Whether it is itself what was stored before."""
    takes_stored: bool = False
    """Whether it takes that from an op that is not recorded."""
    takes_untold: bool = False
    """Whether it takes something of which it is not told where it comes from."""
    is_open: bool = False
    """Whether that is so because it is not on disk yet."""


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
        told = _Walk(self._index, self._number, maker, subject, trace).evidence()
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
        told = _Walk(index, self._number, maker, subject, None).evidence()
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

    def in_call(self, selection: Selection) -> tuple[EventRef, ...]:
        """The causes in the call that is chosen or that the chosen tensor belongs to, in time."""
        if selection.execution is None:
            return ()
        numbers = self._index.host.traces.site_numbers
        inside = self._bad_inside(selection.execution, MAX_IN_CALL)
        first_of_site = {int(numbers[trace]): trace for trace in reversed(inside)}
        asked = sorted(first_of_site.values())[:MAX_SITES_IN_CALL]
        causes = [trace for trace in asked if not self.judge(EventKind.TRACE, trace).follows]
        return tuple(EventRef(self._number, EventKind.TRACE, trace, 0) for trace in causes)


class _Walk:
    """From one tensor to the recorded ones that it was computed from."""

    def __init__(
        self,
        index: HostIndex,
        host_number: int,
        maker: NodeMaker,
        subject: Vertex,
        trace: int | None,
    ) -> None:
        self._index = index
        self._host_number = host_number
        self._maker = maker
        self._subject = subject
        self._trace = trace
        self._edges = Edges(index.host, index.joins, maker, subject)

    def evidence(self) -> _Evidence:
        """What the inputs tell; the walk ends at the first that is bad."""
        found = _Evidence()
        queue: list[Vertex] = [self._subject]
        looked_at = 0
        for vertex in queue:
            leaf = self._leaf(vertex)
            if leaf is not None:
                if leaf.source is not None or leaf.is_stored:
                    return leaf
                found = _either(found, leaf)
                continue
            inputs = self._edges.inputs(vertex)[: MAX_INPUTS - looked_at]
            looked_at += len(inputs)
            for given in inputs:
                source, is_recorded = self._recorded(given)
                if source is not None:
                    return _Evidence(source)
                if not is_recorded and given not in queue and len(queue) < MAX_STEPS:
                    queue.append(given)
        return found

    def _recorded(self, vertex: Vertex) -> tuple[EventRef | None, bool]:
        """The tensor if it is bad, and whether there is a recording of it at all."""
        if isinstance(vertex, GraphTensor):
            event = self._maker.event_of(vertex)
            if event is None or event == self._trace:
                return None, event is not None
            if not self._index.host.traces.is_bad(event):
                return None, True
            return EventRef(self._host_number, EventKind.TRACE, event, 0), True
        if isinstance(vertex, ExecutionOutput):
            bad = self._maker.bad_output(vertex)
            if not bad:
                return None, bad is not None
            return EventRef(self._host_number, EventKind.EXECUTION, vertex.execution), True
        return None, False

    def _leaf(self, vertex: Vertex) -> _Evidence | None:
        """What is known where the walk ends; None where it goes on."""
        is_subject = vertex == self._subject
        if isinstance(vertex, ExecutionOutput):
            op_type = self._index.host.executions.site_of(vertex.execution).op_type
            if takes_stored(op_type) or hands_out(op_type):
                return _Evidence(is_stored=is_subject, takes_stored=not is_subject)
            return None
        if not isinstance(vertex, GraphTensor):
            return _Evidence()
        op = self._index.host.graphs.op(vertex.graph_id, vertex.op_name)
        if op is None:  # a call inside a graph is never written down, anything else comes
            return _Evidence(takes_untold=True, is_open=True)
        if takes_stored(op.type):
            return _Evidence(is_stored=is_subject, takes_stored=not is_subject)
        if op.type == ARGUMENT and not self._edges.inputs(vertex):
            return self._argument(vertex)
        return None

    def _argument(self, vertex: GraphTensor) -> _Evidence:
        """An argument of which it is not told what the call was given for it."""
        index, call = self._index, vertex.execution
        if is_data_in(index.host.graphs.name_of(vertex.graph_id) or "", ARGUMENT):
            return _Evidence()
        if call is None or index.joins.graph_of(call) != vertex.graph_id:
            return _Evidence(takes_untold=True)
        record = self._maker.record(call)
        ids: Sequence[int] = () if record is None else record.input_tensor_ids[:MAX_EXECUTIONS]
        for tensor_id in ids:
            producer = index.joins.producer_of(tensor_id, call)
            if producer is not None:
                source, _ = self._recorded(ExecutionOutput(*producer))
                if source is not None:
                    return _Evidence(source)
        return _Evidence()


def _either(one: _Evidence, other: _Evidence) -> _Evidence:
    return _Evidence(
        None,
        is_stored=one.is_stored or other.is_stored,
        takes_stored=one.takes_stored or other.takes_stored,
        takes_untold=one.takes_untold or other.takes_untold,
        is_open=one.is_open or other.is_open,
    )
