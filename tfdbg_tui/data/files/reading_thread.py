"""A thread that reads blocks, one after the other, for whoever asked for them."""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING

from tfdbg_tui.data.files.read_buffers import prepare_heap

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.files.tfrecord import Block


class Coming:
    """A block on its way."""

    def __init__(self, read: Callable[[], Block | None]) -> None:
        self._read = read
        self._is_there = threading.Event()
        self._block: Block | None = None
        self._error: BaseException | None = None

    def come(self) -> None:
        """Read it; what fails is for whoever asks for it."""
        try:
            self._block = self._read()
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


class ReadingThread:
    """The thread, from when this is made until it is told to end."""

    def __init__(self) -> None:
        prepare_heap()
        self._wanted: SimpleQueue[Coming | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="read-ahead", daemon=True)
        self._thread.start()

    def begin(self, read: Callable[[], Block | None]) -> Coming:
        """Have a block come."""
        coming = Coming(read)
        self._wanted.put(coming)
        return coming

    def end(self) -> None:
        """Let it read what was asked for, and wait until it is gone."""
        self._wanted.put(None)
        self._thread.join()

    def _work(self) -> None:
        for wanted in iter(self._wanted.get, None):
            wanted.come()
