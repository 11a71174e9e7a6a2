"""Recording the programs, each in its own process, once per root directory."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from tests.recordings.programs import ENVIRONMENT, SCENARIOS, SIGKILLED, is_known
from tests.support.tensorflow_server import tensorflow_python

if TYPE_CHECKING:
    from collections.abc import Iterable

REPOSITORY = Path(__file__).resolve().parents[2]
TIMEOUT_SECONDS = 300.0


class RecordingError(RuntimeError):
    """A program did not end the way its scenario says."""


def record(scenario: str, root: Path) -> Path:
    """Run ``scenario`` into ``root/scenario``, unless it is there already; returns that logdir.

    Any number of threads and processes may ask for the same recording at once: one records,
    the others wait for it.
    """
    if not is_known(scenario):
        raise ValueError(f"unknown scenario {scenario!r}")
    target = root / scenario
    if target.is_dir():
        return target
    root.mkdir(parents=True, exist_ok=True)
    with open(root / f".{scenario}.lock", "w", encoding="utf-8") as lock:
        # The kernel drops the lock with the process, so a crashed test run blocks nobody.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if target.is_dir():
            return target
        scratch = Path(tempfile.mkdtemp(prefix=f".{scenario}.", dir=root))
        try:
            _run(scenario, scratch)
            # A rename, so that nobody ever sees half a recording.
            scratch.rename(target)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return target


def _run(scenario: str, logdir: Path) -> None:
    command = [tensorflow_python(), "-m", "tests.recordings.programs", scenario, str(logdir)]
    expected = -signal.SIGKILL if scenario in SIGKILLED else 0
    done = subprocess.run(
        command,
        cwd=REPOSITORY,
        env={**os.environ, **ENVIRONMENT},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    if done.returncode != expected:
        raise RecordingError(
            f"{scenario} ended with {done.returncode}, expected {expected}:\n{done.stderr}"
        )


def record_all(
    root: Path, workers: int = 2, scenarios: Iterable[str] = tuple(SCENARIOS)
) -> dict[str, Path]:
    """Record all scenarios, ``workers`` at a time."""
    names = list(scenarios)
    with ThreadPoolExecutor(workers) as pool:
        return dict(zip(names, pool.map(lambda name: record(name, root), names), strict=True))


class Library:
    """Recordings under one root directory, each made when first asked for."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def path(self, scenario: str) -> Path:
        """The logdir of a scenario. Shared between tests: copy it before changing it."""
        return record(scenario, self.root)
