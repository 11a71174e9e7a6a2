"""Source files, stack frames and the user's own frame, in whatever order they arrive."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.recordings.fabricate import frame
from tests.recordings.reference import events
from tfdbg_tui.data.files.tfrecord import RecordFile
from tfdbg_tui.data.records.debug_event_schema import message_class
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.stores.sources import (
    Frame,
    Location,
    SourceFiles,
    StackFrames,
    locate,
    user_frame,
)

if TYPE_CHECKING:
    from tests.recordings.record import Library

SITE = "site-packages"

USER_FILE = b"/home/me/train.py"
LIBRARY_FILE = f"/usr/lib/python3.11/{SITE}/tensorflow/python/ops.py".encode()
AUTOGRAPH_FILE = b"/tmp/__autograph_generated_filexyz.py"
HEADER_SIZE = 12


def event(**content: Any) -> bytes:
    return frame(message_class("DebugEvent")(**content).SerializeToString())


def source(path: bytes, *lines: bytes, host: bytes = b"vm") -> bytes:
    return event(source_file={"file_path": path, "host_name": host, "lines": lines})


def stack_frame(name: bytes, file_index: int, line: int, code: bytes = b"") -> bytes:
    place = {"file_index": file_index, "line": line, "func": b"f_" + name, "code": code}
    return event(stack_frame_with_id={"id": name, "file_line_col": place})


def read_into(store: SourceFiles | StackFrames, data: bytes) -> None:
    """Append to the store's file and read what is new."""
    with open(store.file.path, "ab") as file:
        file.write(data)
    store.file.look()
    while (block := store.file.read()) is not None:
        store.extend(block)


@pytest.fixture
def sources(tmp_path: Path) -> SourceFiles:
    return SourceFiles(RecordFile(tmp_path / "sources"))


@pytest.fixture
def frames(tmp_path: Path) -> StackFrames:
    return StackFrames(RecordFile(tmp_path / "frames"))


# ---------------------------------------------------------------------- files


def test_files_are_counted_in_file_order(sources: SourceFiles) -> None:
    read_into(sources, source(b"a.py", b"one", b"two") + source(b"b.py", b"three", host=b"gpu"))
    read_into(sources, source(b"c.py"))
    found = [sources.get(index) for index in range(3)]
    assert [(file.path, file.host) for file in found if file] == [
        ("a.py", "vm"),
        ("b.py", "gpu"),
        ("c.py", "vm"),
    ]
    assert sources.lines(0) == ("one", "two")
    assert sources.lines(1) == ("three",)
    assert sources.lines(2) is None
    assert sources.records == 3


@pytest.mark.parametrize("index", [-1, 1, 10_000])
def test_a_number_that_stands_for_no_file_yet(sources: SourceFiles, index: int) -> None:
    read_into(sources, source(b"a.py"))
    assert sources.get(index) is None
    assert sources.lines(index) is None


def test_names_and_lines_that_are_no_utf8(sources: SourceFiles) -> None:
    read_into(sources, source(b"a\xff.py", b"x = '\xfe'"))
    file = sources.get(0)
    assert file is not None
    assert file.path == "a\ufffd.py"
    assert sources.lines(0) == ("x = '\ufffd'",)


def test_a_damaged_file_keeps_its_place(sources: SourceFiles) -> None:
    damaged = bytearray(source(b"b.py", b"lost"))
    damaged[HEADER_SIZE + 5] ^= 1
    read_into(sources, source(b"a.py") + bytes(damaged) + source(b"c.py"))
    assert sources.get(1) is None
    third = sources.get(2)
    assert third is not None
    assert third.path == "c.py"
    assert (sources.records, sources.file.corrupt_records) == (2, 1)


@pytest.mark.parametrize("payload", [b"\xff\xff", b"", b"\x09" + bytes(8)], ids=bytes.hex)
def test_a_senseless_record_keeps_its_place(sources: SourceFiles, payload: bytes) -> None:
    read_into(sources, source(b"a.py") + frame(payload) + source(b"c.py"))
    third = sources.get(2)
    assert third is not None
    assert third.path == "c.py"
    assert (sources.get(1), sources.records) == (None, 2)
    assert sources.file.corrupt_records == 1


def test_behind_damage_of_unknown_extent_no_file_is_guessed(sources: SourceFiles) -> None:
    swallowed = bytearray(source(b"b.py") + source(b"c.py"))
    swallowed[0] ^= 0x40
    swallowed[len(source(b"b.py"))] ^= 0x40
    read_into(sources, source(b"a.py") + bytes(swallowed) + source(b"d.py"))
    first = sources.get(0)
    assert first is not None
    assert [sources.get(index) for index in range(1, 4)] == [None] * 3
    assert sources.records == 2


# ---------------------------------------------------------------------- frames


@pytest.mark.parametrize("seed", range(10))
def test_what_is_known_does_not_depend_on_how_much_is_read_at_once(
    tmp_path: Path, seed: int
) -> None:
    """Files of two programs in one, as when both began in the same second, and flipped bits."""
    dice = random.Random(seed)
    programs = [
        b"".join(
            source(b"%d.py" % number, b"x" * dice.choice((500, 3000, 40_000)))
            for number in range(20)
        )
        for _ in range(2)
    ]
    path = tmp_path / "sources"
    content = bytearray(_interleaved(programs, dice, piece=65_536))
    for _ in range(6):
        content[dice.randrange(len(content))] ^= 1
    path.write_bytes(content)
    known = []
    for limit in (512, 4096, 1 << 20):
        store = SourceFiles(RecordFile(path))
        store.file.look()
        while (block := store.file.read(limit)) is not None:
            store.extend(block)
        certain = [store.get(index) for index in range(len(store.files))]
        known.append((store.files, certain, store.file.corrupt_records))
    assert known[0] == known[1] == known[2]
    assert any(known[0][0])


def _interleaved(programs: list[bytes], dice: random.Random, piece: int) -> bytes:
    written, mixed = [0] * len(programs), b""
    while len(mixed) < sum(map(len, programs)):
        number = dice.randrange(len(programs))
        mixed += programs[number][written[number] : written[number] + piece]
        written[number] += piece
    return mixed


def test_frames_are_found_by_id(frames: StackFrames) -> None:
    read_into(frames, stack_frame(b"x", 3, 17, b"a = b"))
    assert frames.resolve(("x", "y")) == [Frame("x", 3, 17, "f_x", "a = b"), None]
    assert frames.open_references([("x", "y"), ("y",), ("z",)]) == 2
    read_into(frames, stack_frame(b"y", 0, 1) + stack_frame(b"z", 0, 2))
    assert frames.open_references([("x", "y"), ("y",), ("z",)]) == 0
    assert frames.records == 3


def test_a_record_of_another_kind_is_no_frame(frames: StackFrames) -> None:
    read_into(frames, source(b"a.py") + stack_frame(b"x", 0, 1))
    assert (frames.records, frames.file.corrupt_records) == (1, 1)


# ---------------------------------------------------------------------- the user's line


def test_the_innermost_frame_of_the_user_is_chosen(
    sources: SourceFiles, frames: StackFrames
) -> None:
    read_into(sources, b"".join(map(source, (USER_FILE, LIBRARY_FILE, AUTOGRAPH_FILE))))
    ids = "abcd"
    for name, file_index in zip(ids, (0, 0, 2, 1), strict=True):
        read_into(frames, stack_frame(name.encode(), file_index, ord(name)))
    chosen = user_frame(frames.resolve(ids), sources)
    assert chosen is not None
    assert (chosen.id, chosen.line) == ("b", ord("b"))


def test_a_stack_without_own_code_has_no_users_frame(
    sources: SourceFiles, frames: StackFrames
) -> None:
    read_into(sources, source(LIBRARY_FILE))
    read_into(frames, stack_frame(b"a", 0, 1))
    assert user_frame(frames.resolve(("a", "missing")), sources) is None
    assert user_frame([], sources) is None


def test_open_references_resolve_when_the_bytes_come(
    sources: SourceFiles, frames: StackFrames
) -> None:
    assert user_frame(frames.resolve(("a",)), sources) is None
    read_into(frames, stack_frame(b"a", 0, 2))
    assert user_frame(frames.resolve(("a",)), sources) is None
    read_into(sources, source(USER_FILE, b"import x", b"    y = x / 0  "))
    chosen = user_frame(frames.resolve(("a",)), sources)
    assert chosen is not None
    assert locate(chosen, sources) == Location(USER_FILE.decode(), 2, "f_a", "y = x / 0")


@pytest.mark.parametrize("line", [0, -1, 3, 10_000])
def test_a_line_outside_its_file_has_no_code(
    sources: SourceFiles, frames: StackFrames, line: int
) -> None:
    read_into(sources, source(USER_FILE, b"one", b"two"))
    read_into(frames, stack_frame(b"a", 0, line))
    location = locate(frames.by_id["a"], sources)
    assert location == Location(USER_FILE.decode(), line, "f_a", None)


def test_the_recorders_copy_of_a_line_serves_where_the_file_was_not_recorded(
    sources: SourceFiles, frames: StackFrames
) -> None:
    read_into(sources, source(b"<stdin>"))
    read_into(frames, stack_frame(b"a", 0, 1, b"x = 1"))
    assert locate(frames.by_id["a"], sources) == Location("<stdin>", 1, "f_a", "x = 1")


def test_all_frames_and_lines_of_a_real_recording(library: Library) -> None:
    logdir = Logdir(library.path("full_health"))
    logdir.load()
    (host,) = logdir.runs[0].hosts
    files = [found.source_file for _, found in events(Path(logdir.path), "source_files")]
    for index, file in enumerate(files):
        known = host.sources.get(index)
        assert known is not None
        assert (known.path, known.host) == (file.file_path, file.host_name)
        assert (host.sources.lines(index) or ()) == tuple(file.lines)
    for _, found in events(Path(logdir.path), "stack_frames"):
        place = found.stack_frame_with_id.file_line_col
        expected = Frame(
            found.stack_frame_with_id.id, place.file_index, place.line, place.func, place.code
        )
        assert host.frames.by_id[expected.id] == expected
