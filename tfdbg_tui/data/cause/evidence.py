"""What the inputs of a bad tensor tell of where its bad numbers came from.

The walk goes from a tensor to the recorded ones that it was computed from, past whatever was not
recorded between, and ends at the first that is bad. It is bounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.data.flow.graph_edges import MAX_EXECUTIONS, Edges
from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput, GraphTensor
from tfdbg_tui.data.stores.columns import sorted_positions
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import (
    ARGUMENT,
    hands_out,
    is_data_in,
    is_dataset_function,
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


class Evidence(NamedTuple):
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


def evidence_of(
    index: HostIndex, host_number: int, maker: NodeMaker, subject: Vertex, trace: int | None
) -> Evidence:
    """What the inputs of a tensor tell, which a trace computed if it is of a graph."""
    return _Walk(index, host_number, maker, subject, trace).evidence()


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

    def evidence(self) -> Evidence:
        """What the inputs tell; the walk ends at the first that is bad."""
        found = Evidence()
        queue: list[Vertex] = [self._subject]
        looked_at = 0
        for vertex in queue:
            inside = self._bad_inside(vertex)
            if inside is not None:
                return Evidence(inside)
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
                    return Evidence(source)
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
        host, trace = self._index.host, self._trace
        if trace is None or not is_dataset_function(host.graphs.name_of(vertex.graph_id) or ""):
            return None
        bad, sites = host.traces.bad_events, self._maker.sites_of(vertex)
        low, high = sorted_positions(bad, (max(0, trace - AT_ONCE), trace)).tolist()
        nearest = reversed(bad[low:high].tolist())
        return next((e for e in nearest if host.traces.site_number(e) in sites), None)

    def _bad_inside(self, vertex: Vertex) -> EventRef | None:
        """The last bad tensor before the subject that a branch, a loop or a call computed."""
        if vertex == self._subject or self._trace is None or not isinstance(vertex, GraphTensor):
            return None
        graphs = frozenset(self._edges.inner_graphs(vertex))
        if not graphs:
            return None
        traces, joins = self._index.host.traces, self._index.joins
        begin = 0 if vertex.execution is None else joins.window_of(vertex.execution)[0]
        low, high = sorted_positions(traces.bad_events, (begin, self._trace)).tolist()
        earlier = traces.bad_events[max(low, high - MAX_INSIDE) : high]
        if vertex.execution is not None:
            earlier = joins.own_traces(vertex.execution, earlier)
        inside = (bad for bad in reversed(earlier.tolist()) if joins.is_within(bad, graphs))
        found = next(inside, None)
        return None if found is None else EventRef(self._host_number, EventKind.TRACE, found, 0)

    def _leaf(self, vertex: Vertex) -> Evidence | None:
        """What is known where the walk ends; None where it goes on."""
        is_subject = vertex == self._subject
        if isinstance(vertex, ExecutionOutput):
            op_type = self._index.host.executions.site_of(vertex.execution).op_type
            if takes_stored(op_type) or hands_out(op_type):
                return Evidence(is_stored=is_subject, takes_stored=not is_subject)
            return None
        if not isinstance(vertex, GraphTensor):
            return Evidence()
        op = self._index.host.graphs.op(vertex.graph_id, vertex.op_name)
        if op is None:  # a call inside a graph is never written down, anything else comes
            return Evidence(takes_untold=True, is_open=True)
        if takes_stored(op.type):
            return Evidence(is_stored=is_subject, takes_stored=not is_subject)
        if op.type == ARGUMENT and not self._edges.inputs(vertex):
            return self._argument(vertex)
        return None

    def _argument(self, vertex: GraphTensor) -> Evidence:
        """An argument of which it is not told what the call was given for it."""
        index, call = self._index, vertex.execution
        if is_data_in(index.host.graphs.name_of(vertex.graph_id) or "", ARGUMENT):
            return Evidence()
        if call is None or index.joins.graph_of(call) != vertex.graph_id:
            return Evidence(takes_untold=True)
        record = self._maker.record(call)
        ids: Sequence[int] = () if record is None else record.input_tensor_ids[:MAX_EXECUTIONS]
        for tensor_id in ids:
            producer = index.joins.producer_of(tensor_id, call)
            if producer is not None:
                source, _ = self._recorded(ExecutionOutput(*producer))
                if source is not None:
                    return Evidence(source)
        return Evidence()


def _either(one: Evidence, other: Evidence) -> Evidence:
    return Evidence(
        None,
        is_stored=one.is_stored or other.is_stored,
        takes_stored=one.takes_stored or other.takes_stored,
        takes_untold=one.takes_untold or other.takes_untold,
        is_open=one.is_open or other.is_open,
    )
