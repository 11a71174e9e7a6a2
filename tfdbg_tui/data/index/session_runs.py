"""The runs of TF1 sessions as executions, where nothing recorded them: found in their traces.

TensorFlow's own recorder writes no execution for a run of a session. What is found here stands in
the place of the executions, with the same interface, so that joins, steps, rows and searches know
runs as they know calls: a run ends with its last trace, as the record of a call ends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.index.phases import Phase
from tfdbg_tui.data.index.session_graphs import NO_GRAPH, SessionGraphs
from tfdbg_tui.data.index.session_run_finder import (
    INITIAL,
    PLAIN,
    TRAINING,
    FoundRuns,
    SessionRunFinder,
)
from tfdbg_tui.data.stores.columns import distinct
from tfdbg_tui.data.stores.executions import Execution, ExecutionSite, ExecutionStore
from tfdbg_tui.data.stores.tf_names import SESSION_RUN, session_run_for

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.stores.host import Host

    Column = npt.NDArray[Any]

SLICE_ROWS = 100_000
"""Traces looked at in one go: some tens of milliseconds."""

OP_TYPES = {
    PLAIN: SESSION_RUN,
    TRAINING: session_run_for(Phase.TRAIN.value),
    INITIAL: session_run_for(Phase.INIT.value),
}
"""As our recorder would have written them."""


class SessionRuns(ExecutionStore):
    """The runs of all sessions of a host, in the order in which they ended.

    `extend_runs` is for the feed's thread, all else for any. Runs are only ever added, but the
    last few, which are not `settled`, are found anew with each slice: they grow, and it may turn
    out that they train. Each number of theirs is written at once.
    """

    def __init__(self, host: Host) -> None:
        super().__init__(host.executions.file)
        self._host = host
        self._traces = host.traces
        self._graphs = SessionGraphs(host)
        self._finders: list[SessionRunFinder] = []
        self._run_sites: list[list[int]] = []
        """The sites of the runs of each graph, by what they are for."""
        self._scanned = 0
        self._last_graph = NO_GRAPH
        self._waiting = _no_runs()
        """Runs that are certain, and end behind one of another graph that is not."""
        self._settled = 0

    # What readers ask beyond the numbers of a store.

    @property
    def settled(self) -> int:
        """How many runs will not change any more."""
        return self._settled

    @property
    def is_recorded(self) -> bool:
        """There are no records of these."""
        return False

    def event(self, index: int) -> Any | None:
        """There is no record of a run."""
        return None

    def events_between(self, first: int, end: int) -> list[Any | None]:
        """None, for the same reason."""
        return [None] * (end - first)

    def record_size(self, event: int) -> int:
        """Nothing is on disk."""
        return 0

    def read(self, index: int) -> Execution | None:
        """A run, which puts nothing out."""
        return Execution(index, self.wall_time(index), self.site_of(index), (), (), ())

    # Looking for runs.

    def extend_runs(self) -> bool:
        """Look at a slice of new traces; True while there is more."""
        start, end = self._scanned, min(self._scanned + SLICE_ROWS, len(self._traces))
        if end == start:
            return False
        columns = self._traces.events.columns
        sites = columns["site"][start:end]
        times = np.nan_to_num(columns["wall_time"][start:end], nan=0.0, posinf=0.0, neginf=0.0)
        self._graphs.refresh()
        self._know_graphs()
        roles = self._graphs.roles
        found = [self._waiting]
        graphs = roles.graph[sites]
        is_switch = self._switches(np.where(roles.counts[sites], graphs, NO_GRAPH))
        for number in distinct(graphs[graphs != NO_GRAPH]).tolist():
            own = graphs == number
            runs = self._finders[number].extend(
                sites[own], times[own], is_switch[own], roles, self._graphs.edges(number)
            )
            found.append(_numbered(runs, number))
        self._scanned = end
        self._settle(np.concatenate(found, axis=1))
        return end < len(self._traces)

    def _switches(self, graphs: Column) -> Column:
        """Which traces that count come behind one of another graph."""
        counting = np.flatnonzero(graphs != NO_GRAPH)
        is_switch = np.zeros(len(graphs), np.bool_)
        if len(counting):
            own = graphs[counting]
            is_switch[counting] = own != np.append(self._last_graph, own[:-1])
            self._last_graph = int(own[-1])
        return is_switch

    def _know_graphs(self) -> None:
        """Make sites for the runs of each graph."""
        mode, host = self._traces.sites[0].mode, self._host.name
        for graph_id in self._graphs.ids[len(self._finders) :]:
            kinds = (OP_TYPES[purpose] for purpose in range(len(OP_TYPES)))
            sites = [ExecutionSite(kind, 0, graph_id, mode, host, (), (), 0) for kind in kinds]
            self._run_sites.append([self.register_site(site, tensors=0) for site in sites])
            self._finders.append(SessionRunFinder())

    def _settle(self, certain: Column) -> None:
        """Publish what was found: what is certain for good, the rest as it stands."""
        parts = [certain]
        for number, finder in enumerate(self._finders):
            # Sessions run one after the other: if another has run since, this run is over.
            if (certain[BEGIN] > finder.last_time).any():
                parts.append(_numbered(finder.finish(), number))
        certain = _in_order(np.concatenate(parts, axis=1))
        open_runs = [_numbered(f.open_runs, number) for number, f in enumerate(self._finders)]
        pending = _in_order(np.concatenate([_no_runs(), *open_runs], axis=1))
        if self._settled + certain.shape[1] + pending.shape[1] < len(self):
            self._waiting = certain  # readers have seen more runs: they must not lose any
            return
        first_end = pending[END, 0] if pending.shape[1] else np.inf
        is_settled = certain[END] <= first_end
        self._waiting = certain[:, ~is_settled]
        others = _in_order(np.concatenate((self._waiting, pending), axis=1))
        self._publish_runs(certain[:, is_settled], others)

    def _publish_runs(self, settled: Column, others: Column) -> None:
        runs = np.concatenate((settled, others), axis=1)
        count = runs.shape[1]
        sites = np.array(self._run_sites, np.int32).reshape(-1, len(OP_TYPES))
        self.events.rewrite(
            self._settled,
            offset=np.zeros(count, np.int64),
            wall_time=runs[END],
            site=sites[tuple(runs[[GRAPH, PURPOSE]].astype(np.int64))],
            bad=np.zeros(count, np.uint8),
            first_output_id=np.full(count, -1),
        )
        self._settled += settled.shape[1]


BEGIN, END, PURPOSE, GRAPH = range(4)
"""The lines of a table of runs; each of its columns is a run."""


def _numbered(runs: FoundRuns, graph: int) -> Column:
    """Runs with the number of their graph."""
    return np.array([*runs, np.full(len(runs.ends), graph)], np.float64)


def _no_runs() -> Column:
    return np.empty((4, 0))


def _in_order(runs: Column) -> Column:
    """Runs in the order in which they ended."""
    ordered: Column = runs[:, np.argsort(runs[END], kind="stable")]
    return ordered
