"""TensorFlow's recorder and its writer: what is used of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable


# TensorFlow's own, which tells no types.
Graph: TypeAlias = Any
Operation: TypeAlias = Any
Session: TypeAlias = Any
Tensor: TypeAlias = Any


class Writer(Protocol):
    """TensorFlow's writer of the six files."""

    def FlushNonExecutionFiles(self) -> None:  # noqa: N802 - TensorFlow's name
        """Write out what events refer to."""

    def FlushExecutionFiles(self) -> None:  # noqa: N802 - TensorFlow's name
        """Write out the events."""

    def WriteExecution(self, execution: object) -> None:  # noqa: N802 - TensorFlow's name
        """Write the record of one execution."""


class Recorder(Protocol):
    """TensorFlow's `_DumpingCallback`: what is used of it."""

    dump_root: str
    tfdbg_run_id: str
    tensor_debug_mode: int
    circular_buffer_size: int
    callback: Callable[..., object]
    function_callback: Callable[..., object]
    _should_dump_tensor: Callable[[str, object], object]
    _get_context_id: Callable[[object], str]
    _process_stack_frames: Callable[[], object]
    _instrument_symbolic_tensors: Callable[..., Any]
    _process_v1_graph_mode_tensor: Callable[..., Any]
    _placeholder_to_debug_tensor: Any
    before_op: Callable[..., object]
    """Ours, see `care_for`."""

    def get_writer(self) -> Writer:
        """The writer of its files."""
