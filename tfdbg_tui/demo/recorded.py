"""The recorded run that is shipped with the package, as records that can be written again."""

from __future__ import annotations

import struct
import zipfile
from importlib import resources

from tfdbg_tui.data.files.checksums import framed
from tfdbg_tui.data.files.record_framing import FrameWalker
from tfdbg_tui.frozen.named_tuple import NamedTuple

ARCHIVE = "recording.zip"
"""The file set of the run; `tests/recordings/make_demo.py` makes it."""

WALL_TIME = struct.Struct("<Bd")
"""How every event begins: a tag of one byte, and the seconds."""

WALL_TIME_TAG = 1 << 3 | 1


class TimedRecord(NamedTuple):
    """One record, taken apart so that it can come at another time."""

    offset: float
    """Its wall time, in seconds after the beginning of the run."""
    due: float
    """When it reaches its file: not before the records that stand before it there."""
    rest: bytes
    """The event behind its wall time."""

    def framed_at(self, wall_time: float) -> bytes:
        """The whole record, at another time."""
        return framed(WALL_TIME.pack(WALL_TIME_TAG, wall_time) + self.rest)


def recorded_run() -> dict[str, list[TimedRecord]]:
    """Suffix of a file -> its records, in file order."""
    events = {suffix: _events(content) for suffix, content in _contents().items()}
    start = min(wall_time for records in events.values() for wall_time, _ in records)
    return {suffix: _timed(records, start) for suffix, records in events.items()}


def _contents() -> dict[str, bytes]:
    shipped = resources.files(__package__).joinpath(ARCHIVE)
    with shipped.open("rb") as file, zipfile.ZipFile(file) as archive:
        return {name.rpartition(".")[2]: archive.read(name) for name in archive.namelist()}


def _events(content: bytes) -> list[tuple[float, bytes]]:
    """Wall time and rest of every event of a file."""
    frames = FrameWalker().walk(content)
    events = []
    for start, length in zip(frames.starts.tolist(), frames.lengths.tolist(), strict=True):
        _, wall_time = WALL_TIME.unpack_from(content, start)
        events.append((wall_time, content[start + WALL_TIME.size : start + length]))
    return events


def _timed(events: list[tuple[float, bytes]], start: float) -> list[TimedRecord]:
    records, due = [], 0.0
    for wall_time, rest in events:
        due = max(due, wall_time - start)
        records.append(TimedRecord(wall_time - start, due, rest))
    return records
