"""Joins that nothing records: which call a trace belongs to, and what stood beside it there.

A recorder writes the top-level executions of one thread, each at its end. So whatever a graph
computes for them lies between the end of the execution before and the end of its own call: the
first execution at or after a trace, if it is a call that runs the trace's graph, is the one it
belongs to. A run of a TF1 session is like a call. If it is anything else, the trace comes from
another thread (`tf.data`, the user's own), and belongs to no call.

Everything is found by bisection and small windows: these are asked at every key press, over
millions of rows. Any thread may ask. What is not on disk yet is None today and known tomorrow, so
only what is known is kept.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.index.call_arguments import CallArguments
from tfdbg_tui.data.index.call_graphs import CallGraphs
from tfdbg_tui.data.index.eager_flow import (
    EagerFlow,
    outputs_for_gradient,
    returned_op,
)
from tfdbg_tui.data.index.nearby_rows import (
    FIRST_LOOK,
    between_neighbours,
    first_at_or_after,
    first_of,
    last_of,
    nearest,
    rows_between,
    same_iteration,
)
from tfdbg_tui.data.stores.tf_names import is_forward_call, is_gradient_graph
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from tfdbg_tui.data.index.site_facts import SiteIndex
    from tfdbg_tui.data.stores.graph import Graph
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.traces import TraceStore

    Column = npt.NDArray[Any]
    Span = tuple[int, int]
    """A half-open range of rows."""

COUNTED_ROWS = 1 << 16
"""Rows of an invocation within which loop iterations are counted; beyond, neighbours decide."""

CHUNK = 1 << 16
"""Rows of a call that are looked at together."""

SLICE_SITES = 5_000
"""Sites that are met in one go, a few milliseconds."""

KEPT_WINDOWS = 1 << 12
"""Calls whose windows are kept."""

FARTHEST = 2_000_000
"""Rows before and behind a trace within which its companions in a very long call are sought."""

FARTHEST_ALONE = 200_000
"""The same for a trace that belongs to no call."""


class _Windows(NamedTuple):
    """The windows of calls that were asked for, as long as nothing is added to the stores."""

    state: tuple[object, ...]
    """How much there is in them."""
    by_execution: dict[int, Span]


class Joins:
    """Joins between the traces and the executions that a host has now.

    They keep to these stores: a file that is replaced needs new joins.
    """

    def __init__(self, host: Host, site_index: SiteIndex) -> None:
        self._graphs = host.graphs
        self._executions = host.executions
        self._traces = host.traces
        self._calls = CallGraphs(host, site_index)
        self._sites_by_tensor = _SitesByTensor(host.traces)
        self._flow = EagerFlow(host.executions)
        self._arguments = CallArguments(host.executions, self._flow)
        self._windows = _Windows((), {})

    def extend(self) -> bool:
        """Index a slice of the new sites, so that no key waits for it; True while there is more."""
        return self._sites_by_tensor.extend()

    # ------------------------------------------------------------------ traces and calls

    def execution_of(self, trace: int) -> int | None:
        """The call a trace belongs to; None where there is none or it has not ended on disk."""
        traces, executions = self._traces, self._executions
        if not 0 <= trace < len(traces):
            return None
        execution = first_at_or_after(executions.wall_times, traces.wall_time(trace))
        if execution is None:
            return None
        call = executions.site_number(execution)
        return execution if self._calls.runs(call, traces.site_of(trace).graph_id) else None

    def ends_after(self, traces: Column) -> Column:
        """For each of some traces the first execution at or after it; one past all is none yet."""
        return np.searchsorted(self._executions.wall_times, self._traces.wall_times[traces])

    def runs(self, call_site: int, graph_id: str) -> bool:
        """Whether executions of a site are calls that run a graph, as far as is on disk."""
        return self._calls.runs(call_site, graph_id)

    def window_of(self, execution: int) -> Span:
        """The rows of traces between which all of a call lie; empty for what is no call."""
        executions = self._executions
        ends = executions.wall_times
        # Runs of sessions that are not settled may change though their number stays.
        state = (len(executions), executions.settled, len(self._traces), self._graphs.counts)
        if not 0 <= execution < len(ends):
            return 0, 0
        windows = self._windows
        if windows.state != state or len(windows.by_execution) >= KEPT_WINDOWS:
            windows = self._windows = _Windows(state, {})
        known = windows.by_execution.get(execution)
        if known is None:
            known = windows.by_execution[execution] = self._window_of(execution, ends)
        return known

    def _window_of(self, execution: int, ends: Column) -> Span:
        before = float(ends[execution - 1]) if execution else -np.inf
        first, end = rows_between(self._traces.wall_times, before, float(ends[execution]))
        is_call = self._calls.is_call(self._executions.site_number(execution))
        return (first, end) if is_call else (end, end)

    def traces_of(self, execution: int, limit: int = 10_000) -> npt.NDArray[np.int64]:
        """The traces of a call in file order, the first `limit` of them."""
        first, end = self.window_of(execution)
        found: list[npt.NDArray[np.int64]] = []
        missing, length = limit, FIRST_LOOK
        while first < end and missing > 0:
            chunk = self._own_rows(execution, first, min(first + length, end))[:missing]
            found.append(chunk)
            missing -= len(chunk)
            first += length
            length = min(2 * length, CHUNK)
        return np.concatenate(found) if found else np.empty(0, np.int64)

    def is_within(self, trace: int, graphs: frozenset[str]) -> bool:
        """Whether one of some graphs, or one inside them, computed a trace."""
        enclosing = self.enclosing_graphs(self._traces.site_of(trace).graph_id)
        return not graphs.isdisjoint(enclosing)

    def enclosing_graphs(self, graph_id: str) -> tuple[str, ...]:
        """A graph and those it was traced in, innermost first, as far as is on disk."""
        return self._calls.enclosing_graphs(graph_id)

    def executed_as(self, graph_id: str, execution: int | None) -> str:
        """The graph that a call runs in place of one of the same function that was never run."""
        called = None if execution is None else self.graph_of(execution)
        graphs = self._graphs.by_id
        one, other = graphs.get(graph_id), graphs.get(called or "")
        return graph_id if other is None or one is None or one.name != other.name else other.id

    def own_traces(self, execution: int, traces: Column) -> Column:
        """Those of some traces that belong to a call."""
        return traces[self._are_own(execution, traces)] if len(traces) else traces

    def _own_rows(self, execution: int, first: int, end: int) -> npt.NDArray[np.int64]:
        return first + np.flatnonzero(self._are_own(execution, slice(first, end)))

    def _are_own(self, execution: int, rows: slice | Column) -> npt.NDArray[np.bool_]:
        """For each of some traces, whether it belongs to a call."""
        ends = self._executions.wall_times
        call = self._executions.site_number(execution)
        sites = self._traces.site_numbers[rows]
        times = self._traces.wall_times[rows]
        runs = self._calls.what_runs(call, self._traces)
        own: npt.NDArray[np.bool_] = runs.which(sites) & (times <= ends[execution])
        if execution:
            own &= times > ends[execution - 1]
        return own

    # ------------------------------------------------------------------ sites of traces

    def sites_of(self, graph_id: str, op_name: str, slot: int) -> tuple[int, ...]:
        """The sites of a tensor of a graph: one for each device and mode it was traced in."""
        return self._sites_by_tensor.of(graph_id, op_name, slot)

    def event_in_same_call(self, trace: int, site: int, later: bool = False) -> int | None:
        """The event of another site in the same invocation as a trace.

        For an input that is the last one up to the trace, for a consumer (`later`) the first one
        behind it; the other way round where there is none, as parallel ops finish in any order.
        Within a loop it is the same iteration.
        """
        traces = self._traces
        if not (0 <= trace < len(traces) and 0 <= site < len(traces.sites)):
            return None
        sites = traces.site_numbers
        first, end = self._invocation(trace, len(sites))
        if traces.site_of(trace).graph_id == traces.sites[site].graph_id:
            if end - first <= COUNTED_ROWS:
                companion = same_iteration(sites[first:end], trace - first, site)
                if companion is not None:
                    return first + companion
            first, end = between_neighbours(sites, trace, first, end)
        before = last_of(sites, site, first, trace + 1)
        if before is not None and not later:
            return before
        after = first_of(sites, site, trace + 1, end)
        return before if after is None else after

    def _invocation(self, trace: int, rows: int) -> Span:
        """Rows enclosing a trace that hold all of its invocation, the trace among them.

        Those of its call; of all since the last execution if its call has not ended on disk; else
        those up to the neighbours of the same site.
        """
        times = self._traces.wall_times
        ends = self._executions.wall_times
        execution = self.execution_of(trace)
        first, end = 0, 0
        if execution is not None:
            first, end = self.window_of(execution)
        elif len(ends) and times[trace] > ends[-1]:
            first, end = rows_between(times, float(ends[-1]), np.inf)
        if first <= trace < end:
            return max(first, trace - FARTHEST), min(end, trace + FARTHEST, rows)
        sites = self._traces.site_numbers[:rows]
        return between_neighbours(sites, trace, trace - FARTHEST_ALONE, trace + FARTHEST_ALONE)

    def nearest(self, site: int, row: int) -> int | None:
        """The last occurrence of a site up to a row, else the first behind it."""
        return nearest(self._traces.site_numbers, site, row)

    def nearest_execution(self, site: int, row: int) -> int | None:
        """The same among executions."""
        return nearest(self._executions.site_numbers, site, row)

    # ------------------------------------------------------------------ tensors between calls

    def producer_of(self, tensor_id: int, before: int) -> tuple[int, int] | None:
        """The execution before another that put out an eager tensor, and the output slot."""
        return self._flow.producer_of(tensor_id, before)

    def consumers_of(self, tensor_id: int, after: int, limit: int) -> list[tuple[int, int]]:
        """The next executions that take an eager tensor, each with the number of the input."""
        return self._flow.consumers_of(tensor_id, after, limit)

    def users_before(self, tensor_id: int, before: int) -> Iterator[int]:
        """The executions that took an eager tensor, the last one before another first."""
        return self._flow.users_before(tensor_id, before)

    def inputs_of(self, execution: int) -> tuple[int, ...]:
        """The ids of the eager tensors that an execution takes."""
        return self._flow.inputs_of(execution)

    def outputs_of(self, execution: int) -> tuple[int, ...]:
        """The ids of the eager tensors that an execution puts out."""
        return self._flow.outputs_of(execution)

    def placeholder_source(
        self, graph_id: str, op_name: str, execution: int
    ) -> tuple[int, int] | None:
        """The execution and output slot whose tensor a call was given as one of its arguments."""
        called = self.graph_of(execution)
        graph = self._graphs.by_id.get(called or "")
        argument: str | None = op_name
        if graph is not None and called != graph_id:
            argument = self._arguments.handed_in(graph, self._graphs.by_id.get(graph_id), op_name)
        if graph is None or argument is None:
            return None
        given = self._arguments.given_for(graph, argument, execution)
        return None if given is None else self.producer_of(given, execution)

    def argument_of(self, execution: int, number: int) -> tuple[str, str] | None:
        """The graph that a call runs, and its argument that an input becomes."""
        graph_id = self.graph_of(execution)
        graph = None if graph_id is None else self._graphs.by_id.get(graph_id)
        if graph is None:
            return None
        name = self._arguments.becomes(graph, number, execution)
        return None if name is None else (graph.id, name)

    def output_source(self, execution: int, slot: int) -> tuple[str, str, int] | None:
        """The graph, op and slot of the tensor that a call put out."""
        graph_id = self.graph_of(execution)
        graph = None if graph_id is None else self._graphs.by_id.get(graph_id)
        returned = None if graph is None else self._returned(execution, graph)
        if graph is None or returned is None:
            return None
        op_name = returned_op(graph, slot, returned)
        return None if op_name is None else (graph.id, op_name, 0)

    def _returned(self, execution: int, graph: Graph) -> int | None:
        """How many of the outputs of a call the function returns; the others are for gradients."""
        site = self._executions.site_of(execution)
        if is_gradient_graph(graph.name or ""):
            return None  # a backward graph does not mark what it returns
        if not is_forward_call(site.op_type):
            return site.num_outputs
        kept = {outputs_for_gradient(other) for other in self._calls.gradients_of(graph)}
        return site.num_outputs - kept.pop() if len(kept) == 1 else None

    def graph_of(self, execution: int) -> str | None:
        """The graph a call runs; None for eager ops and where it cannot be told."""
        executions = self._executions
        if not 0 <= execution < len(executions):
            return None
        candidates = self._calls.graphs_of(executions.site_number(execution))
        if len(candidates) > 1:
            # One function traced for several shapes: what was computed tells which.
            traced = self.traces_of(execution, limit=1).tolist()
            enclosing = (
                self._calls.enclosing_graphs(self._traces.site_of(t).graph_id) for t in traced
            )
            candidates = tuple(set(candidates).intersection(*enclosing)) if traced else ()
        return candidates[0] if len(candidates) == 1 else None


class _SitesByTensor:
    """Sites by the tensor they trace; extended as sites are met."""

    def __init__(self, store: TraceStore) -> None:
        self._store = store
        self._by_tensor: dict[tuple[str, str, int], tuple[int, ...]] = {}
        self._known = 0
        self._lock = threading.Lock()

    def of(self, graph_id: str, op_name: str, slot: int) -> tuple[int, ...]:
        """The sites of one tensor."""
        self.extend(len(self._store.sites))
        return self._by_tensor.get((graph_id, op_name, slot), ())

    def extend(self, most: int = SLICE_SITES) -> bool:
        """Meet some more sites; True while there are more."""
        if self._known < len(self._store.sites):
            with self._lock:
                self._extend(most)
        return self._known < len(self._store.sites)

    def _extend(self, most: int) -> None:
        for number in range(self._known, min(self._known + most, len(self._store.sites))):
            tensor = self._store.sites[number][:3]
            self._by_tensor[tensor] = (*self._by_tensor.get(tensor, ()), number)
            self._known = number + 1
