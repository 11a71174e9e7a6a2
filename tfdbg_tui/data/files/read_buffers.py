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

NOBODY_ELSE = 2
"""References to a buffer that is held by its owner, and by the question who holds it."""


class ReadBuffers(threading.local):
    """One buffer for each thread that reads, handed out again when nobody looks into it any more.

    Whoever keeps a block, or an array over its bytes, keeps the memory with it: the next one then
    gets other memory.
    """

    def __init__(self) -> None:
        self._kept: Octets | None = None

    def borrow(self, size: int) -> Octets:
        """An array of so many bytes, whatever is in them."""
        if size <= SMALL:
            return np.empty(size, np.uint8)
        kept = self._kept
        # One more reference than the owner's: the name above.
        if kept is None or len(kept) < size or sys.getrefcount(kept) > NOBODY_ELSE + 1:
            kept = self._kept = np.empty(size, np.uint8)
        return kept[:size]

    def release(self) -> None:
        """Give the memory back: there is nothing to read for now."""
        if self._kept is not None:
            self._kept = None
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
