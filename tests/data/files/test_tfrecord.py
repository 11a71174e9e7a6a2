"""A growing file as seen by one reader; damage at length is in test_tough.py."""

from __future__ import annotations

import os
from itertools import accumulate
from pathlib import Path

import pytest

from tests.recordings.fabricate import frame
from tfdbg_tui.data.files.checksums import HEADER
from tfdbg_tui.data.files.damage import FIRST_SEARCH_STEP
from tfdbg_tui.data.files.growing_file import FileState
from tfdbg_tui.data.files.tfrecord import MAX_TOGETHER, USUAL_FRAME, RecordFile


def read_all(file: RecordFile, limit: int = 1 << 20) -> list[bytes]:
    found: list[bytes] = []
    while (block := file.read(limit)) is not None:
        found += block.payloads()
    return found


def test_a_file_that_is_not_there_yet_is_read_when_it_comes(tmp_path: Path) -> None:
    file = RecordFile(tmp_path / "events")
    assert (file.look(), read_all(file)) == (FileState.ABSENT, [])
    Path(file.path).write_bytes(frame(b"one"))
    assert (file.look(), read_all(file)) == (FileState.PRESENT, [b"one"])


@pytest.mark.parametrize("cut", range(1, len(frame(b"second"))))
def test_a_cut_tail_waits_and_is_read_when_it_is_whole(tmp_path: Path, cut: int) -> None:
    file = RecordFile(tmp_path / "events")
    content = frame(b"first") + frame(b"second")
    Path(file.path).write_bytes(content[: len(content) - cut])
    file.look()
    assert read_all(file) == [b"first"]
    assert (file.cut_bytes, file.corrupt_records) == (len(frame(b"second")) - cut, 0)
    Path(file.path).write_bytes(content)
    file.look()
    assert read_all(file) == [b"second"]
    assert file.cut_bytes == 0


@pytest.mark.parametrize("overlap", range(HEADER.size + 1))
def test_a_record_behind_damage_is_found_across_the_edge_of_a_search(
    tmp_path: Path, overlap: int
) -> None:
    file = RecordFile(tmp_path / "events")
    first_edge = 1 + FIRST_SEARCH_STEP  # the first byte is known to begin no record
    Path(file.path).write_bytes(bytes(first_edge - overlap) + frame(b"whole"))
    file.look()
    assert read_all(file) == [b"whole"]


def test_what_was_deleted_can_still_be_read_back(tmp_path: Path) -> None:
    file = RecordFile(tmp_path / "events")
    Path(file.path).write_bytes(frame(b"one") + frame(b"two"))
    file.look()
    assert read_all(file) == [b"one", b"two"]
    Path(file.path).unlink()
    assert file.look() is FileState.ABSENT
    assert file.read_at(len(frame(b"one")) + 12) == b"two"


@pytest.mark.parametrize("gap", [0, 10, 3 * USUAL_FRAME, 2 * MAX_TOGETHER])
@pytest.mark.parametrize("damaged", [None, 0, 1, 2])
def test_several_records_are_read_back_as_each_by_itself(
    tmp_path: Path, gap: int, damaged: int | None
) -> None:
    file = RecordFile(tmp_path / "events")
    payloads = [b"one", b"2" * gap, b"three"]
    Path(file.path).write_bytes(b"".join(map(frame, payloads)))
    file.look()
    assert read_all(file, limit=1 << 23) == payloads
    ends = accumulate(len(frame(payload)) for payload in payloads)
    offsets = [HEADER.size + end - len(frame(p)) for end, p in zip(ends, payloads, strict=True)]
    if damaged is not None:
        with Path(file.path).open("r+b") as content:
            content.seek(offsets[damaged] - 1)  # in its header
            content.write(b"\xff")
    expected = [None if n == damaged else payload for n, payload in enumerate(payloads)]
    assert file.read_many_at(offsets) == [file.read_at(offset) for offset in offsets] == expected
    assert file.read_many_at([offsets[-1] + 100]) == [None], "behind the end is nothing"


def test_a_pipe_with_the_name_of_a_file_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "events")
    file = RecordFile(tmp_path / "events")
    assert (file.look(), read_all(file)) == (FileState.UNREADABLE, [])
    assert file.reason == "not a regular file"


def test_reading_again_without_growth_reads_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = RecordFile(tmp_path / "events")
    Path(file.path).write_bytes(frame(b"one") + frame(b"two")[:-1])
    file.look()
    assert read_all(file) == [b"one"]
    monkeypatch.setattr(os, "pread", None)  # any reading would fail
    monkeypatch.setattr(os, "preadv", None)
    file.look()
    assert read_all(file) == []


def test_descriptors_are_given_back(tmp_path: Path) -> None:
    path = tmp_path / "events"
    path.write_bytes(frame(b"one"))
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - counts, not paths
    for _ in range(50):
        file = RecordFile(path)
        file.look()
        read_all(file)
        file.close()
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
