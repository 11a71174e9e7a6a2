"""For training programs: switches TensorFlow's recorder on and keeps its recording live.

    from tfdbg_tui import record

    record.enable("/tmp/logdir")

Import it anywhere: TensorFlow is imported only when something is called. Where the recorder of
TensorFlow has traps, they are avoided here: its default buffer that shows nothing until the end,
files that lag behind each other, programs of one second that share file names, a crash when a
recorded function is called after the recorder was switched off, functions that XLA compiles and
graphs of TF1, on which it fails, and arrays that it looks at as a whole for every batch.

The room runs inside the user's program. It knows TensorFlow, whose private parts it touches in
the modules `tf_...` alone, and the system. It knows no other room: neither the viewer nor its
data.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tfdbg_tui.record import tf_internals, tf_xla
from tfdbg_tui.record.event_files import discard_writes_of_this_process, unused_names
from tfdbg_tui.record.flushing import LiveFlush
from tfdbg_tui.record.noting import RecordingNotes
from tfdbg_tui.record.private_files import make_folder
from tfdbg_tui.record.session_runs import note_runs
from tfdbg_tui.record.tf_exports import keep_out_of_exports
from tfdbg_tui.record.tf_internals import RecorderOptions

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from tfdbg_tui.record.recorder import Recorder, Writer
    from tfdbg_tui.record.tf_internals import Dtypes

MODES = ("FULL_HEALTH", "CONCISE_HEALTH", "CURT_HEALTH", "NO_TENSOR", "SHAPE", "FULL_TENSOR")
"""What the recorder can note of each tensor."""

FLUSH_EVERY = 0.2
"""Seconds between two flushes: what a killed program loses at most."""

NO_BUFFER = -1
"""The size of the circular buffer that has every event written."""

ALREADY_RECORDING = "already recording to"
"""Start of the warning of a second enable(); `run` filters by it."""


class Recording:
    """A recording that goes on; as a context manager, until the end of the block.

    A `tf.function` that was traced while it went on stays recorded: TensorFlow has woven the
    recorder into its graph.
    """

    def __init__(
        self,
        options: RecorderOptions,
        recorder: Recorder,
        writer: Writer,
        flush_every: float | None,
    ) -> None:
        self.logdir = Path(options.root)
        """The directory that `tfdbg-tui` is to look at."""
        self.mode = options.mode
        self._options = options
        self._recorder = recorder
        self._writer = writer
        self._notes = RecordingNotes(options, recorder.tfdbg_run_id)
        self._live = LiveFlush(self._flush, self._abandon, flush_every)

    def flush(self) -> None:
        """Write all that was recorded to disk now."""
        self._live.now()

    def stop(self) -> None:
        """Record no more ops, and no function that is traced from now on."""
        tf_internals.detach(self._recorder)
        self.flush()

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _allow_jit(self, jit: bool) -> None:
        """Let XLA compile what asks for it, or nothing."""
        tf_xla.choose(self._recorder, jit)
        self._notes.allow_jit(jit)

    def _flush(self) -> None:
        # In this order: events refer to what the other files tell.
        self._writer.FlushNonExecutionFiles()
        self._writer.FlushExecutionFiles()
        self._notes.look_at_threads()

    def _end(self) -> None:
        """At the program's end."""
        self.stop()
        self._notes.end()

    def _abandon(self) -> None:
        """In a forked child: what it would write would tear the records of its parent."""
        tf_internals.detach(self._recorder)
        discard_writes_of_this_process(self.logdir)


_recordings: list[Recording] = []
"""All recordings of this process; they stay, since functions stay recorded."""


def enable(
    logdir: str | os.PathLike[str],
    mode: str = "FULL_HEALTH",
    *,
    flush_every: float | None = FLUSH_EVERY,
    keep: int | None = None,
    op_regex: str | None = None,
    dtypes: Dtypes | None = None,
    op_names: Iterable[str] | None = None,
    jit: bool = False,
) -> Recording:
    """Record all that this thread computes from now on, so that it can be looked at live.

    Args:
        logdir: Where to; made for you alone if it does not exist. Several programs may share it.
        mode: What to note of each tensor, one of `MODES`.
        flush_every: Seconds until what was computed is on disk; None leaves that to chance.
        keep: Write only the last so many events of each `flush_every`: a sample, for long runs.
        op_regex: Note only tensors of ops whose type matches.
        dtypes: Note only tensors of these types; names, or a function of the type.
        op_names: Inside functions, note only tensors of ops called so: `cross_entropy/Log`.
        jit: Let XLA compile what asks for it; nothing inside that is noted. Else it is run op by
            op while it is recorded, and the lines that ask for XLA are told on stderr.
    """
    if not os.fspath(logdir):
        raise ValueError("logdir is empty; give a directory to record to")
    root = str(Path(logdir).expanduser().absolute())
    types, names = _lists(dtypes, op_names)
    re.compile(op_regex or "")  # rather now than in the program's next op
    options = RecorderOptions(root, *_checked(mode, flush_every, keep), op_regex, types, names)
    recorder = tf_internals.running_recorder()
    if recorder is None:
        recording = _resumed(options) or _begun(options, flush_every)
        recording._allow_jit(jit)
        return recording
    recording = _recording_of(recorder, options, flush_every, jit)
    if (str(recording.logdir), recording.mode) != (options.root, options.mode):
        goes_on = f"{recording.logdir} in mode {recording.mode}; that goes on"
        warnings.warn(f"{ALREADY_RECORDING} {goes_on}", stacklevel=2)
    return recording


def callback(logdir: str | os.PathLike[str], mode: str = "FULL_HEALTH", **options: Any) -> Any:
    """A Keras callback that records `fit`: `model.fit(..., callbacks=[record.callback(logdir)])`.

    Takes the options of `enable`.
    """
    import tensorflow as tf

    class RecordCallback(tf.keras.callbacks.Callback):  # type: ignore[misc]
        """Switches the recorder on for as long as training lasts."""

        recording: Recording | None = None

        def on_train_begin(self, logs: object = None) -> None:
            """Record; a step that was traced before is traced again, or nothing would be seen."""
            self.recording = enable(logdir, mode, **options)
            self.model.make_train_function(force=True)

        def on_train_end(self, logs: object = None) -> None:
            """Stop, with all of it on disk."""
            if self.recording is not None:
                self.recording.stop()

    return RecordCallback()


def flush() -> None:
    """Write all that was recorded to disk now, as far as that can be done; for `run`."""
    for recording in _recordings:
        with contextlib.suppress(Exception):
            recording.flush()


def ignore_own_calls(recording: Recording) -> None:
    """Let a program's own calls of the recorder leave this recording alone; for `run`.

    The recording goes to the directory that the app looks at, not to one that the program names.
    """
    tf_internals.replace_public_calls(recording._writer, recording.stop)


def _checked(mode: str, flush_every: float | None, keep: int | None) -> tuple[str, int]:
    """The mode and the size of the buffer, unless something is no value for its option."""
    if mode not in MODES:
        raise ValueError(f"there is no mode {mode}; choose from {', '.join(MODES)}")
    if flush_every is not None and not (_is_number(flush_every) and flush_every > 0):
        raise ValueError(f"flush_every is a number of seconds above 0, or None; not {flush_every}")
    if keep is not None and not (_is_number(keep) and keep >= 1):
        raise ValueError(f"keep is a number of events, or None for all of them; not {keep}")
    return mode, NO_BUFFER if keep is None else keep


def _lists(
    dtypes: Dtypes | None, op_names: Iterable[str] | None
) -> tuple[Dtypes | None, tuple[str, ...] | None]:
    """Types and names, each of which may be one or several."""
    names = (op_names,) if isinstance(op_names, str) else op_names
    return [dtypes] if isinstance(dtypes, str) else dtypes, None if names is None else tuple(names)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _resumed(options: RecorderOptions) -> Recording | None:
    """A stopped recording with the same options, switched on again: one program, one run."""
    for recording in _recordings:
        if recording._options == options:
            tf_internals.attach(recording._recorder)
            return recording
    return None


def _begun(options: RecorderOptions, flush_every: float | None) -> Recording:
    """A new recording."""
    make_folder(Path(options.root))
    times_used = sum(recording._options.root == options.root for recording in _recordings)
    with unused_names(options.root):
        recorder, writer = tf_internals.switch_on(options, times_used)
    return _kept_live(Recording(options, recorder, writer, flush_every))


def _recording_of(
    recorder: Recorder, options: RecorderOptions, flush_every: float | None, jit: bool
) -> Recording:
    """The recording of a recorder that is on: an earlier one, or one the program itself began."""
    for recording in _recordings:
        if recording._recorder is recorder:
            return recording
    tf_internals.care_for(recorder)
    found = tf_internals.options_of(recorder, options)
    recording = _kept_live(Recording(found, recorder, recorder.get_writer(), flush_every))
    recording._allow_jit(jit)
    return recording


def _kept_live(recording: Recording) -> Recording:
    """Flush a new recording from now on."""
    _recordings.append(recording)
    recording._live.start()
    note_runs()
    keep_out_of_exports()
    # TensorFlow would close the files at exit, while threads of its own may still write to them.
    atexit.register(recording._end)
    return recording
