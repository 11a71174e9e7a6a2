"""Guessing where records begin never changes where they are found."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.recordings.fabricate import frame
from tfdbg_tui.data.files import record_framing
from tfdbg_tui.data.files.record_framing import Frames, FrameWalker

if TYPE_CHECKING:
    import pytest

    from tfdbg_tui.data.files.buffers import Buffer

HEADER, OVERHEAD = 12, 16


def walked_one_by_one(content: bytes) -> list[tuple[int, int]]:
    """Start and length of each whole payload."""
    found, position = [], 0
    while position + HEADER <= len(content):
        (length,) = struct.unpack_from("<Q", content, position)
        if position + OVERHEAD + length > len(content):
            break
        found.append((position + HEADER, length))
        position += OVERHEAD + length
    return found


def places(found: Frames) -> list[tuple[int, int]]:
    return list(zip(found.starts.tolist(), found.lengths.tolist(), strict=True))


@st.composite
def repetitive_lengths(draw: st.DrawFn) -> list[int]:
    """Lengths as a training program writes them: cycles, with an irregular piece now and then."""
    lengths: list[int] = []
    for _ in range(draw(st.integers(1, 4))):
        cycle = draw(st.lists(st.integers(0, 20), min_size=1, max_size=12))
        lengths += cycle * draw(st.integers(1, 400))
        lengths += draw(st.lists(st.integers(0, 30), max_size=5))
    return lengths


@settings(deadline=None, max_examples=60, derandomize=True)
@given(repetitive_lengths(), st.data())
def test_a_walk_with_guesses_finds_what_one_by_one_finds(
    lengths: list[int], data: st.DataObject
) -> None:
    content = b"".join(frame(b"x" * length) for length in lengths)
    walker = FrameWalker()
    position = 0
    while position < len(content):
        size = data.draw(st.integers(1, len(content)))
        piece = content[position : position + size]
        found = walker.walk(piece)
        assert places(found) == walked_one_by_one(piece)
        assert not found.damaged
        if not found.stop:
            assert found.needed > len(piece) or len(piece) < HEADER
            size = len(content) - position
            found = walker.walk(content[position:])
        position += found.stop


def test_guesses_are_made_and_right_on_a_repeating_recording() -> None:
    content = b"".join(frame(b"x" * length) for length in (3, 9, 4, 9, 1)) * 4000
    walker = FrameWalker()
    walker.walk(content)
    steps: list[int] = []
    walk_one_by_one = walker._step

    def counted(buffer: Buffer, position: int) -> tuple[list[int], int, bool]:
        sizes, end, may_go_on = walk_one_by_one(buffer, position)
        steps.append(len(sizes))
        return sizes, end, may_go_on

    walker._step = counted  # type: ignore[method-assign]
    assert places(walker.walk(content)) == walked_one_by_one(content)
    assert sum(steps) <= record_framing.MIN_STEPS


def test_a_guess_that_held_goes_on_in_the_next_buffer(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"".join(frame(b"x" * length) for length in (3, 9, 4, 9, 1, 700)) * 4000
    walker = FrameWalker()
    position = walker.walk(content[: len(content) // 3]).stop
    monkeypatch.setattr(record_framing, "what_followed", lambda recent: recent[:0])
    while position < len(content):
        piece = content[position : position + 200_001]
        found = walker.walk(piece)
        assert places(found) == walked_one_by_one(piece)
        assert walker._cycle is not None or len(piece) < 200_001
        position += found.stop


def test_a_wrong_guess_stops_at_the_first_header_that_is_elsewhere() -> None:
    regular = b"".join(frame(b"x" * length) for length in (3, 9)) * 3000
    content = regular + frame(b"irregular") * 3 + regular
    walker = FrameWalker()
    walker.walk(regular)
    assert places(walker.walk(content)) == walked_one_by_one(content)


def test_a_damaged_header_ends_the_walk_even_where_a_guess_passes() -> None:
    content = bytearray(frame(b"abc") * 5000)
    content[2500 * 19 + 9] ^= 1  # in the checksum of the length
    walker = FrameWalker()
    walker.walk(frame(b"abc") * 5000)
    found = walker.walk(bytes(content))
    assert (len(found.starts), found.damaged) == (2500, True)


def test_many_distinct_headers_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_framing, "MAX_KNOWN_HEADERS", 100)
    walker = FrameWalker()
    content = b"".join(frame(b"x" * length) for length in range(1000))
    assert places(walker.walk(content)) == walked_one_by_one(content)
    assert len(walker._frame_sizes) <= 100
