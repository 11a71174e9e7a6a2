"""The schema of the events, field by field against TensorFlow's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf.descriptor import FieldDescriptor as Kind
from hypothesis import given
from hypothesis import strategies as st

from tests.recordings.reference import SUFFIXES, read_records
from tfdbg_tui.data.records.debug_event_schema import SCHEMA, message_class, parse, text

if TYPE_CHECKING:
    from tests.recordings.record import Library

#: Our names of messages that TensorFlow calls otherwise.
THEIR_NAMES = {
    "FileLineCol": "tensorflow.GraphDebugInfo.FileLineCol",
    "TensorShape": "tensorflow.TensorShapeProto",
    "Dim": "tensorflow.TensorShapeProto.Dim",
}

WIRE_KIND = {
    Kind.TYPE_STRING: Kind.TYPE_BYTES,  # recorded text need not be UTF-8
    Kind.TYPE_ENUM: Kind.TYPE_INT32,
}


def their_message(name: str) -> Any:
    import tensorflow  # noqa: F401  # fills the default pool
    from google.protobuf import descriptor_pool

    full_name = THEIR_NAMES.get(name, f"tensorflow.{name}")
    return descriptor_pool.Default().FindMessageTypeByName(full_name)


def is_repeated(field: Any) -> bool:
    known = getattr(field, "is_repeated", None)  # `label` is on its way out of protobuf
    return bool(field.label == Kind.LABEL_REPEATED if known is None else known)


@pytest.mark.parametrize("name", SCHEMA)
def test_declared_fields_equal_tensorflows(name: str) -> None:
    theirs = their_message(name).fields_by_name
    for field in message_class(name).DESCRIPTOR.fields:
        their_field = theirs[field.name]
        assert field.number == their_field.number, field.name
        assert field.type == WIRE_KIND.get(their_field.type, their_field.type), field.name
        assert is_repeated(field) == is_repeated(their_field), field.name
        if field.message_type is not None:
            full_name = f"tensorflow.{field.message_type.name}"
            expected = THEIR_NAMES.get(field.message_type.name, full_name)
            assert their_field.message_type.full_name == expected


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_nothing_recorded_is_unknown_to_the_schema(library: Library, suffix: str) -> None:
    from google.protobuf import unknown_fields

    (path,) = library.path("full_health").glob(f"*.{suffix}")
    for payload in read_records(path):
        event = parse(payload)
        assert event is not None
        (content,) = [value for field, value in event.ListFields() if field.message_type]
        assert len(unknown_fields.UnknownFieldSet(event)) == 0
        assert len(unknown_fields.UnknownFieldSet(content)) == 0


def test_recorded_messages_survive_a_round_trip(library: Library) -> None:
    from tensorflow.core.protobuf import debug_event_pb2

    for suffix in SUFFIXES:
        (path,) = library.path("full_health").glob(f"*.{suffix}")
        for payload in read_records(path)[:50]:
            event = parse(payload)
            assert event is not None
            theirs = debug_event_pb2.DebugEvent.FromString(payload)
            ours = debug_event_pb2.DebugEvent.FromString(event.SerializeToString())
            assert ours == theirs


@given(st.binary(max_size=100))
def test_any_bytes_are_an_event_or_none(payload: bytes) -> None:
    event = parse(payload)
    assert event is None or event.step is not None


@given(st.binary(max_size=50))
def test_a_name_that_is_no_utf8_does_not_cost_the_record(name: bytes) -> None:
    content = {"op_name": name, "output_slot": 3}
    payload = message_class("DebugEvent")(graph_execution_trace=content).SerializeToString()
    event = parse(payload)
    assert event is not None
    assert event.graph_execution_trace.output_slot == 3
    assert text(event.graph_execution_trace.op_name) == name.decode("utf-8", "replace")


def test_the_schema_lives_beside_tensorflows_in_one_process() -> None:
    from tensorflow.core.protobuf import debug_event_pb2

    payload = debug_event_pb2.DebugEvent(wall_time=1.0, graph_id="g").SerializeToString()
    event = parse(payload)
    assert event is not None
    assert (event.wall_time, event.graph_id) == (1.0, b"g")
