"""TensorProto to numpy, for every encoding that the format allows, without TensorFlow."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

MAX_RANK = 32
"""Dimensions that every numpy can handle; TensorFlow's own limit is 254."""

MAX_SIZE = (1 << 63) - 1
"""Elements that TensorFlow can count; a shape of more is damage."""

MAX_DECODED = 1 << 24
"""Values read of a field that encodes them one by one: 16 million take about two seconds.

TensorFlow writes so what is no plain number in memory, as float16 outside of graphs.
"""

PIECE = 1 << 18
"""Values looked at together: few enough to stay in the caches of the processor."""

MAX_FILLED = 1 << 26
"""Bytes made of few written values that stand for many; who asks for more asks of the written."""

FLOATING = ("float", "bfloat", "complex")
"""How the names of the types begin that have ∞ or NaN."""

COMPLEX_FIELDS = ("scomplex_val", "dcomplex_val")

LAST_OCTET = 0x80
"""Octets below it end a number of several octets."""

MAX_OCTETS = 8
"""Octets of the longest length of a string that could be on any disk."""


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
    return dtype_name(number).startswith(FLOATING)


def shape_of(proto: Any) -> tuple[int, ...]:
    """The dimensions a TensorProto states."""
    return tuple(dim.size for dim in proto.tensor_shape.dim)


class WrittenTensor(NamedTuple):
    """A tensor as it is written down, which may be much less than it is.

    The format leaves out repeats of the last value, and all values if they are zero: one number
    may stand for more elements than any memory holds. What is asked of them is worked out from
    the written ones and the weight of the last.
    """

    dtype: str
    shape: tuple[int, ...]
    size: int
    codes: npt.NDArray[Any]
    """The written values that were read, as they are stored; at least one, unless it is empty."""
    unread: int = 0
    """Elements that were not looked at, because more values are written than are read."""

    @property
    def may_be_bad(self) -> bool:
        """Whether its type has ∞ or NaN at all."""
        return self.dtype.startswith(FLOATING)

    @property
    def repeats(self) -> int:
        """How many more elements are equal to the last written one."""
        return self.size - self.unread - len(self.codes)

    def numbers(self, start: int, end: int) -> npt.NDArray[Any]:
        """Some of the written values; bfloat16 and the 8-bit floats as float32, which is exact."""
        return numbers_of(self.dtype, self.codes[start:end])

    def pieces(self) -> Iterator[npt.NDArray[Any]]:
        """All written values, a piece at a time: what is worked out of them needs memory too."""
        for start in range(0, len(self.codes), PIECE):
            yield self.numbers(start, start + PIECE)


class StatedTensor(NamedTuple):
    """What a TensorProto says of a tensor before it comes to the values."""

    dtype: DType
    shape: tuple[int, ...]
    size: int


def stated_tensor(proto: Any) -> StatedTensor | None:
    """The type and shape that a TensorProto states; None where no tensor has these."""
    dtype = DTYPES.get(proto.dtype % 100)
    if dtype is None or not dtype.storage or len(proto.tensor_shape.dim) > MAX_RANK:
        return None
    shape = shape_of(proto)
    size = -1 if min(shape, default=0) < 0 else math.prod(shape)
    return StatedTensor(dtype, shape, size) if 0 <= size <= MAX_SIZE else None


def written_tensor(proto: Any, most: int = MAX_DECODED) -> WrittenTensor | None:
    """What a TensorProto writes; None where that is no tensor, or does not fit its shape.

    Of values that are encoded one by one at most so many are read. Raw ones cost nothing.
    """
    stated = stated_tensor(proto)
    if stated is None:
        return None
    dtype, shape, size = stated
    content = proto.tensor_content
    if content and dtype.storage != "O":
        if len(content) != size * np.dtype(dtype.storage).itemsize:
            return None
        return WrittenTensor(dtype.name, shape, size, np.frombuffer(content, dtype.storage))
    values = getattr(proto, dtype.field)
    if dtype.storage == "O" and most:
        values = split_strings(content, size) or values
    count = len(values) // (2 if dtype.field in COMPLEX_FIELDS else 1)
    if count > size:
        return None
    with np.errstate(invalid="ignore"):  # a signalling NaN is a value like any other
        codes = _decoded(values, dtype, min(count, most))
    if not count:
        return unwritten_tensor(stated)
    return WrittenTensor(dtype.name, shape, size, codes, size - most if count > most else 0)


def unwritten_tensor(stated: StatedTensor) -> WrittenTensor:
    """A tensor of which no value is written: it is all zeros, or all empty strings."""
    dtype, shape, size = stated
    zero = np.full(min(size, 1), b"" if dtype.storage == "O" else 0, dtype.storage)
    return WrittenTensor(dtype.name, shape, size, zero)


def to_array(proto: Any) -> npt.NDArray[Any] | None:
    """The values of a TensorProto; None where they are not recorded or do not fit the shape.

    None, too, where few values stand for more elements than are made of them.
    """
    written = written_tensor(proto)
    if written is None or written.unread:
        return None
    flat = written.numbers(0, len(written.codes))
    if written.repeats:
        if written.size * flat.itemsize > MAX_FILLED:
            return None
        whole = np.empty(written.size, flat.dtype)
        whole.fill(flat[-1])
        whole[: len(flat)] = flat
        flat = whole
    try:
        return flat.reshape(written.shape)
    except ValueError:  # nothing, but with dimensions that numpy cannot multiply
        return None


def _decoded(values: Any, dtype: DType, count: int) -> npt.NDArray[Any]:
    """The first values of a typed field as they would be stored."""
    if dtype.field == "float8_val":
        return np.frombuffer(values[:count], np.uint8)
    if dtype.field == "string_val":
        strings = np.empty(count, object)
        strings[:] = values[:count]
        return strings
    parts = 2 if dtype.field in COMPLEX_FIELDS else 1
    pieces = [
        _stored(values[parts * start : parts * min(start + PIECE, count)], dtype)
        for start in range(0, count, PIECE)
    ]
    return np.concatenate(pieces) if pieces else np.empty(0, dtype.storage)


def _stored(values: Sequence[float], dtype: DType) -> npt.NDArray[Any]:
    if dtype.field == "half_val":
        return np.array(values, np.int64).astype(np.uint16).view(dtype.storage)
    if dtype.field in COMPLEX_FIELDS:
        return np.array(values, np.float64).view(np.complex128).astype(dtype.storage)
    if dtype.field == "int_val":  # small types are widened to 32 bits on the wire
        return np.array(values, np.int64).astype(dtype.storage)
    return np.array(values, dtype.storage)


def split_strings(content: bytes, count: int) -> list[bytes]:
    """The strings of a `tensor_content`: all their lengths as varints, then all their bytes."""
    if not 0 < count <= len(content):
        return []
    octets = np.frombuffer(content, np.uint8)
    last = np.flatnonzero(octets < LAST_OCTET)[:count]  # the octet that ends each length
    if len(last) < count:
        return []
    first = np.append(0, last[:-1] + 1)
    if (last - first >= MAX_OCTETS).any():
        return []
    within = np.arange(last[-1] + 1) - np.repeat(first, last - first + 1)
    parts = (octets[: last[-1] + 1] & np.uint8(LAST_OCTET - 1)).astype(np.int64) << (7 * within)
    lengths = np.add.reduceat(parts, first)
    if lengths.max() > len(content):
        return []
    ends = (last[-1] + 1 + np.cumsum(lengths)).tolist()
    if ends[-1] != len(content):
        return []
    return [content[end - size : end] for end, size in zip(ends, lengths.tolist(), strict=True)]


def numbers_of(dtype: str, codes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Stored values of a type as numbers: what numpy does not have becomes float32, exactly."""
    if dtype == "bfloat16":
        return widened_bfloat16(codes)
    return float8_values(dtype)[codes] if dtype in FLOAT8 else codes


def widened_bfloat16(codes: npt.NDArray[np.uint16]) -> npt.NDArray[np.float32]:
    """The values of bfloat16 numbers by their 16 bits: those are the upper half of a float32."""
    return (codes.astype(np.uint32) << np.uint32(16)).view(np.float32)


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
