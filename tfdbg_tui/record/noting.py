"""What a recording notes of its program: its options at once, other threads, and the end.

`run` has begun the notes of its script; other programs begin their own, beside each recording.
"""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tfdbg_tui.record.other_threads import OtherThreads
from tfdbg_tui.record.program_notes import ProgramNotes, facts_of_error

if TYPE_CHECKING:
    from types import TracebackType

    from tfdbg_tui.record.tf_internals import Dtypes, RecorderOptions

_given: list[ProgramNotes] = []
"""The notes that `run` has begun, if it has."""

_all: list[ProgramNotes] = []
"""The notes that this process writes."""


class RecordingNotes:
    """The notes about one recording."""

    def __init__(self, options: RecorderOptions, run_id: str) -> None:
        self._notes = _given[0] if _given else _begun(options.root)
        self._threads = OtherThreads()
        self._seen = 0
        self._notes.add(
            run_id=run_id,
            mode=options.mode,
            op_regex=options.op_regex,
            dtypes=_names(options.dtypes),
            op_names=None if options.op_names is None else list(options.op_names),
            keep=options.buffer if options.buffer > 0 else None,
        )

    def allow_jit(self, jit: bool) -> None:
        """Note whether XLA may compile functions."""
        self._notes.add(jit=jit)

    def look_at_threads(self) -> None:
        """Note threads that use TensorFlow and are not recorded; for every flush."""
        seen = self._threads.look()
        if seen > self._seen:
            self._seen = seen
            self._notes.add(other_threads=seen)

    def end(self) -> None:
        """Note that the program ends, and what Keras has computed with."""
        self._notes.add(ended=time.time(), **keras_backend())


def give(path: str | None) -> None:
    """Have all that is noted go to notes that were begun; for `run`."""
    if path is not None and not _given:
        _given.append(ProgramNotes.resume(Path(path)))
        _all.extend(_given)


def note_error(error: BaseException) -> None:
    """Note the error that ends the program."""
    facts = facts_of_error(error, error.__traceback__)
    for notes in _all:
        notes.add(error=facts, **keras_backend())


def note_uncaught_errors() -> None:
    """Note the error that ends the program, if one does, and go on as before."""
    tell = sys.excepthook

    def note_and_tell(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        note_error(error)
        tell(kind, error, trace)

    sys.excepthook = note_and_tell


def keras_backend() -> dict[str, str]:
    """What Keras computes with, if the program uses it."""
    keras: Any = sys.modules.get("keras")
    with contextlib.suppress(Exception):  # it may be anybody's, or half imported
        return {"keras_backend": str(keras.backend.backend())}
    return {}


def _begun(root: str) -> ProgramNotes:
    if not _all:
        note_uncaught_errors()
    command = [str(word) for word in sys.argv]
    notes = ProgramNotes.begin(
        Path(root), started_by="record", command=command, started=time.time()
    )
    _all.append(notes)
    return notes


def _names(dtypes: Dtypes | None) -> list[str]:
    """The types that are recorded, as names; a function of the type says nothing about itself."""
    if dtypes is None:
        return []
    if callable(dtypes):
        return [getattr(dtypes, "__name__", "a function")]
    listed = [dtypes] if isinstance(dtypes, str) else dtypes
    return [str(getattr(dtype, "name", dtype)) for dtype in listed]
