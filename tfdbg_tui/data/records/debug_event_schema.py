"""The DebugEvent messages, as a small schema on the protobuf runtime.

The schema lives in a descriptor pool of its own, so it cannot clash with TensorFlow's in one
process. Text is declared as bytes: what was recorded need not be valid UTF-8, and one bad name
must not cost the record.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError

from tfdbg_tui.data.records.protobuf_internals import classes_of
from tfdbg_tui.data.records.wire import DELIMITED, MalformedMessageError, fields

if TYPE_CHECKING:
    from google.protobuf.message import Message

PACKAGE = "tfdbg_tui"

OPTIONAL, REPEATED = 1, 3
"""How descriptors number these labels."""

MAX_FIELDS = 1 << 20
"""Fields of one record; an empty message takes two bytes on disk, and a hundred in memory."""

MIN_FIELD = 2
"""Bytes of the shortest field."""

# Message → fields, each "number name type", with `*` behind the type of a repeated field.
SCHEMA = {
    "DebugEvent": (
        "1 wall_time double, 2 step int64, 3 debug_metadata DebugMetadata,"
        "4 source_file SourceFile, 6 stack_frame_with_id StackFrameWithId,"
        "7 graph_op_creation GraphOpCreation, 8 debugged_graph DebuggedGraph,"
        "9 execution Execution, 10 graph_execution_trace GraphExecutionTrace,"
        "11 graph_id bytes, 12 debugged_device DebuggedDevice"
    ),
    "DebugMetadata": "1 tensorflow_version bytes, 2 file_version bytes, 3 tfdbg_run_id bytes",
    "SourceFile": "1 file_path bytes, 2 host_name bytes, 3 lines bytes*",
    "StackFrameWithId": "1 id bytes, 2 file_line_col FileLineCol",
    "FileLineCol": "1 file_index int32, 2 line int32, 3 col int32, 4 func bytes, 5 code bytes",
    "CodeLocation": "1 host_name bytes, 2 stack_frame_ids bytes*",
    "GraphOpCreation": (
        "1 op_type bytes, 2 op_name bytes, 3 graph_name bytes, 4 graph_id bytes,"
        "5 device_name bytes, 6 input_names bytes*, 7 num_outputs int32,"
        "8 code_location CodeLocation, 9 output_tensor_ids int32*"
    ),
    "DebuggedGraph": (
        "1 graph_id bytes, 2 graph_name bytes, 3 instrumented_ops bytes*, 6 outer_context_id bytes"
    ),
    "DebuggedDevice": "1 device_name bytes, 2 device_id int32",
    "Execution": (
        "1 op_type bytes, 2 num_outputs int32, 3 graph_id bytes, 4 input_tensor_ids int64*,"
        "5 output_tensor_ids int64*, 6 tensor_debug_mode int32, 7 tensor_protos TensorProto*,"
        "8 code_location CodeLocation, 9 output_tensor_device_ids int32*"
    ),
    "GraphExecutionTrace": (
        "1 tfdbg_context_id bytes, 2 op_name bytes, 3 output_slot int32,"
        "4 tensor_debug_mode int32, 5 tensor_proto TensorProto, 6 device_name bytes"
    ),
    "TensorProto": (
        "1 dtype int32, 2 tensor_shape TensorShape, 3 version_number int32,"
        "4 tensor_content bytes, 5 float_val float*, 6 double_val double*, 7 int_val int32*,"
        "8 string_val bytes*, 9 scomplex_val float*, 10 int64_val int64*, 11 bool_val bool*,"
        "12 dcomplex_val double*, 13 half_val int32*, 16 uint32_val uint32*,"
        "17 uint64_val uint64*, 18 float8_val bytes"
    ),
    "TensorShape": "2 dim Dim*, 3 unknown_rank bool",
    "Dim": "1 size int64, 2 name bytes",
}


def text(raw: bytes) -> str:
    """Recorded bytes as text; what is not UTF-8 becomes replacement characters."""
    return raw.decode("utf-8", "replace")


def parse(payload: bytes) -> Any | None:
    """The DebugEvent in a record, or None if the bytes are none."""
    event = message_class("DebugEvent")()
    try:
        if len(payload) > MIN_FIELD * MAX_FIELDS:
            _count_fields(payload, 0, len(payload), "DebugEvent")
        event.ParseFromString(payload)
    except (DecodeError, MalformedMessageError):
        return None
    return event


def _count_fields(payload: bytes, start: int, end: int, message: str, before: int = 0) -> int:
    """How many fields a message has, with those of its messages; raises if they are too many."""
    count = before
    messages = submessages(message)
    for field in fields(payload, start, end):
        count += 1
        if count > MAX_FIELDS:
            raise MalformedMessageError("more fields than any record has")
        if field.wire_type == DELIMITED and field.number in messages:
            count = _count_fields(payload, field.start, field.end, messages[field.number], count)
    return count


@cache
def submessages(message: str) -> dict[int, str]:
    """The fields of a message that are messages, by number, and which they are."""
    specs = (spec.split() for spec in SCHEMA[message].split(","))
    types = ((int(number), type_name.rstrip("*")) for number, _, type_name in specs)
    return {number: name for number, name in types if name in SCHEMA}


@cache
def message_class(name: str) -> type[Message]:
    """The class of one message of the schema."""
    return _classes()[f"{PACKAGE}.{name}"]


@cache
def _classes() -> dict[str, type[Message]]:
    return classes_of(_file(), [f"{PACKAGE}.{name}" for name in SCHEMA])


# The schema as a FileDescriptorProto, whose own classes take longer to import than this to write.


def _file() -> bytes:
    messages = (_delimited(4, _message(*described)) for described in SCHEMA.items())
    return b"".join(
        (_text(1, "tfdbg_tui/debug_event.proto"), _text(2, PACKAGE), *messages, _text(12, "proto2"))
    )


def _message(name: str, field_specs: str) -> bytes:
    specs = (spec.split() for spec in field_specs.split(","))
    return _text(1, name) + b"".join(_delimited(2, _field(*spec)) for spec in specs)


def _field(number: str, name: str, type_name: str) -> bytes:
    label = REPEATED if type_name.endswith("*") else OPTIONAL
    type_name = type_name.rstrip("*")
    of_schema = type_name in SCHEMA
    kind: int = getattr(FieldDescriptor, f"TYPE_{'MESSAGE' if of_schema else type_name.upper()}")
    numbers = bytes((3 << 3, int(number), 4 << 3, label, 5 << 3, kind))
    return _text(1, name) + numbers + (_text(6, f".{PACKAGE}.{type_name}") if of_schema else b"")


def _text(number: int, text: str) -> bytes:
    return _delimited(number, text.encode())


def _delimited(number: int, content: bytes) -> bytes:
    size = len(content)  # a varint of one octet or two
    octets = (size,) if size < 0x80 else (size & 0x7F | 0x80, size >> 7)
    return bytes((number << 3 | DELIMITED, *octets)) + content
