"""A file that another program writes: it appears, grows, is replaced, fails, goes away."""

from __future__ import annotations

import errno
import os
import stat
from enum import Enum
from typing import TYPE_CHECKING

from tfdbg_tui.data.files.open_files import Slot, open_files
from tfdbg_tui.words import reason_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.files.buffers import Buffer, Octets
    from tfdbg_tui.data.files.open_files import InUse

TAIL_SIZE = 64
"""Bytes before the end of what was read that are remembered, to notice a file written anew."""


class FileState(Enum):
    """What became of a file since it was last looked at."""

    ABSENT = "absent"
    UNREADABLE = "unreadable"
    PRESENT = "present"
    REPLACED = "replaced"


class OtherFileError(OSError):
    """Where a file was that had been read, another one is now."""


class GrowingFile:
    """One file, read by offset through a descriptor that outlives its name.

    Where too many files are open, those used least recently are closed. Such a file is opened
    again when it is read; if it was deleted meanwhile, or is another one, it is gone.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.size = 0
        """Bytes on disk when last looked at."""
        self.state = FileState.ABSENT
        self.reason = ""
        """Why the file is unreadable, in the operating system's words."""
        self._slot = Slot()
        self._identity: tuple[int, int] | None = None
        """Device and inode, from when it was first opened."""
        self._is_superseded = False
        self._modified = 0
        self._tail = (b"", 0)
        """Some bytes that were read, and where: one value, for readers in other threads."""

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Give the file descriptor back."""
        open_files().close(self._slot)
        self._identity = None

    @property
    def is_open(self) -> bool:
        """Whether anything can be read."""
        return self._identity is not None

    def look(self) -> FileState:
        """See whether the file is there, has grown, or is another file now."""
        try:
            found = os.stat(self.path)  # noqa: PTH116 - see paths
            if self._identity is None:
                self._open_first(found)
        except FileNotFoundError:
            self.state = FileState.ABSENT  # what was deleted is still read as long as it is open
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

    def _open_first(self, found: os.stat_result) -> None:
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        with self._in_use() as descriptor:
            opened = os.fstat(descriptor)
            self._identity = (opened.st_dev, opened.st_ino)

    def _in_use(self) -> InUse:
        """The descriptor, which nobody closes meanwhile; opens the file if it is closed."""
        return open_files().using(self._slot, self._opened)

    def _opened(self) -> int:
        descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        try:
            if self._identity is not None and not self._is_in(descriptor):
                raise OtherFileError(errno.ESTALE, "it is another file now")
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    def _is_in(self, descriptor: int) -> bool:
        """Whether what was just opened is the file that was read before; inodes are used again."""
        found = os.fstat(descriptor)
        tail, start = self._tail
        return (found.st_dev, found.st_ino) == self._identity and (
            os.pread(descriptor, len(tail), start) == tail
        )

    def _give_up(self, error: OSError) -> None:
        # The reason first: another thread that sees the state asks for it.
        self.reason = reason_of(error)
        self.state = FileState.UNREADABLE

    def _is_other_file(self, found: os.stat_result) -> bool:
        if (found.st_dev, found.st_ino) != self._identity or found.st_size < self.size:
            return True
        tail, start = self._tail
        if (found.st_size, found.st_mtime_ns) != (self.size, self._modified) and tail:
            is_same = self.bytes_at(start, len(tail)) == tail
            return self._is_superseded or (not is_same and self.state is FileState.PRESENT)
        return self._is_superseded

    def bytes_at(self, offset: int, count: int) -> bytes:
        """The bytes at an offset, fewer than asked for where the file ends or fails."""
        pieces: list[bytes] = []

        def read(descriptor: int) -> None:
            place, end = offset, offset + count
            while place < end:
                piece = os.pread(descriptor, end - place, place)
                if not piece:
                    break
                pieces.append(piece)
                place += len(piece)

        self._read_by(read)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def read_into(self, buffer: Octets, offset: int) -> int:
        """Fill a buffer with the bytes at an offset; returns how many there were."""
        room, filled = buffer.data, 0

        def read(descriptor: int) -> None:
            nonlocal filled
            while filled < len(room):
                count = os.preadv(descriptor, [room[filled:]], offset + filled)
                if not count:
                    break
                filled += count

        self._read_by(read)
        return filled

    def _read_by(self, read: Callable[[int], None]) -> None:
        """Let a function read, if there is anything to read, and take note if it fails."""
        if self._identity is None:
            return
        try:
            with self._in_use() as descriptor:
                read(descriptor)
        except OtherFileError as error:
            self._is_superseded = True
            self._give_up(error)
        except OSError as error:
            self._give_up(error)

    def next_data(self, offset: int) -> int:
        """Where bytes are on disk at or behind an offset: what a hole skips reads as zeros.

        Where the system does not tell holes, that is the offset itself.
        """
        found = self._sought(offset, "SEEK_DATA")
        return offset if found is None else max(offset, found)

    def bytes_in_holes(self, start: int, end: int) -> int:
        """How many bytes between two offsets are not on disk."""
        missing = 0
        while start < end:
            data = min(self.next_data(start), end)
            missing += data - start
            start = self._next_hole(data) if data < end else end
        return missing

    def _next_hole(self, offset: int) -> int:
        found = self._sought(offset, "SEEK_HOLE")
        return self.size if found is None else max(found, offset + 1)

    def _sought(self, offset: int, what: str) -> int | None:
        """Where data or a hole comes next, the size behind the last; None if that is not told."""
        if self._identity is None or not hasattr(os, what):
            return None
        try:
            with self._in_use() as descriptor:
                return os.lseek(descriptor, offset, getattr(os, what))
        except OSError as error:
            return self.size if error.errno == errno.ENXIO else None

    def remember(self, buffer: Buffer, base: int, end: int) -> None:
        """Note the last bytes read: a buffer that began at `base`, up to its index `end`."""
        start = max(0, end - TAIL_SIZE)
        if end > start:
            self._tail = (bytes(buffer[start:end]), base + start)
