"""Where fields stand, against the protobuf runtime, and what malformed bytes do."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from google.protobuf import unknown_fields
from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from tfdbg_tui.data.records.debug_event_schema import message_class
from tfdbg_tui.data.records.wire import (
    DELIMITED,
    FIXED32,
    FIXED64,
    VARINT,
    Field,
    MalformedMessageError,
    fields,
    read_varint,
)

GROUP = 3
UINT64 = (1 << 64) - 1

tensors = st.fixed_dictionaries(
    {},
    optional={
        "dtype": st.integers(0, 127),
        "tensor_content": st.binary(max_size=40),
        "float_val": st.lists(st.floats(width=32), max_size=5),
        "int64_val": st.lists(st.integers(-(2**63), 2**63 - 1), max_size=5),
        "string_val": st.lists(st.binary(max_size=200), max_size=4),
    },
)
executions = st.fixed_dictionaries(
    {},
    optional={
        "op_type": st.binary(max_size=300),
        "num_outputs": st.integers(-(2**31), 2**31 - 1),
        "input_tensor_ids": st.lists(st.integers(-(2**63), 2**63 - 1), max_size=5),
        "tensor_protos": st.lists(tensors, max_size=3),
    },
)
debug_events = st.fixed_dictionaries(
    {"wall_time": st.floats(), "step": st.integers(-(2**63), 2**63 - 1)},
    optional={"execution": executions, "graph_id": st.binary(max_size=20)},
)


def told(buffer: bytes, field: Field) -> Any:
    """The value of a field in the form in which protobuf tells unknown fields."""
    raw = buffer[field.start : field.end]
    if field.wire_type == VARINT:
        return field.value & UINT64
    if field.wire_type == FIXED64:
        return struct.unpack("<Q", raw)[0]
    return struct.unpack("<I", raw)[0] if field.wire_type == FIXED32 else raw


def told_by_protobuf(buffer: bytes) -> list[tuple[int, int, Any]]:
    """All fields as protobuf sees them, by a message that knows none of them."""
    found: Any = unknown_fields.UnknownFieldSet(Empty.FromString(buffer))
    return [(field.field_number, field.wire_type, field.data) for field in found]


def told_by_us(buffer: bytes, start: int, end: int) -> list[tuple[int, int, Any]]:
    found = fields(buffer, start, end)
    return [(field.number, field.wire_type, told(buffer, field)) for field in found]


@given(debug_events, st.binary(max_size=5), st.binary(max_size=5))
def test_fields_of_any_event_equal_protobufs(
    content: dict[str, Any], before: bytes, behind: bytes
) -> None:
    event = message_class("DebugEvent")(**content).SerializeToString()
    buffer = before + event + behind
    found = told_by_us(buffer, len(before), len(before) + len(event))
    assert found == told_by_protobuf(event)


@given(executions)
def test_fields_inside_a_field_equal_protobufs(content: dict[str, Any]) -> None:
    buffer = message_class("DebugEvent")(execution=content).SerializeToString()
    (outer,) = fields(buffer, 0, len(buffer))
    expected = told_by_protobuf(buffer[outer.start : outer.end])
    assert told_by_us(buffer, outer.start, outer.end) == expected


@given(st.binary(max_size=80))
def test_any_bytes_are_fields_or_malformed(buffer: bytes) -> None:
    try:
        found = list(fields(buffer, 0, len(buffer)))
    except MalformedMessageError:
        return
    for field in found:
        assert 0 < field.start <= field.end <= len(buffer)


@given(st.binary(max_size=80))
def test_what_protobuf_reads_we_read(buffer: bytes) -> None:
    try:
        expected = told_by_protobuf(buffer)
    except DecodeError:
        return
    if all(wire_type != GROUP for _, wire_type, _ in expected):
        assert told_by_us(buffer, 0, len(buffer)) == expected


@given(debug_events, st.data())
def test_a_cut_message_never_gives_bytes_beyond_the_cut(
    content: dict[str, Any], data: st.DataObject
) -> None:
    whole = message_class("DebugEvent")(**content).SerializeToString()
    cut = data.draw(st.integers(0, len(whole)))
    try:
        found = list(fields(whole, 0, cut))
    except MalformedMessageError:
        return
    assert all(field.end <= cut for field in found)


@given(st.integers(0, UINT64))
def test_varints_come_back(number: int) -> None:
    buffer = _varint(number)
    assert read_varint(b"\xff" + buffer + b"\xff", 1, 1 + len(buffer)) == (number, 1 + len(buffer))


def _varint(number: int) -> bytes:
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])


@pytest.mark.parametrize(
    "buffer",
    [
        b"\x80",
        b"\xff" * 11,
        b"\x08",
        b"\x08" + b"\x80" * 10 + b"\x01",
        b"\x09\0\0\0\0\0\0\0",
        b"\x0d\0\0\0",
        b"\x12\x05abcd",
        b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"\x0b",
        b"\x0c",
        b"\x0e",
        b"\x0f",
    ],
    ids=bytes.hex,
)
def test_malformed_messages_are_refused(buffer: bytes) -> None:
    with pytest.raises(MalformedMessageError):
        list(fields(buffer, 0, len(buffer)))


def test_an_empty_message_has_no_fields() -> None:
    assert list(fields(b"abc", 1, 1)) == []


def test_wire_types_have_protobufs_numbers() -> None:
    assert (VARINT, FIXED64, DELIMITED, FIXED32) == (0, 1, 2, 5)
