"""How many files may be open at once, and which are closed when there would be more.

A logdir of 300 runs has 1,800 files, and many systems allow a program 1,024. Nearly all of them
are read to their end and do not grow any more: those that were used least recently are closed,
and opened again when somebody looks. Some descriptors are never used for recordings: Python needs
one to import a module, the app some for its terminal, its watch and the editor.
"""

from __future__ import annotations

import errno
import os
import threading
from collections import OrderedDict
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_OPEN = 4096
"""Recorded files that are kept open at most, however many the system allows."""

RESERVE = 64
"""Descriptors that are left to everything else."""

FEWEST = 4
"""Recorded files that are kept open where the system allows next to none."""

NONE_LEFT = (errno.EMFILE, errno.ENFILE)
"""How a system says that no more files can be open: in this process, or on this machine."""


class Slot:
    """One file's place among the open ones."""

    __slots__ = ("descriptor", "users")

    def __init__(self) -> None:
        self.descriptor: int | None = None
        """None while the file is closed."""
        self.users = 0
        """Readings that go on right now: the file is not closed under them."""


class InUse:
    """A file that is read: it stays open for as long as this is entered.

    A class, as a generator would take longer than the reading of most records.
    """

    __slots__ = ("_files", "_opened", "_slot")

    def __init__(self, files: OpenFiles, slot: Slot, opened: Callable[[], int]) -> None:
        self._files = files
        self._slot = slot
        self._opened = opened

    def __enter__(self) -> int:
        return self._files.hold(self._slot, self._opened)

    def __exit__(self, *_: object) -> None:
        self._files.give_back(self._slot)


class OpenFiles:
    """The open files, used least recently first; for any thread.

    A descriptor that is in use is not closed: its number could be given to another file at once.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        """Files that are kept open at most."""
        # A file that is thrown away is closed wherever Python notices, even in here.
        self._lock = threading.RLock()
        self._open: OrderedDict[Slot, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._open)

    def using(self, slot: Slot, opened: Callable[[], int]) -> InUse:
        """A file's descriptor, which stays open meanwhile; `opened` opens it if it is closed."""
        return InUse(self, slot, opened)

    def hold(self, slot: Slot, opened: Callable[[], int]) -> int:
        """The descriptor of a file, which stays open until it is given back."""
        descriptor = self._take(slot)
        return self._put(slot, self._open_one_more(opened)) if descriptor is None else descriptor

    def close(self, slot: Slot) -> None:
        """Close a file, or as soon as nobody reads it any more."""
        with self._lock:
            self._open.pop(slot, None)
            self._close_if_dropped(slot)

    def _take(self, slot: Slot) -> int | None:
        with self._lock:
            if slot.descriptor is not None:
                slot.users += 1
                if slot in self._open:
                    self._open.move_to_end(slot)
            return slot.descriptor

    def _put(self, slot: Slot, descriptor: int) -> int:
        """Take note of a file that was opened, and close others if there are too many now."""
        with self._lock:
            if slot.descriptor is None:
                slot.descriptor = descriptor
                self._open[slot] = None
            else:
                os.close(descriptor)  # another thread was faster
            slot.users += 1
            self._close_all_but(self.limit)
            return slot.descriptor

    def give_back(self, slot: Slot) -> None:
        """Let a file be closed."""
        with self._lock:
            slot.users -= 1
            if slot not in self._open:
                self._close_if_dropped(slot)
            self._close_all_but(self.limit)

    def _open_one_more(self, opened: Callable[[], int]) -> int:
        """Open a file; where the system has no more descriptors, give it some of ours first."""
        try:
            return opened()
        except OSError as error:
            if error.errno not in NONE_LEFT:
                raise
        with self._lock:
            self._close_all_but(len(self._open) // 2)
        return opened()

    def _close_all_but(self, most: int) -> None:
        """Close those used least recently until so many are left, or all others are in use."""
        surplus = len(self._open) - most
        if surplus <= 0:
            return
        at_rest = (slot for slot in self._open if not slot.users)
        for slot in list(islice(at_rest, surplus)):
            self.close(slot)

    def _close_if_dropped(self, slot: Slot) -> None:
        descriptor = slot.descriptor
        if descriptor is not None and not slot.users:
            slot.descriptor = None
            os.close(descriptor)


@cache
def open_files() -> OpenFiles:
    """All recorded files that this process has open; as many as the limit at first use allows."""
    left = descriptors_left()
    return OpenFiles(MAX_OPEN if left is None else max(FEWEST, min(MAX_OPEN, left - RESERVE)))


def descriptors_left() -> int | None:
    """How many files this process may open yet; None where that is not known, or without end."""
    try:
        import resource
    except ImportError:  # not a POSIX system
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else max(0, soft - _descriptors_in_use(soft))


def _descriptors_in_use(most: int) -> int:
    folder = "/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd"  # noqa: PTH112
    try:
        return len(os.listdir(folder))  # noqa: PTH208 - numbers, not paths
    except OSError as error:
        return most if error.errno in NONE_LEFT else 0
