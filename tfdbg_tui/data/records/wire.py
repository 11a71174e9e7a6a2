"""Where the fields of an encoded protobuf message stand.

The protobuf runtime tells what a message says, not at which byte it says it. The vectorised
readers need the bytes: they learn a record's layout once and lift the same fields from all
records laid out alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    class Octets(Protocol):
        """Bytes that are looked at one by one: in memory, or wherever a record is."""

        def __getitem__(self, place: int, /) -> int:
            """The byte at a place."""


VARINT, FIXED64, DELIMITED, FIXED32 = 0, 1, 2, 5

MORE = 0x80
"""The bit of an octet of a number that says that another one follows."""


class MalformedMessageError(ValueError):
    """The bytes are no protobuf message."""


class Field(NamedTuple):
    """One field of an encoded message."""

    number: int
    wire_type: int
    start: int
    """First byte of the value (behind the tag and, if delimited, the length)."""
    end: int
    value: int
    """The number of a varint; 0 for other wire types."""


def fields(buffer: Octets, start: int, end: int) -> Iterator[Field]:
    """The fields of the message that fills `buffer[start:end]`, in file order."""
    position = start
    while position < end:
        tag = buffer[position]  # nearly all tags and lengths are single octets
        position += 1
        if tag >= MORE:
            tag, position = read_varint(buffer, position - 1, end)
        wire_type = tag & 7
        value = 0
        value_start = position
        if wire_type == DELIMITED:
            if position < end and (length := buffer[position]) < MORE:
                value_start += 1
            else:
                length, value_start = read_varint(buffer, position, end)
            position = value_start + length
        elif wire_type == VARINT:
            value, position = read_varint(buffer, position, end)
        elif wire_type == FIXED64:
            position += 8
        elif wire_type == FIXED32:
            position += 4
        else:
            raise MalformedMessageError(f"wire type {wire_type}")
        if position > end:
            raise MalformedMessageError("a field runs past the end of its message")
        yield Field(tag >> 3, wire_type, value_start, position, value)


def read_varint(buffer: Octets, position: int, end: int) -> tuple[int, int]:
    """A base-128 number and the position behind it."""
    value = shift = 0
    while position < end and shift < 70:
        octet = buffer[position]
        position += 1
        value |= (octet & 0x7F) << shift
        if octet < MORE:
            return value, position
        shift += 7
    raise MalformedMessageError("a number does not end")
