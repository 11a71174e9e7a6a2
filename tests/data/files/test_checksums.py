"""Checksums verified in runs find exactly what checking each record finds."""

from __future__ import annotations

import random

import google_crc32c
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.recordings.fabricate import frame, masked_crc
from tfdbg_tui.data.files import checksums
from tfdbg_tui.data.files.checksums import (
    LONG,
    RUN_LENGTH,
    FrameVerifier,
    byte_table,
    masked_length_crcs,
    unmasked,
    verify_each,
    zero_bytes,
)
from tfdbg_tui.data.files.record_framing import Frames, FrameWalker


def recording(lengths: list[int]) -> tuple[bytes, Frames]:
    chance = random.Random(len(lengths))
    content = b"".join(frame(chance.randbytes(length)) for length in lengths)
    return content, FrameWalker().walk(content)


def test_the_table_is_that_of_the_polynomial() -> None:
    table = byte_table()
    for octet in (0, 1, 77, 255):
        register = octet
        for _ in range(8):
            register = register >> 1 ^ (0x82F63B78 if register & 1 else 0)
        assert table[octet] == register


@given(st.lists(st.integers(0, 2**63), min_size=1, max_size=20))
def test_checksums_of_lengths_equal_those_of_the_recorder(lengths: list[int]) -> None:
    expected = [masked_crc(length.to_bytes(8, "little")) for length in lengths]
    assert masked_length_crcs(np.array(lengths, np.uint64)).tolist() == expected


@given(st.binary(max_size=40))
def test_unmasking_gives_the_plain_checksum(data: bytes) -> None:
    stored = np.array([masked_crc(data)], np.uint32)
    assert unmasked(stored).tolist() == [google_crc32c.value(data)]


@given(st.integers(0, 5000), st.integers(0, 2**32 - 1))
def test_appending_zero_bytes_is_a_linear_map(count: int, register: int) -> None:
    columns = zero_bytes(count)
    image = 0
    for bit in range(32):
        if register >> bit & 1:
            image ^= int(columns[bit])
    # The register behind a CRC is its complement; the C code continues from there.
    continued = google_crc32c.extend(register ^ 0xFFFFFFFF, bytes(count)) ^ 0xFFFFFFFF
    assert image == continued


@settings(deadline=None, max_examples=40, derandomize=True)
@given(
    st.lists(st.sampled_from([0, 5, 64, 200, 201, LONG]), min_size=1, max_size=6 * RUN_LENGTH),
    st.lists(st.floats(0, 0.9999), max_size=4),
    st.booleans(),
)
def test_runs_find_the_damage_that_single_records_show(
    lengths: list[int], injuries: list[float], writable: bool
) -> None:
    content, found = recording(lengths)
    damaged = bytearray(content)
    for share in injuries:
        row = int(share * len(lengths))
        start, length = int(found.starts[row]), int(found.lengths[row])
        damaged[start + int(share * (length + 4))] ^= 0x20  # in the payload or its checksum
    buffer = np.frombuffer(damaged if writable else bytes(damaged), np.uint8)
    good = FrameVerifier().verify(buffer, found.starts, found.lengths)
    assert good.tolist() == verify_each(buffer, found.starts, found.lengths).tolist()
    if not injuries:
        assert good.all()


@pytest.mark.parametrize("bit", range(8))
def test_every_flipped_bit_of_a_frame_in_a_run_is_noticed(bit: int) -> None:
    lengths = [40] * RUN_LENGTH
    content, found = recording(lengths)
    verifier = FrameVerifier()
    assert verifier._intact(content, found.starts, found.lengths).all()
    size = len(content) // RUN_LENGTH
    for number in (0, 1, RUN_LENGTH // 2, RUN_LENGTH - 1):
        for place in range(number * size, (number + 1) * size):
            damaged = bytearray(content)
            damaged[place] ^= 1 << bit
            assert not verifier._intact(bytes(damaged), found.starts, found.lengths).any()


def test_one_call_tells_of_many_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    content, found = recording([30, 31, 500] * RUN_LENGTH)
    verifier = FrameVerifier()
    assert verifier.verify(content, found.starts, found.lengths).all()
    called: list[int] = []

    def counting(crc: int, data: bytes) -> int:
        called.append(len(data))
        return int(google_crc32c.extend(crc, data))

    monkeypatch.setattr(checksums, "extended_crc32c", counting)
    assert verifier.verify(content, found.starts, found.lengths).all()
    assert called == [len(content)]


def test_a_buffer_is_as_before_when_its_frames_are_verified() -> None:
    content, found = recording([30, 31, 500] * RUN_LENGTH)
    for injured in (content, content[:-300] + bytes(20) + content[-280:]):
        buffer = np.frombuffer(bytearray(injured), np.uint8)
        good = FrameVerifier().verify(buffer, found.starts, found.lengths)
        assert good.all() == (injured == content)
        assert buffer.tobytes() == injured
