"""One measurement in a process of its own: prints seconds, events, alerts and memory as JSON.

    python -m benchmarks.measure ours|heat_map|tensorflow LOGDIR

Imports are done before the clock starts.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from pathlib import Path


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


READERS = {"ours": ours, "heat_map": heat_map, "tensorflow": tensorflow}

if __name__ == "__main__":
    print(json.dumps(READERS[sys.argv[1]](sys.argv[2])))
