"""What the app writes and computes while nothing happens."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchmarks.table import Row
from benchmarks.terminal_lab import Lab, Result, settle
from tests.recordings.fabricate import frame, split

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECONDS, SECONDS_FOR_CI = 10.0, 3.0
"""That nothing happens."""

RUNS = 50

HOLD_OPEN = """
import sys
held = [open(path, "ab") for path in sys.argv[1:]]
print(flush=True)
sys.stdin.read()
"""


def idle(lab: Lab) -> Iterator[Result]:
    """Bytes and processor time over a run that ended, one that is silent, and many."""
    yield _idle(lab, lab.source, "a run that ended")
    if lab.small:
        return
    with _held_open(lab.source):
        yield _idle(lab, lab.source, "a live run that is silent")
    yield _idle(lab, _many_runs(lab), f"{RUNS} runs")


def _idle(lab: Lab, logdir: Path, what: str) -> Result:
    seconds = SECONDS_FOR_CI if lab.small else SECONDS
    with lab.app(logdir) as terminal:
        settle(terminal)
        written, used, began = terminal.bytes_written, terminal.cpu_seconds(), time.monotonic()
        terminal.pump(seconds)
        written = terminal.bytes_written - written
        share = (terminal.cpu_seconds() - used) / (time.monotonic() - began)
    row = Row(
        f"nothing happens for {seconds:.0f} s, {what}",
        f"{written:,} bytes, {share:.1%} of a core",
        "",
        "",
        "0 bytes, under 1%",
    )
    return Result(row, written > 0)


@contextmanager
def _held_open(logdir: Path) -> Iterator[None]:
    """A process that could write to the files at any time, as a program that thinks for long."""
    paths = [str(path) for path in logdir.iterdir()]
    command = [sys.executable, "-I", "-S", "-c", HOLD_OPEN, *paths]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield
        process.communicate()


def _many_runs(lab: Lab) -> Path:
    """Copies of a recording in one folder, each with an id and a time of its own."""
    target = lab.place / "many"
    target.mkdir()
    for number in range(RUNS):
        for path in lab.source.iterdir():
            first, second, rest = path.name.split(".", 2)
            copy = target / f"{first}.{int(second) + number}.{rest}"
            if path.suffix == ".metadata":
                copy.write_bytes(_with_other_id(path, number))
                os.utime(copy, (0, 0))  # a new one may yet grow, which is told when it does not
            else:
                _link(path, copy)
    return target


def _link(path: Path, copy: Path) -> None:
    """Fifty copies of all sources are many megabytes."""
    try:
        os.link(path, copy)
    except OSError:
        shutil.copy(path, copy)


def _with_other_id(metadata: Path, number: int) -> bytes:
    """The same metadata with another id of the same length at its end."""
    ((_, payload),) = split(metadata)
    digits = f"{number:08x}".encode()
    return frame(payload[: -len(digits)] + digits)
