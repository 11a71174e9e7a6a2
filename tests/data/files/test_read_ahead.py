"""What is read ahead is what would have been read without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.recordings.fabricate import frame
from tfdbg_tui.data.files.read_ahead import ReadAhead
from tfdbg_tui.data.files.tfrecord import RecordFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tfdbg_tui.data.files.tfrecord import Block

LIMIT = 1000
PAYLOADS = [bytes([number % 251]) * (number % 90) for number in range(400)]


def written(path: Path, damaged: bool) -> RecordFile:
    content = bytearray(b"".join(map(frame, PAYLOADS)))
    if damaged:
        for place in range(700, len(content), 5000):
            content[place] ^= 0xFF
    path.write_bytes(content)
    file = RecordFile(path)
    file.look()
    return file


def blocks(file: RecordFile, ahead: ReadAhead | None) -> Iterator[list[bytes]]:
    while True:
        if ahead is not None:
            ahead.wait_for(file)
            file.look()
        block = file.read(LIMIT) if ahead is None else ahead.read(file, LIMIT)
        if block is None:
            return
        yield block.payloads()


@pytest.mark.parametrize("damaged", [False, True])
def test_the_same_blocks_come_in_the_same_order(tmp_path: Path, damaged: bool) -> None:
    plainly, ahead_of = written(tmp_path / "a", damaged), written(tmp_path / "b", damaged)
    with ReadAhead() as ahead:
        assert list(blocks(ahead_of, ahead)) == list(blocks(plainly, None))
        assert not ahead.is_any_coming
    assert ahead_of.position == plainly.position
    assert ahead_of.corrupt_records == plainly.corrupt_records


def test_a_block_that_nobody_has_taken_is_told(tmp_path: Path) -> None:
    file = written(tmp_path / "a", damaged=False)
    with ReadAhead() as ahead:
        first = ahead.read(file, LIMIT)
        assert first is not None
        assert first.payloads() == PAYLOADS[: len(first)]
        assert ahead.is_any_coming
        second = ahead.read(file, LIMIT)
        assert second is not None
        assert second.payloads() == PAYLOADS[len(first) : len(first) + len(second)]


def test_every_block_is_prepared_once_and_in_order_before_it_is_taken(tmp_path: Path) -> None:
    file = written(tmp_path / "a", damaged=True)
    prepared: list[Block] = []
    taken = 0
    with ReadAhead() as ahead:
        while (block := ahead.read(file, LIMIT, prepared.append)) is not None:
            assert prepared[taken] is block
            taken += 1
            ahead.wait_for(file)
    assert taken == len(prepared)
    payloads = [payload for block in prepared for payload in block.payloads()]
    assert len(payloads) > len(PAYLOADS) / 2


def test_what_fails_in_the_thread_fails_where_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path / "a", damaged=False)
    with ReadAhead() as ahead:
        ahead.read(file, LIMIT)
        ahead.wait_for(file)
        monkeypatch.setattr(RecordFile, "read", failing)
        ahead.read(file, LIMIT)
        with pytest.raises(MemoryError):
            ahead.read(file, LIMIT)


def failing(file: RecordFile, limit: int) -> None:
    raise MemoryError
