"""How a command ends: what it has to say, and the exit code."""

from __future__ import annotations

import os
import sys

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.sanitise import sanitise

CLEAN, BAD, CANNOT_READ, CRASHED = 0, 1, 2, 3
"""Exit codes: nothing wrong was found, something was, there was nothing to look at, or it failed.

A failure of ours never looks like bad numbers: scripts stop a training for those.
"""


class Outcome(NamedTuple):
    """What a command has to say, and its exit code."""

    code: int
    text: str


def say(text: str) -> None:
    """Write to stdout; a closed pipe is no error."""
    if sys.stdout is None:  # it was closed before we started
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError:
        # The reader of the pipe is gone. Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(sentence: str) -> None:
    """Say one sentence on stderr."""
    if sys.stderr is not None:
        sys.stderr.write(f"tfdbg-tui: {sanitise(sentence)}\n")
