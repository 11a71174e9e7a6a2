"""TFRecord files from bytes and back, for tests of damage."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import google_crc32c

if TYPE_CHECKING:
    from pathlib import Path

HEADER = 12
FOOTER = 4
_MASK_DELTA = 0xA282EAD8


def masked_crc(data: bytes) -> int:
    """CRC-32C the way TFRecord stores it."""
    crc = int(google_crc32c.value(data))
    return (((crc >> 15) | (crc << 17)) + _MASK_DELTA) & 0xFFFFFFFF


def frame(payload: bytes) -> bytes:
    """One whole record around ``payload``."""
    length = struct.pack("<Q", len(payload))
    return b"".join(
        (
            length,
            struct.pack("<I", masked_crc(length)),
            payload,
            struct.pack("<I", masked_crc(payload)),
        )
    )


def split(path: Path) -> list[tuple[int, bytes]]:
    """Offset and payload of every whole record; stops at a cut tail, checks no CRC."""
    return _split(path.read_bytes())


def split_bytes(data: bytes) -> list[bytes]:
    """The same of a file's content: its payloads."""
    return [payload for _, payload in _split(data)]


def _split(data: bytes) -> list[tuple[int, bytes]]:
    records: list[tuple[int, bytes]] = []
    offset = 0
    while offset + HEADER <= len(data):
        (length,) = struct.unpack_from("<Q", data, offset)
        end = offset + HEADER + length + FOOTER
        if end > len(data):
            break
        records.append((offset, data[offset + HEADER : end - FOOTER]))
        offset = end
    return records


def whole_record(content: bytes, position: int) -> int:
    """How many bytes the whole record has that begins at an offset; 0 if none does."""
    if position + HEADER + FOOTER > len(content):
        return 0
    length, checksum = struct.unpack_from("<QI", content, position)
    end = position + HEADER + length + FOOTER
    if end > len(content) or masked_crc(content[position : position + 8]) != checksum:
        return 0
    footer = int.from_bytes(content[end - FOOTER : end], "little")
    return end - position if masked_crc(content[position + HEADER : end - FOOTER]) == footer else 0
