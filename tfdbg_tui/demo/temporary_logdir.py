"""A temporary logdir with the recorded run in it, removed at the end of a `with` block."""

from __future__ import annotations

import signal
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.demo.recorded import recorded_run
from tfdbg_tui.demo.replay import Replay
from tfdbg_tui.errors import UserError
from tfdbg_tui.words import os_reason

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER_PREFIX = "tfdbg-demo-"
"""What the names of the temporary logdirs begin with; it stands in the status line."""


@contextmanager
def playing(speed: float) -> Iterator[Path]:
    """A logdir in which the run happens now; a speed of 1 is the pace of the training."""
    with _replay(speed) as (replay, logdir):
        replay.start()
        yield logdir


@contextmanager
def played() -> Iterator[Path]:
    """A logdir in which the whole run has happened."""
    with _replay() as (replay, logdir):
        with _writing():
            replay.finish()
        replay.close()
        yield logdir


@contextmanager
def _replay(speed: float = 1.0) -> Iterator[tuple[Replay, Path]]:
    run = recorded_run()
    with _ended_by_signals(), _folder() as folder:
        with _writing():
            replay = Replay(run, folder, speed)
        try:
            yield replay, folder
        finally:
            replay.stop()


@contextmanager
def _folder() -> Iterator[Path]:
    with _writing():
        folder = tempfile.TemporaryDirectory(prefix=FOLDER_PREFIX, ignore_cleanup_errors=True)
    with folder as path:
        yield Path(path)


@contextmanager
def _writing() -> Iterator[None]:
    """Turn an OSError into a UserError."""
    try:
        yield
    except OSError as error:
        raise UserError(
            f"the demo cannot write its recording ({os_reason(error)}); "
            "set TMPDIR to a folder with room."
        ) from error


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Turn signals that end a program into SystemExit, so that its folder is removed."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, handler in before.items():
        if handler == signal.SIG_DFL:
            signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
