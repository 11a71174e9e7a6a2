"""Pictures as PNG, written row by row: that takes a header, checksums and zlib, no library."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

SIGNATURE = b"\x89PNG\r\n\x1a\n"

RGB = (8, 2, 0, 0, 0)
"""Eight bits a colour, three colours a pixel, the only compression and filters, not interlaced."""


def png(width: int, height: int, rows: Iterable[npt.NDArray[Any]]) -> Iterator[bytes]:
    """The bytes of a picture, from rows of pixels with three octets each, some at a time."""
    yield SIGNATURE + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, *RGB))
    packer = zlib.compressobj(6)
    for some in rows:
        lines = some.reshape(len(some), 3 * width).astype(np.uint8)
        unfiltered = np.zeros((len(lines), 1), np.uint8)  # each line says how it is filtered
        if packed := packer.compress(np.hstack((unfiltered, lines)).tobytes()):
            yield _chunk(b"IDAT", packed)
    yield _chunk(b"IDAT", packer.flush()) + _chunk(b"IEND", b"")


def _chunk(name: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)
