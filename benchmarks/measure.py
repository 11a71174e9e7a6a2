"""One measurement in a process of its own: prints seconds, events, alerts and memory as JSON.

    python -m benchmarks.measure ours|tensorflow LOGDIR

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


if __name__ == "__main__":
    print(json.dumps({"ours": ours, "tensorflow": tensorflow}[sys.argv[1]](sys.argv[2])))
