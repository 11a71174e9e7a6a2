"""For training programs: switches TensorFlow's recorder on and keeps its recording live.

    from tfdbg_tui import record

    record.enable("/tmp/logdir")

Import it anywhere: TensorFlow is imported only when something is called. Where the recorder of
TensorFlow has traps, they are avoided here: its default buffer that shows nothing until the end,
files that lag behind each other, programs of one second that share file names, and a crash when
a recorded function is called after the recorder was switched off.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import re
import socket
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tfdbg_tui.record.flushing import LiveFlush

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType

    Dtypes = str | Sequence[Any] | Callable[[Any], bool]

MODES = ("FULL_HEALTH", "CONCISE_HEALTH", "CURT_HEALTH", "NO_TENSOR", "SHAPE", "FULL_TENSOR")
"""What the recorder can note of each tensor."""

FLUSH_EVERY = 0.2
"""Seconds between two flushes: what a killed program loses at most."""

NO_BUFFER = -1
"""The size of the circular buffer that has every event written."""

ALREADY_RECORDING = "already recording to"
"""How the warning begins that a options for another recording is not granted."""


class RecorderOptions(NamedTuple):
    """How a program wants to be recorded."""

    root: str
    mode: str
    buffer: int
    op_regex: str | None
    dtypes: Any


class Recording:
    """A recording that goes on; as a context manager, until the end of the block.

    A `tf.function` that was traced while it went on stays recorded: TensorFlow has woven the
    recorder into its graph.
    """

    def __init__(
        self, options: RecorderOptions, recorder: Any, writer: Any, flush_every: float | None
    ) -> None:
        self.logdir = Path(options.root)
        """The directory that `tfdbg-tui` is to look at."""
        self.mode = options.mode
        self._options = options
        self._recorder = recorder
        self._writer = writer
        self._live = LiveFlush(self._flush, self._abandon, flush_every)

    def flush(self) -> None:
        """Write all that was recorded to disk now."""
        self._live.now()

    def stop(self) -> None:
        """Record no more ops, and no function that is traced from now on."""
        _detach(self._recorder)
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

    def _flush(self) -> None:
        # In this order: events refer to what the other files tell.
        self._writer.FlushNonExecutionFiles()
        self._writer.FlushExecutionFiles()

    def _abandon(self) -> None:
        """In a forked child: what it would write would tear the records of its parent."""
        _detach(self._recorder)
        _close_for_this_process(self.logdir)


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
) -> Recording:
    """Record all that this thread computes from now on, so that it can be looked at live.

    Args:
        logdir: Where to; made if need be. Several programs may share it.
        mode: What to note of each tensor, one of `MODES`.
        flush_every: Seconds until what was computed is on disk; None leaves that to chance.
        keep: Write only the last so many events of each `flush_every`: a sample, for long runs.
        op_regex: Note only tensors of ops whose type matches.
        dtypes: Note only tensors of these types; names, or a function of the type.
    """
    if not os.fspath(logdir):
        raise ValueError("logdir is empty; give a directory to record to")
    if op_regex is not None:
        re.compile(op_regex)  # rather now than in the program's next op
    place = str(Path(logdir).expanduser().absolute())
    types = [dtypes] if isinstance(dtypes, str) else dtypes
    options = RecorderOptions(place, *_checked(mode, flush_every, keep), op_regex, types)
    running = _running()
    if running is not None:
        return _adopted(running, options, flush_every)
    for recording in _recordings:
        if recording._options == options:  # one program, one run
            _attach(recording._recorder)
            return recording
    Path(options.root).mkdir(parents=True, exist_ok=True)
    with _names_of_our_own(options.root):
        writer = _switch_on(options)
    return _kept(Recording(options, _running(), writer, flush_every))


def take_over(recording: Recording) -> None:
    """Let a program's own calls of the recorder leave this recording alone.

    It goes where somebody looks at it; TensorFlow would refuse another mode, and move to another
    directory.
    """
    import tensorflow as tf

    def enable_dump_debug_info(*_: object, **__: object) -> Any:
        return recording._writer

    tf.debugging.experimental.enable_dump_debug_info = enable_dump_debug_info
    tf.debugging.experimental.disable_dump_debug_info = recording.stop


def forbid_jit() -> None:
    """Have functions run op by op that ask to be compiled by XLA: the recorder fails on those."""
    import tensorflow as tf

    kind = type(tf.function(lambda: None))
    create = kind.__init__

    def create_without_jit(function: Any, *arguments: Any, **options: Any) -> None:
        create(function, *arguments, **{**options, "jit_compile": None})

    kind.__init__ = create_without_jit
    tf.config.optimizer.set_jit(False)


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


def _checked(mode: str, flush_every: float | None, keep: int | None) -> tuple[str, int]:
    if mode not in MODES:
        raise ValueError(f"there is no mode {mode}; choose from {', '.join(MODES)}")
    if flush_every is not None and not (_is_number(flush_every) and flush_every > 0):
        raise ValueError(f"flush_every is a number of seconds above 0, or None; not {flush_every}")
    if keep is not None and not (_is_number(keep) and keep >= 1):
        raise ValueError(f"keep is a number of events, or None for all of them; not {keep}")
    return mode, NO_BUFFER if keep is None else keep


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _kept(recording: Recording) -> Recording:
    _recordings.append(recording)
    recording._live.start()
    # TensorFlow would close the files at exit, while threads of its own may still write to them.
    atexit.register(recording.stop)
    return recording


# What follows reaches into TensorFlow: there is no public way to ask whether the recorder is on,
# nor to switch it off without closing files that recorded functions go on writing to.


def _dumping() -> Any:
    from tensorflow.python.debug.lib import dumping_callback

    return dumping_callback


def _running() -> Any:
    """The recorder of this thread, if it is on."""
    return getattr(_dumping()._state, "dumping_callback", None)


def _adopted(recorder: Any, options: RecorderOptions, flush_every: float | None) -> Recording:
    """Keep a recording live that the program itself, or an earlier call, has switched on."""
    for recording in _recordings:
        if recording._recorder is recorder:
            break
    else:
        from tensorflow.core.protobuf.debug_event_pb2 import TensorDebugMode

        found = options._replace(
            root=str(Path(recorder.dump_root).absolute()),
            mode=TensorDebugMode.Name(recorder.tensor_debug_mode),
            buffer=recorder.circular_buffer_size,
        )
        recording = _kept(Recording(found, recorder, recorder.get_writer(), flush_every))
    if (recording._options.root, recording._options.mode) != (options.root, options.mode):
        warnings.warn(
            f"{ALREADY_RECORDING} {recording.logdir} in mode {recording.mode}; that goes on",
            stacklevel=3,
        )
    return recording


def _switch_on(options: RecorderOptions) -> Any:
    """TensorFlow's own call; returns its writer."""
    import tensorflow as tf

    # TensorFlow keeps one writer for each root, and opens none anew that has been in use: a
    # second recording in the same place needs another name for it.
    used = sum(recording._options.root == options.root for recording in _recordings)
    dtypes = (
        list(options.dtypes) if isinstance(options.dtypes, (list, tuple, set)) else options.dtypes
    )
    writer = tf.debugging.experimental.enable_dump_debug_info(
        options.root + "/." * used,
        tensor_debug_mode=options.mode,
        circular_buffer_size=options.buffer,
        op_regex=options.op_regex,
        tensor_dtypes=dtypes,
    )
    if options.op_regex is not None:
        _take_op_types_as_text(_running())
    return writer


def _take_op_types_as_text(recorder: Any) -> None:
    """Some op types arrive as bytes, on which TensorFlow's own filter by names fails."""
    judge = recorder._should_dump_tensor

    def judge_text(op_type: str | bytes, dtype: Any) -> Any:
        return judge(op_type.decode() if isinstance(op_type, bytes) else op_type, dtype)

    recorder._should_dump_tensor = judge_text


def _detach(recorder: Any) -> None:
    """Switch a recorder off, and leave its files open.

    TensorFlow's own way closes them, and the next call of a recorded function ends the program.
    """
    dumping = _dumping()
    if _running() is recorder:
        dumping.op_callbacks.remove_op_callback(recorder.callback)
        del dumping._state.dumping_callback
    with contextlib.suppress(ValueError):
        dumping.function_lib.CONCRETE_FUNCTION_CALLBACKS.remove(recorder.function_callback)


def _attach(recorder: Any) -> None:
    """Switch a recorder on again."""
    dumping = _dumping()
    dumping._state.dumping_callback = recorder
    dumping.op_callbacks.add_op_callback(recorder.callback)
    dumping.function_lib.CONCRETE_FUNCTION_CALLBACKS.append(recorder.function_callback)


@contextlib.contextmanager
def _names_of_our_own(root: str) -> Iterator[None]:
    """See to it that no other program writes files of the same name.

    Their names tell the second and the host, nothing else; programs of one second would tear each
    other's records.
    """
    folder = os.open(root, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network file systems lock nothing
            fcntl.flock(folder, fcntl.LOCK_EX)
        while True:
            second = int(time.time())
            if not list(Path(root).glob(f"tfdbg_events.{second}.{_host_pattern()}.*")):
                break
            time.sleep(second + 1 - time.time())
        yield
    finally:
        os.close(folder)


def _host_pattern() -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in socket.gethostname())


def _close_for_this_process(logdir: Path) -> None:
    """Have whatever this process still writes to a recording's files go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in _open_files():
        with contextlib.suppress(OSError):
            path = Path(f"/proc/self/fd/{number}").readlink()
            if path.name.startswith("tfdbg_events.") and path.parent == logdir.resolve():
                os.dup2(nowhere, number, inheritable=False)
    os.close(nowhere)


def _open_files() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc/self/fd")]  # noqa: PTH208 - numbers
    except OSError:
        return []  # not Linux
