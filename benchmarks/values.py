"""The value of one large tensor against that of a small one: what is looked at must cost the same.

    python -m benchmarks.values [--small]

Windows are as large as a screen of 160x48. What they cost is measured in a process of its own.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import resident_bytes
from benchmarks.recordings import ROOT
from benchmarks.table import Row, print_table

LARGE, SMALLER, SMALL = 100_000_000, 5_000_000, 500_000
"""Elements of the tensor, of that for CI, and of the small one."""

ROWS, COLUMNS = 44, 16
"""Elements on a screen."""

WINDOWS = 300
"""Places that are scrolled to."""

OPENINGS = 20


def value_rows(place: Path, small: bool = False) -> list[Row]:
    """First window, scrolling and memory."""
    sizes = (SMALLER if small else LARGE, SMALL)
    found = []
    for size in sizes:
        _run("benchmarks.large_tensor", str(place / str(size)), str(size))
        found.append(json.loads(_run("benchmarks.values", str(place / str(size))).splitlines()[-1]))
    large, rival = found
    span = f"{sizes[0]:,} elements; rival: {sizes[1]:,}"
    return [
        _time_row(f"first window of {span}", large["first"], rival["first"]),
        _time_row(f"scrolling in {span}", large["scroll"], rival["scroll"]),
        Row(
            f"memory of opening and scrolling {sizes[0]:,} elements; rival: their bytes on disk",
            f"{large['memory'] / 1e6:.1f} MB",
            f"{large['bytes'] / 1e6:.0f} MB",
            f"{large['memory'] / large['bytes']:.3f}",
            "at most 50 MB beyond its bytes",
        ),
        Row(
            f"statistics of {span}",
            f"{large['statistics']:.2f} s",
            f"{rival['statistics'] * 1e3:.1f} ms",
            f"{large['statistics'] / sizes[0] * 1e9:.1f} ns an element",
            "in slices of milliseconds",
        ),
    ]


def _time_row(what: str, large: float, rival: float) -> Row:
    ratio = f"{large / rival:.2f}"
    return Row(what, f"{large * 1e3:.2f} ms", f"{rival * 1e3:.2f} ms", ratio, "about 1")


def _run(module: str, *arguments: str) -> str:
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout


def measured(logdir: str) -> dict[str, float]:
    """Open the only tensor of a recording, scroll over it, and walk over all of it."""
    from tfdbg_tui.data.stores.event_kind import EventKind
    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.data.values.recorded_value import RecordedValue, value_of
    from tfdbg_tui.data.values.statistics import StatisticsJob

    loaded = Logdir(logdir)
    loaded.load()
    host = loaded.runs[0].hosts[0]
    before, openings = resident_bytes(), []
    value: RecordedValue
    for _ in range(OPENINGS):
        started = time.perf_counter()
        found = value_of(host, EventKind.TRACE, 0)
        assert isinstance(found, RecordedValue)
        found.window(found.whole.narrowed(slice(ROWS), slice(COLUMNS)))
        value = found
        openings.append(time.perf_counter() - started)
    scrolled = []
    for number in range(WINDOWS):
        row, column = (number * 7919 % size for size in value.shape)
        started = time.perf_counter()
        value.window(value.whole.narrowed(slice(row, row + ROWS), slice(column, column + COLUMNS)))
        scrolled.append(time.perf_counter() - started)
    memory = resident_bytes() - before
    started = time.perf_counter()
    StatisticsJob(value, value.whole).to_the_end()
    return {
        "first": statistics.median(openings),
        "scroll": statistics.median(scrolled),
        "memory": max(memory, 0),
        "bytes": host.traces.file.size,
        "statistics": time.perf_counter() - started,
    }


def main() -> None:
    """The table; or, of a recording, what was measured."""
    named = [word for word in sys.argv[1:] if word != "--small"]
    if named:
        print(json.dumps(measured(named[0])))
        return
    with tempfile.TemporaryDirectory(prefix="tfdbg-values-") as folder:
        print_table(value_rows(Path(folder), "--small" in sys.argv))


if __name__ == "__main__":
    main()
