"""Memory for many bytes or numbers, and many short pieces taken out of it."""

from __future__ import annotations

import mmap
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Octets = npt.NDArray[np.uint8]
    Buffer = bytes | Octets

LARGE = 128 << 10
"""Bytes from which on an array has pages of its own.

The allocator keeps freed blocks below some tens of megabytes, and all that lies below a block
that is in use.
"""


def allocated(
    count: int, dtype: npt.DTypeLike, *, filled_at_once: bool = False
) -> npt.NDArray[Any]:
    """An array of so many elements, whatever is in them.

    What is filled at once has few large pages where the system has such: to get a thousand small
    ones costs several times what it costs to fill them.
    """
    size = count * np.dtype(dtype).itemsize
    if size < LARGE or not hasattr(mmap, "MAP_PRIVATE"):
        return np.empty(count, dtype)
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if filled_at_once and hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # a system may be built without
            pages.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(pages, dtype)


def gather(buffer: Buffer, starts: npt.NDArray[np.int64], width: int) -> Octets:
    """The bytes from some offsets of a buffer on, one row each."""
    windows: npt.NDArray[Any] = np.ndarray(
        (len(buffer) - width + 1,), f"V{width}", buffer, strides=(1,)
    )
    return windows[starts].view(np.uint8).reshape(len(starts), width)
