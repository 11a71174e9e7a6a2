"""Tensors in the encodings of the format, as TensorFlow writes them, alone and in records."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from tfdbg_tui.data.records.debug_event_schema import message_class
from tfdbg_tui.data.records.tensors import DTYPES
from tfdbg_tui.data.stores import executions, traces

Array = npt.NDArray[Any]

TYPED_FIELDS = {
    "float_val": ("float32",),
    "double_val": ("float64",),
    "int_val": ("int32", "uint8", "int16", "int8", "uint16", "int4", "uint4", "int2", "uint2"),
    "int64_val": ("int64",),
    "bool_val": ("bool",),
    "uint32_val": ("uint32",),
    "uint64_val": ("uint64",),
    "scomplex_val": ("complex64",),
    "dcomplex_val": ("complex128",),
    "half_val": ("float16", "bfloat16"),
    "float8_val": ("float8_e5m2", "float8_e4m3fn"),
}
FIELD_OF = {dtype: field for field, dtypes in TYPED_FIELDS.items() for dtype in dtypes}
FLOAT8 = sorted(dtype.name for dtype in DTYPES.values() if dtype.name.startswith("float8"))
NUMBERS = {dtype.name: number for number, dtype in DTYPES.items()}


def sample(dtype: str) -> Array:
    """Six values of a type, the awkward ones among them."""
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    if dtype == "bool":
        return np.array([True, False, True, True, False, True])
    if dtype.startswith("complex"):
        return np.array([0, 1j, complex(np.nan, 1), complex(-np.inf, 2), -3 - 4j, 5], kind)
    if "float" in dtype:
        return np.array([0.0, -1.5, np.inf, -np.inf, np.nan, 2.0]).astype(kind)
    if dtype in ("int2", "uint2", "int4", "uint4"):
        return np.array([0, 1, 1, 0, 1, 0]).astype(kind)
    limits = np.iinfo(kind)
    return np.array([0, 1, limits.min, limits.max, 2, 3], kind)


def typed_values(dtype: str, values: Array) -> Any:
    """Values in the form in which the typed field of a TensorProto holds them."""
    field = FIELD_OF[dtype]
    if field == "half_val":
        return values.view(np.uint16).tolist()
    if field == "float8_val":
        return values.tobytes()
    if field in ("scomplex_val", "dcomplex_val"):
        return [part for value in values.tolist() for part in (value.real, value.imag)]
    if field == "int_val":
        return values.astype(np.int64).tolist()
    return values.tolist()


def encoded(dtype: str, shape: tuple[int, ...], **fields: Any) -> bytes:
    """A TensorProto as TensorFlow writes it."""
    from tensorflow.core.framework import tensor_pb2

    proto = tensor_pb2.TensorProto(dtype=NUMBERS[dtype], **fields)
    for size in shape:
        proto.tensor_shape.dim.add(size=size)
    return bytes(proto.SerializeToString())


def trace_of(tensor: bytes) -> bytes:
    """A record of one tensor in a graph, recorded whole."""
    told = {"tfdbg_context_id": b"g", "op_name": b"x", "tensor_debug_mode": 7}
    inner = message_class("GraphExecutionTrace")(**told).SerializeToString()
    return _event(traces.TRACE, inner + delimited(traces.TENSOR, tensor))


def execution_of(*tensors: bytes) -> bytes:
    """A record of an eager op with these outputs, recorded whole."""
    told = {"op_type": b"Op", "num_outputs": len(tensors), "tensor_debug_mode": 7}
    inner = message_class("Execution")(**told).SerializeToString()
    outputs = b"".join(delimited(executions.TENSORS, tensor) for tensor in tensors)
    return _event(executions.EXECUTION, inner + outputs)


def _event(field: int, inner: bytes) -> bytes:
    when: bytes = message_class("DebugEvent")(wall_time=1.0).SerializeToString()
    return when + delimited(field, inner)


def delimited(field: int, content: bytes) -> bytes:
    """A field of bytes: what a message, a text and numbers in a row are on the wire."""
    return bytes([field << 3 | 2]) + varint(len(content)) + content


def varint(number: int) -> bytes:
    """A base-128 number."""
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + varint(rest) if rest else bytes([low])
