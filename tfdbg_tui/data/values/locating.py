"""Where a record keeps one of its tensors, found by walking over fields without reading them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError

from tfdbg_tui.data.records.debug_event_schema import MAX_FIELDS, message_class
from tfdbg_tui.data.records.tensor_spans import FIRST_VALUE_FIELD
from tfdbg_tui.data.records.tensors import StatedTensor, stated_tensor
from tfdbg_tui.data.records.wire import DELIMITED, MalformedMessageError, fields
from tfdbg_tui.data.stores import executions, traces
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.records.wire import Field
    from tfdbg_tui.data.values.record_bytes import RecordBytes

WHERE = {
    EventKind.TRACE: (traces.TRACE, traces.TENSOR),
    EventKind.EXECUTION: (executions.EXECUTION, executions.TENSORS),
}
"""The field of an event of a kind, and in it that of its tensors."""

MAX_STATED = 1 << 14
"""Bytes that say what type and shape a tensor has; more are no tensor's."""

MAX_VALUE_FIELDS = 64
"""Fields with values up to which they are told apart; TensorFlow writes one, or one a string."""


class UnusualRecordError(ValueError):
    """A message that is written in several parts: only whoever decodes it knows what it says."""


class LocatedTensor(NamedTuple):
    """A TensorProto: what it states, and the fields that hold its values."""

    stated: StatedTensor
    values: tuple[Field, ...]


def locate(record: RecordBytes, kind: EventKind, output: int) -> LocatedTensor | None:
    """A tensor of a record; None if there is none that makes sense."""
    event_field, tensor_field = WHERE[kind]
    try:
        events = list(_messages(record, 0, record.length, event_field))
        if len(events) > 1:
            raise UnusualRecordError
        tensors: list[Field] = []
        for event in events:
            for tensor in _messages(record, event.start, event.end, tensor_field):
                tensors.append(tensor)
                if kind is EventKind.EXECUTION and len(tensors) > output:
                    break  # the others are other outputs
        if kind is EventKind.TRACE and len(tensors) > 1:
            raise UnusualRecordError
        return _located(record, tensors[output]) if output < len(tensors) else None
    except MalformedMessageError:
        return None


def _messages(record: RecordBytes, start: int, end: int, number: int) -> Iterator[Field]:
    """The fields of a message that have a number and are messages."""
    for count, field in enumerate(fields(record, start, end)):
        if count > MAX_FIELDS:
            raise MalformedMessageError("more fields than any record has")
        if field.number == number and field.wire_type == DELIMITED:
            yield field


def _located(record: RecordBytes, tensor: Field) -> LocatedTensor | None:
    said, values = b"", []
    begin = tensor.start
    for field in fields(record, tensor.start, tensor.end):
        if field.number >= FIRST_VALUE_FIELD:
            values.append(field)
        elif field.end - begin + len(said) > MAX_STATED:
            return None
        else:
            said += record.read(begin, field.end)
        begin = field.end
        if len(values) > MAX_VALUE_FIELDS:
            raise UnusualRecordError
    try:
        stated = stated_tensor(message_class("TensorProto").FromString(said))
    except DecodeError:
        return None
    return None if stated is None else LocatedTensor(stated, tuple(values))
