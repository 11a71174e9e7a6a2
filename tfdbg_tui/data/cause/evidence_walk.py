"""The walk from a bad tensor to the recorded ones that it was computed from.

It goes past whatever was not recorded between, and is bounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.cause.evidence import Evidence, either
from tfdbg_tui.data.cause.operations import is_float_op
from tfdbg_tui.data.flow.graph_edges import MAX_EXECUTIONS, Edges
from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput, GraphTensor
from tfdbg_tui.data.flow.loop_arguments import LoopArguments
from tfdbg_tui.data.stores.columns import sorted_positions
from tfdbg_tui.data.stores.data_ops import hands_out, is_data_in
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import (
    ARGUMENT,
    is_dataset_function,
    is_gradient_graph,
    takes_stored,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.flow.graph_nodes import NodeMaker, Vertex
    from tfdbg_tui.data.index.host_index import HostIndex

MAX_STEPS = 64
"""Vertices without recordings that are walked through on the way to the inputs of a tensor."""

MAX_INPUTS = 128
"""Inputs that are looked at; an op that adds up hundreds is judged by the first of them."""

AT_ONCE = 256
"""Tensors between two of one element of a dataset, where several are computed at once."""

MAX_INSIDE = 500
"""Bad tensors before a tensor among which one is sought that a branch or a loop computed."""


class EvidenceWalk:
    """From one tensor to the recorded ones that it was computed from."""

    def __init__(
        self,
        index: HostIndex,
        host_number: int,
        maker: NodeMaker,
        subject: Vertex,
        trace: int | None,
    ) -> None:
        self.index = index
        self._host_number = host_number
        self._maker = maker
        self.subject = subject
        self.trace = trace
        self.edges = Edges(index.host, index.joins, maker, subject)
        self._loops = LoopArguments(index.host)

    def sources_of(self, vertex: Vertex) -> tuple[EventRef, ...]:
        """A tensor if it is bad, else the bad ones that it was computed from."""
        source, is_recorded = self.recorded(vertex)
        if is_recorded:
            return () if source is None else (source,)
        return self.walk(vertex, Evidence()).sources

    def walk(self, start: Vertex, found: Evidence) -> Evidence:
        """What was computed from tells, from a vertex on; `found` is what is known already."""
        sources: dict[EventRef, None] = {}
        queue: list[Vertex] = [start]
        looked_at = 0
        for vertex in queue:
            inside = self._bad_inside(vertex)
            if inside is not None:
                sources[inside] = None
                continue
            leaf = None if self._is_write(vertex) else self.leaf(vertex)
            if leaf is not None:
                sources.update(dict.fromkeys(leaf.sources))
                found = either(found, leaf)
                continue
            inputs = self.edges.inputs(vertex)[: MAX_INPUTS - looked_at]
            looked_at += len(inputs)
            for given in inputs:
                source, is_recorded = self.recorded(given)
                if source is not None:
                    sources[source] = None
                elif not is_recorded and given not in queue and len(queue) < MAX_STEPS:
                    queue.append(given)
        return found._replace(sources=tuple(sources))

    def _is_write(self, vertex: Vertex) -> bool:
        return vertex != self.subject and self.edges.is_write(vertex)

    def recorded(self, vertex: Vertex) -> tuple[EventRef | None, bool]:
        """The tensor if it is bad, and whether there is a recording of it at all."""
        if isinstance(vertex, GraphTensor):
            event = self._maker.event_of(vertex)
            if event is None or event == self.trace:
                return None, event is not None
            if not self.index.host.traces.is_bad(event):
                event = self._bad_in_other_thread(vertex)
            if event is None:
                return None, True
            return EventRef(self._host_number, EventKind.TRACE, event, 0), True
        if isinstance(vertex, ExecutionOutput):
            bad = self._maker.bad_output(vertex)
            if not bad:
                return None, bad is not None
            return EventRef(self._host_number, EventKind.EXECUTION, vertex.execution), True
        return None, False

    def _bad_in_other_thread(self, vertex: GraphTensor) -> int | None:
        """A bad computation of a tensor of a dataset just before the subject.

        A dataset computes several elements at once, so that it is not certain which computations
        are of one element.
        """
        host, trace = self.index.host, self.trace
        if trace is None or not is_dataset_function(host.graphs.name_of(vertex.graph_id) or ""):
            return None
        bad, sites = host.traces.bad_events, self._maker.sites_of(vertex)
        low, high = sorted_positions(bad, (max(0, trace - AT_ONCE), trace)).tolist()
        nearest = reversed(bad[low:high].tolist())
        return next((e for e in nearest if host.traces.site_number(e) in sites), None)

    def _bad_inside(self, vertex: Vertex) -> EventRef | None:
        """The last bad tensor before the subject that a branch, a loop or a call computed.

        If there is none, one that was written later: what ran but once did so before the subject.
        """
        if vertex == self.subject or self.trace is None or not isinstance(vertex, GraphTensor):
            return None
        graphs = frozenset(self.edges.inner_graphs(vertex))
        if not graphs:
            return None
        traces, joins = self.index.host.traces, self.index.joins
        begin, end = 0, self.trace
        if vertex.execution is not None:
            begin, end = joins.window_of(vertex.execution)
        low, here, high = sorted_positions(traces.bad_events, (begin, self.trace, end)).tolist()
        earlier = traces.bad_events[max(low, here - MAX_INSIDE) : here][::-1]
        later = traces.bad_events[here : min(high, here + MAX_INSIDE)]
        if vertex.execution is not None:
            earlier = joins.own_traces(vertex.execution, earlier)
            later = joins.own_traces(vertex.execution, later)
        inside = (bad for bad in earlier.tolist() if joins.is_within(bad, graphs))
        found = next(inside, None)
        if found is None:
            once = (bad for bad in later.tolist() if joins.is_within(bad, graphs))
            found = next((bad for bad in once if self._ran_once(bad, begin, end)), None)
        return None if found is None else EventRef(self._host_number, EventKind.TRACE, found, 0)

    def _ran_once(self, event: int, begin: int, end: int) -> bool:
        """Whether a tensor was computed but once in some rows."""
        sites = self.index.host.traces.site_numbers[begin:end]
        return int(np.count_nonzero(sites == sites[event - begin])) == 1

    def leaf(self, vertex: Vertex) -> Evidence | None:
        """What is known where the walk ends; None where it goes on."""
        is_subject = vertex == self.subject
        if isinstance(vertex, ExecutionOutput):
            op_type = self.index.host.executions.site_of(vertex.execution).op_type
            if takes_stored(op_type) or hands_out(op_type):
                return Evidence(is_stored=is_subject, takes_stored=not is_subject)
            site = self.index.host.executions.site_of(vertex.execution)
            if not is_subject and site.num_outputs and not site.tensors and is_float_op(op_type):
                return Evidence(takes_untold=True)
            return None
        if not isinstance(vertex, GraphTensor):
            return Evidence()
        op = self.index.host.graphs.op(vertex.graph_id, vertex.op_name)
        if not is_subject and op is not None and self._is_left_out(vertex, op.type):
            return Evidence(takes_untold=True)
        if op is None:  # a call inside a graph is never written down, anything else comes
            return Evidence(takes_untold=True, is_open=True)
        if takes_stored(op.type):
            return Evidence(is_stored=is_subject, takes_stored=not is_subject)
        if not is_subject and is_data_in("", op.type) and op.type != ARGUMENT:
            return Evidence(takes_data=True)
        if op.type == ARGUMENT and not self.edges.inputs(vertex):
            return self._argument(vertex)
        return None

    def _is_left_out(self, vertex: GraphTensor, op_type: str) -> bool:
        """Whether a tensor would be recorded, if a filter had not left it out."""
        return is_float_op(op_type) and not self._maker.sites_of(vertex)

    def _given_from_around(self, vertex: GraphTensor) -> tuple[EventRef, ...]:
        """What is bad around the function of an argument, and may have been handed on."""
        if vertex.execution is None or self.trace is None:
            return ()
        from tfdbg_tui.data.cause.same_call import SameCall  # few tensors are asked for this

        same_call = SameCall(self.index, self._host_number, self.trace, vertex.execution)
        given = same_call.given_from_around()
        return () if given is None else (given,)

    def _carried(self, vertex: GraphTensor) -> tuple[EventRef, ...]:
        """What a loop or a branch was given for an argument, or a round before handed on."""
        found = []
        for given in self._loops.given(vertex):
            source = self._last_bad(given)
            found += [] if source is None else [source]
        return tuple(found)

    def _last_bad(self, vertex: GraphTensor) -> EventRef | None:
        """A tensor as it was computed last before the subject, if it was bad then."""
        pending = [vertex]
        traces, joins = self.index.host.traces, self.index.joins
        begin = 0 if vertex.execution is None else joins.window_of(vertex.execution)[0]
        for reached in pending:
            if len(pending) > MAX_STEPS:
                break
            sites = self._maker.sites_of(reached)
            before = [joins.nearest(site, (self.trace or 0) - 1) for site in sites]
            events = [e for e in before if e is not None and begin <= e < (self.trace or 0)]
            if events:
                last = max(events)
                is_bad = traces.is_bad(last)
                return EventRef(self._host_number, EventKind.TRACE, last, 0) if is_bad else None
            if sites:  # in the first round, nothing was handed on yet
                continue
            inputs = self.edges.inputs(reached)
            pending += [v for v in inputs if isinstance(v, GraphTensor) and v not in pending]
        return None

    def _kept_for_gradient(self, vertex: GraphTensor) -> EventRef | None:
        """The bad tensor of a function that its gradient was given for an argument.

        The last part of the name of the argument is that of the tensor.
        """
        graphs = self.index.host.graphs
        graph = graphs.by_id.get(vertex.graph_id)
        if graph is None or not is_gradient_graph(graph.name or ""):
            return None
        kept = GraphTensor(graph.outer_id, vertex.op_name.rpartition("/")[2], 0, vertex.execution)
        events = (self._maker.event_of(kept), self._maker.later_event_of(kept))
        bad = (e for e in events if e is not None and self.index.host.traces.is_bad(e))
        found = next(bad, None)
        return None if found is None else EventRef(self._host_number, EventKind.TRACE, found, 0)

    def _argument(self, vertex: GraphTensor) -> Evidence:
        """An argument of which it is not told what the call was given for it."""
        index, call = self.index, vertex.execution
        if is_data_in(index.host.graphs.name_of(vertex.graph_id) or "", ARGUMENT):
            return Evidence()
        kept = self._kept_for_gradient(vertex)
        if kept is not None:
            return Evidence((kept,))
        carried = self._carried(vertex)
        if carried:
            return Evidence(carried)
        if call is None or index.joins.graph_of(call) != vertex.graph_id:
            return Evidence(self._given_from_around(vertex), takes_argument=True)
        record = self._maker.record(call)
        ids: Sequence[int] = () if record is None else record.input_tensor_ids[:MAX_EXECUTIONS]
        for tensor_id in ids:
            producer = index.joins.producer_of(tensor_id, call)
            if producer is not None:
                source, _ = self.recorded(ExecutionOutput(*producer))
                if source is not None:
                    return Evidence((source,))
        return Evidence()
