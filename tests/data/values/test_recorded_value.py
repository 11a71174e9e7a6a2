"""Values of recorded tensors against numpy's, and how little is read for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.recordings.fabricate import split
from tests.support.damage import absurd_tensors, note_reads, trace, write_files
from tests.support.encoding import (
    FIELD_OF,
    FLOAT8,
    delimited,
    encoded,
    execution_of,
    sample,
    trace_of,
    typed_values,
)
from tests.support.reading import hosts_of, load
from tfdbg_tui.data.records.debug_event_schema import message_class
from tfdbg_tui.data.records.modes import tells_values
from tfdbg_tui.data.records.tensors import to_array, written_tensor
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.values import recorded_value, varint_elements
from tfdbg_tui.data.values.recorded_value import NotRecorded, RecordedValue, value_of
from tfdbg_tui.data.values.slices import parse_slice
from tfdbg_tui.data.values.value_error import GONE, UNDECODABLE, ValueQueryError

if TYPE_CHECKING:
    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.host import Host

TRACE, EXECUTION = EventKind.TRACE, EventKind.EXECUTION


def host_of(folder: Path, *tensors: bytes) -> Host:
    """A host that recorded these tensors in a graph, and all of them as outputs of an eager op."""
    records = {
        "graph_execution_traces": [trace_of(tensor) for tensor in tensors],
        "execution": [execution_of(*tensors)],
    }
    metadata = [message_class("DebugEvent")(debug_metadata={}).SerializeToString()]
    (host,) = hosts_of(load(write_files(folder, metadata=metadata, **records)))
    return host


def opened(found: RecordedValue | NotRecorded) -> RecordedValue:
    assert isinstance(found, RecordedValue), found
    return found


def assert_all_same(host: Host, tensors: list[bytes]) -> None:
    """Each value equals what the whole message says, as a trace and as an output."""
    for number, tensor in enumerate(tensors):
        expected = to_array(message_class("TensorProto").FromString(tensor))
        for found in (value_of(host, TRACE, number), value_of(host, EXECUTION, 0, number)):
            if expected is None:
                assert found == NotRecorded(UNDECODABLE)
                continue
            value = opened(found)
            assert (value.shape, value.size) == (expected.shape, expected.size)
            assert value.element == expected.dtype
            np.testing.assert_array_equal(value.elements(0, value.size), expected.ravel())
            np.testing.assert_array_equal(value.window(value.whole), expected)
            start, end = value.size // 3, value.size - value.size // 3
            np.testing.assert_array_equal(value.elements(start, end), expected.ravel()[start:end])


@pytest.mark.parametrize("dtype", sorted(FIELD_OF))
def test_values_of_typed_fields(dtype: str, tmp_path: Path) -> None:
    tensors = []
    for shape in ((6,), (2, 3)):
        for count in range(7):  # the last fills what is left out
            values = typed_values(dtype, sample(dtype)[:count])
            tensors.append(encoded(dtype, shape, **{FIELD_OF[dtype]: values}))
    tensors += [encoded(dtype, shape) for shape in ((0,), (3, 0), ())]
    tensors.append(encoded(dtype, (5,), **{FIELD_OF[dtype]: typed_values(dtype, sample(dtype))}))
    again = [message_class("TensorProto").FromString(t).SerializeToString() for t in tensors]
    tensors += again  # one field each value
    assert_all_same(host_of(tmp_path, *tensors), tensors)


@pytest.mark.parametrize("dtype", sorted({*FIELD_OF, *FLOAT8} - {"int4", "uint4", "int2", "uint2"}))
def test_values_of_raw_content(dtype: str, tmp_path: Path) -> None:
    content = sample(dtype).tobytes()
    tensors = [encoded(dtype, shape, tensor_content=content) for shape in ((6,), (3, 2), (1, 6, 1))]
    tensors.append(encoded(dtype, (7,), tensor_content=content))
    assert_all_same(host_of(tmp_path, *tensors), tensors)


def test_strings(tmp_path: Path) -> None:
    tensors = [
        encoded("string", (2, 2), string_val=values)
        for values in ([b"a", b"", b"\xff\0", b"d"], [b"a", b"b"], [], [b"x"] * 5)
    ]
    tensors.append(encoded("string", (2,), tensor_content=b"\x01\x02abc"))
    tensors.append(encoded("string", (300,), string_val=[b"%d" % n for n in range(300)]))
    assert_all_same(host_of(tmp_path, *tensors), tensors)


def test_a_message_in_several_parts_is_what_protobuf_makes_of_it(tmp_path: Path) -> None:
    first = encoded("float32", (4,), float_val=[1.0, 2.0])
    second = encoded("float32", (), float_val=[3.0])
    whole = trace_of(first)
    twice = whole + trace_of(second)[9:]  # without its time
    one, other = np.array([1, 2], np.float32), np.array([5], np.float32)
    contents = delimited(4, one.tobytes()) + delimited(4, other.tobytes())
    later = encoded("float32", (1,)) + contents
    records = [twice, trace_of(first + second), trace_of(later)]
    (host,) = hosts_of(load(write_files(tmp_path, graph_execution_traces=records)))
    assert opened(value_of(host, TRACE, 0)).elements(0, 4).tolist() == [1, 2, 3, 3]
    assert opened(value_of(host, TRACE, 1)).elements(0, 4).tolist() == [1, 2, 3, 3]
    assert opened(value_of(host, TRACE, 2)).elements(0, 1).tolist() == [5]


@pytest.mark.parametrize("scenario", ["full_tensor", "half_types_full"])
def test_all_that_is_recorded_is_told(scenario: str, library: Library) -> None:
    for host in hosts_of(load(library.path(scenario))):
        values = 0
        for event in range(len(host.traces)):
            values += _is_right(value_of(host, TRACE, event), host.traces.values(event))
        for event in range(len(host.executions)):
            for output in range(host.executions.site_of(event).tensors):
                expected = host.executions.values(event, output)
                values += _is_right(value_of(host, EXECUTION, event, output), expected)
        assert values > 100


def _is_right(found: RecordedValue | NotRecorded, expected: Any) -> bool:
    if expected is None:
        assert isinstance(found, NotRecorded)
        return False
    np.testing.assert_array_equal(opened(found).window(opened(found).whole), expected)
    return True


# ---------------------------------------------------------------------- how little is read


def test_of_a_large_tensor_only_what_is_looked_at_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = np.arange(1 << 20, dtype=np.float32).reshape(1 << 10, 1 << 10)
    tensor = encoded("float32", numbers.shape, tensor_content=numbers.tobytes())
    host = host_of(tmp_path, tensor)
    reads = note_reads(monkeypatch)
    value = opened(value_of(host, TRACE, 0))
    screen = value.window(parse_slice("[1000:, -20:]").on(value.shape))
    assert sum(reads) < 200_000
    np.testing.assert_array_equal(screen, numbers[1000:, -20:])


def test_numbers_written_one_by_one_are_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(varint_elements, "PIECE", 1000)
    codes = np.arange(60_000, dtype=np.uint16)
    tensor = encoded("float16", (70_000,), half_val=codes.tolist())
    value = opened(value_of(host_of(tmp_path, tensor), TRACE, 0))
    expected = np.append(codes, np.full(10_000, codes[-1])).view(np.float16)
    reads = note_reads(monkeypatch)
    for start in (0, 59_990, 127, 16_383, 16_384, 69_999, 30_000):
        found = value.elements(start, min(start + 100, value.size))
        assert found.tobytes() == expected[start : start + 100].tobytes()
    assert sum(reads) < 20_000  # in a small record all were counted to see whether they fit


def test_few_values_that_stand_for_many_take_no_room(tmp_path: Path) -> None:
    value = opened(
        value_of(host_of(tmp_path, encoded("float32", (1 << 40,), float_val=[1, 2])), TRACE, 0)
    )
    assert value.settled == 2
    assert value.elements((1 << 40) - 3, 1 << 40).tolist() == [2, 2, 2]
    assert value.window(parse_slice("[::549755813888]").on(value.shape)).tolist() == [1, 2]
    with pytest.raises(ValueQueryError, match="at once"):
        value.elements(0, 1 << 40)
    with pytest.raises(ValueQueryError, match="at once"):
        value.window(value.whole)


# ---------------------------------------------------------------------- what is no value


def test_where_there_is_no_value_a_sentence_says_why(library: Library, tmp_path: Path) -> None:
    (host,) = hosts_of(load(library.path("full_health")))
    found = value_of(host, TRACE, 0)
    assert found == NotRecorded("FULL_HEALTH does not record values; FULL_TENSOR does.")
    host = host_of(tmp_path / "whole", encoded("float32", (2,), float_val=[1, 2]))
    assert value_of(host, TRACE, 7) == NotRecorded(GONE)
    assert value_of(host, EXECUTION, 0, 7) == NotRecorded(recorded_value.NOTHING_THERE)
    value = opened(value_of(host, TRACE, 0))
    Path(host.traces.file.path).write_bytes(b"")
    assert value_of(host, TRACE, 0) == NotRecorded(GONE)
    with pytest.raises(ValueQueryError, match="cut, deleted or damaged"):
        value.elements(0, 2)


def test_absurd_tensors_are_told_as_far_as_they_make_sense(tmp_path: Path) -> None:
    absurd = [(mode, fields) for _, mode, fields in absurd_tensors()]
    records = [trace(mode=mode, tensor_proto=fields) for mode, fields in absurd]
    (host,) = hosts_of(load(write_files(tmp_path, graph_execution_traces=records)))
    sizes = []
    for event, (mode, fields) in enumerate(absurd):
        found = value_of(host, TRACE, event)
        written = written_tensor(message_class("TensorProto")(**fields))
        assert isinstance(found, RecordedValue) == (tells_values(mode) and written is not None)
        if isinstance(found, RecordedValue):
            sizes.append(found.size)
            assert len(found.elements(max(0, found.size - 3), found.size)) == min(found.size, 3)
    assert max(sizes) == 1 << 40


def test_cut_and_changed_bytes_are_no_value_and_no_traceback(tmp_path: Path) -> None:
    tensor = encoded("float32", (2, 3), tensor_content=sample("float32").tobytes())
    payload = trace_of(tensor)
    path = Path(host_of(tmp_path / "one", tensor).traces.file.path)
    ((offset, _),) = split(path)
    content = path.read_bytes()
    told = set()
    for place in range(len(payload)):
        host = hosts_of(load(path.parent))[0]
        for octet in (0x00, 0x7F, 0xFF):
            damaged = bytearray(content)
            damaged[offset + 12 + place] = octet
            path.write_bytes(damaged)  # behind the back of whoever read it
            found = value_of(host, TRACE, 0)
            told.add(type(found))
            if isinstance(found, RecordedValue) and found.size < 1000:
                found.elements(0, found.size)
        path.write_bytes(content)
    assert told == {RecordedValue, NotRecorded}
