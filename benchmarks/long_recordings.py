"""Long recordings made of short real ones, in which time goes on as in a real long run.

    python -m benchmarks.long_recordings SOURCE TARGET TRACES [EXECUTIONS]

Events are repeated whole runs at a time, each later than the one before and with eager tensors
of its own; graphs, sources and stack frames are those of the one run. Without EXECUTIONS, as many
as belong to the traces.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.event_records import EVENT_SUFFIXES, EventRecord, ids_of_one_run, read_events
from benchmarks.recordings import ROOT
from tfdbg_tui.data.files.checksums import FOOTER_SIZE, HEADER, MASK_DELTA, crc32c

if TYPE_CHECKING:
    from typing import BinaryIO

    import numpy.typing as npt

BATCH_BYTES = 16 << 20
"""Written at a time, about."""


class Plan(NamedTuple):
    """How often the events of one file are repeated, and how far apart."""

    path: Path
    events: list[EventRecord]
    repetitions: int
    seconds: float
    """From the beginning of one repetition to that of the next."""


def record_deep(logdir: Path) -> Path:
    """Record the deep network with the real TensorFlow: about 25 traces to an execution."""
    command = [sys.executable, "-m", "benchmarks.deep_program", str(logdir)]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    return logdir


def lengthen(source: Path, target: Path, traces: int, executions: int | None = None) -> int:
    """Copy a recording with its events repeated to about these numbers; returns the events.

    Traces belong to the executions that they belong to in the source only if both are repeated
    equally often, as they are without a number of executions.
    """
    target.mkdir(parents=True)
    for path in source.iterdir():
        if _suffix(path) not in EVENT_SUFFIXES:
            shutil.copy(path, target)
    wanted = dict(zip(EVENT_SUFFIXES, (executions, traces), strict=True))
    total = 0
    for plan in _plans(source, wanted):
        with (target / plan.path.name).open("wb") as output:
            if _suffix(plan.path) == "execution":
                _repeat_executions(plan, output)
            else:
                _repeat_traces(plan, output)
        total += plan.repetitions * len(plan.events)
    return total


def _suffix(path: Path) -> str:
    return path.name.rpartition(".")[2]


def _plans(source: Path, wanted: dict[str, int | None]) -> list[Plan]:
    """One plan for each event file; all of them take the same time in the end."""
    paths = sorted(path for path in source.iterdir() if _suffix(path) in wanted)
    files = {path: events for path in paths if (events := read_events(path))}
    times = [event.wall_time for events in files.values() for event in events]
    repetitions = {
        path: max(1, round(number / len(events)))
        for path, events in files.items()
        if (number := wanted[_suffix(path)]) is not None
    }
    most = max(repetitions.values())
    span = max(times) - min(times)
    total_seconds = most * (span + span / len(times))
    return [
        Plan(path, events, often, total_seconds / often)
        for path, events in files.items()
        for often in [repetitions.get(path, most)]
    ]


def _repeat_executions(plan: Plan, output: BinaryIO) -> None:
    """Ids of eager tensors take more bytes as they grow, so records are put together one by one."""
    id_shift = ids_of_one_run(plan.events)
    for repetition in range(plan.repetitions):
        later = repetition * plan.seconds
        for event in plan.events:
            output.write(event.framed(event.wall_time + later, repetition * id_shift))


def _repeat_traces(plan: Plan, output: BinaryIO) -> None:
    """Only wall times and checksums differ between repetitions: many are written at once."""
    frames = [event.framed(event.wall_time) for event in plan.events]
    once = b"".join(frames)
    sizes = np.array([len(frame) for frame in frames])
    starts = np.cumsum(sizes) - sizes + HEADER.size
    ends = np.cumsum(sizes) - FOOTER_SIZE
    times = np.array([event.wall_time for event in plan.events])
    at_once = max(1, BATCH_BYTES // len(once))
    for first in range(0, plan.repetitions, at_once):
        batch = np.arange(first, min(first + at_once, plan.repetitions))
        places = ((batch - first) * len(once))[:, None]
        content = bytearray(once * len(batch))
        _put(content, places + starts + 1, times + batch[:, None] * plan.seconds, "<f8")
        _put(content, places + ends, _masked_crcs(content, places + starts, places + ends), "<u4")
        output.write(content)


def _put(
    content: bytearray, places: npt.NDArray[np.int64], numbers: npt.NDArray[np.generic], kind: str
) -> None:
    """Write numbers at any places, aligned or not."""
    count = len(content) - np.dtype(kind).itemsize + 1
    anywhere: npt.NDArray[np.generic] = np.ndarray((count,), kind, content, strides=(1,))
    anywhere[places] = numbers


def _masked_crcs(
    content: bytearray, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint32]:
    data = bytes(content)
    bounds = zip(starts.ravel().tolist(), ends.ravel().tolist(), strict=True)
    plain = np.array([crc32c(data[start:end]) for start, end in bounds], np.uint32)
    rotated = plain >> np.uint32(15) | plain << np.uint32(17)
    masked: npt.NDArray[np.uint32] = (rotated + np.uint32(MASK_DELTA)).reshape(starts.shape)
    return masked


def main() -> None:
    """Lengthen a recording and say how large it became."""
    parser = argparse.ArgumentParser("python -m benchmarks.long_recordings")
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("traces", type=int)
    parser.add_argument("executions", type=int, nargs="?")
    arguments = parser.parse_args()
    started = time.perf_counter()
    events = lengthen(**vars(arguments))
    seconds = time.perf_counter() - started
    size = sum(path.stat().st_size for path in arguments.target.iterdir())
    print(f"{events:,} events, {size / 1e6:,.0f} MB, in {seconds:.1f} s")


if __name__ == "__main__":
    main()
