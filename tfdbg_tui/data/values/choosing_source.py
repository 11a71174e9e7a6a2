"""How the elements of a tensor are read, from how its record writes them.

What is right here is what `records/tensors.py` says of a whole message; this asks it for all that
does not depend on reading the values.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.records.debug_event_schema import message_class
from tfdbg_tui.data.records.tensor_spans import CONTENT_FIELD
from tfdbg_tui.data.records.tensors import unwritten_tensor
from tfdbg_tui.data.records.wire import DELIMITED
from tfdbg_tui.data.values.element_sources import DecodedElements, RawElements
from tfdbg_tui.data.values.locating import UnusualRecordError
from tfdbg_tui.data.values.varint_elements import MAX_OCTETS, VarintElements

if TYPE_CHECKING:
    from tfdbg_tui.data.records.tensors import DType
    from tfdbg_tui.data.records.wire import Field
    from tfdbg_tui.data.values.element_sources import ElementSource
    from tfdbg_tui.data.values.locating import LocatedTensor
    from tfdbg_tui.data.values.record_bytes import RecordBytes

RAW_FIELDS = ("float_val", "double_val", "scomplex_val", "dcomplex_val", "float8_val")
"""Typed fields whose numbers stand on disk as they stand in memory."""

SMALL = 1 << 20
"""Octets of numbers written one by one that are counted when they are first looked at."""


def source_of(record: RecordBytes, located: LocatedTensor) -> ElementSource | None:
    """Where the elements come from; None if what is written does not fit the shape."""
    stated, values = located
    dtype, _, size = stated
    if dtype.storage == "O":
        raise UnusualRecordError  # where a string begins is only known from those before it
    contents = [field for field in values if field.number == CONTENT_FIELD]
    typed = [field for field in values if field.number == _number_of(dtype.field)]
    if any(field.wire_type != DELIMITED for field in (*contents, *typed)) or len(typed) > 1:
        raise UnusualRecordError
    if contents and contents[-1].end > contents[-1].start:  # protobuf keeps the last
        return _raw(record, contents[-1], dtype, size, least=size)
    if not typed or typed[0].start == typed[0].end:
        return DecodedElements(unwritten_tensor(stated))
    if dtype.field in RAW_FIELDS:
        return _raw(record, typed[0], dtype, size)
    return _counted(record, typed[0], dtype, size)


@cache
def _number_of(field: str) -> int:
    """The number of a field of a TensorProto."""
    number: int = message_class("TensorProto").DESCRIPTOR.fields_by_name[field].number
    return number


def _raw(
    record: RecordBytes, field: Field, dtype: DType, size: int, least: int = 1
) -> RawElements | None:
    count, rest = divmod(field.end - field.start, np.dtype(dtype.storage).itemsize)
    if rest or not least <= count <= size:
        return None
    return RawElements(record, field.start, count, dtype.name, dtype.storage)


def _counted(record: RecordBytes, field: Field, dtype: DType, size: int) -> VarintElements | None:
    octets = field.end - field.start
    numbers = VarintElements(record, field.start, field.end, size, dtype)
    fits = numbers.count_all() <= size if octets <= SMALL else octets <= size * MAX_OCTETS
    return numbers if fits else None
