"""A file that grows as the recorder's files do: in whole blocks, so its tail is mostly cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

BLOCK = 4096
"""Bytes that the recorder writes at a time."""


class BlockFile:
    """Takes records; they reach the disk with their blocks, or when flushed."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb", buffering=0)
        self._waiting = bytearray()

    def append(self, record: bytes) -> None:
        """Take a record."""
        self._waiting += record

    def write_blocks(self) -> None:
        """Write what fills blocks."""
        self._write(len(self._waiting) // BLOCK * BLOCK)

    def flush(self) -> None:
        """Write everything."""
        self._write(len(self._waiting))

    def close(self) -> None:
        """Let go of the file; what waits is lost, as when a program is killed."""
        self._file.close()

    def _write(self, count: int) -> None:
        self._file.write(self._waiting[:count])
        del self._waiting[:count]
