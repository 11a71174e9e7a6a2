"""What is watched, as a run tells it: the latest of each tensor, and how it went.

All of it is done by the feed, in slices: the sites that go by a name are looked for, their
computations counted, a few of them read back. What the screen gets is a row of frozen values.
"""

from __future__ import annotations

from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.views.tensor_history import TensorHistory
from tfdbg_tui.data.views.tensor_samples import Sample, TensorSamples
from tfdbg_tui.data.views.watched_names import execution_name, trace_name
from tfdbg_tui.frozen.frozen import Frozen

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.views.tensor_history import HistoryCell
    from tfdbg_tui.data.views.watched_names import WatchedName

TRACE_SITES_AT_ONCE, EXECUTION_SITES_AT_ONCE = 10_000, 200
"""Sites whose names are compared in one go: some milliseconds."""

SLICE_SECONDS = 0.004
"""How long rows are put together in one go."""

CELLS = 32
"""Cells of what became of a tensor so far."""

MAX_SITES = 16
"""Sites that go by one name: a function that is traced anew has its tensors in another graph."""

NOT_HERE = "not in this run"
NOT_ON_HOST = "not on this host"
NOT_COMPUTED = "not computed yet"


class WatchRow(Frozen):
    """One watched tensor."""

    name: WatchedName
    note: str = ""
    """Why there is nothing else."""
    facts: SiteFacts | None = None
    event: EventRef | None = None
    """Its latest computation."""
    step: int | None = None
    bad: Bad = Bad.NONE
    sample: Sample = Sample()
    computations: int = 0
    bad_computations: int = 0
    cells: tuple[HistoryCell, ...] = ()
    means: tuple[float | None, ...] = ()
    """Of each cell, where whole tensors are recorded; None where the cell has no finite number."""
    follows: bool = False
    """Where it is bad: whether it follows from something else."""
    is_muted: bool = False


class _Watched:
    """One name, and what goes by it."""

    def __init__(self, name: WatchedName) -> None:
        self.name = name
        self.sites: dict[int, TensorSamples] = {}
        self.row = WatchRow(name)
        self.state: object = None
        """What the row was made from."""

    @property
    def latest(self) -> TensorSamples | None:
        """Of the sites that go by the name, the one that was computed last."""
        found = [samples for samples in self.sites.values() if samples.history.count]
        return max(found, key=_last_event, default=None)


def _last_event(samples: TensorSamples) -> int:
    return samples.history.event_of(samples.history.count - 1)


class WatchList:
    """A job for the feed; any thread may say what is watched, and ask for the rows."""

    def __init__(self, index: HostIndex, host: int, hosts: int = 1) -> None:
        self.index = index
        self._host = host
        self._absent = NOT_HERE if hosts == 1 else NOT_ON_HOST
        self.names: tuple[WatchedName, ...] = ()
        self.rows: tuple[WatchRow, ...] = ()
        """As of the last time that all was looked at."""
        self._watched: tuple[_Watched, ...] = ()
        self._seen = dict.fromkeys(EventKind, 0)
        """Sites of each kind whose names were compared."""
        self._open: dict[tuple[EventKind, int], None] = {}
        """Sites whose names lack something that is not on disk yet."""
        self._one_at_a_time = Lock()

    def watch(self, names: tuple[WatchedName, ...]) -> None:
        """Watch these from now on; what is known of those that stay is kept."""
        self.names = names
        known = {row.name: row for row in self.rows}
        self.rows = tuple(known.get(name) or WatchRow(name) for name in names)

    # For the feed.

    def extend(self) -> bool:
        """Do a slice of what there is to do; True while there is more."""
        with self._one_at_a_time:
            self._take_names()
            if self._look_for_sites():
                return True
            until = perf_counter() + SLICE_SECONDS
            return self._count_and_read(until) or self._put_together(until)

    def _take_names(self) -> None:
        """Begin with what is watched now, where that is something else."""
        names = self.names
        if names != tuple(one.name for one in self._watched):
            known = {one.name: one for one in self._watched}
            self._watched = tuple(known.get(name) or _Watched(name) for name in names)
            if any(name not in known for name in names):
                self._seen = dict.fromkeys(EventKind, 0)
                self._open = {}

    def _look_for_sites(self) -> bool:
        """Compare the names of some sites; True while there are more."""
        again, self._open = tuple(self._open), {}
        for kind, site in again:
            self._compare(kind, site)
        return self._look_at_traces() | self._look_at_executions()

    def _look_at_traces(self) -> bool:
        sites, start = self.index.host.traces.sites, self._seen[EventKind.TRACE]
        stop = min(len(sites), start + TRACE_SITES_AT_ONCE)
        ops = {one.name.name for one in self._watched if one.name.kind is EventKind.TRACE}
        for number in range(start, stop) if ops else ():
            if sites[number].op_name in ops:
                self._compare(EventKind.TRACE, number)
        self._seen[EventKind.TRACE] = stop
        return stop < len(sites)

    def _look_at_executions(self) -> bool:
        sites, start = self.index.host.executions.sites, self._seen[EventKind.EXECUTION]
        stop = min(len(sites), start + EXECUTION_SITES_AT_ONCE)
        if not any(one.name.kind is EventKind.EXECUTION for one in self._watched):
            stop = len(sites)
        else:
            for number in range(start, stop):
                self._compare(EventKind.EXECUTION, number)
        self._seen[EventKind.EXECUTION] = stop
        return stop < len(sites)

    def _compare(self, kind: EventKind, number: int) -> None:
        """Find out which watched names a site goes by."""
        index = self.index
        store = index.host.store_of(kind)
        if kind is EventKind.TRACE:
            site = index.host.traces.sites[number]
            name = trace_name(index, site.graph_id, site.op_name, site.slot)
            is_open = not name.function
        else:
            name = execution_name(index, number, 0)
            is_open = index.sites.execution(number).line_is_open
        for one in self._watched:
            if one.name != name._replace(slot=one.name.slot) or len(one.sites) >= MAX_SITES:
                continue
            if kind is EventKind.TRACE and one.name.slot != name.slot:
                continue
            if number not in one.sites:
                one.sites[number] = TensorSamples(TensorHistory(store, number, one.name.slot))
        if is_open:
            self._open[kind, number] = None

    def _count_and_read(self, until: float) -> bool:
        """Look for computations, and read those that are wanted; True while there are more."""
        for one in self._watched:
            for samples in one.sites.values():
                while samples.extend():
                    if perf_counter() > until:
                        return True
        return False

    def _put_together(self, until: float) -> bool:
        """Make the rows that say something else than before; True while there are more."""
        is_reading = False
        for one in self._watched:
            latest = one.latest
            known = self.index.host.graphs.counts, len(self.index.steps)
            state = (latest, latest and latest.history.count, known)
            if state == one.state:
                continue
            if latest is None:
                one.row, one.state = WatchRow(one.name, self._why_not(one.name)), state
            else:
                cells = latest.history.parts(CELLS)
                if latest.want([_last_event(latest), *_sampled(cells)]):
                    is_reading = True  # the row is made when all of it is read
                    continue
                one.row, one.state = self._row(one.name, latest, cells), state
                if perf_counter() > until:
                    is_reading = True
                    break
        if not is_reading:
            rows = tuple(one.row for one in self._watched)
            if self.names == tuple(one.name for one in self._watched):
                self.rows = rows
        return is_reading

    def _why_not(self, name: WatchedName) -> str:
        if name.kind is EventKind.TRACE:
            for graph_id, graph in tuple(self.index.host.graphs.by_id.items()):
                is_there = name.name in graph.ops
                if is_there and trace_name(self.index, graph_id, name.name, name.slot) == name:
                    return NOT_COMPUTED
        return self._absent

    def _row(
        self, name: WatchedName, samples: TensorSamples, cells: tuple[HistoryCell, ...]
    ) -> WatchRow:
        history = samples.history
        store, event = history.store, _last_event(samples)
        read = [samples.of(number) or Sample() for number in _sampled(cells)]
        has_values = any(sample.mean is not None for sample in read)
        return WatchRow(
            name,
            facts=self.index.sites.of(name.kind, history.site),
            event=EventRef(self._host, name.kind, event, history.position),
            step=self.index.steps.step_of(store.wall_time(event)),
            bad=history.bad_of(history.count - 1),
            sample=samples.of(event) or Sample(),
            computations=history.count,
            bad_computations=history.bad_count,
            cells=cells,
            means=tuple(sample.mean for sample in read) if has_values else (),
        )


def _sampled(cells: tuple[HistoryCell, ...]) -> list[int]:
    return [cell.sampled_event for cell in cells]
