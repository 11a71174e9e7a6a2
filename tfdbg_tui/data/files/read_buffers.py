"""Memory to read blocks into, used over and over: new memory costs as much as reading into it."""

from __future__ import annotations

import ctypes
import sys
import threading
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.files.buffers import allocated

if TYPE_CHECKING:
    from tfdbg_tui.data.files.buffers import Octets

SMALL = 64 << 10
"""Bytes up to which new memory costs nothing to speak of."""

MAX_KEPT = 4
"""One that is being filled, one that is being looked at, and those that wait for that."""

NOBODY_ELSE = 3
"""References to a buffer that is only kept: by the list, by the loop, and by the question."""

HEAP_OPTIONS = ((-8, 1), (-3, 32 << 20), (-1, 64 << 20))
"""Options of glibc: how many heaps there are, from which size on memory has pages of its own, and
how much that is free is kept."""


class ReadBuffers:
    """Few buffers, handed out again when nobody looks into them any more.

    Whoever keeps a block, or an array over its bytes, keeps the memory with it: the next one then
    gets other memory.
    """

    def __init__(self) -> None:
        self._kept: list[Octets] = []
        self._lock = threading.Lock()

    def borrow(self, size: int) -> Octets:
        """An array of so many bytes, whatever is in them."""
        if size <= SMALL:
            return np.empty(size, np.uint8)
        with self._lock:
            for kept in self._kept:
                if len(kept) >= size and sys.getrefcount(kept) == NOBODY_ELSE:
                    return kept[:size]
            # Those that are too small are not needed any more.
            self._kept = [kept for kept in self._kept if len(kept) >= size][-MAX_KEPT + 1 :]
            self._kept.append(allocated(size, np.uint8, filled_at_once=True))
            return self._kept[-1][:size]

    def release(self) -> None:
        """Give the memory back: there is nothing to read for now."""
        if self._kept:
            self._kept = []
            _trim()


def _trim() -> None:
    """Let the allocator give back what it keeps, if it is one that keeps much and can be asked.

    Judging a block takes a few times its size for a moment. That it is kept meanwhile is good:
    new pages for each block would cost more than all else.
    """
    _ask_allocator("malloc_trim", 0)


def prepare_heap() -> None:
    """Have threads that are started from now on allocate from one heap, if the allocator can.

    In a heap of its own a thread leaves what it made for others between the holes of what it
    needed for a moment. And what is needed for a moment, over and over, keeps its pages until
    all is read.
    """
    for option, number in HEAP_OPTIONS:
        _ask_allocator("mallopt", option, number)


def _ask_allocator(name: str, *numbers: int) -> None:
    try:
        getattr(ctypes.CDLL(None), name)(*numbers)
    except (OSError, AttributeError, TypeError):
        pass  # not glibc: other allocators give back by themselves


READ_BUFFERS = ReadBuffers()
"""Those of this program."""
