"""Recorded events that can be written again at another time, with other eager tensors.

Works on the wire form: the protobuf schema of the reader writes lists of ids in another encoding
than the recorder does.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tests.recordings.fabricate import split
from tfdbg_tui.data.checksums import FOOTER_SIZE, HEADER, crc32c, masked
from tfdbg_tui.data.wire import DELIMITED, Field, fields, read_varint

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

EVENT_SUFFIXES = ("execution", "graph_execution_traces")
"""The files that grow with a run."""

WALL_TIME = struct.Struct("<xd")
"""How every event begins: a tag of one byte and the wall time."""

WALL_TIME_TAG = 1 << 3 | 1
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
        payload = struct.pack("<Bd", WALL_TIME_TAG, wall_time) + rest
        footer = masked(crc32c(payload)).to_bytes(FOOTER_SIZE, "little")
        return b"".join((_header(len(payload)), payload, footer))

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


@lru_cache(maxsize=4096)
def _header(length: int) -> bytes:
    return HEADER.pack(length, masked(crc32c(struct.pack("<Q", length))))


def _take_apart(payload: bytes) -> EventRecord:
    if payload[0] != WALL_TIME_TAG:
        raise ValueError("a record does not begin with its wall time")
    (wall_time,) = WALL_TIME.unpack_from(payload)
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
