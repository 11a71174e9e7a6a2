"""One run: all hosts that recorded under one run id, behind one small interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.files.growing_file import FileState
from tfdbg_tui.data.files.paths import below
from tfdbg_tui.data.files.tfrecord import BLOCK_SIZE
from tfdbg_tui.data.records.modes import mode_name
from tfdbg_tui.data.stores.alert_log import AlertLog, stores_of
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfdbg_tui.data.files.read_ahead import ReadAhead
    from tfdbg_tui.data.files.tfrecord import RecordFile
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.program_notes import Program


MERGE_RATIO = 4
"""While loading, merge only when unmerged alerts are 4 times the merged ones."""

TENSORFLOW_BUFFER = 1000
"""Events of a kind that TensorFlow's circular buffer keeps, if nothing else is asked for."""


class RunView(NamedTuple):
    """Hosts and alerts that belong together: an alert numbers the hosts."""

    hosts: tuple[Host, ...]
    alerts: AlertLog


class Run:
    """One run of a program; `refresh` is for the feed's thread, everything else for any.

    Which hosts it has and in which order their alerts are is one frozen value, `view`, that is
    published in one assignment. Whoever needs both takes the view once.
    """

    def __init__(self, directory: str, key: str) -> None:
        self.directory = directory
        self.key = key
        """The run id or, while no metadata is on disk, the prefix of the file set."""
        self.view = RunView((), AlertLog())
        self.program: Program | None = None
        """What its program noted beside the recording."""
        self._unfinished: tuple[Host, ...] | None = None
        """The file sets that had something to read when last read; None for all."""
        self._modes: tuple[tuple[tuple[object, int], ...], list[int]] = ((), [])
        """A cache: how many sites each store had, and the modes that occur in them."""

    @property
    def hosts(self) -> tuple[Host, ...]:
        """The file sets of this run, in the order of their names."""
        return self.view.hosts

    @property
    def alerts(self) -> AlertLog:
        """All alerts of this run in time order."""
        return self.view.alerts

    def consist_of(self, hosts: tuple[Host, ...]) -> None:
        """Take these file sets as the run's."""
        self._unfinished = None
        self._refresh_alerts(hosts, loading=True)

    def refresh(self, limit: int = BLOCK_SIZE, ahead: ReadAhead | None = None) -> bool:
        """Look at each file, and read at most `limit` bytes more of it; False when all is read."""
        self._unfinished = None
        return self.read_on(limit, ahead)

    def read_on(self, limit: int = BLOCK_SIZE, ahead: ReadAhead | None = None) -> bool:
        """The same of those file sets only that had something to read when last read."""
        hosts = self.hosts if self._unfinished is None else self._unfinished
        self._unfinished = tuple([host for host in hosts if host.refresh(limit, ahead)])
        progressed = bool(self._unfinished)
        # Who has a thread to read ahead reads all, and puts the alerts in order at the end.
        if ahead is None:
            self._refresh_alerts(self.hosts, loading=progressed)
        return progressed

    @property
    def is_unfinished(self) -> bool:
        """Whether it was not read yet, or had something to read when last read."""
        return self._unfinished is None or bool(self._unfinished)

    @property
    def has_new_id(self) -> bool:
        """Whether one of its file sets has told an id that puts it into another run."""
        return any(self.key != host.run_key for host in self.hosts)

    def settle(self) -> None:
        """Put all alerts that have arrived in order, however many more are to come."""
        self._refresh_alerts(self.hosts, loading=False)

    def _refresh_alerts(self, hosts: tuple[Host, ...], loading: bool) -> None:
        stores = stores_of(hosts)
        alerts = self.alerts
        if not alerts.reads(stores):
            alerts, loading = AlertLog(stores), False
        unseen = alerts.unseen
        if unseen and (not loading or unseen >= MERGE_RATIO * len(alerts)):
            alerts.merge()
        self.view = RunView(hosts, alerts)

    @property
    def run_id(self) -> str | None:
        """The id that the recorder gave this run."""
        return _first_stated(host.metadata.stated.run_id for host in self.hosts)

    @property
    def tensorflow_version(self) -> str | None:
        """The version of the TensorFlow that recorded."""
        return _first_stated(host.metadata.stated.tensorflow_version for host in self.hosts)

    @property
    def file_version(self) -> str | None:
        """The version of the format."""
        return _first_stated(host.metadata.stated.file_version for host in self.hosts)

    @property
    def started(self) -> float | None:
        """When the first host began to record, in seconds since 1970."""
        times = [host.metadata.stated.started for host in self.hosts]
        known = [time for time in times if time is not None]
        return min(known) if known else None

    @property
    def host_names(self) -> tuple[str, ...]:
        """The hosts, each once."""
        return tuple(dict.fromkeys(host.name for host in self.hosts))

    def counts(self) -> dict[str, int]:
        """How many records of each kind are loaded."""
        hosts = self.hosts
        return {
            "source_files": sum(host.sources.records for host in hosts),
            "stack_frames": sum(host.frames.records for host in hosts),
            "graphs": sum(host.graphs.counts.graphs for host in hosts),
            "graph_ops": sum(host.graphs.counts.ops for host in hosts),
            "devices": sum(host.graphs.counts.devices for host in hosts),
            "executions": sum(len(host.executions) for host in hosts),
            "graph_executions": sum(len(host.traces) for host in hosts),
        }

    @property
    def event_files(self) -> list[RecordFile]:
        """The files of events of all its hosts, there or not."""
        return [store.file for host in self.hosts for store in (host.executions, host.traces)]

    @property
    def lacks_events(self) -> bool:
        """Whether events are lost: a file of them is damaged or denied, or was taken away."""
        files = self.event_files
        if any(file.corrupt_records or file.state is FileState.UNREADABLE for file in files):
            return True
        had_events = any(len(host.executions) or len(host.traces) for host in self.hosts)
        return had_events and any(file.state is FileState.ABSENT for file in files)

    @property
    def is_partial(self) -> bool:
        """Whether events are known to be missing: lost, or left out by what the program chose."""
        program = self.program
        if program is not None and program.chose_less:
            return True
        stores = (store for host in self.hosts for store in (host.executions, host.traces))
        is_full = program is None and any(len(store) == TENSORFLOW_BUFFER for store in stores)
        has_ended = program is not None and program.ended is not None
        files = [*self.event_files, *(host.graphs.file for host in self.hosts)]
        is_cut = any(f.corrupt_records or (has_ended and f.cut_bytes) for f in files)
        return is_full or is_cut or self.lacks_events

    def folder_in(self, logdir: str) -> str:
        """Its folder below a logdir; empty where it is the logdir itself."""
        return below(self.directory, logdir)

    def mode_names(self) -> tuple[str, ...]:
        """The names of the tensor debug modes that occur."""
        return tuple(map(mode_name, self.modes()))

    def modes(self) -> list[int]:
        """The tensor debug modes that occur."""
        stores = [store for host in self.hosts for store in (host.executions, host.traces)]
        known = tuple((store, len(store.sites)) for store in stores)
        before, found = self._modes
        if known != before:
            same = [store for store, _ in before] == stores
            starts = [count for _, count in before] if same else [0] * len(known)
            new = (
                site.mode
                for (store, count), start in zip(known, starts, strict=True)
                for site in store.sites[start:count]
            )
            self._modes = (known, sorted({*(found if same else ()), *new}))
        return self._modes[1]


def _first_stated(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value is not None), None)
