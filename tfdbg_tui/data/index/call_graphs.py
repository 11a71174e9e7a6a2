"""Which graphs a call of a function runs.

Its own graph and all inside it. A graph says only inside which one it was traced first, though:
a function that two others call, or that is called by itself as well, has one graph and so many
callers. The call of such a function is not recorded as an op either; all that is left of it is
that other ops name it as their input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.stores.graphs import MAX_NESTING
from tfdbg_tui.data.stores.tf_names import (
    gradient_name,
    is_call_op,
    is_dataset_function,
    is_session_run,
    read_call,
    untraced_name,
)
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from tfdbg_tui.data.index.site_facts import SiteIndex
    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.graph import Graph
    from tfdbg_tui.data.stores.graphs import GraphCounts, Graphs
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.traces import TraceStore

BRANCHES_OF = {"While": 2, "StatelessWhile": 2, "If": 2, "StatelessIf": 2}
"""Graphs that ops of these types run; they are traced inside the graph of the op."""

MAX_INNER_GRAPHS = 10_000
"""Graphs inside a function that are looked at; more are a loop in damaged data."""

MAX_KEPT = 256
"""Sites of calls of which it is kept what they run."""


class _Call(NamedTuple):
    """What an execution says about the graph of the function it calls."""

    graph_id: str
    graph_name: str
    """Identifies the graph where the recorder did not know its id."""
    is_session_run: bool = False

    def is_of(self, graph: Graph) -> bool:
        """Whether this calls a graph."""
        if self.graph_id:
            return graph.id == self.graph_id
        return bool(self.graph_name) and graph.name == self.graph_name


class RunSites:
    """The sites of traces that a call runs, each judged when it is met."""

    def __init__(self, view: _View, call_site: int, traces: TraceStore) -> None:
        self._view = view
        self._call_site = call_site
        self._traces = traces
        self._is_run = np.empty(0, np.int8)
        """1 for a site that is run, 0 for one that is not, -1 while it was not met."""

    def which(self, sites: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """For each of some sites, whether it is run."""
        is_run, count = self._is_run, len(self._traces.sites)
        if len(is_run) < count:
            is_run = np.append(is_run, np.full(count - len(is_run), -1, np.int8))
        found = is_run[sites]
        new = sites[found < 0]
        if len(new):
            for site in np.flatnonzero(np.bincount(new)).tolist():
                graph_id = self._traces.sites[site].graph_id
                is_run[site] = self._view.runs(self._call_site, graph_id)
            found = is_run[sites]
        self._is_run = is_run
        run: npt.NDArray[np.bool_] = found == 1
        return run


class CallGraphs:
    """Which sites of executions are calls, and what they run; any thread may ask."""

    def __init__(self, host: Host, site_index: SiteIndex) -> None:
        self._graphs = host.graphs
        self._executions = host.executions
        self._site_index = site_index
        self._calls: dict[int, _Call | None] = {}
        """By site; what a site says of itself never changes."""
        self._view = self._new_view()

    def is_call(self, site: int) -> bool:
        """Whether a site of the execution store is a call of a function."""
        return self._current().call(site) is not None

    def runs(self, site: int, graph_id: str) -> bool:
        """Whether a site is a call that runs a graph, as far as is on disk."""
        return self._current().runs(site, graph_id)

    def what_runs(self, site: int, traces: TraceStore) -> RunSites:
        """Which sites of traces a call runs, as far as is on disk."""
        return self._current().what_runs(site, traces)

    def graphs_of(self, site: int) -> tuple[str, ...]:
        """The graphs a site may call: several if only a name is known."""
        view = self._current()
        call = view.call(site)
        if call is None:
            return ()
        return (call.graph_id,) if call.graph_id else tuple(g.id for g in view.called(call))

    def enclosing_graphs(self, graph_id: str) -> tuple[str, ...]:
        """A graph and those it was traced in, innermost first, as far as is on disk."""
        return tuple(graph.id for graph in self._current().chain(graph_id))

    def gradients_of(self, graph: Graph) -> tuple[Graph, ...]:
        """The graphs of the gradients of a function: one for each time it was traced."""
        return tuple(self._current().by_function().get(gradient_name(graph.name or ""), ()))

    def _current(self) -> _View:
        view = self._view
        if view.version != (self._graphs.counts, len(self._executions.sites)):
            view = self._view = self._new_view()
        return view

    def _new_view(self) -> _View:
        version = (self._graphs.counts, len(self._executions.sites))
        return _View(version, self._graphs, self._executions, self._site_index, self._calls)


class _View:
    """Answers for one state of the stores, each worked out once; replaced when more is read."""

    def __init__(
        self,
        version: tuple[GraphCounts, int],
        graphs: Graphs,
        executions: ExecutionStore,
        site_index: SiteIndex,
        calls: dict[int, _Call | None],
    ) -> None:
        self.version = version
        """How much had been read: of graphs, and of the sites of executions."""
        self._graphs = graphs
        self._executions = executions
        self._site_index = site_index
        self._calls = calls
        self._chains: dict[str, tuple[Graph, ...]] = {}
        self._verdicts: dict[tuple[int, str], bool] = {}
        self._run_sites: dict[int, RunSites] = {}
        self._by_function: dict[str, list[Graph]] | None = None
        self._all_calls: frozenset[_Call] | None = None

    def call(self, site: int) -> _Call | None:
        """What a site calls; None for an eager op."""
        if site not in self._calls:
            self._calls[site] = self._learn(site)
        return self._calls[site]

    def _learn(self, number: int) -> _Call | None:
        site = self._executions.sites[number]
        named = read_call(site.op_type)
        if named is None and not site.graph_id:
            return None  # like most sites: the site_index would look for its line
        if not self._site_index.execution(number).is_call:
            return None
        return _Call(site.graph_id, named.graph if named else "", is_session_run(site.op_type))

    def chain(self, graph_id: str) -> tuple[Graph, ...]:
        """A graph and those around it, innermost first, without the unnamed default graph."""
        known = self._chains.get(graph_id)
        if known is None:
            known = self._chains[graph_id] = tuple(self._climb(graph_id))
        return known

    def _climb(self, graph_id: str) -> Iterator[Graph]:
        for _ in range(MAX_NESTING):
            graph = self._graphs.by_id.get(graph_id)
            if graph is None or not graph_id:
                return
            described = graph.description
            if described is None or described.name:
                yield graph
            graph_id = "" if described is None else described.outer_id

    def runs(self, site: int, graph_id: str) -> bool:
        """Whether a call runs a graph."""
        question = (site, graph_id)
        known = self._verdicts.get(question)
        if known is None:
            known = self._verdicts[question] = self._judge(site, graph_id)
        return known

    def what_runs(self, site: int, traces: TraceStore) -> RunSites:
        """Which sites of traces a call runs."""
        known = self._run_sites.get(site)
        if known is None:
            if len(self._run_sites) >= MAX_KEPT:
                self._run_sites.clear()
            known = self._run_sites[site] = RunSites(self, site, traces)
        return known

    def _judge(self, site: int, graph_id: str) -> bool:
        call = self.call(site)
        if call is None:
            return False
        if call.is_session_run:
            return self._session_runs(call, graph_id)
        # The graph itself may not be on disk yet.
        if call.graph_id == graph_id or any(map(call.is_of, self.chain(graph_id))):
            return True
        # Only a function that is known to be called may be shared: `tf.data` runs its own in
        # other threads at the same time.
        called = self.called(call)
        may_run = self._is_called(graph_id) or self._is_of_retraced(graph_id, called)
        return may_run and any(map(self._calls_others, called))

    def _is_of_retraced(self, graph_id: str, called: list[Graph]) -> bool:
        """Whether a graph was made when a function was traced before, and never called as it was.

        A function that makes variables is traced twice, and only the second graph is run; what it
        calls belongs to the first one for good.
        """
        names = {graph.name for graph in called}
        return any(graph.name in names for graph in self.chain(graph_id))

    def _session_runs(self, call: _Call, graph_id: str) -> bool:
        """Whether a run of a session runs a graph: its own, which has no name, or one inside it.

        But not what `tf.data` runs by itself.
        """
        chain = self.chain(graph_id)
        outermost = chain[-1].outer_id if chain else graph_id
        runs_by_itself = any(is_dataset_function(graph.name or "") for graph in chain)
        return outermost == call.graph_id and not runs_by_itself

    def called(self, call: _Call) -> list[Graph]:
        """The graphs a call may be of."""
        if call.graph_id:
            graph = self._graphs.by_id.get(call.graph_id)
            return [] if graph is None else [graph]
        named = self.by_function().get(untraced_name(call.graph_name), ())
        return [graph for graph in named if graph.name == call.graph_name]

    def by_function(self) -> dict[str, list[Graph]]:
        """All graphs by name, those of gradients without the number behind it."""
        if self._by_function is None:
            by_function: dict[str, list[Graph]] = {}
            for graph in tuple(self._graphs.by_id.values()):
                by_function.setdefault(untraced_name(graph.name or ""), []).append(graph)
            self._by_function = by_function
        return self._by_function

    def _is_called(self, graph_id: str) -> bool:
        if self._all_calls is None:
            calls = map(self.call, range(len(self._executions.sites)))
            self._all_calls = frozenset(call for call in calls if call is not None)
        chain = self.chain(graph_id)
        return any(call.is_of(graph) for call in self._all_calls for graph in chain)

    def _calls_others(self, function: Graph) -> bool:
        """Whether a function calls more functions than were traced inside it."""
        calls = traced = 0
        for graph in self._inside(function):
            ops = tuple(graph.ops.values())
            inputs = {name.rpartition(":")[0] for op in ops for name in op.inputs}
            calls += sum(name not in graph.ops and is_call_op(name) for name in inputs)
            traced += len(graph.inner_ids) - sum(BRANCHES_OF.get(op.type, 0) for op in ops)
        return calls > traced

    def _inside(self, function: Graph) -> Iterator[Graph]:
        pending = [function]
        for _ in range(MAX_INNER_GRAPHS):
            if not pending:
                return
            graph = pending.pop()
            yield graph
            inner = (self._graphs.by_id.get(graph_id) for graph_id in tuple(graph.inner_ids))
            pending += [graph for graph in inner if graph is not None]
