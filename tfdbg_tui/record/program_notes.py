"""Notes beside a recording: how its program was started and recorded, and how it ended.

TensorFlow's files tell none of that. A small JSON object tells it to whoever looks: which ops
were left out on purpose, and that the program died of an error. Each program has a file of its
own, which it replaces as a whole, so that a reader finds all of it or what was there before.

Noting something never fails: a program must not die of its notes.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import threading
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tfdbg_tui.record.private_files import open_new_file

if TYPE_CHECKING:
    from types import TracebackType

    Facts = dict[str, Any]

NAME = "tfdbg_program.json"
"""Of the file or, where that is taken, tfdbg_program-2.json and so on."""

MAX_MESSAGE = 20_000
"""Characters of an error's message that are kept: TensorFlow's tell a stack in it."""

MAX_FRAMES = 100
"""Innermost frames of an error that are kept."""


class ProgramNotes:
    """The notes of one program; other processes, such as forked children, write none of them."""

    def __init__(self, path: Path | None, facts: Facts) -> None:
        self.path = path
        """The file; None if none could be made."""
        self._facts = facts
        self._process = os.getpid()
        self._one_at_a_time = threading.Lock()

    @classmethod
    def begin(cls, logdir: Path, **facts: Any) -> ProgramNotes:
        """Make a new file in a logdir; what is there already is left alone."""
        notes = cls(None, {})
        with contextlib.suppress(OSError):
            notes.path, file = open_new_file(logdir / NAME, mode=0o600)
            file.close()
        notes.add(version=1, **facts)
        return notes

    @classmethod
    def resume(cls, path: Path) -> ProgramNotes:
        """Go on with notes that another process has begun and leaves alone meanwhile."""
        facts: Facts = {}
        with contextlib.suppress(OSError, ValueError):
            facts = json.loads(path.read_text(encoding="utf-8"))
        return cls(path, facts if isinstance(facts, dict) else {})

    def add(self, **facts: Any) -> None:
        """Note more."""
        if self.path is None or os.getpid() != self._process:
            return
        with self._one_at_a_time, contextlib.suppress(OSError, TypeError, ValueError):
            self._facts |= facts
            _replace(self.path, json.dumps(self._facts))

    def remove(self) -> None:
        """Take the notes away: there is nothing that they would be about."""
        if self.path is not None:
            with contextlib.suppress(OSError):
                self.path.unlink()


def _replace(path: Path, text: str) -> None:
    """Have a file hold another text, or still the old one if that fails."""
    number, name = tempfile.mkstemp(prefix=f".{NAME}-", dir=path.parent)
    try:
        with open(number, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink()
        raise


def facts_of_error(error: BaseException, trace: TracebackType | None) -> Facts:
    """What to note of an error that ended a program."""
    kind = type(error)
    try:
        message = str(error)
    except Exception:  # the class is the user's own
        message = ""
    frames = traceback.extract_tb(trace)[-MAX_FRAMES:]
    return {
        "type": f"{kind.__module__}.{kind.__qualname__}",
        "message": message[:MAX_MESSAGE],
        "frames": [[f.filename, f.lineno, f.name, f.line or ""] for f in frames],
    }
