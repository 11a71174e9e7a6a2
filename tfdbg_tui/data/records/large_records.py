"""What a large record says, without the values of its tensors: those are looked at where they are.

A record of a tensor of 400 MB would take that again as bytes, and once more as a message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfdbg_tui.data.records.debug_event_schema import MAX_FIELDS, parse, submessages
from tfdbg_tui.data.records.tensor_spans import FIRST_VALUE_FIELD
from tfdbg_tui.data.records.wire import DELIMITED, MORE, MalformedMessageError, fields

if TYPE_CHECKING:
    Payload = bytes | memoryview

LARGE = 1 << 24
"""Bytes of a record from which on it is not copied."""


def described(payload: Payload) -> Any | None:
    """The DebugEvent in a record, without the values of its tensors if it is large."""
    if isinstance(payload, bytes):
        return parse(payload)
    try:
        return parse(_without_values(payload, (0, len(payload)), "DebugEvent"))
    except MalformedMessageError:  # protobuf knows more than we walk over, as groups
        return parse(bytes(payload))


def _without_values(payload: memoryview, span: tuple[int, int], message: str) -> bytes:
    parts: list[bytes] = []
    begin = span[0]
    inner = submessages(message)
    for count, field in enumerate(fields(payload, *span)):
        if count > MAX_FIELDS:
            raise MalformedMessageError("more fields than any record has")
        if field.wire_type == DELIMITED and field.number in inner:
            content = _without_values(payload, (field.start, field.end), inner[field.number])
            tag = _varint(field.number << 3 | DELIMITED)
            parts += [tag, _varint(len(content)), content]
        elif message != "TensorProto" or field.number < FIRST_VALUE_FIELD:
            parts.append(bytes(payload[begin : field.end]))
        begin = field.end
    return b"".join(parts)


def _varint(number: int) -> bytes:
    octets = bytearray()
    while number >= MORE:
        octets.append(number & (MORE - 1) | MORE)
        number >>= 7
    octets.append(number)
    return bytes(octets)
