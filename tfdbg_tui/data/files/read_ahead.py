"""Reads the next block of a file while the last one is still being taken in.

To read, to compute checksums and to compare bytes needs the interpreter little, to judge records
not all the time: two processors have both done in little more than half of the time.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.files.reading_thread import Coming, ReadingThread
    from tfdbg_tui.data.files.tfrecord import Block, RecordFile

    Prepare = Callable[[Block], None]
    """What is done with every block of a file, one after the other, before it is taken."""

SWITCH_INTERVAL = 0.0005
"""Seconds that a thread may keep the interpreter when the other waits for it."""

PAYS_OFF = 4
"""What is left of a file is read ahead if it fills this part of a block."""


class ReadAhead:
    """A thread that reads ahead, for as long as a `with` block; blocks come in file order.

    While a block is on its way, nobody else may read its file forward or look at it.
    """

    def __init__(self) -> None:
        self._coming: dict[RecordFile, Coming] = {}
        self._thread: ReadingThread | None = None

    def __enter__(self) -> ReadAhead:
        self._switch_interval = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_INTERVAL)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setswitchinterval(self._switch_interval)
        if self._thread is not None:
            self._thread.end()

    @property
    def is_any_coming(self) -> bool:
        """Whether a block was read that nobody has taken yet."""
        return bool(self._coming)

    def wait_for(self, file: RecordFile) -> None:
        """Let what is read of a file come to its end."""
        if file in self._coming:
            self._coming[file].wait()

    def read(self, file: RecordFile, limit: int, prepare: Prepare | None = None) -> Block | None:
        """The next block of a file; the one behind it is on its way when this returns."""
        coming = self._coming.pop(file, None)
        block = _read(file, limit, prepare) if coming is None else coming.taken()
        if block is not None:
            self.begin(file, limit, prepare)
        return block

    def begin(self, file: RecordFile, limit: int, prepare: Prepare | None = None) -> None:
        """Have the next block of a file come, if it is worth it and none is on its way."""
        left = file.size - file.position
        # To start the thread takes longer than to read a small recording without it.
        is_worth_it = left >= (limit if self._thread is None else limit // PAYS_OFF)
        if is_worth_it and file not in self._coming:
            read = partial(_read, file, limit, prepare)
            self._coming[file] = self._started_thread().begin(read)

    def _started_thread(self) -> ReadingThread:
        if self._thread is None:
            from tfdbg_tui.data.files.reading_thread import ReadingThread

            self._thread = ReadingThread()
        return self._thread


def _read(file: RecordFile, limit: int, prepare: Prepare | None) -> Block | None:
    """The next block of a file, prepared."""
    block = file.read(limit)
    if block is not None and prepare is not None:
        prepare(block)
    return block
