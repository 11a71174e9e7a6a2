"""TensorProto to numpy, for every encoding that the format allows, without TensorFlow."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tfdbg_tui.data.records.wire import MalformedMessageError, read_varint

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

MAX_RANK = 32
"""Dimensions that every numpy can handle; TensorFlow's own limit is 254."""

MAX_ELEMENTS = 1 << 26
"""Elements filled in for a tensor that states its shape and few values; more is damage."""


class DType(NamedTuple):
    """One TensorFlow element type."""

    name: str
    storage: str
    """numpy's code for the bytes of `tensor_content`."""
    field: str
    """The typed value field that holds what is not in `tensor_content`."""


DTYPES = {
    1: DType("float32", "<f4", "float_val"),
    2: DType("float64", "<f8", "double_val"),
    3: DType("int32", "<i4", "int_val"),
    4: DType("uint8", "u1", "int_val"),
    5: DType("int16", "<i2", "int_val"),
    6: DType("int8", "i1", "int_val"),
    7: DType("string", "O", "string_val"),
    8: DType("complex64", "<c8", "scomplex_val"),
    9: DType("int64", "<i8", "int64_val"),
    10: DType("bool", "?", "bool_val"),
    11: DType("qint8", "i1", "int_val"),
    12: DType("quint8", "u1", "int_val"),
    13: DType("qint32", "<i4", "int_val"),
    14: DType("bfloat16", "<u2", "half_val"),
    15: DType("qint16", "<i2", "int_val"),
    16: DType("quint16", "<u2", "int_val"),
    17: DType("uint16", "<u2", "int_val"),
    18: DType("complex128", "<c16", "dcomplex_val"),
    19: DType("float16", "<f2", "half_val"),
    20: DType("resource", "", ""),
    21: DType("variant", "", ""),
    22: DType("uint32", "<u4", "uint32_val"),
    23: DType("uint64", "<u8", "uint64_val"),
    24: DType("float8_e5m2", "u1", "float8_val"),
    25: DType("float8_e4m3fn", "u1", "float8_val"),
    26: DType("float8_e4m3fnuz", "u1", "float8_val"),
    27: DType("float8_e4m3b11fnuz", "u1", "float8_val"),
    28: DType("float8_e5m2fnuz", "u1", "float8_val"),
    29: DType("int4", "i1", "int_val"),
    30: DType("uint4", "u1", "int_val"),
    31: DType("int2", "i1", "int_val"),
    32: DType("uint2", "u1", "int_val"),
    33: DType("float4_e2m1fn", "", ""),
}

# Exponent bits, exponent bias and special values of the 8-bit floats: "ieee" has ∞ and NaN,
# "fn" only the NaN of all ones, "fnuz" only the NaN where negative zero would be.
FLOAT8 = {
    "float8_e5m2": (5, 15, "ieee"),
    "float8_e4m3fn": (4, 7, "fn"),
    "float8_e4m3fnuz": (4, 8, "fnuz"),
    "float8_e4m3b11fnuz": (4, 11, "fnuz"),
    "float8_e5m2fnuz": (5, 16, "fnuz"),
}


def dtype_name(number: int) -> str:
    """TensorFlow's name of an element type; reference types carry the name of their base."""
    dtype = DTYPES.get(number % 100)
    return dtype.name if dtype else f"dtype {number}"


def may_be_bad(number: int) -> bool:
    """Whether an element type has ∞ or NaN at all."""
    return dtype_name(number).startswith(("float", "bfloat", "complex"))


def shape_of(proto: Any) -> tuple[int, ...]:
    """The dimensions a TensorProto states."""
    return tuple(dim.size for dim in proto.tensor_shape.dim)


def shape_size(proto: Any) -> int:
    """The number of elements a TensorProto states; negative if its shape makes no sense."""
    shape = shape_of(proto)
    return -1 if min(shape, default=0) < 0 else math.prod(shape)


def to_array(proto: Any) -> npt.NDArray[Any] | None:
    """The values of a TensorProto; None where they are not recorded or do not fit the shape.

    bfloat16 and the 8-bit floats come as float32, which holds each of their values exactly.
    """
    dtype = DTYPES.get(proto.dtype % 100)
    if dtype is None or not dtype.storage:
        return None
    with np.errstate(invalid="ignore"):  # a signalling NaN is a value like any other
        flat = _stored_values(proto, dtype)
    size = shape_size(proto)
    if size < 0 or len(proto.tensor_shape.dim) > MAX_RANK:
        return None
    if proto.tensor_content and dtype.storage != "O":
        if len(proto.tensor_content) != size * flat.itemsize:
            return None
    elif len(flat) > size or size > MAX_ELEMENTS:
        return None
    elif len(flat) < size:
        flat = _filled(flat, size)
    return _as_numbers(flat, dtype.name).reshape(shape_of(proto))


def _stored_values(proto: Any, dtype: DType) -> npt.NDArray[Any]:
    if proto.tensor_content and dtype.storage != "O":
        whole = len(proto.tensor_content) // np.dtype(dtype.storage).itemsize
        return np.frombuffer(proto.tensor_content, dtype.storage, count=whole)
    values = getattr(proto, dtype.field)
    if dtype.field == "string_val":
        return _strings(split_strings(proto.tensor_content, shape_size(proto)) or values)
    if dtype.field == "float8_val":
        return np.frombuffer(values, np.uint8)
    if dtype.field == "half_val":
        return np.array(values, np.int64).astype(np.uint16).view(dtype.storage)
    if dtype.field in ("scomplex_val", "dcomplex_val"):
        pairs = np.array(values, np.float64)
        numbers = pairs[: len(pairs) // 2 * 2].view(np.complex128)
        return numbers.astype(dtype.storage)
    if dtype.field == "int_val":  # small types are widened to 32 bits on the wire
        return np.array(values, np.int64).astype(dtype.storage)
    return np.array(values, dtype.storage)


def split_strings(content: bytes, count: int) -> list[bytes]:
    """The strings of a `tensor_content`: all their lengths as varints, then all their bytes."""
    position = 0
    lengths = []
    try:
        for _ in range(count if content else 0):
            length, position = read_varint(content, position, len(content))
            lengths.append(length)
    except MalformedMessageError:
        return []
    strings = []
    for length in lengths:
        strings.append(content[position : position + length])
        position += length
    return strings if position == len(content) else []


def _strings(values: Sequence[bytes]) -> npt.NDArray[Any]:
    strings = np.empty(len(values), object)
    strings[:] = list(values)
    return strings


def _filled(flat: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    """The format leaves out repeats of the last value, and all values if they are zero."""
    filler: Any = flat[-1] if len(flat) else (b"" if flat.dtype == object else 0)
    whole = np.full(size, filler, flat.dtype)
    whole[: len(flat)] = flat
    return whole


def widened_bfloat16(codes: npt.NDArray[np.uint16]) -> npt.NDArray[np.float32]:
    """The values of bfloat16 numbers by their 16 bits: those are the upper half of a float32."""
    return (codes.astype(np.uint32) << np.uint32(16)).view(np.float32)


def _as_numbers(flat: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    if name == "bfloat16":
        flat = widened_bfloat16(flat)
    elif name in FLOAT8:
        flat = float8_values(name)[flat]
    return flat


@cache
def float8_values(name: str) -> npt.NDArray[np.float32]:
    """The value of each of the 256 codes of an 8-bit float type."""
    exponent_bits, bias, specials = FLOAT8[name]
    mantissa_bits = 7 - exponent_bits
    values = np.empty(256, np.float32)
    for code in range(256):
        sign = -1.0 if code & 0x80 else 1.0
        exponent = (code & 0x7F) >> mantissa_bits
        mantissa = code & (1 << mantissa_bits) - 1
        fraction = mantissa / (1 << mantissa_bits)
        magnitude = (
            (1 + fraction) * 2.0 ** (exponent - bias) if exponent else fraction * 2.0 ** (1 - bias)
        )
        if specials == "ieee" and exponent == (1 << exponent_bits) - 1:
            magnitude = float("nan") if mantissa else float("inf")
        elif (specials == "fn" and code & 0x7F == 0x7F) or (specials == "fnuz" and code == 0x80):
            magnitude = float("nan")
        values[code] = sign * magnitude
    return values
