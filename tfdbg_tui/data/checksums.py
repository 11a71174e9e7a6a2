"""The masked CRC-32C of the TFRecord format, for one payload and for many headers at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import google_crc32c
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

MASK_DELTA = 0xA282EAD8
"""Constant of the mask: rotate the CRC right by 15 bits, then add this."""

crc32c = google_crc32c.value
"""The plain CRC-32C of some bytes, computed in C."""


def masked(crc: int) -> int:
    """The form in which a CRC is written to a file."""
    return ((crc >> 15 | crc << 17) + MASK_DELTA) & 0xFFFFFFFF


def masked_all(crcs: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """`masked` for an array."""
    return (crcs >> np.uint32(15) | crcs << np.uint32(17)) + np.uint32(MASK_DELTA)


def unmasked_all(stored: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """The plain CRCs behind an array of masked ones."""
    rotated = stored - np.uint32(MASK_DELTA)
    return rotated >> np.uint32(17) | rotated << np.uint32(15)


def byte_table() -> npt.NDArray[np.uint32]:
    """The 256-entry table of the byte-wise CRC-32C algorithm, derived from the C code."""
    crcs = [crc32c(bytes([byte ^ 0xFF])) ^ 0xFF000000 for byte in range(256)]
    return np.array(crcs, np.uint32)


def masked_length_crcs(lengths: npt.NDArray[np.uint64]) -> npt.NDArray[Any]:
    """The masked CRCs that the headers of records of these lengths must carry."""
    table = byte_table()
    crcs = np.full(len(lengths), 0xFFFFFFFF, np.uint32)
    for octet in lengths.astype("<u8").view(np.uint8).reshape(-1, 8).T:
        crcs = table[(crcs & np.uint32(0xFF)) ^ octet] ^ crcs >> np.uint32(8)
    return masked_all(~crcs)
