"""The verdict on a logdir, as a value that `check --json` prints.

Knows the data engine only; neither Textual nor TensorFlow is imported.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

from tfdbg_tui.data.live.recorder_process import writer_of
from tfdbg_tui.data.records.health import Bad, Health
from tfdbg_tui.data.records.modes import tells_bad
from tfdbg_tui.data.stores.traces import TraceStore

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.alert_log import Alert
    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.data.stores.run import Run, RunView
    from tfdbg_tui.data.stores.sources import Location

Json = dict[str, Any]

BAD, CLEAN, INCOMPLETE, NOT_JUDGED = "bad", "clean", "incomplete", "not_judged"
"""The verdicts. Incomplete: nothing bad in what could be read, and not all could be read."""


def verdict(logdir: Logdir, runs: tuple[Run, ...]) -> Json:
    """What `check --json` prints."""
    return {"logdir": str(logdir.path), "runs": [run_verdict(run) for run in runs]}


def run_verdict(run: Run) -> Json:
    """The verdict on one run."""
    view = run.view
    first = view.alerts.first()
    counts, modes = run.counts(), run.mode_names()
    events = counts["executions"] + counts["graph_executions"]
    if first is not None:
        verdict = BAD
    elif events_are_incomplete(run):
        verdict = INCOMPLETE
    else:
        verdict = CLEAN if events and any(map(tells_bad, run.modes())) else NOT_JUDGED
    return {
        "verdict": verdict,
        "run_id": run.run_id,
        "directory": str(run.directory),
        "tensorflow_version": run.tensorflow_version,
        "file_version": run.file_version,
        "started": finite(run.started),
        "hosts": list(run.host_names),
        "counts": counts,
        "tensor_debug_modes": list(modes),
        "alerts": {"inf_nan": len(view.alerts)},
        "first_bad": None if first is None else bad_tensor(view, first),
        "damage": damage(run),
    }


def events_are_incomplete(run: Run) -> bool:
    """Whether events may have been swallowed: by damage, or by the end of the program.

    A cut tail is normal while the program runs. Where it is gone, the rest will never come.
    """
    files = [store.file for host in run.hosts for store in (host.executions, host.traces)]
    if any(file.cut_bytes for file in files) and writer_of([file.path for file in files]) is False:
        return True
    return run.lacks_events


def bad_tensor(view: RunView, alert: Alert) -> Json:
    """Everything there is to say about one bad tensor."""
    host, store = view.hosts[alert.host], view.alerts.store_of(alert)
    if isinstance(store, TraceStore):
        found = _bad_trace(host, store, alert)
    else:
        found = _bad_execution(host, cast("ExecutionStore", store), alert)
    return {"host": host.name, "wall_time": finite(alert.wall_time), **found}


def _bad_trace(host: Host, traces: TraceStore, alert: Alert) -> Json:
    site = traces.site_of(alert.event)
    trace = traces.read(alert.event)
    op = host.op_of(site)
    return {
        "source": "graph_execution",
        "index": alert.event,
        "op_type": op.type if op else None,
        "tensor": site.tensor_name,
        "slot": site.slot,
        "graph": host.graphs.name_of(site.graph_id) or None,
        "function": host.graphs.function_of(site.graph_id),
        "device": site.device or None,
        **_health(trace.health if trace else None),
        "location": _location(host.location_of(host.graphs.stack_of(op)) if op else None),
    }


def _bad_execution(host: Host, executions: ExecutionStore, alert: Alert) -> Json:
    site = executions.site_of(alert.event)
    execution = executions.read(alert.event)
    slot = site.slot_of(alert.position)
    device = None
    if slot is not None and slot < len(site.device_ids):
        device = host.graphs.devices.get(site.device_ids[slot])
    return {
        "source": "execution",
        "index": alert.event,
        "op_type": site.op_type,
        "tensor": site.tensor_name(alert.position),
        "slot": slot,
        "graph": None,
        "function": None,
        "device": device,
        **_health(execution.health[alert.position] if execution else None),
        "location": _location(host.location_of(site.stack)),
    }


def _health(health: Health | None) -> Json:
    known = health or Health()
    names = ("dtype", "rank", "size", "neg_inf", "pos_inf", "nan")
    return {name: getattr(known, name) for name in names}


def _location(location: Location | None) -> Json | None:
    if location is None:
        return None
    return {
        "file": location.file,
        "line": location.line,
        "function": location.function,
        "code": location.code,
    }


def damage(run: Run) -> Json:
    """What of a run could not be read."""
    parts = [host.damage() for host in run.hosts]
    return {
        "corrupt_records": sum(part.corrupt_records for part in parts),
        "cut_bytes": sum(part.cut_bytes for part in parts),
        "missing_files": [
            name
            for part in parts
            for name in (*part.missing_files, *(name for name, _ in part.unreadable_files))
        ],
        "open_references": sum(part.open_references for part in parts),
    }


def finite(number: float | None) -> float | None:
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
