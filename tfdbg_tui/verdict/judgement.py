"""Works the verdict on a logdir out of what is loaded of it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from tfdbg_tui.data.files.growing_file import FileState
from tfdbg_tui.data.records.health import Bad, Health
from tfdbg_tui.data.records.modes import tells_bad
from tfdbg_tui.data.stores.tf_names import is_data
from tfdbg_tui.data.stores.traces import TraceStore
from tfdbg_tui.verdict.verdict import BadTensor, Conclusion, Counts, Damage, RunVerdict, Verdict

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.alert_log import Alert
    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.data.stores.run import Run, RunView
    from tfdbg_tui.verdict.ending import Ending


def verdict_on(logdir: Logdir, runs: tuple[Run, ...]) -> Verdict:
    """The verdict on some runs of a logdir."""
    growing = _still_growing([run for run in runs if is_unfinished(run) and not run.alerts])
    verdicts = (verdict_on_run(run, may_grow=run in growing) for run in runs)
    return Verdict(str(logdir.path), tuple(verdicts))


def _still_growing(runs: list[Run]) -> list[Run]:
    if not runs:
        return []
    # Most runs are whole, and `check` starts sooner without.
    from tfdbg_tui.data.live.growth import still_growing

    return still_growing(runs)


def verdict_on_run(run: Run, may_grow: bool = True) -> RunVerdict:
    """The verdict on one run; `may_grow` tells whether its program may still write to it."""
    view = run.view
    first = view.alerts.first()
    counts, modes = Counts(**run.counts()), tuple(run.mode_names())
    can_tell = bool(counts.events) and any(map(tells_bad, run.modes()))
    return RunVerdict(
        conclusion=Conclusion.BAD
        if first is not None
        else _without_alerts(run, can_tell, may_grow),
        run_id=run.run_id,
        directory=str(run.directory),
        tensorflow_version=run.tensorflow_version,
        file_version=run.file_version,
        started=_finite(run.started),
        hosts=tuple(run.host_names),
        counts=counts,
        modes=modes,
        alerts=len(view.alerts),
        first_bad=None if first is None else bad_tensor(view, first),
        damage=_damage(run),
        can_tell=can_tell,
        ending=_ending(run),
    )


def first_bad_of(run: Run) -> BadTensor | None:
    """The first bad tensor of a run; costs the same however long the run is."""
    view = run.view
    first = view.alerts.first()
    return None if first is None else bad_tensor(view, first)


def _ending(run: Run) -> Ending | None:
    if run.program is None:
        return None
    # Most runs have no notes, and `check` starts sooner without.
    from tfdbg_tui.verdict.ending import ending_of

    return ending_of(run.program, run.hosts)


def _without_alerts(run: Run, can_tell: bool, may_grow: bool) -> Conclusion:
    """What to conclude where no bad tensor was found."""
    if lost_events(run) or (is_unfinished(run) and not may_grow):
        return Conclusion.INCOMPLETE
    if run.program is not None and run.program.failed:
        return Conclusion.FAILED
    return Conclusion.CLEAN if can_tell else Conclusion.NOT_JUDGED


def lost_events(run: Run) -> bool:
    """Whether numbers are missing whatever its program does: of events, or of large tensors."""
    return run.lacks_events or bool(_unjudged_tensors(run))


def is_unfinished(run: Run) -> bool:
    """Whether something is half written: normal while its program runs, and lost when it is gone.

    A program that ends by itself leaves whole records in all of its files. One that keeps its
    events in a buffer leaves empty files of them: there is nothing to be lost on disk.
    """
    files, event_files = [f for host in run.hosts for f in host.files()], run.event_files
    if any(file.state is FileState.ABSENT for file in event_files):
        return True
    if any(file.size for file in event_files):
        return any(file.cut_bytes for file in files)
    is_without_records = run.run_id is None and not any(run.counts().values())
    return is_without_records and any(file.size for file in files)


def _unjudged_tensors(run: Run) -> int:
    stores = [store for host in run.hosts for store in (host.executions, host.traces)]
    return sum(store.unjudged_tensors for store in stores)


def bad_tensor(view: RunView, alert: Alert) -> BadTensor:
    """Everything there is to say about one bad tensor."""
    host, store = view.hosts[alert.host], view.alerts.store_of(alert)
    if isinstance(store, TraceStore):
        return _bad_trace(host, store, alert)
    return _bad_execution(host, cast("ExecutionStore", store), alert)


def _bad_trace(host: Host, traces: TraceStore, alert: Alert) -> BadTensor:
    site = traces.site_of(alert.event)
    op = host.op_of(site)
    location = host.location_of(host.graphs.stack_of(op)) if op else None
    is_of_forward = op is not None and host.graphs.forward_of(op) is not None
    return BadTensor(
        host=host.name,
        wall_time=_finite(alert.wall_time),
        source="graph_execution",
        event=alert.event,
        op_type=op.type if op else None,
        tensor=site.tensor_name,
        slot=site.slot,
        graph=host.graphs.name_of(site.graph_id) or None,
        function=host.graphs.function_of(site.graph_id),
        device=site.device or None,
        health=traces.health(alert.event) or Health(bad=Bad(alert.bad)),
        location=location,
        via="gradient_of" if location is not None and is_of_forward else None,
        came_with_data=op is not None and host.graphs.came_with_data(op),
    )


def _bad_execution(host: Host, executions: ExecutionStore, alert: Alert) -> BadTensor:
    site = executions.site_of(alert.event)
    slot = site.slot_of(alert.position)
    device = None
    if slot is not None and slot < len(site.device_ids):
        device = host.graphs.devices.get(site.device_ids[slot])
    return BadTensor(
        host=host.name,
        wall_time=_finite(alert.wall_time),
        source="execution",
        event=alert.event,
        op_type=site.op_type,
        tensor=site.tensor_name(alert.position),
        slot=slot,
        graph=None,
        function=None,
        device=device,
        health=executions.health(alert.event, alert.position) or Health(bad=Bad(alert.bad)),
        location=host.location_of(site.stack),
        came_with_data=is_data(site.op_type),
    )


def _damage(run: Run) -> Damage:
    parts = [host.damage() for host in run.hosts]
    return Damage(
        corrupt_records=sum(part.corrupt_records for part in parts),
        cut_bytes=sum(part.cut_bytes for part in parts),
        missing_files=tuple(
            name
            for part in parts
            for name in (*part.missing_files, *(name for name, _ in part.unreadable_files))
        ),
        open_references=sum(part.open_references for part in parts),
        unjudged_tensors=_unjudged_tensors(run),
    )


def _finite(number: float | None) -> float | None:
    """A number that JSON can hold: damaged records may state any bits as a time."""
    return number if number is not None and math.isfinite(number) else None


def fails(run: Run, fail_on: str) -> bool:
    """Whether a run counts as bad: any ∞ or NaN, only NaN (or what may be one), or nothing."""
    if fail_on == "never" or not len(run.alerts):
        return False
    if fail_on == "bad":
        return True
    return any(
        store.was_ever(Bad.NAN | Bad.UNTOLD)
        for host in run.hosts
        for store in (host.traces, host.executions)
    )
