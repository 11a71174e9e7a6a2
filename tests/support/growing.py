"""A recording that grows as the recorder lets it: in blocks of 4096 bytes, file by file."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

BLOCK = 4096
"""Bytes that reach the disk at once."""

EVENT_FILES = ("execution", "graph_execution_traces")

BREATH = 0.002
"""Seconds between two blocks."""


class Growing:
    """A copy of a recording whose events come when asked for."""

    def __init__(
        self,
        source: Path,
        target: Path,
        blocks: int = 1,
        growing: tuple[str, ...] = EVENT_FILES,
    ) -> None:
        target.mkdir()
        self.path = target
        self._rest: dict[str, bytes] = {}
        for path in sorted(source.iterdir()):
            content = path.read_bytes()
            start = len(content)
            if path.suffix.removeprefix(".") in growing:
                start = min(start, blocks * BLOCK)
                self._rest[path.name] = content[start:]
            (target / path.name).write_bytes(content[:start])

    @property
    def is_whole(self) -> bool:
        """Whether all is written."""
        return not any(self._rest.values())

    def grow(self, blocks: int = 1) -> None:
        """Write some blocks of each file, in a thread, as another program would."""
        writer = threading.Thread(target=self._write, args=(blocks,))
        writer.start()
        writer.join()

    def start(self) -> threading.Thread:
        """Write all that is left, block by block, while something else goes on."""
        writer = threading.Thread(target=self._write, args=(1 << 20,), daemon=True)
        writer.start()
        return writer

    def _write(self, blocks: int) -> None:
        for _ in range(blocks):
            for name, rest in self._rest.items():
                with (self.path / name).open("ab") as file:
                    file.write(rest[:BLOCK])
                self._rest[name] = rest[BLOCK:]
            if self.is_whole:
                return
            time.sleep(BREATH)
