"""What goes on where no op is recorded to have taken a tensor: datasets, and functions inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.cause.inside import bad_inside
from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput, GraphTensor
from tfdbg_tui.data.flow.takers import Taker
from tfdbg_tui.data.stores.columns import sorted_positions
from tfdbg_tui.data.stores.data_ops import is_data, is_data_in
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.tf_names import ARGUMENT, is_branch, is_dataset_function

if TYPE_CHECKING:
    from tfdbg_tui.data.flow.graph_nodes import Vertex
    from tfdbg_tui.data.flow.op_inputs import OpInputs
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.stores.graph import Op

MAX_YIELDED, MAX_YIELDS = 200, 4
"""Sites that went bad later among which those of datasets are sought, and how many are taken."""

MAX_COPIES_SOUGHT = 8
"""Ends of eager ways behind which copies are sought."""

MAX_INSIDE = 500
"""Bad tensors of a call among which those are sought that a function inside computed."""


class Beyond:
    """Finds them behind one bad tensor, which was computed at a time."""

    def __init__(self, index: HostIndex, taken: OpInputs, time: float) -> None:
        self._index = index
        self._recorded = taken.later_event
        self._time = time
        self._sought = 0

    def of(self, vertex: Vertex) -> list[Taker]:
        """What goes on where no op is recorded to have taken a tensor."""
        if isinstance(vertex, ExecutionOutput):
            return self._copies(vertex.execution)
        if not isinstance(vertex, GraphTensor):
            return []
        return self._out_of_dataset(vertex) or self._into_functions(vertex)

    def _copies(self, execution: int) -> list[Taker]:
        """Eager tensors that are copies of what an execution put out."""
        self._sought += 1
        if self._sought > MAX_COPIES_SOUGHT:
            return []
        from tfdbg_tui.data.cause.untold_inputs import UntoldInputs  # as in `causes`

        copies = UntoldInputs(0, self._index).copies_of(execution)
        return [Taker(ExecutionOutput(copy, None)) for copy in copies]

    def built_in(self, vertex: Vertex) -> list[Taker]:
        """The constants that small values have become, inside calls that were handed them."""
        if not isinstance(vertex, ExecutionOutput):
            return []
        joins, found = self._index.joins, []
        for tensor_id in joins.outputs_of(vertex.execution):
            for user, number in joins.consumers_of(tensor_id, vertex.execution, MAX_YIELDS):
                if joins.argument_of(user, number) is None:
                    found += self._bad_constants(user)
        return found[:MAX_YIELDS]

    def _bad_constants(self, call: int) -> list[Taker]:
        host, found = self._index.host, []
        for trace in bad_inside(self._index, call, MAX_INSIDE):
            site = host.traces.site_of(trace)
            op = host.op_of(site)
            if op is not None and op.type == "Const":
                found.append(Taker(GraphTensor(*site[:3], call), op.type))
        return found

    def _into_functions(self, vertex: GraphTensor) -> list[Taker]:
        """Bad tensors computed from arguments inside functions that a graph calls.

        The call leaves no op: it may have been given anything that nothing else takes.
        """
        host, joins = self._index.host, self._index.joins
        graph, call = host.graphs.by_id.get(vertex.graph_id), vertex.execution
        event = self._recorded(vertex)[0]
        if graph is None or call is None or event is None or not host.traces.is_bad(event.event):
            return []
        names = {inner: host.graphs.name_of(inner) or "" for inner in tuple(graph.inner_ids)}
        functions = frozenset(inner for inner, name in names.items() if not is_branch(name))
        if not functions:
            return []
        # Data may be recorded behind what took it.
        op = host.graphs.op(vertex.graph_id, vertex.op_name)
        is_yielded = op is not None and op.type != ARGUMENT and is_data_in("", op.type)
        begin = joins.window_of(call)[0] if is_yielded else event.event + 1
        low, high = sorted_positions(
            host.traces.bad_events, (begin, joins.window_of(call)[1])
        ).tolist()
        later = joins.own_traces(call, host.traces.bad_events[low : min(high, low + MAX_INSIDE)])
        found = []
        for trace in dict.fromkeys(later.tolist()):
            site = host.traces.site_of(trace)
            op = host.op_of(site)
            if op is not None and joins.is_within(trace, functions) and self._takes_argument(op):
                found.append(Taker(GraphTensor(*site[:3], call), op.type))
        return found[:MAX_YIELDS]

    def _takes_argument(self, op: Op) -> bool:
        """Whether an op takes an argument of its function."""
        graph = self._index.host.graphs.by_id[op.graph_id]
        makers = (graph.ops.get(name.rpartition(":")[0]) for name in op.inputs)
        return any(maker is not None and maker.type == ARGUMENT for maker in makers)

    def _out_of_dataset(self, vertex: GraphTensor) -> list[Taker]:
        """What a dataset yields next that is bad: nothing joins that to what it computes."""
        host = self._index.host
        function = host.graphs.function_of(vertex.graph_id) or host.graphs.name_of(vertex.graph_id)
        if not is_dataset_function(function or ""):
            return []
        yielded = bad_data_after(self._index, self._time)
        return [Taker(ref_vertex) for ref_vertex in yielded if ref_vertex != vertex]


def bad_data_after(index: HostIndex, time: float) -> list[Vertex]:
    """What datasets yielded that is bad, for the first time at or after a time."""
    host = index.host
    found: list[tuple[float, Vertex]] = []
    for kind in EventKind:
        store = host.store_of(kind)
        firsts = store.site_alerts.firsts()
        later = np.flatnonzero(firsts.times >= time)
        order = later[np.argsort(firsts.times[later], kind="stable")][:MAX_YIELDED]
        for event in firsts.events[order].tolist():
            op_type = index.sites.of(kind, store.site_number(event)).op_type or ""
            if kind is EventKind.EXECUTION and is_data(op_type):
                found.append((store.wall_time(event), ExecutionOutput(event, None)))
            elif kind is EventKind.TRACE and is_data_in("", op_type) and op_type != ARGUMENT:
                site = host.traces.site_of(event)
                call = index.joins.execution_of(event)
                found.append((store.wall_time(event), GraphTensor(*site[:3], call)))
    return [vertex for _, vertex in sorted(found, key=lambda pair: pair[0])][:MAX_YIELDS]
