"""A file that grows as the recorder's files do: in whole blocks, so its tail is mostly cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

BLOCK = 4096
"""Bytes that the recorder writes at a time."""


class BlockFile:
    """Keeps records until they fill blocks, or are flushed."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb", buffering=0)
        self._unwritten = bytearray()

    def append(self, record: bytes) -> None:
        """Add a record; nothing is written yet."""
        self._unwritten += record

    def write_blocks(self) -> None:
        """Write as much as fills whole blocks."""
        self._write(len(self._unwritten) // BLOCK * BLOCK)

    def flush(self) -> None:
        """Write everything."""
        self._write(len(self._unwritten))

    def close(self) -> None:
        """Close the file; what is not written is lost, as when a program is killed."""
        self._file.close()

    def _write(self, count: int) -> None:
        self._file.write(self._unwritten[:count])
        del self._unwritten[:count]
