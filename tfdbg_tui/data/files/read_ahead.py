"""Reads the next block of a file while the last one is still being taken in.

To read, to compute checksums and to compare bytes needs the interpreter little, to judge records
not all the time: two processors have both done in little more than half of the time.
"""

from __future__ import annotations

import sys
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING

from tfdbg_tui.data.files.read_buffers import prepare_heap

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.files.tfrecord import Block, RecordFile

    Prepare = Callable[[Block], None]
    """What is done with every block of a file, one after the other, before it is taken."""

SWITCH_INTERVAL = 0.0005
"""Seconds that a thread may keep the interpreter when the other waits for it."""

PAYS_OFF = 4
"""What is left of a file is read ahead if it fills this part of a block."""


class _Coming:
    """A block on its way."""

    def __init__(self, file: RecordFile, limit: int, prepare: Prepare | None) -> None:
        self._file = file
        self._limit = limit
        self._prepare = prepare
        self._is_there = threading.Event()
        self._block: Block | None = None
        self._error: BaseException | None = None

    def read(self) -> None:
        """Read it; what fails is for whoever asks for it."""
        try:
            self._block = self._file.read(self._limit)
            if self._block is not None and self._prepare is not None:
                self._prepare(self._block)
        except BaseException as error:
            self._error = error
        self._is_there.set()

    def wait(self) -> None:
        """Let it come."""
        self._is_there.wait()

    def taken(self) -> Block | None:
        """The block, when it is there."""
        self.wait()
        if self._error is not None:
            raise self._error
        return self._block


class ReadAhead:
    """A thread that reads ahead, for as long as a `with` block; blocks come in file order.

    While a block is on its way, nobody else may read its file forward or look at it.
    """

    def __init__(self) -> None:
        self._coming: dict[RecordFile, _Coming] = {}
        self._wanted: SimpleQueue[_Coming | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> ReadAhead:
        self._switch_interval = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_INTERVAL)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setswitchinterval(self._switch_interval)
        if self._thread is not None:
            self._wanted.put(None)
            self._thread.join()

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
        if coming is None:
            coming = _Coming(file, limit, prepare)
            coming.read()
        block = coming.taken()
        if block is not None:
            self.begin(file, limit, prepare)
        return block

    def begin(self, file: RecordFile, limit: int, prepare: Prepare | None = None) -> None:
        """Have the next block of a file come, if it is worth it and none is on its way."""
        if file not in self._coming and file.size - file.position >= limit // PAYS_OFF:
            self._coming[file] = _Coming(file, limit, prepare)
            self._start_thread()
            self._wanted.put(self._coming[file])

    def _start_thread(self) -> None:
        """Start the thread, once there is something for it to do: small recordings need none."""
        if self._thread is None:
            prepare_heap()
            self._thread = threading.Thread(target=self._work, name="read-ahead", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        for wanted in iter(self._wanted.get, None):
            wanted.read()
