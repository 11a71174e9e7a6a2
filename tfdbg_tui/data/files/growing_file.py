"""A file that another program writes: it appears, grows, is replaced, fails, goes away."""

from __future__ import annotations

import errno
import os
import stat
from enum import Enum
from typing import TYPE_CHECKING

from tfdbg_tui.words import reason_of

if TYPE_CHECKING:
    from pathlib import Path

TAIL_SIZE = 64
"""Bytes before the end of what was read that are remembered, to notice a file written anew."""


class FileState(Enum):
    """What became of a file since it was last looked at."""

    ABSENT = "absent"
    UNREADABLE = "unreadable"
    PRESENT = "present"
    REPLACED = "replaced"


class GrowingFile:
    """One file, read by offset through a descriptor that outlives its name."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        """Bytes on disk when last looked at."""
        self.state = FileState.ABSENT
        self.reason = ""
        """Why the file is unreadable, in the operating system's words."""
        self._descriptor: int | None = None
        self._identity = (0, 0)
        self._modified = 0
        self._tail = b""
        self._tail_start = 0

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Give the file descriptor back."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    @property
    def is_open(self) -> bool:
        """Whether anything can be read."""
        return self._descriptor is not None

    def look(self) -> FileState:
        """See whether the file is there, has grown, or is another file now."""
        try:
            found = self.path.stat()
            if self._descriptor is None:
                self._open(found)
        except FileNotFoundError:
            self.state = FileState.ABSENT  # an open descriptor still reads what was deleted
            return self.state
        except OSError as error:
            self._give_up(error)
            return self.state
        self.state = FileState.PRESENT
        if self._is_other_file(found):
            self.state = FileState.REPLACED
        elif self.state is FileState.PRESENT:
            self.size, self._modified = found.st_size, found.st_mtime_ns
        return self.state

    def _open(self, found: os.stat_result) -> None:
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        self._descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        opened = os.fstat(self._descriptor)
        self._identity = (opened.st_dev, opened.st_ino)

    def _give_up(self, error: OSError) -> None:
        # The reason first: another thread that sees the state asks for it.
        self.reason = reason_of(error)
        self.state = FileState.UNREADABLE

    def _is_other_file(self, found: os.stat_result) -> bool:
        if (found.st_dev, found.st_ino) != self._identity or found.st_size < self.size:
            return True
        if (found.st_size, found.st_mtime_ns) == (self.size, self._modified) or not self._tail:
            return False
        tail = self.bytes_at(self._tail_start, len(self._tail))
        return tail != self._tail and self.state is FileState.PRESENT

    def bytes_at(self, offset: int, count: int) -> bytes:
        """The bytes at an offset, fewer than asked for where the file ends or fails."""
        pieces = []
        try:
            while count > 0 and self._descriptor is not None:
                piece = os.pread(self._descriptor, count, offset)
                if not piece:
                    break
                pieces.append(piece)
                offset += len(piece)
                count -= len(piece)
        except OSError as error:
            self._give_up(error)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def next_data(self, offset: int) -> int:
        """Where bytes are on disk at or behind an offset: what a hole skips reads as zeros.

        Where the system does not tell holes, that is the offset itself.
        """
        seek_data = getattr(os, "SEEK_DATA", None)
        if seek_data is None or self._descriptor is None:
            return offset
        try:
            return os.lseek(self._descriptor, offset, seek_data)
        except OSError as error:
            return max(offset, self.size) if error.errno == errno.ENXIO else offset

    def bytes_in_holes(self, start: int, end: int) -> int:
        """How many bytes between two offsets are not on disk."""
        missing = 0
        while start < end:
            data = min(self.next_data(start), end)
            missing += data - start
            start = self._next_hole(data) if data < end else end
        return missing

    def _next_hole(self, offset: int) -> int:
        seek_hole = getattr(os, "SEEK_HOLE", None)
        if seek_hole is None or self._descriptor is None:
            return self.size
        try:
            return max(os.lseek(self._descriptor, offset, seek_hole), offset + 1)
        except OSError:
            return self.size

    def remember(self, buffer: bytes, base: int, end: int) -> None:
        """Note the last bytes read: a buffer that began at `base`, up to its index `end`."""
        start = max(0, end - TAIL_SIZE)
        if end > start:
            self._tail, self._tail_start = buffer[start:end], base + start
