"""A recorded run that happens again: its records reach a logdir as they did from the recorder.

Executions and traces come in whole blocks, each file by itself, as with a circular buffer of no
size. The other files are flushed as they grow, as a program does that is watched: else the line of
the first NaN would not be on disk before the program ends.
"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

from tfdbg_tui.demo.block_file import BlockFile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tfdbg_tui.demo.recorded import TimedRecord

FLUSHED = ("metadata", "source_files", "stack_frames", "graphs")
"""Suffixes of the files in which no record stays cut."""

TICK = 0.05
"""Seconds between two looks at what is due."""


class Replay:
    """Writes a run into a logdir, in a thread of its own that keeps the files open meanwhile."""

    def __init__(
        self, run: Mapping[str, Sequence[TimedRecord]], logdir: Path, speed: float = 1.0
    ) -> None:
        self._began = time.time()
        self._speed = speed
        prefix = f"tfdbg_events.{self._began:.0f}.{os.uname().nodename}"
        suffixes = sorted(run, key=lambda suffix: suffix not in FLUSHED)
        self._coming = {suffix: iter(run[suffix]) for suffix in suffixes}
        self._next = {suffix: next(self._coming[suffix], None) for suffix in suffixes}
        self._files = {suffix: BlockFile(logdir / f"{prefix}.{suffix}") for suffix in suffixes}
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tfdbg-replay", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread and close the files, however far it has come."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()
        self.close()

    def write(self, until: float) -> bool:
        """Write what is due some seconds after the beginning of the run; False after its end."""
        for suffix, file in self._files.items():
            while (record := self._next[suffix]) is not None and record.due <= until:
                file.append(record.framed_at(self._began + record.offset / self._speed))
                self._next[suffix] = next(self._coming[suffix], None)
            if suffix in FLUSHED:
                file.flush()
            else:
                file.write_blocks()
        return any(record is not None for record in self._next.values())

    def finish(self) -> None:
        """Write all the rest, as a program does that ends."""
        self.write(float("inf"))
        for file in self._files.values():
            file.flush()

    def close(self) -> None:
        """Close the files; a reader can tell by that that the program has ended."""
        for file in self._files.values():
            file.close()

    def _run(self) -> None:
        began = time.monotonic()
        try:
            while self.write((time.monotonic() - began) * self._speed):
                if self._stopping.wait(TICK):
                    return
            self.finish()
        except OSError:
            pass  # the disk is full, or its folder is gone: the app shows what it could read
        finally:
            self.close()
