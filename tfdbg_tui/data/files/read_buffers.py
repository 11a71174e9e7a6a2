"""Memory to read blocks into, used over and over: new memory costs as much as reading into it."""

from __future__ import annotations

import ctypes
import sys
import threading
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tfdbg_tui.data.files.buffers import Octets

SMALL = 64 << 10
"""Bytes up to which new memory costs nothing to speak of."""

MAX_KEPT = 2
"""One that is being filled, and one that is being looked at."""

NOBODY_ELSE = 3
"""References to a buffer that is only kept: by the list, by the loop, and by the question."""


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
            self._kept.append(np.empty(size, np.uint8))
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
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, AttributeError, TypeError):
        pass  # not glibc: its allocators give back by themselves


READ_BUFFERS = ReadBuffers()
"""Those of this program."""
