"""Reading a logdir for a command that prints, with a sentence if that cannot be done."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import TYPE_CHECKING

from tfdbg_tui.commands.outcome import complain
from tfdbg_tui.data.files.growing_file import FileState
from tfdbg_tui.data.files.open_files import MAX_OPEN, RESERVE, descriptors_left
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.errors import UserError
from tfdbg_tui.words import counted, first_few

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.run import Run

PROGRESS_AFTER = 1.0
"""Seconds of loading after which progress is shown."""

FEWEST_LEFT = 12
"""Files that must be allowed yet for anything to work: modules are files, too."""

MAX_NAMED = 3
"""Folders that cannot be searched, or damaged notes, that are named at most; `/` has hundreds."""


def loaded(path: str) -> Logdir:
    """The logdir that a command is about, read."""
    if not path:
        raise UserError("LOGDIR is empty; give the directory the program records to.")
    allow_many_files()
    logdir = Logdir(path)
    _load(logdir)
    return logdir


def _load(logdir: Logdir) -> None:
    """Read all that is there; at a terminal, show the progress if it takes long."""
    progress_from = time.monotonic() + PROGRESS_AFTER
    was_shown = False

    def show_progress(read: int, total: int) -> None:
        nonlocal was_shown
        if time.monotonic() > progress_from:
            was_shown = True
            sys.stderr.write(f"\rreading {total / 1e6:,.0f} MB: {read / max(total, 1):.0%} ")
            sys.stderr.flush()

    logdir.load(show_progress if sys.stderr is not None and sys.stderr.isatty() else None)
    if was_shown:
        sys.stderr.write("\r\x1b[K")


def allow_many_files() -> None:
    """Raise the limit of open files as far as recorded ones use it: 200 runs have 1,200."""
    try:
        import resource
    except ImportError:  # not a POSIX system
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_OPEN + 2 * RESERVE
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):  # a system may have limits of its own
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    left = descriptors_left()
    if left is not None and left < FEWEST_LEFT:
        raise UserError(
            f"only {counted(left, 'more file')} can be opened here; "
            "raise the limit with `ulimit -n 1024` and try again."
        )


def chosen_runs(logdir: Logdir, wanted: str | None) -> tuple[Run, ...]:
    """The runs to judge, or the sentence that says why there are none."""
    path = logdir.path
    if not os.path.lexists(path):
        raise UserError(f"{path} does not exist; give the directory the program records to.")
    if os.path.isfile(path):  # noqa: PTH113 - see paths
        raise UserError(f"{path} is a file; give the directory it is in.")
    if path in logdir.unreadable:
        reason = logdir.unreadable[path].lower()
        raise UserError(f"{path} cannot be listed ({reason}); check its rights.")
    _mention_unsearched(logdir)
    _mention_damaged_notes(logdir)
    runs = logdir.runs
    if not runs:
        raise _without_runs(logdir)
    if wanted is not None:
        runs = tuple(run for run in runs if run.key.startswith(wanted))
        if not runs:
            known = ", ".join(run.key for run in logdir.runs)
            raise UserError(f"{path} has no run {wanted}, only {known}.")
    return runs


def _without_runs(logdir: Logdir) -> UserError:
    if logdir.program is not None:
        from tfdbg_tui.doctor.scripts import unrecorded  # `check` starts sooner without

        why = unrecorded(logdir.program).headline
        return UserError(f"no tfdbg recording in {logdir.path}: {why}.")
    return UserError(
        f"no tfdbg recording in {logdir.path}; record one with "
        "tf.debugging.experimental.enable_dump_debug_info."
    )


def _mention_unsearched(logdir: Logdir) -> None:
    """Say on stderr which folders were not searched; the exit code stays the same."""
    folders = [f"{path} ({reason.lower()})" for path, reason in logdir.unreadable.items()]
    if folders:
        complain(f"not searched: {', '.join(first_few(folders, MAX_NAMED))}.")
    if logdir.search_was_cut:
        complain(f"{logdir.path} has too many folders; not all of them were searched.")


def _mention_damaged_notes(logdir: Logdir) -> None:
    """Say on stderr that a program may have failed and nobody knows; the exit code stays the same.

    What it noted is beside the recording, not of it: its numbers are judged all the same.
    """
    notes = list(map(str, logdir.damaged_notes))
    if notes:
        named = ", ".join(first_few(notes, MAX_NAMED))
        complain(f"cannot be read: {named}; how its program ended is not known.")


def denied_files(runs: tuple[Run, ...]) -> list[str]:
    """A sentence for each file that may not be read."""
    files = [file for run in runs for host in run.hosts for file in host.files()]
    denied = [file for file in files if file.state is FileState.UNREADABLE]
    return [f"{file.path} cannot be read ({file.reason.lower()})." for file in denied]
