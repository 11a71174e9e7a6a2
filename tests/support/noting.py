"""Notes beside a recording, as `run` and `record` write them, and what the doctor makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.examining import Examined, examine
from tfdbg_tui.record.program_notes import ProgramNotes, facts_of_error

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = "/home/me/train.py"
COMMAND = ("train.py", "--epochs", "3")


def error_of(program: str, path: str = SCRIPT) -> dict[str, Any]:
    """The facts of the error that a program ends with."""
    try:
        exec(compile(program, path, "exec"), {})
    except BaseException as error:
        trace = error.__traceback__
        assert trace is not None
        return facts_of_error(error, trace.tb_next)
    raise AssertionError(program)


def note(logdir: Path, **facts: Any) -> Path:
    """Note something of the program of a logdir, which `run` started unless that is told."""
    ProgramNotes.begin(logdir, **{"started_by": "run", "command": COMMAND, **facts})
    return logdir


def examine_noted(logdir: Path, writer: bool | None = False, **facts: Any) -> Examined:
    """What the doctor says of a recording whose program noted something."""
    return examine(note(logdir, **facts), writer=writer)
