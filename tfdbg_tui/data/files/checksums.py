"""The masked CRC-32C of the TFRecord format: of one payload, of headers, of runs of frames.

Calling C once per record costs more than the checksum itself. But the CRC of anything that is
followed by its own CRC is always the same, the *residue*. So, for a moment, another number is put
behind every payload, made from its checksum with numpy: one that takes a CRC that was the residue
before the frame back to the residue, if the payload matches its checksum. One C call then tells
of all frames of a block whether they are intact: a damaged payload changes the sum like any error
changes a CRC-32C. Where it did, the frames are looked at in shorter runs, and in the end one by
one.
"""

from __future__ import annotations

import struct
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import google_crc32c
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.files.buffers import Buffer, Octets

    Column = npt.NDArray[Any]

HEADER = struct.Struct("<QI")
"""Length of the payload, masked CRC of that length."""

FOOTER_SIZE = 4
"""Bytes of the masked CRC behind a payload."""

FRAME_OVERHEAD = HEADER.size + FOOTER_SIZE

MASK_DELTA = 0xA282EAD8
"""Constant of the mask: rotate the CRC right by 15 bits, then add this."""

RUN_LENGTH = 64
"""Frames that are verified by one C call where not all of a block are intact."""

FEW = 8
"""Frames up to which it is as fast to verify each by itself."""

LONG = 1 << 16
"""Payloads of this length and longer are verified by themselves: the C call is worth it."""

crc32c = google_crc32c.value
"""The plain CRC-32C of some bytes, computed in C."""

extended_crc32c = google_crc32c.extend
"""The plain CRC-32C of what has one already, and of some bytes behind it."""


def masked(crc: int) -> int:
    """The form in which a CRC is written to a file."""
    return ((crc >> 15 | crc << 17) + MASK_DELTA) & 0xFFFFFFFF


@lru_cache(maxsize=4096)
def header_of(length: int) -> bytes:
    """The header of a record of this length."""
    return HEADER.pack(length, masked(crc32c(struct.pack("<Q", length))))


def framed(payload: bytes) -> bytes:
    """A payload as a whole record."""
    footer = masked(crc32c(payload)).to_bytes(FOOTER_SIZE, "little")
    return b"".join((header_of(len(payload)), payload, footer))


def unmasked(stored: Column) -> Column:
    """The plain CRCs behind an array of masked ones."""
    rotated: Column = stored - np.uint32(MASK_DELTA)
    return rotated >> np.uint32(17) | rotated << np.uint32(15)


@cache
def byte_table() -> Column:
    """The 256-entry table of the byte-wise CRC-32C algorithm, derived from the C code."""
    crcs = [crc32c(bytes([byte ^ 0xFF])) ^ 0xFF000000 for byte in range(256)]
    return np.array(crcs, np.uint32)


def masked_length_crcs(lengths: Column) -> Column:
    """The masked CRCs that the headers of records of these lengths must carry."""
    table = byte_table()
    crcs = np.full(len(lengths), 0xFFFFFFFF, np.uint32)
    for octet in lengths.astype("<u8").view(np.uint8).reshape(-1, 8).T:
        crcs = table[(crcs & np.uint32(0xFF)) ^ octet] ^ crcs >> np.uint32(8)
    plain = ~crcs
    return (plain >> np.uint32(15) | plain << np.uint32(17)) + np.uint32(MASK_DELTA)


# ------------------------------------------------------------------ appending zero bytes
#
# Appending n zero bytes to what a CRC register has seen is a linear map of its 32 bits: 32
# columns, the images of the single bits.


def _apply(columns: Column, registers: Column) -> Column:
    bits = registers[:, None] >> np.arange(32, dtype=np.uint32) & np.uint32(1)
    images: Column = np.bitwise_xor.reduce(bits * columns, axis=1)
    return images


@cache
def _zero_bytes_power(exponent: int) -> Column:
    """The map of appending 2**exponent zero bytes."""
    if exponent:
        half = _zero_bytes_power(exponent - 1)
        return _apply(half, half)
    bits = np.uint32(1) << np.arange(32, dtype=np.uint32)
    columns: Column = byte_table()[bits & np.uint32(0xFF)] ^ bits >> np.uint32(8)
    return columns


@lru_cache(maxsize=64)
def zero_bytes(count: int) -> Column:
    """The map of appending some zero bytes."""
    columns = np.uint32(1) << np.arange(32, dtype=np.uint32)
    exponent = 0
    while count:
        if count & 1:
            columns = _apply(_zero_bytes_power(exponent), columns)
        count >>= 1
        exponent += 1
    return columns


def octet_tables(columns: Column) -> Column:
    """A linear map as four tables of 256 images, one for each byte of a register, in a row."""
    tables = np.zeros((4, 256), np.uint32)
    for bit, images in enumerate(columns.reshape(4, 8).T):
        half = 1 << bit  # the images of larger octets follow from those of smaller ones
        tables[:, half : 2 * half] = tables[:, :half] ^ images[:, None]
    return tables.ravel()


OCTET_OFFSETS = np.arange(4) * 256
"""Where the table for each byte of a register begins."""


def _look_up(tables: Column, offsets: Column, registers: Column) -> Column:
    """The images of registers under maps whose octet tables begin at `offsets`."""
    octets = registers.astype("<u4").view(np.uint8).reshape(-1, 4)
    images = np.take(tables, offsets + octets)
    together: Column = images[:, 0] ^ images[:, 1] ^ images[:, 2] ^ images[:, 3]
    return together


@cache
def _power_tables(exponent: int) -> Column:
    return octet_tables(_zero_bytes_power(exponent))


def append_zeros(registers: Column, counts: Column) -> Column:
    """What registers become when to each its own number of zero bytes is appended."""
    moved: Column = registers.astype(np.int64)
    for exponent in range(int(counts.max(initial=0)).bit_length()):
        chosen = np.flatnonzero(counts >> exponent & 1)
        if len(chosen):
            moved[chosen] = _look_up(_power_tables(exponent), OCTET_OFFSETS, moved[chosen])
    return moved


RESIDUE = crc32c(bytes(FOOTER_SIZE))
"""The CRC-32C of anything that is followed by its own, as four bytes, lowest first."""


class FrameVerifier:
    """Verifies the payload checksums of consecutive frames; for any number of files and threads."""

    def __init__(self) -> None:
        self._shifts = np.zeros(LONG, np.uint32)
        """By length: what a CRC that was the residue adds to that of the payload behind it.

        Zero for those that are not known yet. It is a matter of lengths, not of files or threads.
        """

    def verify(self, buffer: Buffer, starts: Column, lengths: Column) -> npt.NDArray[np.bool_]:
        """Which payloads match the checksums behind them; the frames must be adjacent.

        A buffer that can be written to is, meanwhile, and is as before in the end.
        """
        good = np.zeros(len(starts), np.bool_)
        breaks = np.flatnonzero(lengths >= LONG).tolist()
        first = 0
        for end in (*breaks, len(starts)):
            if end - first > FEW:
                good[first:end] = self._intact(buffer, starts[first:end], lengths[first:end])
            first = end + 1
        doubtful = np.flatnonzero(~good)
        good[doubtful] = verify_each(buffer, starts[doubtful], lengths[doubtful])
        return good

    def _intact(self, buffer: Buffer, starts: Column, lengths: Column) -> Column:
        """Which frames are in runs that are intact as a whole."""
        begin = int(starts[0]) - HEADER.size
        frames = np.frombuffer(buffer, np.uint8)[
            begin : int(starts[-1] + lengths[-1]) + FOOTER_SIZE
        ]
        if not frames.flags.writeable:
            frames = frames.copy()
        ends = starts + lengths - begin
        footers: Column = np.ndarray((len(frames) - 3,), "<u4", frames, strides=(1,))
        stored = footers[ends]
        footers[ends] = unmasked(stored) ^ self._shifts_of(lengths)
        try:
            return _intact_runs(frames, ends + FOOTER_SIZE)
        finally:
            footers[ends] = stored

    def _shifts_of(self, lengths: Column) -> Column:
        shifts: Column = self._shifts[lengths]
        for length in set(lengths[shifts == 0].tolist()):
            zeros = bytes(length)
            behind_header = extended_crc32c(RESIDUE, header_of(length))
            self._shifts[length] = extended_crc32c(behind_header, zeros) ^ crc32c(zeros)
        return shifts if shifts.all() else self._shifts[lengths]


shared_verifier = cache(FrameVerifier)
"""The one that all files use: it knows few numbers, and thousands of files share them."""


def _intact_runs(frames: Octets, ends: Column) -> Column:
    """Which of the frames that end there are intact, or in a run with one that is not."""
    if extended_crc32c(RESIDUE, frames) == RESIDUE:
        return np.ones(len(ends), np.bool_)
    run_ends = [*ends[RUN_LENGTH - 1 : -1 : RUN_LENGTH].tolist(), len(frames)]
    runs = zip([0, *run_ends], run_ends, strict=False)
    intact = [extended_crc32c(RESIDUE, frames[first:end]) == RESIDUE for first, end in runs]
    return np.repeat(intact, RUN_LENGTH)[: len(ends)]


def verify_each(buffer: Buffer, starts: Column, lengths: Column) -> Column:
    """Which payloads match the checksums behind them, one C call each."""
    if not len(starts):
        return np.empty(0, np.bool_)
    ends = starts + lengths
    pairs = zip(starts.tolist(), ends.tolist(), strict=True)
    computed = [crc32c(buffer[start:end]) for start, end in pairs]
    footers: Column = np.ndarray((len(buffer) - 3,), "<u4", buffer, strides=(1,))
    matches: Column = np.array(computed, np.uint32) == unmasked(footers[ends])
    return matches
