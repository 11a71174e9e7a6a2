"""Prints one table of everything the README claims about speed and memory.

    python -m benchmarks [--small]

`--small` is for CI: a tenth of the events, and an exit code of 1 if a ratio collapses. It says
nothing about the goals; shared machines are too noisy for that.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.completion import completion_rows
from benchmarks.recordings import ROOT, record, repeat
from benchmarks.table import Row, print_table
from benchmarks.terminal import measure_terminal
from benchmarks.values import value_rows
from tests.support.many_ops import many_ops

TRACES, EXECUTIONS = 180_000, 105_000

STARTS = 15
"""Starts of a command that are timed."""

PARTS = ("steps", "causes", "warnings", "history")
"""What is worked out when everything is loaded."""

COLLAPSED = (10, 5)
"""Times TensorFlow's speed; less than this on any machine means something broke."""


def main() -> int:
    """Run the benchmarks; 1 if a ratio collapsed."""
    parser = argparse.ArgumentParser("python -m benchmarks")
    parser.add_argument("--small", action="store_true", help="a tenth of the events, for CI")
    small = parser.parse_args().small
    scale = 10 if small else 1
    rows, ratios = [], []
    with tempfile.TemporaryDirectory(prefix="tfdbg-benchmark-") as folder:
        place = Path(folder)
        mixed, eager = record(place / "mixed"), record(place / "eager", "eager")
        sizes = (EXECUTIONS // scale, TRACES // scale)
        for what, source, wanted, goal in (
            ("load, graph and eager", mixed, sizes, "80 times, aim 100"),
            ("load, eager only", eager, (sizes[0], 0), "30 times"),
        ):
            large = place / f"large {source.name}"
            events = repeat(source, large, *wanted)
            row, ratio = load_row(f"{what}, {events:,} events", large, goal)
            rows += [row, findings_row(large)]
            ratios.append(ratio)
        rows += start_rows(mixed)
        rows += growth_rows(mixed, place, (1_000_000 // scale, 10_000_000 // scale))
        rows.append(op_tree_row(place, 100_000 // scale))
        rows += value_rows(place / "values", small)
        rows += completion_rows(small)
        more, collapsed = measure_terminal(place / "terminal", small, mixed if small else None)
    print_table(rows + more)
    collapsed |= any(ratio < least for ratio, least in zip(ratios, COLLAPSED, strict=True))
    return 1 if collapsed else 0


def measure(reader: str, logdir: Path, python: str = sys.executable) -> dict[str, float]:
    """One measurement in a fresh process."""
    command = [python, "-m", "benchmarks.measure", reader, str(logdir)]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


def load_row(what: str, logdir: Path, goal: str) -> tuple[Row, float]:
    """Our load against the rival's, in turns, the median of five against that of three."""
    runs: dict[str, list[dict[str, float]]] = {"ours": [], "tensorflow": []}
    ours, rival = "ours", "tensorflow"
    for reader in (ours, rival, ours, ours, rival, ours, rival, ours):
        runs[reader].append(measure(reader, logdir))
    found = {(run["events"], run["alerts"]) for both in runs.values() for run in both}
    assert len(found) == 1, f"{what}: events and alerts differ: {found}"
    medians = {name: statistics.median(run["seconds"] for run in runs[name]) for name in runs}
    ratio = medians[rival] / medians[ours]
    return Row(
        what, f"{medians[ours]:.3f} s", f"{medians[rival]:.1f} s", f"{ratio:.0f}×", goal
    ), ratio


def findings_row(logdir: Path, runs: int = 5) -> Row:
    """Steps, causes, early warnings and a history against the load of the same process."""
    found = [measure("findings", logdir) for _ in range(runs)]
    parts = {part: statistics.median(run[part] for run in found) for part in PARTS}
    load = statistics.median(run["load"] for run in found)
    share = statistics.median(sum(run[part] for part in PARTS) / run["load"] for run in found)
    told = ", ".join(f"{part} {1e3 * seconds:.1f}" for part, seconds in parts.items())
    return Row(
        f"{', '.join(PARTS)} of {found[0]['events']:,.0f} events; rival: their load",
        f"{1e3 * sum(parts.values()):.1f} ms ({told})",
        f"{1e3 * load:.0f} ms",
        f"{share:.2f}",
        "under 0.2",
    )


def start_rows(logdir: Path) -> list[Row]:
    """`check` on a small logdir against importing what it needs, `query` against it, in turns."""
    commands = {
        "check": [sys.executable, "-m", "tfdbg_tui", "check", str(logdir)],
        "query": [sys.executable, "-m", "tfdbg_tui", "query", str(logdir), "ri"],
        "imports": [sys.executable, "-c", "import numpy, google.protobuf.message"],
    }
    # Compiled once, as in an installation.
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(logdir.parent / "compiled")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(STARTS):
        for name, command in commands.items():
            started = time.perf_counter()
            subprocess.run(
                command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=False
            )
            times[name].append(time.perf_counter() - started)
    medians = {name: statistics.median(times[name]) for name in commands}
    return [
        _start_row("`check` of a small logdir; rival: its imports", medians, "imports", "2"),
        _start_row("`query` of the same, `ri`; rival: `check`", medians, "check", "1.3"),
    ]


def _start_row(what: str, medians: dict[str, float], rival: str, most: str) -> Row:
    ours = medians["check" if rival == "imports" else "query"]
    ratio = f"{ours / medians[rival]:.2f}"
    return Row(what, f"{ours:.3f} s", f"{medians[rival]:.3f} s", ratio, f"at most {most}")


def growth_rows(source: Path, place: Path, sizes: tuple[int, int]) -> list[Row]:
    """Time and memory per event at two sizes, the smaller as the rival of the larger."""
    seconds, memory, events = [], [], []
    for size in sizes:
        logdir = place / f"growth {size}"
        repeat(source, logdir, size * EXECUTIONS // (EXECUTIONS + TRACES), size * TRACES // 285_000)
        run = measure("ours", logdir)
        heat, findings = measure("heat_map", logdir), findings_row(logdir, runs=1)
        for file in logdir.iterdir():
            file.unlink()
        events.append(run["events"])
        seconds.append(run["seconds"] / run["events"] * 1e6)
        memory.append(run["memory"])
    span = f"{events[1]:,.0f} events; rival: {events[0]:,.0f}"
    growth = (memory[1] - memory[0]) / (events[1] - events[0])
    return [
        findings,
        Row(
            f"time an event, {span}",
            f"{seconds[1]:.2f} µs",
            f"{seconds[0]:.2f} µs",
            f"{seconds[1] / seconds[0]:.2f}",
            "about 1",
        ),
        Row(
            f"memory, {span}",
            f"{memory[1] / 1e6:,.0f} MB",
            f"{memory[0] / 1e6:,.0f} MB",
            f"{growth:.0f} bytes an event",
            "at most 64 bytes, aim 32",
        ),
        Row(
            f"heat map of {heat['events']:,.0f} events, once it is opened; rival: their load",
            f"{heat['seconds']:.2f} s, {heat['memory'] / 1e6:.0f} MB",
            f"{seconds[1] * heat['events'] / 1e6:.2f} s",
            f"{heat['seconds'] * 1e6 / heat['events'] / seconds[1]:.2f}",
            "at most 0.2, in slices of milliseconds",
        ),
    ]


def op_tree_row(place: Path, ops: int) -> Row:
    """The tree of ops of a recording that has many."""
    tree = measure("op_tree", many_ops(place / "many ops", ops))
    return Row(
        f"tree of {tree['ops']:,.0f} ops, once it is opened; rival: their load",
        f"{tree['seconds']:.2f} s; all unfolded in {tree['unfold']:.2f} s",
        f"{tree['load']:.2f} s",
        f"{tree['seconds'] / tree['load']:.2f}",
        "at most 1, in slices of milliseconds",
    )


if __name__ == "__main__":
    sys.exit(main())
