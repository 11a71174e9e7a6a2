"""Recordings as the screen browses them: opened, indexed, cut into stages, put on several hosts."""

from __future__ import annotations

import shutil
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from tests.support.damage import event, write_files
from tests.support.reading import drain, load
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.views.navigator import Navigator

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.stores.alert_log import Alert
    from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
    from tfdbg_tui.data.stores.run import Run


Found = TypeVar("Found")

TOO_MANY = 5_000
"""Steps that no recording of the tests has."""


class Job(Protocol):
    """What works in slices."""

    def extend(self) -> bool: ...


def finish(*jobs: Job) -> None:
    """Let them work until nothing is left to do."""
    for job in jobs:
        while job.extend():
            pass


def browsing(run: Run) -> Navigator:
    """A navigator that looks at a run, with all indexes made."""
    navigator = Navigator()
    navigator.open_run(run)
    finish(*navigator.jobs(), *navigator.causes.patient_jobs)
    return navigator


@cache
def _loaded(path: Path) -> Logdir:
    """Read once for all tests of a process: nothing that browses changes it."""
    return load(path)


def browsed(path: Path) -> Navigator:
    """A navigator over the newest run of a logdir, as it is when first asked for."""
    return browsing(_loaded(path).runs[-1])


def indexed(path: Path) -> HostIndex:
    """The first host of the newest run of a logdir."""
    index = browsed(path).index
    assert index is not None
    return index


def index_of(navigator: Navigator) -> HostIndex:
    """The host that is looked at, which must be there."""
    assert navigator.index is not None
    return navigator.index


def unrecorded(index: HostIndex, graph_id: str) -> str:
    """An op of a graph that is never traced, with a line of the user."""
    traced = {(site.graph_id, site.op_name) for site in index.host.traces.sites}
    ops = index.host.graphs.by_id[graph_id].ops
    return next(
        name
        for name, op in ops.items()
        if (graph_id, name) not in traced and index.sites.line_of(op.stack)
    )


def alerts_of(navigator: Navigator) -> list[Alert]:
    """All alerts of the run that is looked at, in time order."""
    assert navigator.run is not None
    log = navigator.run.run.alerts
    return [log[rank] for rank in range(len(log))]


def walk(step: Callable[[], bool], look: Callable[[], Found]) -> list[Found]:
    """What is seen at each step until there is none more."""
    found: list[Found] = []
    while step():
        found.append(look())
        assert len(found) < TOO_MANY, "this goes round and round"
    return found


def walk_matches(navigator: Navigator, kind: EventKind, steps: int) -> list[int | None]:
    """The events that are chosen by stepping through matches."""
    return walk(
        lambda: navigator.step_match(kind, steps), lambda: navigator.selection.number_of(kind)
    )


def walk_alerts(navigator: Navigator, steps: int) -> list[EventRef | None]:
    """The tensors that are chosen by stepping through alerts."""
    return walk(lambda: navigator.step_alert(steps), lambda: navigator.selection.event)


class Stages:
    """A copy of a recording whose files come one after the other."""

    def __init__(self, source: Path, target: Path) -> None:
        self._source = source
        self._target = target
        target.mkdir()
        self.logdir = Logdir(target)

    def come(self, *suffixes: str) -> None:
        """Let some files come, and read them."""
        for suffix in suffixes:
            (path,) = self._source.glob(f"*.{suffix}")
            shutil.copy(path, self._target)
        drain(self.logdir)


def add_host(source: Path, target: Path, name: str) -> None:
    """Copy a recording as if another host of the same run had made it."""
    target.mkdir(exist_ok=True)
    for path in source.glob("tfdbg_events.*"):
        seconds, _, suffix = path.name.removeprefix("tfdbg_events.").split(".")
        shutil.copy(path, target / f"tfdbg_events.{seconds}.{name}.{suffix}")


def executions_at(directory: Path, *wall_times: float, metadata: bool = False) -> Path:
    """Eager executions that ended at these times, with what tells when the run began or not."""
    fields: dict[str, Any] = {"op_type": b"Mul", "num_outputs": 1}
    payloads = [event(wall_time=when, execution=fields) for when in wall_times]
    told = [event(wall_time=1000.0, debug_metadata={"tfdbg_run_id": b"run"})] if metadata else []
    return write_files(directory, metadata=told, execution=payloads)
