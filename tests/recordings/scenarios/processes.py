"""Recordings shaped by their processes: killed, never flushed, several in one directory.

``python -m tests.recordings.scenarios.processes`` runs one of the two writers of ``same_second``.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.support.tensorflow_server import tensorflow_python

KILLED_STEPS = 200
ATTEMPTS = 10
WRITERS = 2
WRITER = "tests.recordings.scenarios.processes"


def _die() -> None:
    # SIGKILL: no exit handler of the recorder may run.
    os.kill(os.getpid(), signal.SIGKILL)


def killed(logdir: Path) -> None:
    """Killed after some 3000 events: whole 4096-byte blocks, the last record cut."""
    from tests.recordings.scenarios.recorder import start
    from tests.recordings.scenarios.training import train

    start(logdir)
    train(KILLED_STEPS)
    _die()


def circular(logdir: Path) -> None:
    """The default buffer, killed before any flush: the execution files stay empty."""
    from tests.recordings.scenarios.recorder import start
    from tests.recordings.scenarios.training import train

    start(logdir, circular_buffer_size=1000)
    train()
    _die()


def two_runs(logdir: Path) -> None:
    """A good run, then a bad run with its own run id and file set."""
    for scenario in ("healthy", "nan_input"):
        command = [tensorflow_python(), "-m", "tests.recordings.programs", scenario, str(logdir)]
        subprocess.run(command, check=True)
        # The file names hold whole seconds; a shared second would be another scenario.
        time.sleep(1.0)


def same_second(logdir: Path) -> None:
    """Two processes that write into the same files and tear each other's records."""
    for _ in range(ATTEMPTS):
        with tempfile.TemporaryDirectory() as meeting:
            command = [tensorflow_python(), "-m", WRITER, str(logdir), meeting]
            writers = [subprocess.Popen([*command, str(i)]) for i in range(WRITERS)]
            codes = [writer.wait() for writer in writers]
        if any(codes):
            raise RuntimeError(f"a writer failed: exit codes {codes}")
        if len(list(logdir.glob("*.metadata"))) == 1:
            return
        shutil.rmtree(logdir)
        logdir.mkdir()
    raise RuntimeError(f"the writers never met in one second in {ATTEMPTS} attempts")


def _write_together(logdir: Path, meeting: Path, number: int) -> None:
    """One of the writers: wait for the other, then start right after a second begins."""
    from tests.recordings.scenarios.recorder import start
    from tests.recordings.scenarios.training import mixed_outputs, train

    (meeting / str(number)).touch()
    while len(list(meeting.iterdir())) < WRITERS:
        time.sleep(0.01)
    now = time.time()
    time.sleep(1.1 - now % 1.0)
    start(logdir)
    if number:
        # Other records than the first writer's, or the tears would often look whole.
        mixed_outputs()
    train(20 + 10 * number)


if __name__ == "__main__":
    _write_together(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
