"""What a loaded logdir says, in a form that tests can compare; and what must always hold of it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tests.recordings import reference
from tests.recordings.fabricate import FOOTER, HEADER, split
from tfdbg_tui.data.records.modes import Mode
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.stores.traces import TraceSite
from tfdbg_tui.data.stores.user_code import is_user_file
from tfdbg_tui.verdict import judgement, text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tfdbg_tui.data.records.health import Health
    from tfdbg_tui.data.stores.alert_log import Alert
    from tfdbg_tui.data.stores.event_store import EventStore
    from tfdbg_tui.data.stores.graph import Graph
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.data.stores.sources import SourceFiles

    Fingerprint = dict[str, Any]

SCENARIOS = (
    "no_tensor", "curt_health", "concise_health", "full_health", "shape", "full_tensor",
    "keras_fit", "lstm", "while_loop", "mirrored", "tf1_session", "filter_op_regex",
    "filter_dtypes", "half_types", "half_types_full", "retraced", "killed", "eager_only",
    "healthy", "tf_data", "two_runs", "nan_input", "circular",
)  # fmt: skip

GUILTY_LINES = {
    **dict.fromkeys(
        ("curt_health", "concise_health", "full_health", "full_tensor", "filter_op_regex",
         "filter_dtypes", "eager_only", "killed"),
        ("training", "diff = -labels * tf.math.log(probs)", "loss"),
    ),
    "half_types": ("dtypes", "squared = x * x", "float_ops"),
    "half_types_full": ("dtypes", "squared = x * x", "float_ops"),
    "keras_fit": (
        "keras_models",
        "model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0)",
        "keras_fit",
    ),
    "mirrored": ("graphs", "y = tf.math.log(tf.matmul(x, w))", "replica_step"),
    "retraced": ("graphs", "return centred / tf.math.reduce_std(x)", "normalize"),
    "tf1_session": ("graphs", 'y = tf.math.log(x, name="log_x")', "tf1_session"),
    "tf_data": ("data", "return tf.reshape(1.0 / distance, [1])", "invert"),
    "nan_input": (
        "data", "for batch in tf.data.Dataset.from_tensor_slices(batches):", "nan_input",
    ),
    "two_runs": (
        "data", "for batch in tf.data.Dataset.from_tensor_slices(batches):", "nan_input",
    ),
    "while_loop": ("graphs", "x = x * 1e18", "grow"),
}  # fmt: skip
"""Scenario → module, line of code and function of the first bad tensor; the others are clean."""

STEP = 4096
"""Bytes that the recorder appends at once."""

PORTIONS = 8
"""A drawn move appends about this fraction of a file, in whole steps."""

EVENT_FILES = {"execution": "execution", "graph_execution": "graph_execution_traces"}


def load(path: Path) -> Logdir:
    """All that is there, read at once."""
    logdir = Logdir(path)
    logdir.load()
    return logdir


def drain(logdir: Logdir, limit: int | None = None) -> None:
    """Look for new file sets and read until nothing is new."""
    logdir.scan()
    while logdir.refresh() if limit is None else logdir.refresh(limit):
        pass


def hosts_of(logdir: Logdir) -> list[Host]:
    """All file sets in order of their file names."""
    hosts = [host for run in logdir.runs for host in run.hosts]
    return sorted(hosts, key=lambda host: host.prefix)


def event_stores(host: Host) -> tuple[EventStore[Any], EventStore[Any]]:
    """The executions and the traces of a host."""
    return host.executions, host.traces


def fingerprint(logdir: Logdir) -> Fingerprint:
    """Everything a logdir says, with numbers of sites replaced by the sites themselves."""
    return {
        "runs": [_run_fingerprint(run) for run in logdir.runs],
        "verdict": verdict_json(logdir),
    }


def verdict_json(logdir: Logdir) -> str:
    """The verdict as strict JSON; raises if it holds anything that JSON does not know."""
    report = judgement.verdict_on(logdir, logdir.runs)
    assert text.as_text(report) or not logdir.runs
    return json.dumps(report.to_json(), allow_nan=False, sort_keys=True)


def _run_fingerprint(run: Run) -> Fingerprint:
    return {
        "key": run.key,
        "counts": run.counts(),
        "metadata": (run.run_id, run.tensorflow_version, run.file_version, repr(run.started)),
        # repr, because a damaged time may be NaN, which equals nothing.
        "alerts": [repr(run.alerts[rank]) for rank in range(len(run.alerts))],
        "hosts": [_host_fingerprint(host) for host in run.hosts],
    }


def _host_fingerprint(host: Host) -> Fingerprint:
    sources = host.sources
    return {
        "name": (host.prefix, host.name),
        "sources": [sources.get(index) for index in range(len(sources.files))],
        "source_lines": [hash(_recorded_text(sources, n)) for n in range(len(sources.files))],
        "frames": dict(host.frames.by_id),
        "devices": dict(host.graphs.devices),
        "graphs": {graph.id: _graph_fingerprint(graph) for graph in host.graphs.by_id.values()},
        "events": [_events_fingerprint(store) for store in event_stores(host)],
        "missing": host.damage().missing_files,
        "damage": (host.damage().corrupt_records, host.damage().cut_bytes),
        "open": host.damage().open_references,
    }


def _recorded_text(sources: SourceFiles, index: int) -> tuple[str, ...] | bytes | None:
    """The lines of a user's file; of a library's, which are thousands, what they are read from."""
    source = sources.get(index)
    if source is None or is_user_file(source.path):
        return sources.lines(index)
    return sources.file.read_at(source.offset)


def _graph_fingerprint(graph: Graph) -> tuple[Any, ...]:
    consumers = {
        (op.name, slot): graph.consumers(op.name, slot)
        for op in graph.ops.values()
        for slot in range(max(op.num_outputs, 0))
    }
    return graph.name, graph.outer_id, tuple(graph.inner_ids), dict(graph.ops), consumers


def _events_fingerprint(store: EventStore[Any]) -> Fingerprint:
    return {
        "columns": {
            name: repr(store.events[name].tolist()) for name in store.events.names if name != "site"
        },
        "sites": [store.sites[number] for number in store.events["site"].tolist()],
        "alerts": {name: store.alerts[name].tolist() for name in store.alerts.names},
        "site_alerts": sorted(
            (repr(store.sites[alert.site]), repr((alert.position, alert.alerts, alert.first_event)),
             repr((alert.last_event, alert.first_time, alert.last_time)))
            for alert in store.site_alerts.all()
        ),
    }  # fmt: skip


def assert_same(one: Logdir, other: Logdir) -> None:
    """Both say the same; the failure names what differs."""
    differences = list(_differences("", fingerprint(one), fingerprint(other)))
    assert not differences, "\n".join(differences[:10])


def _differences(place: str, one: Any, other: Any) -> Iterator[str]:
    if type(one) is type(other) is dict and one.keys() == other.keys():
        for key in one:
            yield from _differences(f"{place}.{key}", one[key], other[key])
    elif type(one) is type(other) is list and len(one) == len(other):
        for index in range(len(one)):
            yield from _differences(f"{place}[{index}]", one[index], other[index])
    elif one != other:
        yield f"{place}: {str(one)[:200]} != {str(other)[:200]}"


def assert_consistent(logdir: Logdir, with_verdict: bool = True) -> None:
    """What holds of every state on the way, however little of the files is on disk.

    The verdict tells the causes, which takes longer than all else.
    """
    for run in logdir.runs:
        # A few hundred of them, with the first: what is out of order is so by many ranks.
        step = 1 + len(run.alerts) // 300
        times = [run.alerts[rank].wall_time for rank in range(0, len(run.alerts), step)]
        assert times == sorted(times)
        first = run.alerts.first()
        assert (first.wall_time if first else None) == (min(times) if times else None)
        for host in run.hosts:
            for store in event_stores(host):
                _assert_store_consistent(store)
    if with_verdict:
        verdict_json(logdir)


def _assert_store_consistent(store: EventStore[Any]) -> None:
    for table in (store.events, store.alerts):
        assert {len(table[name]) for name in table.names} == {len(table)}
    numbers = store.events["site"]
    assert not len(numbers) or 0 <= numbers.min() <= numbers.max() < len(store.sites)
    alerts = store.alerts
    assert not len(alerts) or alerts["event"].max() < len(store.events)
    assert sum(alert.alerts for alert in store.site_alerts.all()) == len(alerts)
    bad_events = set(alerts["event"].tolist())
    assert bad_events == set(store.events["bad"].nonzero()[0].tolist())


def sizes(logdir: Logdir) -> dict[str, int]:
    """Numbers that never shrink while a logdir grows."""
    totals: dict[str, int] = {"alerts": 0}
    for run in logdir.runs:
        totals["alerts"] += len(run.alerts)
        for name, count in run.counts().items():
            totals[name] = totals.get(name, 0) + count
    return totals


@dataclass
class Recording:
    """One recording as we read it, and as TensorFlow does."""

    scenario: str
    path: Path
    logdir: Logdir

    @cached_property
    def hosts(self) -> list[Host]:
        return hosts_of(self.logdir)

    @cached_property
    def _truth(self) -> dict[str, list[tuple[str, Any]]]:
        return {suffix: reference.events(self.path, suffix) for suffix in reference.SUFFIXES}

    @cached_property
    def expected_alerts(self) -> list[reference.Alert]:
        return reference.expected_alerts(self.path)

    def events(self, host: Host, suffix: str) -> list[Any]:
        """TensorFlow's DebugEvents of one file."""
        return [event for name, event in self._truth[suffix] if name == f"{host.prefix}.{suffix}"]

    def alerts_of(self, host: Host) -> list[tuple[reference.Alert, Any]]:
        """The expected alerts of one host, numbered within its files, with their events."""
        found = []
        for alert in self.expected_alerts:
            name, event = self._truth[EVENT_FILES[alert.source]][alert.index]
            if name.startswith(host.prefix + "."):
                before = [n for n, _ in self._truth[EVENT_FILES[alert.source]][: alert.index]]
                index = before.count(name)
                counts = (alert.neg_inf, alert.pos_inf, alert.nan)
                local = reference.Alert(alert.source, index, alert.position, *counts)
                found.append((local, event))
        return found


def cut_tail(path: Path) -> int:
    records = split(path)
    end = records[-1][0] + HEADER + len(records[-1][1]) + FOOTER if records else 0
    return path.stat().st_size - end


def outermost_name(graphs: list[Any], graph_id: str) -> str | None:
    by_id = {graph.graph_id: graph for graph in graphs}
    names = []
    while graph_id in by_id:
        names.append(by_id[graph_id].graph_name)
        graph_id = by_id[graph_id].outer_context_id
    return next((name for name in reversed(names) if name), None)


def tensors_of(host: Host, recording: Recording) -> list[tuple[str, int, int, str, Any]]:
    """Source, event, position, mode and TensorProto of every recorded tensor."""
    found = [
        ("execution", index, position, event.execution.tensor_debug_mode, tensor)
        for index, event in enumerate(recording.events(host, "execution"))
        for position, tensor in enumerate(event.execution.tensor_protos)
    ]
    for index, event in enumerate(recording.events(host, "graph_execution_traces")):
        trace = event.graph_execution_trace
        found.append(("trace", index, 0, trace.tensor_debug_mode, trace.tensor_proto))
    return [(*where, Mode(mode).name, tensor) for *where, mode, tensor in found]


def health_of(host: Host, source: str, index: int, position: int) -> Health | None:
    if source == "execution":
        execution = host.executions.read(index)
        assert execution is not None
        return execution.health[position]
    trace = host.traces.read(index)
    assert trace is not None
    return trace.health


def identity(run: Run, alert: Alert) -> tuple[str, int, int]:
    """An alert as `reference.Alert` states it: by source, index and position or slot."""
    if alert.kind is EventKind.EXECUTION:
        return "execution", alert.event, alert.position
    site = run.alerts.store_of(alert).site_of(alert.event)
    assert isinstance(site, TraceSite)
    return "graph_execution", alert.event, site.slot


class Copier:
    """Copies a recording file by file, in steps."""

    def __init__(self, source: Path, target: Path) -> None:
        self.target = target
        self.names = sorted(path.name for path in source.glob("tfdbg_events.*"))
        self._content = {name: (source / name).read_bytes() for name in self.names}
        self._written = dict.fromkeys(self.names, 0)

    def append(self, name: str, steps: int) -> None:
        """Append whole steps of a file; the last one may be shorter, and the first is empty."""
        start = self._written[name]
        piece = self._content[name][start : start + steps * STEP]
        with (self.target / name).open("ab") as file:
            file.write(piece)
        self._written[name] += len(piece)

    def portion(self, name: str) -> int:
        """Steps of one portion."""
        return 1 + len(self._content[name]) // STEP // PORTIONS

    def finish(self) -> None:
        """Append all that is left."""
        for name in self.names:
            self.append(name, 1 + len(self._content[name]) // STEP)


def replace_file(path: Path, content: bytes) -> None:
    """Put another file in the place of one, as an editor or a sync tool does."""
    other = path.with_name("incoming")
    other.write_bytes(content)
    os.replace(other, path)  # noqa: PTH105 - what is tested
