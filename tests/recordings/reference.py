"""What TensorFlow's own protos say about a recording: the truth our reader is held against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tests.recordings.fabricate import split

if TYPE_CHECKING:
    from pathlib import Path

SUFFIXES = (
    "metadata",
    "source_files",
    "stack_frames",
    "graphs",
    "execution",
    "graph_execution_traces",
)


@dataclass(frozen=True)
class Alert:
    """One tensor with an infinity or a NaN. The counts are None where only a flag is known."""

    source: str
    """``execution`` or ``graph_execution``."""
    index: int
    """Index into ``events(logdir, "execution" or "graph_execution_traces")``."""
    position: int
    """Position in the execution's list of tensors, or the trace's output slot."""
    neg_inf: int | None
    pos_inf: int | None
    nan: int | None


def read_records(path: Path) -> list[bytes]:
    """The payloads of one file up to its cut tail, if any."""
    return [payload for _, payload in split(path)]


def events(logdir: Path, suffix: str) -> list[tuple[str, Any]]:
    """(file name, DebugEvent) of every record of all file sets, in order of file names.

    Raises DecodeError where processes tore each other's records (``same_second``).
    """
    from tensorflow.core.protobuf import debug_event_pb2

    return [
        (path.name, debug_event_pb2.DebugEvent.FromString(payload))
        for path in sorted(logdir.glob(f"tfdbg_events.*.{suffix}"))
        for payload in read_records(path)
    ]


def tensor_values(tensor_proto: Any) -> npt.NDArray[Any]:
    """The tensor of a TensorProto."""
    import tensorflow as tf

    value: npt.NDArray[Any]
    if tensor_proto.dtype == tf.string.as_datatype_enum:
        # Graph traces hold strings in tensor_content (lengths as varints, then the bytes), which
        # make_ndarray cannot read. TensorFlow's C++ side can.
        value = np.asarray(
            tf.io.parse_tensor(tensor_proto.SerializeToString(), tf.string).numpy(), dtype=object
        )
    else:
        value = tf.make_ndarray(tensor_proto)
    return value


def bad_counts(values: npt.NDArray[Any]) -> tuple[int, int, int]:
    """Numbers of -inf, +inf and NaN; real and imaginary parts count as numbers of their own."""
    import tensorflow as tf

    dtype = tf.as_dtype(values.dtype)
    if dtype.is_complex:
        parts = [bad_counts(values.real), bad_counts(values.imag)]
        neg_inf, pos_inf, nan = (sum(counts) for counts in zip(*parts, strict=True))
        return neg_inf, pos_inf, nan
    if not dtype.is_floating:
        return 0, 0, 0
    # numpy does not count bfloat16 and the like among its floats; float64 holds them all.
    numbers = values.astype(np.float64)
    return (
        int(np.count_nonzero(np.isneginf(numbers))),
        int(np.count_nonzero(np.isposinf(numbers))),
        int(np.count_nonzero(np.isnan(numbers))),
    )


def _judge(mode: str, tensor_proto: Any) -> tuple[int | None, int | None, int | None] | None:
    """The counts of a bad tensor; None for a good one and for one whose mode cannot tell."""
    # An empty proto stands for an output whose dtype the mode does not look at.
    if mode in ("UNSPECIFIED", "NO_TENSOR", "SHAPE") or not tensor_proto.dtype:
        return None
    values = tensor_values(tensor_proto)
    if mode == "CURT_HEALTH":
        return (None, None, None) if values[1] else None
    if mode == "FULL_TENSOR":
        counts = bad_counts(values)
    elif mode == "CONCISE_HEALTH":
        counts = (int(values[2]), int(values[3]), int(values[4]))
    elif mode == "FULL_HEALTH":
        counts = (int(values[5]), int(values[6]), int(values[7]))
    else:
        raise ValueError(f"the recorder of TensorFlow 2.21 does not write {mode}")
    return counts if any(counts) else None


def expected_alerts(logdir: Path) -> list[Alert]:
    """Every bad tensor, eager ones first: TensorFlow's InfNanMonitor without its limit.

    Unlike the monitor it looks at bfloat16 and complex tensors in FULL_TENSOR recordings too.
    """
    from tensorflow.core.protobuf.debug_event_pb2 import TensorDebugMode

    alerts: list[Alert] = []
    for index, (_, event) in enumerate(events(logdir, "execution")):
        mode = TensorDebugMode.Name(event.execution.tensor_debug_mode)
        for position, tensor_proto in enumerate(event.execution.tensor_protos):
            counts = _judge(mode, tensor_proto)
            if counts:
                alerts.append(Alert("execution", index, position, *counts))
    for index, (_, event) in enumerate(events(logdir, "graph_execution_traces")):
        trace = event.graph_execution_trace
        counts = _judge(TensorDebugMode.Name(trace.tensor_debug_mode), trace.tensor_proto)
        if counts:
            alerts.append(Alert("graph_execution", index, trace.output_slot, *counts))
    return alerts
