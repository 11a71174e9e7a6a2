"""Damage full of headers whose own checksums hold, and that belong to no record."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tests.recordings.fabricate import frame
from tests.support.damage import BAD_VECTOR, PREFIX, header_of, trace

if TYPE_CHECKING:
    from pathlib import Path

FOUR_BYTES = b"\x07\x07\x07\x07"


def false_headers(size: int) -> bytes:
    """Headers that each claim most of what is left of some bytes of damage."""
    step = 12 + len(FOUR_BYTES)
    lengths = (3 * (size - start) // 4 + 1 for start in range(0, size - step + 1, step))
    return b"".join(header_of(length) + FOUR_BYTES for length in lengths)


def headers_between(records: int, payload: bytes) -> bytes:
    """Whole records, before each of them a header that claims nearly all that follows."""
    whole = frame(payload)
    step = 12 + len(whole)
    lengths = (step * (records - number) - 100 for number in range(records))
    return b"".join(header_of(max(1, length)) + whole for length in lengths)


def sparse(path: Path, *pieces: tuple[int, bytes], size: int = 0) -> None:
    """A file with these bytes at these offsets, and holes between and behind them."""
    with path.open("wb") as file:
        for offset, content in pieces:
            file.seek(offset)
            file.write(content)
    os.truncate(path, max(size, path.stat().st_size))


def write_long_damage(logdir: Path, size: int) -> None:
    """A recording of which one bad tensor is soon read, and the rest is damage."""
    logdir.mkdir(parents=True)
    content = frame(trace(tensor_proto=BAD_VECTOR)) + b"\xff" * 12 + header_of(1000) * (size // 12)
    (logdir / f"{PREFIX}.graph_execution_traces").write_bytes(content)
