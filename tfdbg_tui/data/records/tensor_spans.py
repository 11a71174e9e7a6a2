"""Where the numbers of a recorded tensor stand inside a record, and how to judge many at once."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.files.buffers import gather
from tfdbg_tui.data.records.health import BAD_COLUMNS, DT_DOUBLE, Bad
from tfdbg_tui.data.records.modes import VECTOR_LENGTH, Mode, tells_bad, tells_values
from tfdbg_tui.data.records.tensors import may_be_bad, widened_bfloat16
from tfdbg_tui.data.records.wire import DELIMITED, VARINT, Field, fields
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from tfdbg_tui.data.files.buffers import Buffer
    from tfdbg_tui.data.records.wire import Octets

    Indices = npt.NDArray[np.int64]

DTYPE_FIELD, CONTENT_FIELD, FLOAT_FIELD, DOUBLE_FIELD = 1, 4, 5, 6
FIRST_VALUE_FIELD = 4
"""TensorProto's fields from here on hold values; those before describe them."""

RAW_FLOATS = {
    (1, CONTENT_FIELD): "<f4",
    (1, FLOAT_FIELD): "<f4",
    (2, CONTENT_FIELD): "<f8",
    (2, DOUBLE_FIELD): "<f8",
    (14, CONTENT_FIELD): "bfloat16",
    (19, CONTENT_FIELD): "<f2",
}
"""Element type and value field → how their raw bytes can be judged in bulk."""

MAX_TENSORS = 1 << 16
"""Tensors of one record that are judged; TensorFlow's ops have a handful, a split has thousands."""

PIECE = 1 << 22
"""Bytes of tensors judged together: what is worked out of them needs memory, too."""

ELEMENT_SIZE = {"<f2": 2, "bfloat16": 2, "<f4": 4, "<f8": 8}


class HealthSource(Enum):
    """How the health of a tensor is found from the bytes of its record."""

    NOTHING = "the record says nothing about ∞ and NaN"
    VECTOR = "a health vector counts them"
    VALUES = "the raw values are there"
    ALONE = "the record has to be decoded by itself"


class TensorSpan(NamedTuple):
    """The bytes of one recorded tensor's numbers, the same in all records of a layout."""

    source: HealthSource
    start: int
    end: int
    mode: int
    dtype: str = ""
    """Element type of raw values."""

    def pieces(self) -> Iterator[TensorSpan]:
        """The same bytes in pieces that are judged together."""
        for start in range(self.start, self.end, PIECE):
            yield self._replace(start=start, end=min(start + PIECE, self.end))


def locate(payload: Octets, message: Field, mode: int) -> tuple[TensorSpan, list[tuple[int, int]]]:
    """Where a TensorProto keeps its numbers, and all spans that vary from record to record."""
    dtype = 0
    values: list[Field] = []
    for field in fields(payload, message.start, message.end):
        if field.number == DTYPE_FIELD and field.wire_type == VARINT:
            dtype = field.value
        elif field.number >= FIRST_VALUE_FIELD:
            values.append(field)
    # A varint is not variable: with other bytes it could end elsewhere.
    variable = [(field.start, field.end) for field in values if field.wire_type != VARINT]
    return _judged(mode, dtype, values), variable


def _judged(mode: int, dtype: int, values: list[Field]) -> TensorSpan:
    if not values or not tells_bad(mode):
        return TensorSpan(HealthSource.NOTHING, 0, 0, mode)
    if tells_values(mode) and not may_be_bad(dtype):
        return TensorSpan(HealthSource.NOTHING, 0, 0, mode)
    if len(values) == 1 and values[0].wire_type == DELIMITED:
        number, _, start, end, _ = values[0]
        if start == end:
            return TensorSpan(HealthSource.NOTHING, 0, 0, mode)
        raw = RAW_FLOATS.get((dtype, number), "")
        if raw and tells_values(mode):
            if (end - start) % ELEMENT_SIZE[raw] == 0:
                return TensorSpan(HealthSource.VALUES, start, end, mode, raw)
        elif raw and dtype == DT_DOUBLE and end - start == 8 * VECTOR_LENGTH[Mode(mode)]:
            return TensorSpan(HealthSource.VECTOR, start, end, mode)
    return TensorSpan(HealthSource.ALONE, 0, 0, mode)


def flags_of_vectors(buffer: Buffer, starts: Indices, mode: int) -> npt.NDArray[np.uint8]:
    """Which bad numbers the health vectors count that begin somewhere in a buffer."""
    columns = BAD_COLUMNS[Mode(mode)]
    first, last = columns[0][0], columns[-1][0]
    numbers = gather(buffer, starts + 8 * first, 8 * (last - first + 1)).view("<f8")
    flags = np.zeros(len(starts), np.uint8)
    for column, kind in columns:
        flags |= (numbers[:, column - first] != 0) * np.uint8(kind)
    return flags


def floats_of(raw: npt.NDArray[np.uint8], dtype: str) -> npt.NDArray[np.floating[Any]]:
    """The elements of some tensors, given the raw bytes of each as a row and a raw type."""
    return widened_bfloat16(raw.view("<u2")) if dtype == "bfloat16" else raw.view(dtype)


def flags_of_values(raw: npt.NDArray[np.uint8], span: TensorSpan) -> npt.NDArray[np.uint8]:
    """Which bad numbers some tensors hold, given the raw bytes of each as a row."""
    values = floats_of(raw, span.dtype)
    flags = np.zeros(len(raw), np.uint8)
    suspects = np.flatnonzero(~np.isfinite(values).all(axis=1))
    if len(suspects):
        bad = values[suspects]
        flags[suspects] = (
            np.isneginf(bad).any(axis=1) * np.uint8(Bad.NEG_INF)
            | np.isposinf(bad).any(axis=1) * np.uint8(Bad.POS_INF)
            | np.isnan(bad).any(axis=1) * np.uint8(Bad.NAN)
        )
    return flags
