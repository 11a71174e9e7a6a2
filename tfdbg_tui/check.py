"""The verdict on a logdir: as a value, as JSON and as a text to paste into a chat.

Knows the data engine only; neither Textual nor TensorFlow is imported.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

from tfdbg_tui.data.health import Bad, Health
from tfdbg_tui.data.traces import TraceStore
from tfdbg_tui.sanitise import sanitise

if TYPE_CHECKING:
    from tfdbg_tui.data.alerts import Alert
    from tfdbg_tui.data.executions import ExecutionStore
    from tfdbg_tui.data.host import Host
    from tfdbg_tui.data.logdir import Logdir
    from tfdbg_tui.data.run import Run, RunView
    from tfdbg_tui.data.sources import Location

Json = dict[str, Any]

HEALTH_MODES = {"CURT_HEALTH", "CONCISE_HEALTH", "FULL_HEALTH", "FULL_TENSOR"}
"""Modes that tell whether a tensor holds ∞ or NaN."""


def verdict(logdir: Logdir, runs: tuple[Run, ...]) -> Json:
    """What `check --json` prints."""
    return {"logdir": str(logdir.path), "runs": [run_verdict(run) for run in runs]}


def run_verdict(run: Run) -> Json:
    """The verdict on one run."""
    view = run.view
    first = view.alerts.first()
    return {
        "run_id": run.run_id,
        "directory": str(run.directory),
        "tensorflow_version": run.tensorflow_version,
        "file_version": run.file_version,
        "started": finite(run.started),
        "hosts": list(run.host_names),
        "counts": run.counts(),
        "tensor_debug_modes": list(run.mode_names()),
        "alerts": {"inf_nan": len(view.alerts)},
        "first_bad": None if first is None else bad_tensor(view, first),
        "damage": damage(run),
    }


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
        "location": _location(host.location_of(op.stack) if op else None),
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
    may_be_nan = int(Bad.NAN | Bad.UNTOLD)
    return any(
        (store.alerts["bad"] & may_be_nan).any()
        for host in run.hosts
        for store in (host.traces, host.executions)
    )


# ---------------------------------------------------------------------- as text


def as_text(report: Json) -> str:
    """The verdict for people."""
    paragraphs = [_run_text(run, report["logdir"]) for run in report["runs"]]
    return "\n\n".join(paragraphs) + "\n"


def _run_text(run: Json, logdir: str) -> str:
    counts, modes = run["counts"], run["tensor_debug_modes"]
    heading = " · ".join(
        [
            f"run {sanitise(run['run_id'] or 'without an id')}",
            f"TensorFlow {sanitise(run['tensorflow_version'] or '?')}",
            ", ".join(modes) or "no mode known yet",
            _plural(len(run["hosts"]), "host"),
        ]
    )
    below = [] if run["directory"] == logdir else [f"  in {sanitise(run['directory'])}"]
    lines = [
        heading,
        *below,
        f"  {_plural(counts['executions'], 'execution')}, "
        f"{_plural(counts['graph_executions'], 'graph tensor')}, "
        f"{_plural(counts['graphs'], 'graph')} with {_plural(counts['graph_ops'], 'op')}",
    ]
    lines += _judgement(run)
    lines += _damage_text(run["damage"])
    return "\n".join(lines)


def _judgement(run: Json) -> list[str]:
    bad = run["first_bad"]
    if bad is not None:
        total = run["alerts"]["inf_nan"]
        return [f"  BAD: {_plural(total, 'tensor')} with NaN or Inf. The first:", *_bad_text(bad)]
    counts = run["counts"]
    if not counts["executions"] and not counts["graph_executions"]:
        return [
            "  NOTHING TO JUDGE YET: no tensor is on disk. With the default circular buffer "
            "nothing is written before the",
            "  program ends; record with circular_buffer_size=-1 to see it live.",
        ]
    if not HEALTH_MODES.intersection(run["tensor_debug_modes"]):
        return [
            "  NOT JUDGED: this mode does not record NaN or Inf. Record with "
            'tensor_debug_mode="FULL_HEALTH".'
        ]
    return ["  CLEAN: no NaN or Inf in any recorded tensor."]


def _bad_text(bad: Json) -> list[str]:
    number = f"#{bad['index']}"
    if bad["source"] == "execution":
        where = f"eager execution {number}"
    else:
        where = f"graph tensor {number} in {_function_text(bad)}"
    op = f" ({sanitise(bad['op_type'])})" if bad["op_type"] else ""
    lines = [f"    {sanitise(bad['tensor'])}{op}, {where}", f"    {_numbers_text(bad)}"]
    location = bad["location"]
    if location is None:
        lines.append("    line unknown: no frame of your own code is recorded for it")
    else:
        place = f"{sanitise(location['file'])}:{location['line']}"
        lines.append(f"    {place} in {sanitise(location['function'])}")
        lines.append(f"      {sanitise(location['code'] or '(source not recorded)')}")
    return lines


def _function_text(bad: Json) -> str:
    if bad["function"] is None:
        return "a graph that is not on disk yet" if bad["op_type"] is None else "the default graph"
    function = f"function {sanitise(bad['function'])}"
    inner = bad["graph"] not in (None, bad["function"])
    return f"{sanitise(bad['graph'])}, inside {function}" if inner else function


def _numbers_text(bad: Json) -> str:
    counted = [
        f"{word} {bad[name]:,}"
        for name, word in (("nan", "NaN"), ("neg_inf", "-Inf"), ("pos_inf", "+Inf"))
        if bad[name]
    ]
    if not counted:
        return "NaN or Inf; CURT_HEALTH does not tell which or how many"
    of = f" of {_plural(bad['size'], 'element')}" if bad["size"] is not None else ""
    shape = f", {bad['dtype']} {bad['rank']}-D" if bad["dtype"] is not None else ""
    return ", ".join(counted) + of + shape


def _damage_text(found: Json) -> list[str]:
    facts = []
    if found["corrupt_records"]:
        facts.append(_plural(found["corrupt_records"], "damaged record") + " skipped")
    if found["cut_bytes"]:
        facts.append(_plural(found["cut_bytes"], "byte") + " of unfinished records at the end")
    if found["missing_files"]:
        facts.append("missing: " + ", ".join(sanitise(name) for name in found["missing_files"]))
    if found["open_references"]:
        references = _plural(found["open_references"], "reference")
        facts.append(f"{references} to something that is not on disk (yet)")
    return [f"  note: {fact}" for fact in facts]


def _plural(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"
