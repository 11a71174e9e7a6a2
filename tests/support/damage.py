"""Ways to damage a file of records, and what must survive each of them."""

from __future__ import annotations

import errno
import os
import random
import struct
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.recordings.fabricate import FOOTER, HEADER, frame, masked_crc, split, whole_record
from tests.support.reading import event_stores, hosts_of, verdict_json
from tfdbg_tui.data.records.debug_event_schema import message_class, parse, text
from tfdbg_tui.data.stores.user_code import is_user_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pytest

    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.data.stores.sources import Location

PREFIX = "tfdbg_events.1700000000.fabricated"


class Injury(NamedTuple):
    """One way to damage a file."""

    name: str
    apply: Callable[[bytes, list[int]], bytes]
    """From the content and the offsets of its records to the damaged content."""


class Whole(NamedTuple):
    """A record that the damage did not touch."""

    offset: int
    payload: bytes


def intact_records(path: Path, damaged: bytes) -> list[Whole]:
    """The records of an undamaged file whose every byte is still in its place."""
    original = path.read_bytes()
    found = []
    for offset, payload in split(path):
        end = offset + HEADER + len(payload) + FOOTER
        if damaged[offset:end] == original[offset:end]:
            found.append(Whole(offset, payload))
    return found


def _record(offsets: list[int], share: float) -> int:
    return offsets[min(int(len(offsets) * share), len(offsets) - 1)]


def _flipped(content: bytes, place: int, mask: int = 1) -> bytes:
    damaged = bytearray(content)
    damaged[place] ^= mask
    return bytes(damaged)


def _cut_at(share: float, extra: int = 0) -> Callable[[bytes, list[int]], bytes]:
    return lambda content, _: content[: int(len(content) * share) + extra]


def _cut_behind_record(share: float, extra: int) -> Callable[[bytes, list[int]], bytes]:
    return lambda content, offsets: content[: _record(offsets, share) + extra]


def _flip(share: float, place: int, mask: int = 1) -> Callable[[bytes, list[int]], bytes]:
    """Flip bits of a byte of a record, counted from the start of its frame."""
    return lambda content, offsets: _flipped(content, _record(offsets, share) + place, mask)


def _flip_payload(share: float, within: float) -> Callable[[bytes, list[int]], bytes]:
    def apply(content: bytes, offsets: list[int]) -> bytes:
        start = _record(offsets, share)
        (length,) = struct.unpack_from("<Q", content, start)
        return _flipped(content, start + HEADER + int((length - 1) * within), 0x10)

    return apply


def _tail(make: Callable[[int], bytes], length: int) -> Callable[[bytes, list[int]], bytes]:
    return lambda content, _: content + make(length)


def _overwritten(share: float, records: int) -> Callable[[bytes, list[int]], bytes]:
    """Garbage from the middle of one record to the middle of another one behind it."""

    def apply(content: bytes, offsets: list[int]) -> bytes:
        first = min(int(len(offsets) * share), len(offsets) - 1)
        last = min(first + records, len(offsets) - 1)
        start, end = offsets[first] + 20, offsets[last] + 20
        return content[:start] + garbage(end - start) + content[end:]

    return apply


def garbage(length: int) -> bytes:
    """Bytes that are the same in every run."""
    return random.Random(length).randbytes(length)


def injuries() -> Iterator[Injury]:
    """All ways to damage a file, but its absence."""
    for end in (0, 1, 11, 12, 13, 100):
        yield Injury(f"cut to {end} bytes", _cut_at(0, end))
    for share in (0.25, 0.5, 0.8):
        yield Injury(f"cut at {share:.0%}", _cut_at(share))
        for extra in (-1, 0, 1, 12):
            yield Injury(f"cut at record {share:.0%} {extra:+}", _cut_behind_record(share, extra))
    yield Injury("last byte cut", _cut_at(1, -1))
    for share in (0.0, 0.3, 0.6, 1.0):
        for place in range(HEADER):
            what = "length" if place < 8 else "length checksum"
            yield Injury(f"{what} byte {place} of record {share:.0%}", _flip(share, place))
        for within in (0.0, 0.4, 1.0):
            yield Injury(
                f"payload {within:.0%} of record {share:.0%}", _flip_payload(share, within)
            )
        yield Injury(f"high bit of length of record {share:.0%}", _flip(share, 3, 0x80))
    for length in (1, 11, 12, 16, 300, 5000):
        yield Injury(f"{length} bytes of garbage behind", _tail(garbage, length))
    for length in (1, 12, 4096, 9000):
        yield Injury(f"{length} zeros behind", _tail(bytes, length))
    for share, records in ((0.0, 2), (0.3, 1), (0.5, 4)):
        yield Injury(f"garbage over {records} records at {share:.0%}", _overwritten(share, records))


INJURIES = {injury.name: injury for injury in injuries()}

SOME_INJURIES = tuple(INJURIES)[::7]
"""Some of each kind, for files that are read by the same code as one that gets all injuries."""


def lost_records(host: Host, suffix: str, original: Path, damaged: bytes) -> list[int]:
    """Offsets of the records that are whole in a damaged file and that a host does not know."""
    whole = intact_records(original, damaged)
    return [record.offset for record in whole if not is_loaded(host, suffix, record)]


def is_loaded(host: Host, suffix: str, record: Whole) -> bool:
    """Whether a host knows what a record of one of its files says."""
    event = parse(record.payload)
    assert event is not None
    payload_start = record.offset + HEADER
    if suffix == "metadata":
        return host.metadata.stated.run_id == text(event.debug_metadata.tfdbg_run_id)
    if suffix == "source_files":
        return any(found and found.offset == payload_start for found in host.sources.files)
    if suffix == "stack_frames":
        stated = event.stack_frame_with_id
        frame = host.frames.by_id.get(text(stated.id))
        return frame is not None and frame.line == stated.file_line_col.line
    if suffix == "graphs":
        return _is_in_graphs(host, event)
    executions, traces = event_stores(host)
    store = executions if suffix == "execution" else traces
    return payload_start in store.events["offset"]


def _is_in_graphs(host: Host, event: Any) -> bool:
    if event.HasField("debugged_device"):
        return event.debugged_device.device_id in host.graphs.devices
    if event.HasField("debugged_graph"):
        graph_id = text(event.debugged_graph.graph_id)
        return host.graphs.name_of(graph_id) == text(event.debugged_graph.graph_name)
    creation = event.graph_op_creation
    op = host.graphs.op(text(creation.graph_id), text(creation.op_name))
    return op is not None and op.type == text(creation.op_type)


def torn(records: list[bytes], place: str) -> bytes:
    """What two writers leave: a good header, part of its payload, other records over the rest."""
    if place == "end":
        return frame(bytes(100_000))[: HEADER + 50] + b"".join(records)
    *over, behind = records
    body = b"".join(over)
    large = frame(bytes(2 * len(body)))
    return large[: HEADER + 50] + body + large[HEADER + 50 + len(body) :] + behind


def brute_force(content: bytes) -> list[int]:
    """Offsets of all whole records, whatever lies between them, reading forward."""
    found, position = [], 0
    while position < len(content):
        size = whole_record(content, position)
        found += [position] if size else []
        position += size or 1
    return found


def offsets_of(path: Path) -> list[int]:
    """Where the frames of an undamaged file begin."""
    return [offset for offset, _ in split(path)]


def write_files(directory: Path, **payloads: list[bytes]) -> Path:
    """A file set with these payloads, by suffix, all with good checksums."""
    directory.mkdir(parents=True, exist_ok=True)
    for suffix, records in payloads.items():
        content = b"".join(frame(payload) for payload in records)
        (directory / f"{PREFIX}.{suffix}").write_bytes(content)
    return directory


def event(**fields: Any) -> bytes:
    """An encoded DebugEvent; nested messages are given as dicts, text as bytes."""
    message: Any = message_class("DebugEvent")(**fields)
    encoded: bytes = message.SerializeToString()
    return encoded


def trace(wall_time: float = 1.0, mode: int = 4, **fields: Any) -> bytes:
    """An encoded trace of op `x` in graph `g`."""
    told = {"tfdbg_context_id": b"g", "op_name": b"x", "tensor_debug_mode": mode, **fields}
    return event(wall_time=wall_time, graph_execution_trace=told)


def vector(*numbers: float) -> dict[str, Any]:
    """A health vector as the recorder writes it."""
    return {
        "dtype": 2,
        "tensor_shape": {"dim": [{"size": len(numbers)}]},
        "tensor_content": struct.pack(f"<{len(numbers)}d", *numbers),
    }


BAD_VECTOR = vector(1, 0, 1, 1, 4, 0, 0, 3, 0, 1, 0)
GOOD_VECTOR = vector(1, 0, 1, 1, 4, 0, 0, 0, 0, 1, 3)

SENSELESS = {
    "no message": b"\xff\xff\xff\xff",
    "cut message": trace(tensor_proto=BAD_VECTOR)[:-3],
    "empty": b"",
    "only a time": event(wall_time=1.0),
    "metadata": event(wall_time=1.0, debug_metadata={"tfdbg_run_id": b"other"}),
    "source": event(source_file={"file_path": b"/x.py", "lines": [b"a"]}),
    "group": b"\x0b\x0c",
    "absurd length inside": b"\x52\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
    "random": garbage(500),
}


def absurd_tensors() -> Iterator[tuple[str, int, dict[str, Any]]]:
    nan, inf = float("nan"), float("inf")
    yield "NaN as a count", 4, vector(1, 0, 1, 1, nan, 0, 0, nan, 0, 1, 0)
    yield "infinite counts", 3, vector(1, inf, inf, inf, inf)
    yield "infinite flag", 2, vector(nan, inf)
    yield "a shape of infinities", 5, vector(inf, nan, inf, inf, *[nan] * 6)
    yield "negative rank", 5, vector(1, 1, -3, 4, *[1] * 6)
    yield "unknown dtype", 4, vector(1, 0, 9999, 1, 4, 1, 0, 0, 0, 1, 0)
    yield "short vector", 4, vector(1, 2)
    yield "vector in another dtype", 4, {**BAD_VECTOR, "dtype": 1}
    yield "unknown mode", 99, BAD_VECTOR
    yield "FULL_NUMERICS", 6, BAD_VECTOR
    for name, sizes in (
        ("a huge tensor", [1 << 40]),
        ("a tensor beyond all bounds", [1 << 62, 1 << 62]),
        ("two unknown dimensions", [-1, -1]),
        ("a negative dimension", [-5]),
        ("zero times minus one", [0, -1]),
        ("a thousand dimensions", [1] * 1000),
    ):
        for dtype, values in (
            (1, {"float_val": [nan]}), (19, {"half_val": [0x7E00]}), (8, {"scomplex_val": [nan]}),
            (7, {"string_val": [b"x"]}), (1, {"tensor_content": b"\0\0\xc0\x7f" * 2}), (3, {}),
            (14, {"tensor_content": b"\xc0\x7f\0"}), (7, {"tensor_content": b"\xff\xff\x7f"}),
        ):  # fmt: skip
            shape = {"dim": [{"size": size} for size in sizes]}
            yield f"{name} of dtype {dtype}", 7, {"dtype": dtype, "tensor_shape": shape, **values}


def read_all_back(logdir: Logdir) -> None:
    """Read back everything that was loaded."""
    verdict_json(logdir)
    for host in hosts_of(logdir):
        for row in range(len(host.traces)):
            host.traces.read(row)
            host.traces.values(row)
        for row in range(len(host.executions)):
            host.executions.read(row)
            host.executions.values(row, 0)


def hostile_recording(directory: Path, name: bytes) -> Path:
    """A recording of one bad tensor in which everything that can bear a name bears this one."""
    creation = {"op_type": name, "op_name": name, "graph_id": b"g", "num_outputs": 1}
    return write_files(
        directory,
        metadata=[event(debug_metadata={"tfdbg_run_id": name, "tensorflow_version": name})],
        source_files=[event(source_file={"file_path": name, "lines": [name]})],
        stack_frames=[event(stack_frame_with_id={"id": name, "file_line_col": {"line": 1}})],
        graphs=[
            event(debugged_graph={"graph_id": b"g", "graph_name": name, "outer_context_id": b"g"}),
            event(graph_op_creation={**creation, "code_location": {"stack_frame_ids": [name]}}),
        ],
        graph_execution_traces=[trace(op_name=name, tensor_proto=BAD_VECTOR)],
    )


def locations(host: Host) -> dict[tuple[str, ...], Location | None]:
    stacks = {*host.graphs.stacks(), *(site.stack for site in host.executions.sites)}
    return {stack: host.location_of(stack) for stack in stacks}


def assert_nothing_is_wrong(damaged: Host, undamaged: Host) -> None:
    truth = locations(undamaged)
    for stack, location in locations(damaged).items():
        right = truth[stack]
        assert location is None or right is not None
        if location is not None and right is not None:
            assert (location.file, location.line) == (right.file, right.line)
            assert location.code in (None, right.code)
    for ours, theirs in zip(event_stores(damaged), event_stores(undamaged), strict=True):
        row_at = {offset: row for row, offset in enumerate(theirs.events["offset"].tolist())}
        for row, offset in enumerate(ours.events["offset"].tolist()):
            same = row_at[offset]
            for name in ("wall_time", "bad"):
                assert ours.events[name][row] == theirs.events[name][same]
            number, other = int(ours.events["site"][row]), int(theirs.events["site"][same])
            assert ours.sites[number] == theirs.sites[other]


def own_code(path: Path, host: Host) -> list[int]:
    """Offsets of the records, of sources or of stack frames, that tell of the program itself."""
    found = []
    for number, (offset, payload) in enumerate(split(path)):
        told = parse(payload)
        assert told is not None
        framed = told.HasField("stack_frame_with_id")
        source = told.stack_frame_with_id.file_line_col.file_index if framed else number
        file = host.sources.get(source)
        if file is not None and is_user_file(file.path):
            found.append(offset)
    assert found
    return found


def write_mutated(source: Path, directory: Path, chance: random.Random) -> None:
    """A few records of each file of a recording, one of them with some bytes changed."""
    for path in source.glob("tfdbg_events.*"):
        records = [payload for _, payload in split(path)]
        row = chance.randrange(len(records))
        payload = bytearray(records[row])
        for _ in range(chance.randint(1, 4)):
            payload[chance.randrange(len(payload))] = chance.randrange(256)
        nearby = records[max(0, row - 2) : row + 3]
        write_files(directory, **{path.suffix[1:]: [*nearby, bytes(payload), *nearby]})


def header_of(length: int) -> bytes:
    """A header with a good checksum for any length."""
    packed = struct.pack("<Q", length)
    return packed + struct.pack("<I", masked_crc(packed))


def deny(monkeypatch: pytest.MonkeyPatch, function: str, ending: str) -> None:
    """Make a function of `os` fail for paths with an ending: root may do everything."""
    allowed = getattr(os, function)

    def denied(path: Any, *arguments: Any, **more: Any) -> Any:
        if str(path).endswith(ending):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return allowed(path, *arguments, **more)

    monkeypatch.setattr(os, function, denied)


def note_reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of all readings from now on."""
    reads: list[int] = []
    pread, preadv = os.pread, os.preadv

    def noted(*arguments: int) -> bytes:
        found = pread(*arguments)
        reads.append(len(found))
        return found

    def noted_filling(descriptor: int, rooms: list[memoryview], offset: int) -> int:
        reads.append(preadv(descriptor, rooms, offset))
        return reads[-1]

    monkeypatch.setattr(os, "pread", noted)
    monkeypatch.setattr(os, "preadv", noted_filling)
    return reads
