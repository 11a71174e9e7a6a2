"""A recorder that writes at a given pace: repeats a real run into a logdir that somebody follows.

    python -m benchmarks.paced_writer SOURCE TARGET EVENTS_PER_SECOND SECONDS [PROGRESS]

Like the recorder it appends whole blocks of 4096 bytes to each file, so the last record is nearly
always cut, until the end. Writes what is on disk at which time to the file PROGRESS.
"""

from __future__ import annotations

import argparse
import io
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.event_records import EVENT_SUFFIXES, EventRecord, ids_of_one_run, read_events
from benchmarks.recordings import ROOT
from tfdbg_tui.demo.block_file import BlockFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from typing_extensions import Self

TICK = 0.005
"""Seconds between two looks at what is due."""

TIMEOUT = 60.0
"""Seconds for the process to begin, and to end."""


class Progress(NamedTuple):
    """How many whole events were on disk at some time."""

    wall_time: float
    executions: int
    traces: int

    @property
    def events(self) -> int:
        """Of both kinds."""
        return self.executions + self.traces


class CountedFile(BlockFile):
    """Knows how many of its records are wholly on disk."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._ends: deque[int] = deque()
        """Where the records that are not wholly on disk end."""
        self._length = 0
        self.whole_records = 0
        """Records of which every byte is on disk."""

    def append(self, record: bytes) -> None:
        """Take a record."""
        super().append(record)
        self._length += len(record)
        self._ends.append(self._length)

    def _write(self, count: int) -> None:
        super()._write(count)
        on_disk = self._length - len(self._unwritten)
        while self._ends and self._ends[0] <= on_disk:
            self._ends.popleft()
            self.whole_records += 1


class Replay:
    """Writes the events of a recording again and again, now."""

    def __init__(self, source: Path, target: Path) -> None:
        target.mkdir(parents=True, exist_ok=True)
        paths = {path.name.rpartition(".")[2]: path for path in source.iterdir()}
        recorded = {suffix: read_events(path) for suffix, path in paths.items()}
        self._cycle = sorted(
            ((event, suffix) for suffix in EVENT_SUFFIXES for event in recorded[suffix]),
            key=lambda pair: pair[0].wall_time,
        )
        later = time.time() - self._cycle[0][0].wall_time
        for suffix in paths.keys() - EVENT_SUFFIXES:
            framed = [event.framed(event.wall_time + later) for event in recorded[suffix]]
            (target / paths[suffix].name).write_bytes(b"".join(framed))
        self._files = {
            suffix: CountedFile(target / paths[suffix].name) for suffix in EVENT_SUFFIXES
        }
        self._stopping = False

    def stop(self) -> None:
        """Let `run` end soon."""
        self._stopping = True

    def run(self, events_per_second: float, seconds: float, progress: io.TextIOBase) -> Progress:
        """Write at a pace; the last bytes are written at the end, as when a program exits."""
        coming = self._endless_events()
        started, written = time.monotonic(), 0
        while not self._stopping and (elapsed := time.monotonic() - started) < seconds:
            for _ in range(int(elapsed * events_per_second) - written):
                event, suffix, id_shift = next(coming)
                self._files[suffix].append(event.framed(time.time(), id_shift))
                written += 1
            for file in self._files.values():
                file.write_blocks()
            self._report(progress)
            time.sleep(TICK)
        for file in self._files.values():
            file.flush()
            file.close()
        return self._report(progress)

    def _endless_events(self) -> Iterator[tuple[EventRecord, str, int]]:
        shift_by = ids_of_one_run(event for event, _ in self._cycle)
        id_shift = 0
        while True:
            for event, suffix in self._cycle:
                yield event, suffix, id_shift
            id_shift += shift_by

    def _report(self, progress: io.TextIOBase) -> Progress:
        counts = [self._files[suffix].whole_records for suffix in EVENT_SUFFIXES]
        now = Progress(time.time(), *counts)
        progress.write(f"{now.wall_time!r} {now.executions} {now.traces}\n")
        progress.flush()
        return now


class PacedWriter:
    """A replay in a process of its own, for as long as the context lasts."""

    def __init__(
        self,
        source: Path,
        target: Path,
        events_per_second: float = 40_000,
        seconds: float = float("inf"),
    ) -> None:
        self._arguments = [str(source), str(target), str(events_per_second), str(seconds)]

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="paced-writer-")
        self._progress = Path(self._folder.name) / "progress"
        command = [sys.executable, "-m", "benchmarks.paced_writer", *self._arguments]
        self._process = subprocess.Popen(
            [*command, str(self._progress)], cwd=ROOT, stdout=subprocess.DEVNULL
        )
        deadline = time.monotonic() + TIMEOUT
        while not self.history():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.__exit__(None, None, None)
                raise RuntimeError("the writer did not begin")
            time.sleep(TICK)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()
        self._folder.cleanup()

    def stop(self) -> None:
        """End the writing; all its events are on disk then, and `history` can still be asked."""
        self._process.terminate()
        self._process.wait(TIMEOUT)

    def history(self) -> list[Progress]:
        """What was on disk at which time, so far."""
        if not self._progress.exists():
            return []
        lines = self._progress.read_text().splitlines(keepends=True)
        rows = [line.split() for line in lines if line.endswith("\n")]
        return [Progress(float(at), int(first), int(second)) for at, first, second in rows]


def main() -> None:
    """Replay until the time is over or SIGTERM comes."""
    parser = argparse.ArgumentParser("python -m benchmarks.paced_writer")
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("events_per_second", type=float)
    parser.add_argument("seconds", type=float)
    parser.add_argument("progress", type=Path, nargs="?")
    arguments = parser.parse_args()
    replay = Replay(arguments.source, arguments.target)
    signal.signal(signal.SIGTERM, lambda *_: replay.stop())
    pace = arguments.events_per_second, arguments.seconds
    started = time.monotonic()
    if arguments.progress:
        with arguments.progress.open("w") as progress:
            last = replay.run(*pace, progress)
    else:
        last = replay.run(*pace, io.StringIO())
    print(f"{last.events:,} events in {time.monotonic() - started:.2f} s")


if __name__ == "__main__":
    main()
