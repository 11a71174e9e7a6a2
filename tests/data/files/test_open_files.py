"""Few files are open at once; what was closed is opened again, and never mistaken for another."""

from __future__ import annotations

import errno
import gc
import os
import random
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.recordings.fabricate import HEADER, frame
from tfdbg_tui.data.files.growing_file import FileState
from tfdbg_tui.data.files.open_files import FEWEST, OpenFiles, Slot, open_files
from tfdbg_tui.data.files.tfrecord import RecordFile

if TYPE_CHECKING:
    from collections.abc import Callable

FILES = 40
LIMIT = 5
PAYLOAD = 12
"""Bytes of every payload: all offsets are the same in all files."""


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """How many files may be open at once; all others of this process count, too."""
    gc.collect()
    monkeypatch.setattr(open_files(), "limit", LIMIT)
    return LIMIT


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - counts, not paths


def payload(number: int) -> bytes:
    return f"payload {number:04}".encode()


def read(path: Path) -> RecordFile:
    file = RecordFile(path)
    file.look()
    while file.read() is not None:
        pass
    return file


def written(folder: Path, count: int) -> list[RecordFile]:
    """Files of one record each, read to their ends."""
    files = []
    for number in range(count):
        path = folder / f"events {number}"
        path.write_bytes(frame(payload(number)))
        files.append(read(path))
    return files


def test_files_that_were_read_do_not_stay_open_all_of_them(tmp_path: Path, few: int) -> None:
    before = descriptors() - len(open_files())
    files = written(tmp_path, FILES)
    assert descriptors() - before <= few
    assert [file.read_at(HEADER) for file in files] == [payload(n) for n in range(FILES)]
    assert descriptors() - before <= few


def test_a_file_that_was_closed_is_read_on_when_it_grows(tmp_path: Path, few: int) -> None:
    file = written(tmp_path, few + 1)[0]
    assert file._slot.descriptor is None
    with Path(file.path).open("ab") as more:
        more.write(frame(b"more"))
    assert file.look() is FileState.PRESENT
    block = file.read()
    assert block is not None
    assert block.payloads() == [b"more"]


def test_what_was_used_lately_is_read_though_deleted_and_what_was_closed_is_gone(
    tmp_path: Path, few: int
) -> None:
    files = written(tmp_path, few + 1)
    for file in files:
        Path(file.path).unlink()
    assert [file.look() for file in files] == [FileState.ABSENT] * len(files)
    found = [file.read_at(HEADER) for file in files]
    assert found == [None, *(payload(number) for number in range(1, few + 1))]


def replaced(path: Path) -> None:
    path.unlink()
    path.with_name("keeps the inode").write_bytes(b"")
    path.write_bytes(frame(payload(77)))


def rewritten(path: Path) -> None:
    path.write_bytes(frame(payload(77)))


@pytest.mark.parametrize("change", [replaced, rewritten])
def test_another_file_in_the_place_of_one_that_was_closed_is_never_taken_for_it(
    tmp_path: Path, few: int, change: Callable[[Path], None]
) -> None:
    file = written(tmp_path, few + 1)[0]
    change(Path(file.path))
    assert file.read_at(HEADER) is None  # though a whole record stands right there
    assert file.look() is FileState.REPLACED
    assert file.look() is FileState.REPLACED


def test_a_file_written_anew_within_its_inode_size_and_time_is_noticed(
    tmp_path: Path, few: int
) -> None:
    file = written(tmp_path, few + 1)[0]
    before = Path(file.path).stat()
    rewritten(Path(file.path))
    os.utime(file.path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.look() is FileState.PRESENT  # nothing tells yet
    assert file.read_at(HEADER) is None
    assert file.look() is FileState.REPLACED


def test_a_file_that_comes_back_is_read_again(tmp_path: Path, few: int) -> None:
    file = written(tmp_path, few + 1)[0]
    away = Path(file.path).with_name("away")
    Path(file.path).rename(away)
    assert file.read_at(HEADER) is None
    assert file.look() is FileState.ABSENT
    away.rename(file.path)
    assert file.look() is FileState.PRESENT
    assert file.read_at(HEADER) == payload(0)


def test_threads_never_read_from_a_descriptor_that_is_another_files(
    tmp_path: Path, few: int
) -> None:
    files = written(tmp_path, FILES)
    wrong: list[object] = []

    def reads(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(1500):
            number = chance.randrange(FILES)
            found = files[number].read_at(HEADER)
            if found != payload(number):
                wrong.append((number, found))

    threads = [threading.Thread(target=reads, args=[seed]) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(open_files()) <= few


def test_a_file_nobody_needs_any_more_is_closed(tmp_path: Path) -> None:
    gc.collect()  # what other tests have left would be closed meanwhile
    before = descriptors()
    files = written(tmp_path, 3)
    assert descriptors() == before + 3
    del files
    gc.collect()
    assert descriptors() == before


def test_a_file_is_not_closed_while_it_is_read() -> None:
    files, slots = OpenFiles(1), [Slot(), Slot(), Slot()]

    def opened() -> int:
        return os.open(os.devnull, os.O_RDONLY)

    with files.using(slots[0], opened) as first:
        with files.using(slots[1], opened) as second:
            files.close(slots[1])
            assert os.fstat(first)
            assert os.fstat(second)
        assert slots[1].descriptor is None
        with files.using(slots[2], opened):
            assert slots[0].descriptor == first
        assert (slots[0].descriptor, slots[2].descriptor) == (first, None)
    files.close(slots[0])
    assert slots[0].descriptor is None


@pytest.mark.parametrize("code", [errno.EMFILE, errno.ENFILE])
def test_where_the_system_has_none_left_it_gets_some_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    files = written(tmp_path, 2 * FEWEST)
    really, most = os.open, descriptors()

    def limited(*arguments: Any) -> int:
        if descriptors() >= most:
            raise OSError(code, os.strerror(code))
        return really(*arguments)

    late = tmp_path / "late"
    late.write_bytes(frame(payload(9)))
    monkeypatch.setattr(os, "open", limited)
    assert read(late).read_at(HEADER) == payload(9)
    assert all(file.read_at(HEADER) for file in files)


def test_where_others_take_all_the_file_says_so_until_there_are_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "events"
    path.write_bytes(frame(payload(1)))
    file = RecordFile(path)

    def none_left(*arguments: Any) -> int:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    with monkeypatch.context() as exhausted:
        exhausted.setattr(os, "open", none_left)
        assert file.look() is FileState.UNREADABLE
        assert file.reason == "Too many open files"
    assert file.look() is FileState.PRESENT
    block = file.read()
    assert block is not None
    assert block.payloads() == [payload(1)]
