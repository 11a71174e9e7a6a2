"""What a program noted beside its recording: how it was recorded, and how it ended.

`record` writes the notes, as a JSON object. They may be missing, half of them may be, and they
may come from anybody: whatever is not as it should be counts as not noted.
"""

from __future__ import annotations

import json
import math
import os
import re
import signal
import stat
from enum import Enum
from typing import Any

from tfdbg_tui.data.stores import tf_errors
from tfdbg_tui.data.stores.user_code import is_user_file
from tfdbg_tui.frozen.named_tuple import NamedTuple

_NO_TENSORFLOW = "No module named 'tensorflow'"

MAX_BYTES = 1 << 20
"""Notes longer than this are nobody's."""

MAX_MESSAGE = 20_000
"""Characters of an error's message that are looked at: no more are noted."""

MAX_NUMBER = 1 << 62
"""Larger ones are nobody's either."""

_RECORDER = re.compile(r"/tensorflow/python/debug/lib/[^/]*$|/tfdbg_tui/record/[^/]*$")

_VARIABLES = re.compile(r"/tensorflow/python/ops/(?:(?!variable)[^/])*variable[^/]*$")
_PASSING_ON = ("/framework/tensor.py", "/util/traceback_utils.py")
"""Files of TensorFlow through which the error of another comes."""

_NO_VARIABLE = "'SymbolicTensor' object has no attribute 'assign'"
"""What TensorFlow's own variables complain of, when they got no variable."""

NAMELESS = "The program"
"""What a program is called whose name is not noted."""

SIGNALLED = 128
"""What a shell adds to the number of the signal that ended a program."""

REQUESTS = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
"""Signals by which somebody asks a program to end: that it did is no failure."""


class HowEnded(Enum):
    """How a program ended."""

    WELL = "well"
    FAILED = "failed"
    """With an error, by a signal that is no request, or with an exit code that says so."""
    INTERRUPTED = "interrupted"
    """By ctrl-c."""
    STOPPED = "stopped"
    """By way of the app, or by a signal that asks for it."""


class ErrorFrame(NamedTuple):
    """A frame of the stack in which an error was raised."""

    file: str
    line: int
    function: str
    code: str


class Failure(NamedTuple):
    """An error that ended a program."""

    type: str
    """With its module."""
    message: str
    frames: tuple[ErrorFrame, ...]
    """Outermost first."""

    @property
    def name(self) -> str:
        """The error's class, as a traceback names it last."""
        return self.type.rpartition(".")[2] or self.type

    @property
    def line(self) -> ErrorFrame | None:
        """The innermost frame of the user's own code, that of a traced function included."""
        traced = tf_errors.traced_line(self.message)
        if traced is not None:
            return ErrorFrame(*traced)
        own = (frame for frame in reversed(self.frames) if is_user_file(frame.file))
        return next(own, None)

    @property
    def is_interrupt(self) -> bool:
        """Whether somebody ended the program with ctrl-c."""
        return self.type == "builtins.KeyboardInterrupt"

    @property
    def is_of_recorder(self) -> bool:
        """Whether the recorder failed, not the program: in its own code, or for one of its ops."""
        if self.is_interrupt:
            return False  # wherever that came up
        innermost = self.frames[-1].file.replace("\\", "/") if self.frames else ""
        if _RECORDER.search(innermost) or tf_errors.names_recorder_ops(self.message):
            return True
        return self.lacks_variable

    @property
    def lacks_variable(self) -> bool:
        """Whether TensorFlow got what the recorder puts in place of a variable, which is none."""
        files = [frame.file.replace("\\", "/") for frame in self.frames]
        last = [file for file in files if not file.endswith(_PASSING_ON)][-1:]
        return self.message == _NO_VARIABLE and any(map(_VARIABLES.search, last))

    @property
    def is_of_xla(self) -> bool:
        """Whether XLA could not compile something."""
        return tf_errors.speaks_of_xla(self.message)

    @property
    def is_of_full_disk(self) -> bool:
        """Whether there was no room to write."""
        return tf_errors.tells_full_disk(self.message)

    @property
    def lacks_tensorflow(self) -> bool:
        """Whether the program's Python has no TensorFlow."""
        return self.name == "ModuleNotFoundError" and _NO_TENSORFLOW in self.message

    @property
    def reason(self) -> str:
        """What went wrong, in one line of the message."""
        return tf_errors.reason(self.message)

    @property
    def blamed(self) -> tf_errors.Blamed:
        """Which op TensorFlow's message blames."""
        return tf_errors.blamed(self.message)


class Program(NamedTuple):
    """What a program noted; None is what it did not."""

    started_by: str | None = None
    """`run`, which records a whole script, or `record`, which the program calls itself."""
    command: tuple[str, ...] = ()
    """The script and its arguments."""
    run_id: str | None = None
    """The run it recorded."""
    op_regex: str | None = None
    dtypes: tuple[str, ...] = ()
    keep: int | None = None
    """Events that are kept of each fraction of a second."""
    jit: bool | None = None
    """Whether functions may be compiled by XLA."""
    keras_backend: str | None = None
    """What Keras computes with."""
    other_threads: int = 0
    """Threads, besides the one that is recorded, that used TensorFlow."""
    started: float | None = None
    ended: float | None = None
    """Wall times."""
    exit_code: int | None = None
    """As a shell has it."""
    was_stopped: bool = False
    """Whether the user ended it by way of the app."""
    failure: Failure | None = None
    folder: str | None = None
    """The one that it was started in."""
    python: str | None = None
    """What ran it."""
    op_names: tuple[str, ...] | None = None
    """Ops of graphs that were recorded; None for all."""

    @property
    def script(self) -> str | None:
        """The name of its script or module."""
        words = self.command[1:] if self.command[:1] == ("-m",) else self.command
        return os.path.basename(words[0]) if words else None  # noqa: PTH119

    @property
    def chose_less(self) -> bool:
        """Whether it left out what it could have recorded."""
        return bool(self.keep or self.op_regex or self.dtypes) or self.op_names is not None

    @property
    def name(self) -> str:
        """What to call it at the beginning of a sentence."""
        return self.script or NAMELESS

    @property
    def how_ended(self) -> HowEnded | None:
        """How it ended; None while that is not noted."""
        failure, request = self.failure, self.ending_signal in REQUESTS
        if self.was_stopped or (request and self.ending_signal is not signal.SIGINT):
            return HowEnded.STOPPED
        if request or (failure is not None and failure.is_interrupt):
            return HowEnded.INTERRUPTED
        if failure is not None or self.exit_code:
            return HowEnded.FAILED
        return HowEnded.WELL if self.exit_code == 0 or self.ended is not None else None

    @property
    def failed(self) -> bool:
        """Whether it ended with an error, and nobody wanted it to end."""
        return self.how_ended is HowEnded.FAILED

    @property
    def ending_signal(self) -> signal.Signals | None:
        """What ended it, if that was a signal."""
        try:
            return signal.Signals((self.exit_code or 0) - SIGNALLED)
        except ValueError:
            return None


def read_notes(path: str | os.PathLike[str]) -> Program | None:
    """The notes in a file; None if there are none in it."""
    try:
        # A named pipe would be waited for, a device might never end.
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        with open(number, "rb") as file:
            is_file = stat.S_ISREG(os.fstat(number).st_mode)
            content = file.read(MAX_BYTES + 1) if is_file else b""
        noted = json.loads(content) if len(content) <= MAX_BYTES else None
    except (OSError, ValueError, RecursionError):
        return None
    return _program(noted) if isinstance(noted, dict) else None


def _program(noted: dict[str, Any]) -> Program:
    return Program(
        started_by=_text(noted.get("started_by")),
        command=_texts(noted.get("command")),
        folder=_text(noted.get("folder")),
        python=_text(noted.get("python")),
        run_id=_text(noted.get("run_id")),
        op_regex=_text(noted.get("op_regex")),
        dtypes=_texts(noted.get("dtypes")),
        op_names=_texts(named) if isinstance(named := noted.get("op_names"), list) else None,
        keep=_whole(noted.get("keep")),
        jit=noted["jit"] if isinstance(noted.get("jit"), bool) else None,
        keras_backend=_text(noted.get("keras_backend")),
        other_threads=_whole(noted.get("other_threads")) or 0,
        started=_number(noted.get("started")),
        ended=_number(noted.get("ended")),
        exit_code=_whole(noted.get("exit_code")),
        was_stopped=noted.get("was_stopped") is True,
        failure=_failure(noted.get("error")),
    )


def _failure(noted: object) -> Failure | None:
    kind = _text(noted.get("type")) if isinstance(noted, dict) else None
    if not isinstance(noted, dict) or kind is None:
        return None
    frames = noted.get("frames")
    found = map(_frame, frames) if isinstance(frames, list) else ()
    return Failure(
        kind,
        (_text(noted.get("message")) or "")[:MAX_MESSAGE],
        tuple(frame for frame in found if frame is not None),
    )


def _frame(noted: object) -> ErrorFrame | None:
    if not isinstance(noted, list) or len(noted) != len(ErrorFrame._fields):
        return None
    file, line, function, code = noted
    path, number = _text(file), _whole(line)
    if path is None or number is None:
        return None
    return ErrorFrame(path, number, _text(function) or "", _text(code) or "")


def _text(noted: object) -> str | None:
    # JSON can spell half of a character, which no terminal and no file takes.
    return noted.encode(errors="replace").decode() if isinstance(noted, str) else None


def _texts(noted: object) -> tuple[str, ...]:
    return tuple(filter(None, map(_text, noted))) if isinstance(noted, list) else ()


def _whole(noted: object) -> int | None:
    if not isinstance(noted, int) or isinstance(noted, bool):
        return None
    return noted if abs(noted) < MAX_NUMBER else None


def _number(noted: object) -> float | None:
    if isinstance(noted, float):
        return noted if math.isfinite(noted) else None
    known = _whole(noted)
    return None if known is None else float(known)
