"""Recorded events that can be written again at another time, with other eager tensors.

Works on the wire form: the protobuf schema of the reader writes lists of ids in another encoding
than the recorder does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tests.recordings.fabricate import split
from tfdbg_tui.data.files.checksums import framed
from tfdbg_tui.data.records.wire import DELIMITED, Field, fields, read_varint
from tfdbg_tui.demo.recorded import WALL_TIME, WALL_TIME_TAG

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

EVENT_SUFFIXES = ("execution", "graph_execution_traces")
"""The files that grow with a run."""

EXECUTION_TAG = 9 << 3 | DELIMITED
INPUT_IDS, OUTPUT_IDS = 4, 5
"""Fields of an Execution: the eager tensors it took and made."""


class Ids(NamedTuple):
    """Ids of eager tensors in an execution, with the bytes of the fields before them."""

    before: bytes
    field: int
    numbers: list[int]


class EventRecord(NamedTuple):
    """One record of an event file, taken apart."""

    wall_time: float
    rest: bytes
    """What stands behind the wall time."""
    ids: tuple[Ids, ...] = ()
    behind_ids: bytes = b""

    def framed(self, wall_time: float, id_shift: int = 0) -> bytes:
        """The whole record at another time; ids of eager tensors grow by the shift."""
        rest = self._with_ids(id_shift) if self.ids and id_shift else self.rest
        return framed(WALL_TIME.pack(WALL_TIME_TAG, wall_time) + rest)

    def highest_id(self) -> int:
        """The highest id of an eager tensor; 0 if there is none."""
        return max((max(ids.numbers) for ids in self.ids), default=0)

    def _with_ids(self, shift: int) -> bytes:
        body = b""
        for ids in self.ids:
            packed = b"".join([varint(number + shift) for number in ids.numbers])
            body += ids.before + varint(ids.field << 3 | DELIMITED) + varint(len(packed)) + packed
        body += self.behind_ids
        return varint(EXECUTION_TAG) + varint(len(body)) + body


def read_events(path: Path) -> list[EventRecord]:
    """All whole records of a file."""
    return [_take_apart(payload) for _, payload in split(path)]


def ids_of_one_run(events: Iterable[EventRecord]) -> int:
    """How far ids must be shifted for a repetition to share none with these events."""
    return 1 + max((event.highest_id() for event in events), default=0)


def varint(number: int) -> bytes:
    """A base-128 number."""
    octets = bytearray()
    while number > 0x7F:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    octets.append(number)
    return bytes(octets)


def _take_apart(payload: bytes) -> EventRecord:
    tag, wall_time = WALL_TIME.unpack_from(payload)
    if tag != WALL_TIME_TAG:
        raise ValueError("a record does not begin with its wall time")
    rest = payload[WALL_TIME.size :]
    if rest[:1] != varint(EXECUTION_TAG):
        return EventRecord(wall_time, rest)
    (execution,) = fields(rest, 0, len(rest))
    return EventRecord(wall_time, rest, *_ids(rest, execution))


def _ids(rest: bytes, execution: Field) -> tuple[tuple[Ids, ...], bytes]:
    found = []
    begin = end_before = execution.start
    for field in fields(rest, execution.start, execution.end):
        if field.number in (INPUT_IDS, OUTPUT_IDS) and field.wire_type == DELIMITED:
            numbers = _varints(rest, field)
            found.append(Ids(rest[begin:end_before], field.number, numbers))
            begin = field.end
        end_before = field.end
    return tuple(found), rest[begin : execution.end]


def _varints(buffer: bytes, field: Field) -> list[int]:
    numbers, position = [], field.start
    while position < field.end:
        number, position = read_varint(buffer, position, field.end)
        numbers.append(number)
    return numbers
