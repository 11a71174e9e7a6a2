"""The masked CRC-32C of the TFRecord format: of one payload, of headers, of runs of frames.

Calling C once per record costs more than the checksum itself. CRCs can be combined: the CRC of
two pieces follows from the CRCs of each and the length of the second. So what the CRC of a run
of frames must be, if every payload matches the checksum behind it, is computed from those
checksums with numpy, for many runs at once, and compared with one C call per run. A damaged
payload changes the sum like any error changes a CRC-32C; the run it is in is then looked at
record by record.
"""

from __future__ import annotations

import struct
import threading
from collections import Counter
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import google_crc32c
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.files.buffers import Buffer

    Column = npt.NDArray[Any]

HEADER = struct.Struct("<QI")
"""Length of the payload, masked CRC of that length."""

FOOTER_SIZE = 4
"""Bytes of the masked CRC behind a payload."""

FRAME_OVERHEAD = HEADER.size + FOOTER_SIZE

MASK_DELTA = 0xA282EAD8
"""Constant of the mask: rotate the CRC right by 15 bits, then add this."""

RUN_LENGTH = 64
"""Frames whose checksums are verified by one C call."""

PAYS_OFF = 64
"""Records of one length from which on its tables are worth building."""

MAX_TABLED_LENGTH = 1 << 16
"""Payloads of this length and longer are verified by themselves: the C call is worth it."""

MAX_TABLES = 4096
"""Lengths with tables, over all files; each takes 8 KiB."""

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


@cache
def _four_zeros() -> Column:
    return octet_tables(zero_bytes(FOOTER_SIZE))


class _Tables(NamedTuple):
    """What is known of some lengths, at one moment."""

    numbers: Column
    """For each length the number of its tables or -1; the last stands for all longer ones."""
    constants: Column
    """By number: what header and footer add to a CRC."""
    images: Column
    """The octet tables one after the other, by number."""


NO_TABLES = _Tables(np.full(1, -1, np.int16), np.empty(0, np.uint32), np.empty(0, np.uint32))

OCTET_IMAGES = 4 * 256
"""Entries of the tables of one length."""


class FrameVerifier:
    """Verifies the payload checksums of consecutive frames; for any number of files and threads.

    The tables are a matter of lengths, not of files: they are small as long as no length came
    often, and thousands of files share them. They are published in one assignment.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: Counter[int] = Counter()
        self._known = NO_TABLES
        self._allocated = np.empty(0, np.uint32)
        """The images, with room for more behind them."""

    def verify(self, buffer: Buffer, starts: Column, lengths: Column) -> npt.NDArray[np.bool_]:
        """Which payloads match the checksums behind them; the frames must be adjacent."""
        good = np.zeros(len(starts), np.bool_)
        whole = len(starts) // RUN_LENGTH * RUN_LENGTH
        if whole:
            intact = self._intact_runs(buffer, starts[:whole], lengths[:whole])
            good[:whole] = np.repeat(intact, RUN_LENGTH)
        doubtful = np.flatnonzero(~good)
        good[doubtful] = verify_each(buffer, starts[doubtful], lengths[doubtful])
        return good

    def _intact_runs(self, buffer: Buffer, starts: Column, lengths: Column) -> Column:
        """Which runs are intact; one with a length that has no tables does not count as such."""
        known_lengths, numbers = self._table_numbers(lengths)
        numbers = numbers.reshape(-1, RUN_LENGTH)
        known = np.flatnonzero((numbers >= 0).all(axis=1))
        intact = np.zeros(len(numbers), np.bool_)
        if not len(known):
            return intact
        ends = (starts + lengths).reshape(-1, RUN_LENGTH)[known]
        footers = _footers(buffer, ends)
        expected = _expected_crcs(known_lengths, numbers[known].T, footers.T)
        firsts = starts[::RUN_LENGTH][known] - HEADER.size
        pairs = zip(firsts.tolist(), (ends[:, -1] + FOOTER_SIZE).tolist(), strict=True)
        computed = [crc32c(buffer[first:end]) for first, end in pairs]
        intact[known] = expected == np.array(computed, np.uint32)
        return intact

    def _table_numbers(self, lengths: Column) -> tuple[_Tables, Column]:
        """The tables, and which of them serve each record, -1 for those without."""
        known = self._known
        numbers = known.numbers[np.minimum(lengths, len(known.numbers) - 1)]
        without = lengths[(numbers < 0) & (lengths < MAX_TABLED_LENGTH)]
        if len(without) and len(known.constants) < MAX_TABLES:
            known = self._learn(without.tolist())
            numbers = known.numbers[np.minimum(lengths, len(known.numbers) - 1)]
        return known, numbers.astype(np.int64)

    def _learn(self, lengths: list[int]) -> _Tables:
        """Count lengths without tables, and make tables for those that came often enough."""
        with self._lock:
            self._seen.update(lengths)
            for length in set(lengths):
                if self._seen[length] >= PAYS_OFF and len(self._known.constants) < MAX_TABLES:
                    del self._seen[length]
                    self._add_tables(length)
            return self._known

    def _add_tables(self, length: int) -> None:
        numbers, constants, _ = self._known
        count = len(constants)
        if length < len(numbers) - 1 and numbers[length] >= 0:
            return  # another thread was faster
        header_crc = crc32c(header_of(length))
        behind_header = zero_bytes(length + FOOTER_SIZE)
        moved = _apply(behind_header, np.array([header_crc], np.uint32))
        of_footer = ~_apply(zero_bytes(FOOTER_SIZE), np.array([0xFFFFFFFF], np.uint32))
        whole_frame = _apply(behind_header, zero_bytes(HEADER.size))
        numbers = np.append(numbers, np.full(max(0, length + 2 - len(numbers)), -1, np.int16))
        numbers[length] = count
        end = (count + 1) * OCTET_IMAGES
        if end > len(self._allocated):
            room = np.empty(end, np.uint32)
            self._allocated = np.append(self._allocated, room)
        self._allocated[end - OCTET_IMAGES : end] = octet_tables(whole_frame)
        constants = np.append(constants, (moved ^ of_footer).astype(np.uint32))
        self._known = _Tables(numbers, constants, self._allocated[:end])


shared_verifier = cache(FrameVerifier)
"""The one that all files use."""


def _expected_crcs(known: _Tables, numbers: Column, footers: Column) -> Column:
    """The CRC of each run of frames, if every payload matches its footer.

    Both arrays have a row for each frame of a run and a column for each run.
    """
    of_payload_and_footer = np.ascontiguousarray(unmasked(footers) ^ footers)
    own = _look_up(_four_zeros(), OCTET_OFFSETS, of_payload_and_footer)
    own = own.reshape(footers.shape) ^ known.constants[numbers]
    offsets = numbers[:, :, None] * OCTET_IMAGES + OCTET_OFFSETS
    crcs = np.zeros(footers.shape[1], np.uint32)
    for row in range(RUN_LENGTH):
        crcs = _look_up(known.images, offsets[row], crcs) ^ own[row]
    return crcs


def verify_each(buffer: Buffer, starts: Column, lengths: Column) -> Column:
    """Which payloads match the checksums behind them, one C call each."""
    if not len(starts):
        return np.empty(0, np.bool_)
    ends = starts + lengths
    pairs = zip(starts.tolist(), ends.tolist(), strict=True)
    computed = [crc32c(buffer[start:end]) for start, end in pairs]
    matches: Column = np.array(computed, np.uint32) == unmasked(_footers(buffer, ends))
    return matches


def _footers(buffer: Buffer, ends: Column) -> Column:
    view: Column = np.ndarray((len(buffer) - 3,), "<u4", buffer, strides=(1,))
    return view[ends]
