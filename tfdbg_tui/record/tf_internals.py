"""Switches TensorFlow's recorder on and off.

There is no public way to ask whether it is on, nor to switch it off without closing files that
recorded functions go on writing to. This and the other modules `tf_...` are all that reaches into
TensorFlow: look here when a new TensorFlow breaks `record`. It is imported by their functions,
never by importing them.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tfdbg_tui.record.source_text import source_lines
from tfdbg_tui.record.tf_graphs import GraphCare

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from tfdbg_tui.record.recorder import Recorder, Writer

    Dtypes = str | Sequence[Any] | Callable[[Any], bool]


class RecorderOptions(NamedTuple):
    """How a program wants to be recorded."""

    root: str
    mode: str
    buffer: int
    op_regex: str | None
    dtypes: Dtypes | None
    op_names: tuple[str, ...] | None = None
    """Ops of graphs whose tensors are noted; None for all."""


def has_recorder(module: ModuleType) -> bool:
    """Whether a module called `tensorflow` is the one that can be recorded."""
    folders = getattr(module, "__path__", ())
    return any(Path(folder, "python/debug/lib/dumping_callback.py").exists() for folder in folders)


def running_recorder() -> Recorder | None:
    """The recorder of this thread, if it is on."""
    return getattr(_dumping()._state, "dumping_callback", None)


def options_of(recorder: Recorder, options: RecorderOptions) -> RecorderOptions:
    """The options that a recorder was switched on with; its filters are not known."""
    from tensorflow.core.protobuf.debug_event_pb2 import TensorDebugMode

    return options._replace(
        root=str(Path(recorder.dump_root).absolute()),
        mode=TensorDebugMode.Name(recorder.tensor_debug_mode),
        buffer=recorder.circular_buffer_size,
    )


def switch_on(options: RecorderOptions, times_used: int) -> tuple[Recorder, Writer]:
    """Switch the recorder on by TensorFlow's own call.

    TensorFlow keeps one writer for each root, and does not reopen one that was in use: a second
    recording in the same directory needs another name for it.
    """
    import tensorflow as tf

    _read_sources_as_python_does()
    dtypes = options.dtypes
    writer: Writer = tf.debugging.experimental.enable_dump_debug_info(
        options.root + "/." * times_used,
        tensor_debug_mode=options.mode,
        circular_buffer_size=options.buffer,
        op_regex=options.op_regex,
        tensor_dtypes=list(dtypes) if isinstance(dtypes, (list, tuple, set)) else dtypes,
    )
    recorder = running_recorder()
    assert recorder is not None
    if options.op_regex is not None:
        _decode_op_types(recorder)
    care_for(recorder, options.op_names)
    return recorder, writer


def care_for(recorder: Recorder, op_names: tuple[str, ...] | None = None) -> None:
    """Keep a recorder that is on from harming graphs; see `tf_graphs`."""
    recorder.before_op = GraphCare(recorder, op_names).before_op
    _dumping().op_callbacks.remove_op_callback(recorder.callback)
    _add_callbacks(recorder)


def attach(recorder: Recorder) -> None:
    """Switch a recorder on again."""
    dumping = _dumping()
    dumping._state.dumping_callback = recorder
    _add_callbacks(recorder)
    dumping.function_lib.CONCRETE_FUNCTION_CALLBACKS.append(recorder.function_callback)


def _add_callbacks(recorder: Recorder) -> None:
    """Have a recorder told of every op, and ourselves before it."""
    callbacks = _dumping().op_callbacks
    callbacks.add_op_callback(recorder.before_op)
    callbacks.add_op_callback(recorder.callback)


def detach(recorder: Recorder) -> None:
    """Switch a recorder off, and leave its files open.

    TensorFlow's own way closes them, and the next call of a recorded function ends the program.
    """
    dumping = _dumping()
    if running_recorder() is recorder:
        dumping.op_callbacks.remove_op_callback(recorder.callback)
        dumping.op_callbacks.remove_op_callback(recorder.before_op)
        del dumping._state.dumping_callback
    with contextlib.suppress(ValueError):
        dumping.function_lib.CONCRETE_FUNCTION_CALLBACKS.remove(recorder.function_callback)


def write_execution(recorder: Recorder, op_type: str, graph: object) -> None:
    """Write the record of an execution that ran a graph and ends now, with the user's stack."""
    from tensorflow.core.protobuf.debug_event_pb2 import Execution

    execution = Execution(
        op_type=op_type,
        graph_id=recorder._get_context_id(graph),
        tensor_debug_mode=recorder.tensor_debug_mode,
        code_location=recorder._process_stack_frames(),
    )
    recorder.get_writer().WriteExecution(execution)


def replace_public_calls(writer: Writer, stop: Callable[[], None]) -> None:
    """Have `enable_dump_debug_info` return a writer that is in use, and its opposite call `stop`.

    TensorFlow would refuse another mode, and move to another directory.
    """
    import tensorflow as tf

    def enable_dump_debug_info(*_: object, **__: object) -> Writer:
        return writer

    tf.debugging.experimental.enable_dump_debug_info = enable_dump_debug_info
    tf.debugging.experimental.disable_dump_debug_info = stop


def _dumping() -> ModuleType:
    """The module that holds the recorder of each thread."""
    from tensorflow.python.debug.lib import dumping_callback

    module: ModuleType = dumping_callback
    return module


def _read_sources_as_python_does() -> None:
    """Have the recorder find sources that are no files of UTF-8, and keep silent where none are.

    It would end a program in another encoding, and warn of every one run by `python -m`.
    """
    from tensorflow.python.debug.lib import source_utils

    load = source_utils.load_source
    if load.__module__ == __name__:
        return  # for an earlier recording

    def load_source(path: str) -> tuple[list[str], int]:
        try:
            found: tuple[list[str], int] = load(path)
        except (OSError, ValueError):
            found = source_lines(path), 0  # the width of line numbers, for TensorFlow's own viewer
        return found

    source_utils.load_source = load_source


def _decode_op_types(recorder: Recorder) -> None:
    """Have op types filtered as text: some arrive as bytes, on which TensorFlow's filter fails."""
    should_dump = recorder._should_dump_tensor

    def should_dump_text(op_type: str | bytes, dtype: object) -> object:
        return should_dump(op_type.decode() if isinstance(op_type, bytes) else op_type, dtype)

    recorder._should_dump_tensor = should_dump_text
