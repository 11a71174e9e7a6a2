"""One measurement in a process of its own: prints seconds, events, alerts and memory as JSON.

    python -m benchmarks.measure ours|findings|heat_map|op_tree|tensorflow LOGDIR

Imports are done before the clock starts.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.cause.run_causes import RunCauses
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.index.steps import Steps
    from tfdbg_tui.data.views.tensor_history import TensorHistory

HISTORY_CELLS = 150
"""Cells of a history on a wide screen."""


def resident_bytes() -> int:
    """Memory that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def ours(logdir: str) -> dict[str, float]:
    """Load everything, alerts in time order included."""
    import tfdbg_tui.verdict.judgement
    from tfdbg_tui.data.stores.logdir import Logdir

    started = time.perf_counter()
    loaded = Logdir(logdir)
    loaded.load()
    (run,) = loaded.runs
    run.alerts.first()
    seconds = time.perf_counter() - started
    gc.collect()
    memory = resident_bytes()
    counts = run.counts()
    verdict = tfdbg_tui.verdict.judgement.verdict_on_run(run)
    return {
        "seconds": seconds,
        "events": counts["executions"] + counts["graph_executions"],
        "alerts": len(run.alerts),
        "memory": memory,
        "first": -1.0 if verdict.first_bad is None else verdict.first_bad.event,
    }


def findings(logdir: str) -> dict[str, float]:
    """Load, then work out steps, causes, early warnings and the history of the first cause."""
    from tfdbg_tui.__main__ import FEW_COLLECTIONS
    from tfdbg_tui.data.cause.causes import Causes
    from tfdbg_tui.data.cause.run_causes import RunCauses
    from tfdbg_tui.data.early.run_warnings import RunWarnings
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.data.views.tensor_samples import TensorSamples

    for name in ("bad_numbers", "replicas"):  # imported once something is bad
        import_module(f"tfdbg_tui.data.early.{name}")
    gc.set_threshold(FEW_COLLECTIONS)
    laps = [time.perf_counter()]
    loaded = Logdir(logdir)
    loaded.load()
    (run,) = loaded.runs
    run.alerts.first()
    laps.append(time.perf_counter())
    index = RunIndex(run)
    finish(index.extend_steps)
    laps.append(time.perf_counter())
    found = RunCauses(index, Causes(index), tells_absorbed=False) if run.alerts else None
    if found is not None:
        finish(found.extend)
    laps.append(time.perf_counter())
    warnings = RunWarnings(index, found)
    finish(warnings.extend)
    laps.append(time.perf_counter())
    steps, history = _first_cause_or_busiest(index, found)
    samples = TensorSamples(history)
    finish(samples.extend)
    cells = history.parts(HISTORY_CELLS)
    samples.want(cell.sampled_event for cell in cells)
    finish(samples.extend)
    for cell in cells:  # as the page tells them
        for event in (cell.first_event, cell.last_event):
            steps.step_of(history.store.wall_time(event))
    laps.append(time.perf_counter())
    names = ("load", "steps", "causes", "warnings", "history")
    counts = run.counts()
    return {
        "events": counts["executions"] + counts["graph_executions"],
        **dict(zip(names, (after - before for before, after in pairwise(laps)), strict=True)),
    }


def finish(extend: Callable[[], bool]) -> None:
    """Do a job to its end."""
    while extend():
        pass


def _first_cause_or_busiest(
    index: RunIndex, found: RunCauses | None
) -> tuple[Steps, TensorHistory]:
    """The steps, and the history, of the tensor that is looked at."""
    from tfdbg_tui.data.views.tensor_history import TensorHistory

    causes = () if found is None else found.ranking.causes
    if causes:
        tensor = causes[0].tensor
        at = index.hosts[tensor.host]
        store = at.host.store_of(tensor.kind)
        site = store.site_number(tensor.event)
        return at.steps, TensorHistory(store, site, tensor.output or 0)
    at = index.hosts[0]
    traces, executions = at.host.traces, at.host.executions
    store = traces if len(traces) > len(executions) else executions
    return at.steps, TensorHistory(store, int(np.argmax(np.bincount(store.site_numbers))))


def heat_map(logdir: str) -> dict[str, float]:
    """Count every site by step, as the heat map does when it is opened; once loaded and indexed."""
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.index.step_grid import StepGrid
    from tfdbg_tui.data.stores.logdir import Logdir

    loaded = Logdir(logdir)
    loaded.load()
    index = RunIndex(loaded.runs[0])
    while index.extend():
        pass
    gc.collect()
    before, slices = resident_bytes(), []
    grid, has_more = StepGrid(index.hosts[0]), True
    while has_more:
        started = time.perf_counter()
        has_more = grid.extend()
        slices.append(time.perf_counter() - started)
    counts = loaded.runs[0].counts()
    return {
        "seconds": sum(slices),
        "slice": sorted(slices)[len(slices) // 2],
        "events": counts["executions"] + counts["graph_executions"],
        "memory": resident_bytes() - before,
    }


def op_tree(logdir: str) -> dict[str, float]:
    """Hang up all ops by device, function and scope, then unfold all; once loaded and indexed."""
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.data.views.op_tree import OpTree

    started = time.perf_counter()
    loaded = Logdir(logdir)
    loaded.load()
    index = RunIndex(loaded.runs[0])
    finish(index.extend)
    laps = [time.perf_counter()]
    gc.collect()
    gc.disable()  # the app collects seldom, too
    tree, slices, has_more = OpTree(index.hosts[0]), [], True
    before = laps[-1] = time.perf_counter()
    while has_more:
        begun = time.perf_counter()
        has_more = tree.extend()
        slices.append(time.perf_counter() - begun)
    laps.append(time.perf_counter())
    tree.looked = tree.looked._replace(levels=int(tree.order.depths.max()))
    finish(tree.extend)
    return {
        "load": before - started,
        "seconds": laps[1] - laps[0],
        "unfold": time.perf_counter() - laps[1],
        "slice": max(slices),
        "ops": int(tree.nodes.is_op.count(1)),
        "lines": len(tree.order.lines),
    }


def tensorflow(logdir: str) -> dict[str, float]:
    """The same with TensorFlow's own reader and its monitor."""
    from tensorflow.python.debug.lib import debug_events_monitors, debug_events_reader

    started = time.perf_counter()
    reader = debug_events_reader.DebugDataReader(logdir)
    monitor = debug_events_monitors.InfNanMonitor(reader)
    reader.update()
    seconds = time.perf_counter() - started
    gc.collect()
    return {
        "seconds": seconds,
        "events": reader.num_executions() + reader.num_graph_execution_traces(),
        "alerts": len(monitor.alerts()),
        "memory": resident_bytes(),
    }


READERS = {
    "ours": ours,
    "findings": findings,
    "heat_map": heat_map,
    "op_tree": op_tree,
    "tensorflow": tensorflow,
}

if __name__ == "__main__":
    print(json.dumps(READERS[sys.argv[1]](sys.argv[2])))
