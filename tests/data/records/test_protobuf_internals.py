"""What protobuf keeps to itself is still there, and does what its public modules do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.internal import api_implementation

from tests.recordings.fabricate import split
from tfdbg_tui.data.records import debug_event_schema
from tfdbg_tui.data.records.protobuf_internals import (
    classes_by_the_public_way,
    classes_by_the_short_way,
)

if TYPE_CHECKING:
    from tests.recordings.record import Library


def test_the_short_way_to_classes_leads_where_the_public_one_does(library: Library) -> None:
    assert api_implementation.Type() == "upb"
    file = debug_event_schema._file()
    names = [f"{debug_event_schema.PACKAGE}.{name}" for name in debug_event_schema.SCHEMA]
    short, public = classes_by_the_short_way(file, names), classes_by_the_public_way(file, names)
    assert list(short) == list(public) == names
    name = f"{debug_event_schema.PACKAGE}.DebugEvent"
    records = [
        payload
        for path in sorted(library.path("full_health").iterdir())
        for _, payload in split(path)
    ]
    assert len(records) > 50
    for payload in records:
        ours, theirs = short[name](), public[name]()
        assert ours.MergeFromString(payload) == theirs.MergeFromString(payload) == len(payload)
        assert str(ours) == str(theirs)
        assert ours.SerializeToString() == theirs.SerializeToString()


def test_classes_of_messages_inside_are_the_same() -> None:
    classes = debug_event_schema.message_class
    event = classes("DebugEvent")()
    assert type(event.execution.tensor_protos.add()) is classes("TensorProto")  # type: ignore[attr-defined]
