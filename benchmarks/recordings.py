"""Large recordings made of small real ones: the event files repeated, the others as they are."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.recordings.fabricate import split

ROOT = Path(__file__).resolve().parent.parent
EVENT_FILES = ("execution", "graph_execution_traces")


def record(logdir: Path, *arguments: str) -> Path:
    """Record the benchmark's program with the real TensorFlow."""
    command = [sys.executable, "-m", "benchmarks.program", str(logdir), *arguments]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    return logdir


def repeat(logdir: Path, target: Path, executions: int, traces: int) -> int:
    """Copy a recording with its events repeated to about these numbers; returns the events."""
    wanted = dict(zip(EVENT_FILES, (executions, traces), strict=True))
    total = 0
    target.mkdir(parents=True)
    for source in sorted(logdir.iterdir()):
        suffix = source.name.rpartition(".")[2]
        if suffix not in wanted:
            shutil.copy(source, target)
            continue
        content, records = source.read_bytes(), len(split(source))
        times = max(1, round(wanted[suffix] / records)) if records else 0
        total += times * records
        with (target / source.name).open("wb") as copy:
            for _ in range(times):
                copy.write(content)
    return total
