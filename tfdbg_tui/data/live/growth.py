"""Which runs still grow: asked once, by a command that reads a logdir and is gone.

A program that holds a file open for writing may write more; on Linux that can be seen, unless the
program runs on another machine or belongs to somebody else. Then only the files tell: a run that
does not become longer while it is watched for a moment has ended, as far as can be told. Clocks
decide no more than whether watching is worth it: a copy may be new, and other machines have
clocks of their own.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.data.live.recorder_process import writers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.stores.run import Run

WATCHED_FOR = 2.0
"""Seconds in which a run has to grow that nothing else is known of."""

LOOK_INTERVAL = 0.1
"""Seconds between two looks at its files."""

AT_REST_AFTER = 60.0
"""Seconds since a run was last written to after which it is not watched."""


def still_growing(runs: Sequence[Run]) -> list[Run]:
    """Those of some runs that may become longer by themselves."""
    if not runs:
        return []
    found = [run for run in runs if _has_grown(run)]
    others = [run for run in runs if run not in found]
    in_question = []
    for run, writer in zip(others, writers_of([_paths(run) for run in others]), strict=True):
        if writer:
            found.append(run)
        elif writer is None and not _has_noted_its_end(run) and not _is_at_rest(run):
            in_question.append(run)
    return found + _watched(in_question)


def _watched(runs: list[Run]) -> list[Run]:
    """Those that become longer within some seconds; all are watched together."""
    found: list[Run] = []
    until = time.monotonic() + WATCHED_FOR
    while runs and time.monotonic() < until:
        time.sleep(LOOK_INTERVAL)
        found += [run for run in runs if _has_grown(run)]
        runs = [run for run in runs if run not in found]
    return found


def _has_grown(run: Run) -> bool:
    """Whether a file is longer than when it was read."""
    return any(_size(Path(file.path)) > file.size for host in run.hosts for file in host.files())


def _has_noted_its_end(run: Run) -> bool:
    return run.program is not None and run.program.how_ended is not None


def _is_at_rest(run: Run) -> bool:
    """Whether it was last written to long ago."""
    now = time.time()
    return all(now - _modified(path) > AT_REST_AFTER for path in _paths(run))


def _paths(run: Run) -> list[Path]:
    return [Path(file.path) for host in run.hosts for file in host.files()]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
