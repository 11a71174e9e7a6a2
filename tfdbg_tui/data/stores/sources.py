"""Source files and stack frames of one host; which frame of a stack is the user's own.

A frame names its file by position in the file of sources, and the two files grow independently:
a frame or a source that is not on disk yet is an open reference, resolved when it comes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.records.debug_event_schema import parse, text
from tfdbg_tui.data.records.wire import DELIMITED, MalformedMessageError, fields
from tfdbg_tui.data.stores.user_code import is_user_file
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfdbg_tui.data.files.tfrecord import Block, RecordFile

SOURCE_FILE = 4
FILE_PATH, HOST_NAME = 1, 2


class SourceFile(NamedTuple):
    """One recorded source file; its lines stay on disk until someone looks."""

    path: str
    host: str
    offset: int


class _Known(NamedTuple):
    """What is known of the source files at one moment."""

    files: tuple[SourceFile | None, ...] = ()
    records: int = 0
    certain: int | None = None
    """The first number that is a guess, if there is one."""


class SourceFiles:
    """The source files of one host, in the order in which frames count them.

    The feed's thread adds, any thread reads: all that is known is one frozen value, published in
    one assignment for each block.
    """

    def __init__(self, file: RecordFile) -> None:
        self.file = file
        self._known = _Known()
        self._last_read: tuple[SourceFile, tuple[str, ...]] | None = None

    @property
    def files(self) -> tuple[SourceFile | None, ...]:
        """All files; None stands for a damaged record."""
        return self._known.files

    @property
    def records(self) -> int:
        """How many files are told."""
        return self._known.records

    def extend(self, block: Block) -> None:
        """Append the files of a block; a damaged one keeps its number, for frames count by it."""
        before, records, certain = self._known
        files = list(before)
        lost_before: dict[int, list[int | None]] = {}
        for row, lost in block.losses:
            lost_before.setdefault(row, []).append(lost)
        octets = block.octets
        for row, end in enumerate([*(block.starts + block.lengths).tolist(), None]):
            for lost in lost_before.get(row, ()):
                if lost is None and certain is None:
                    certain = len(files)
                files += [None] * (lost or 0)
            if end is not None:
                start = int(block.starts[row])
                found = _path_and_host(octets, start, end)
                if found is None:
                    self.file.count_unparsable()
                else:
                    records += 1
                files.append(found and SourceFile(*found, block.base + start))
        self._known = _Known(tuple(files), records, certain)

    def get(self, index: int) -> SourceFile | None:
        """The file that frames call by a number; None while or where that is not known.

        Behind a stretch of damage that swallowed an unknown number of files the numbers are
        guesses, and a wrong file is worse than none.
        """
        files, _, certain = self._known
        end = len(files) if certain is None else certain
        return files[index] if 0 <= index < end else None

    def lines(self, index: int) -> tuple[str, ...] | None:
        """The recorded text of a file; None where it is not on disk or was not recorded."""
        source = self.get(index)
        if source is None:
            return None
        last = self._last_read  # one line after another of the same file is asked for
        if last is None or last[0] is not source:
            payload = self.file.read_at(source.offset)
            event = None if payload is None else parse(payload)
            if event is None:
                return None
            last = self._last_read = (source, tuple(map(text, event.source_file.lines)))
        return last[1] or None


def _path_and_host(octets: memoryview, start: int, end: int) -> tuple[str, str] | None:
    """The head of a source file's record, without copying or decoding its thousands of lines."""
    found = {FILE_PATH: "", HOST_NAME: ""}
    try:
        for field in fields(octets, start, end):
            if field.number != SOURCE_FILE or field.wire_type != DELIMITED:
                continue
            for inner in fields(octets, field.start, field.end):
                if inner.number not in found:
                    break
                found[inner.number] = text(bytes(octets[inner.start : inner.end]))
            return found[FILE_PATH], found[HOST_NAME]
    except MalformedMessageError:
        pass
    return None


class Frame(NamedTuple):
    """One line of one function that was on the stack."""

    id: str
    file_index: int
    line: int
    function: str
    code: str
    """The recorder's copy of the line; empty in practice."""


class Line(NamedTuple):
    """A line of a recorded source file."""

    file: int
    """Number of the file among the sources of its host."""
    path: str
    line: int
    function: str


class Location(NamedTuple):
    """A line of the user's program with its code, where that is on disk and was recorded."""

    file: str
    line: int
    function: str
    code: str | None


class StackFrames:
    """The stack frames of one host, by id.

    The feed's thread adds, any thread reads. Frames are frozen and only ever added; their count
    is published when a block is whole.
    """

    def __init__(self, file: RecordFile) -> None:
        self.file = file
        self.records = 0
        self.by_id: dict[str, Frame] = {}

    def extend(self, block: Block) -> None:
        """Add the frames of a block."""
        added = 0
        for payload in block.payloads():
            event = parse(payload)
            if event is None or not event.HasField("stack_frame_with_id"):
                self.file.count_unparsable()
                continue
            added += 1
            frame = event.stack_frame_with_id
            line = frame.file_line_col
            frame_id = text(frame.id)
            self.by_id[frame_id] = Frame(
                frame_id, line.file_index, line.line, text(line.func), text(line.code)
            )
        self.records += added

    def resolve(self, stack: Iterable[str]) -> list[Frame | None]:
        """The frames of a stack, outermost first; None where one is not on disk yet."""
        return [self.by_id.get(frame_id) for frame_id in stack]

    def open_references(self, stacks: Iterable[tuple[str, ...]]) -> int:
        """How many distinct frames these stacks name that are not on disk."""
        return len({frame_id for stack in stacks for frame_id in stack} - self.by_id.keys())


def user_frame(frames: Iterable[Frame | None], sources: SourceFiles) -> Frame | None:
    """The innermost frame of the user's own code; None while one inside it is not on disk.

    A frame that is not known yet may be the user's: a wrong line is worse than none.
    """
    for frame in reversed(list(frames)):
        source = None if frame is None else sources.get(frame.file_index)
        if source is None:
            return None
        if is_user_file(source.path):
            return frame
    return None


def locate(frame: Frame, sources: SourceFiles) -> Location | None:
    """Where a frame is, with the recorded line of code; None while its file is not known."""
    source = sources.get(frame.file_index)
    if source is None:
        return None
    lines = sources.lines(frame.file_index)
    code: str | None = frame.code or None
    if lines and 1 <= frame.line <= len(lines):
        code = lines[frame.line - 1].strip()
    return Location(source.path, frame.line, frame.function, code)
