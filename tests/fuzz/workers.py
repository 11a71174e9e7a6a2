"""Runs cases in forked processes, with a limit of time, and measures what each needs."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import multiprocessing
import shutil
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.fuzz.cases import write_case
from tests.fuzz.library import read_with_library
from tests.fuzz.looking import commands_of, look_at_all, run_commands

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.connection import Connection

    from tests.fuzz.originals import Original

ENDED_AFTER = 6.0
"""How many times its limit of seconds a case may take before it is ended."""

LIBRARY_EVERY = 3
"""Cases of which one is read as a library, too."""

TOLD_EVERY = 500
"""Cases between two words on how far it is."""


class Limits(NamedTuple):
    """What a case may need."""

    seconds: float
    """Of the processor: how long it takes says how busy the machine is."""
    memory: float
    """Bytes beyond the sizes of its files."""


class Measured(NamedTuple):
    """What a case needed, and what went wrong."""

    seed: int
    seconds: float
    memory: float
    error: str


class _Worker:
    """A process that runs cases one after the other, and the case it is at."""

    def __init__(self, recordings: list[Original], folder: Path) -> None:
        self._fork = multiprocessing.get_context("fork")
        self._arguments = (recordings, folder)
        self.seed: int | None = None
        self._start()

    def _start(self) -> None:
        ours, theirs = self._fork.Pipe()
        self.pipe: Connection = ours
        arguments = (theirs, *self._arguments)
        self._process = self._fork.Process(target=_work, args=arguments, daemon=True)
        self._process.start()
        theirs.close()

    def begin(self, seed: int) -> None:
        self.seed, self._began = seed, time.monotonic()
        self.pipe.send(seed)

    def measured(self, limits: Limits) -> Measured | None:
        """What the present case came to; None while it is under way."""
        assert self.seed is not None
        if self.pipe.poll(0.02):
            try:
                return Measured(*json.loads(self.pipe.recv()))
            except EOFError:
                return self._restarted("the process died")
        if time.monotonic() - self._began > ENDED_AFTER * limits.seconds:
            return self._restarted("it was ended")
        return None

    def _restarted(self, why: str) -> Measured:
        assert self.seed is not None
        self._process.kill()
        self._process.join()
        self._start()
        return Measured(self.seed, time.monotonic() - self._began, 0.0, why)

    def end(self) -> None:
        self.pipe.send(None)
        self._process.join()


def run_cases(
    seeds: Sequence[int],
    recordings: list[Original],
    scratch: Path,
    workers: int,
    limits: Limits,
) -> list[Measured]:
    """Run cases and print those that are wrong, and the worst at the end; returns the wrong."""
    gc.freeze()
    pool = [_Worker(recordings, scratch / f"case-{n}") for n in range(workers)]
    pending, results = list(reversed(seeds)), list[Measured]()
    while len(results) < len(seeds):
        for worker in pool:
            if worker.seed is None:
                if pending:
                    worker.begin(pending.pop())
                continue
            found = worker.measured(limits)
            if found is not None:
                worker.seed = None
                results.append(found)
                _tell(found, limits, len(results))
    for worker in pool:
        worker.end()
    slowest = max(results, key=lambda found: found.seconds)
    largest = max(results, key=lambda found: found.memory)
    offenders = [found for found in results if _is_wrong(found, limits)]
    say(
        f"{len(results):,} cases, {len(offenders)} wrong; "
        f"the slowest took {slowest.seconds:.2f} s (case {slowest.seed}), "
        f"the largest {largest.memory / 1e6:.0f} MB (case {largest.seed})"
    )
    return offenders


def _is_wrong(found: Measured, limits: Limits) -> bool:
    too_much = found.seconds > limits.seconds or found.memory > limits.memory
    return bool(found.error) or too_much


def _tell(found: Measured, limits: Limits, count: int) -> None:
    if _is_wrong(found, limits):
        needed = f"{found.seconds:.2f} s, {found.memory / 1e6:.0f} MB"
        say(f"case {found.seed}: {needed}\n{found.error}")
    if count % TOLD_EVERY == 0:
        say(f"{count:,} cases")


def say(text: str) -> None:
    """Print a line at once, whoever reads it."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _work(pipe: Connection, recordings: list[Original], folder: Path) -> None:
    """Run the cases that are asked for, until nobody asks."""
    warnings.simplefilter("error", RuntimeWarning)
    while (seed := pipe.recv()) is not None:
        pipe.send(json.dumps(_run(seed, recordings, folder)))


def _run(seed: int, recordings: list[Original], folder: Path) -> Measured:
    size = write_case(seed, recordings, folder)
    gc.collect()
    before = _memory("VmRSS")
    with contextlib.suppress(OSError):  # where there is no such file, the peak is that of all cases
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    start, error = time.process_time(), ""
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            run_commands(folder, commands_of(seed))
            look_at_all(folder, seed)
            if seed % LIBRARY_EVERY == 0:
                read_with_library(folder, seed)
    except Exception:
        error = traceback.format_exc()
    seconds = time.process_time() - start
    memory = max(0.0, _memory("VmHWM") - before - size)
    shutil.rmtree(folder)
    return Measured(seed, seconds, memory, error)


def _memory(what: str) -> float:
    """Bytes of memory that this process has, or had at the most."""
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    lines = (line.split() for line in status.splitlines() if line.startswith(f"{what}:"))
    return next((1024.0 * int(words[1]) for words in lines), 0.0)
