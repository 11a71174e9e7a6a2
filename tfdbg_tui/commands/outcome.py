"""How a command ends: what it has to say, and the exit code."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

from tfdbg_tui.sanitise import sanitise

CLEAN, BAD, CANNOT_READ = 0, 1, 2
"""Exit codes: nothing wrong was found, something was, or there was nothing to look at."""


class Outcome(NamedTuple):
    """What a command has to say, and its exit code."""

    code: int
    text: str


def say(text: str) -> None:
    """Print, whatever became of whoever reads it."""
    if sys.stdout is None:  # closed by whoever started us
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError:
        # Whoever read the output has left; without this Python complains once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(sentence: str) -> None:
    """Say one sentence on stderr."""
    if sys.stderr is not None:
        sys.stderr.write(f"tfdbg-tui: {sanitise(sentence)}\n")
