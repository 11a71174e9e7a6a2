"""What becomes of a script that `tfdbg-tui run` runs, inside its process: it is recorded.

Python itself runs the script. `at_start/sitecustomize` has come before it and calls the two
functions here that hear: when the script has imported TensorFlow, and when an exception ends it.
This module is imported only then, and all that it needs with it, at once: what is imported later
may be the script's own. A script that never imports TensorFlow notices nothing of all this.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import warnings
from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui import record
from tfdbg_tui.data.stores.user_code import is_user_file
from tfdbg_tui.record import noting, tf_internals

if TYPE_CHECKING:
    from types import ModuleType, TracebackType

CANNOT_RUN = 2
"""The exit code of Python for a script that is not there."""


OURS = os.path.join(os.path.dirname(record.__file__), "")  # noqa: PTH118, PTH120 - once a run
"""Begins the names of files that hold the recorder's frames."""


class ScriptOptions(NamedTuple):
    """How to run and record a script: options of `tfdbg-tui run`."""

    logdir: str
    mode: str = "FULL_HEALTH"
    keep: int | None = None
    op_regex: str | None = None
    dtypes: tuple[str, ...] = ()
    op_names: tuple[str, ...] | None = None
    jit: bool = False
    """Whether functions may be compiled by XLA, which the recorder cannot look into."""
    brief_interrupt: bool = True
    """Whether an interrupted script ends with one line instead of a traceback."""
    notes: str | None = None
    """The file of notes that was begun beside the recording."""


def hear_import(module: ModuleType, options: str) -> None:
    """Record from now on: the script has imported TensorFlow; options are JSON."""
    if not tf_internals.has_recorder(module):
        found = getattr(module, "__file__", None) or "something else"
        _say(
            f"tfdbg-tui: `import tensorflow` found {found}, which is not TensorFlow: "
            "nothing is recorded."
        )
        return
    hook = sys.excepthook
    switch_on(_parsed(options))
    sys.excepthook = hook  # whatever it is: uncaught exceptions are heard of below


def hear_uncaught(error: BaseException, options: str) -> bool:
    """An exception ends the script; True if nothing more needs to be said about it."""
    chosen = _parsed(options)
    noting.give(chosen.notes)
    leave_out_our_frames(error)
    noting.note_error(error)
    record.flush()
    is_brief = chosen.brief_interrupt and isinstance(error, KeyboardInterrupt)
    if not is_brief or sys.excepthook is not sys.__excepthook__:
        return False
    _say(f"interrupted{_user_line(error.__traceback__)}")
    return True


def leave_out_our_frames(error: BaseException) -> None:
    """Take what the recorder has put around TensorFlow's functions out of a traceback."""
    pending, seen = [error], {id(error)}
    while pending:
        told = pending.pop()
        trace = told.__traceback__  # begins in the script
        while trace is not None and trace.tb_next is not None:
            if trace.tb_next.tb_frame.f_code.co_filename.startswith(OURS):
                trace.tb_next = trace.tb_next.tb_next
            else:
                trace = trace.tb_next
        for other in (told.__cause__, told.__context__):
            if other is not None and id(other) not in seen:
                seen.add(id(other))
                pending.append(other)


def _say(line: str) -> None:
    """Say one line on stderr, unless the script has closed it."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"{line}\n")


def _parsed(options: str) -> ScriptOptions:
    return ScriptOptions(**json.loads(options))


def switch_on(options: ScriptOptions) -> None:
    """Record from now on; the script's own calls of the recorder change nothing."""
    noting.give(options.notes)
    try:
        recording = record.enable(
            options.logdir,
            options.mode,
            keep=options.keep,
            op_regex=options.op_regex,
            dtypes=options.dtypes or None,
            op_names=options.op_names,
            jit=options.jit,
        )
    except (OSError, TypeError, ValueError) as error:
        sys.stderr.write(f"tfdbg-tui: cannot record: {str(error).rstrip('.')}.\n")
        sys.exit(CANNOT_RUN)
    record.ignore_own_calls(recording)
    warnings.filterwarnings("ignore", message=record.ALREADY_RECORDING)


def _user_line(trace: TracebackType | None) -> str:
    """The innermost line of the user's own in a traceback, as the end of a sentence."""
    line = ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if is_user_file(file):
            line = f" at {file}:{trace.tb_lineno}"
        trace = trace.tb_next
    return line
