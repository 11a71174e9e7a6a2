"""Keeps a recording live: flushes it on time, and whenever the program may come to its end.

Knows neither TensorFlow nor what a flush does. Every hook it sets calls on to the one that was
there before, so that the program notices nothing.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType

PATIENCE = 2.0
"""Seconds that the end of the program waits at most for a flush that goes on."""


class LiveFlush:
    """Calls `flush` every so many seconds, at exit, at SIGTERM and at an uncaught exception.

    A forked child has the same files open and half-written buffers of its own: it calls
    `abandon` instead, once, and never flushes.
    """

    def __init__(
        self, flush: Callable[[], None], abandon: Callable[[], None], every: float | None
    ) -> None:
        self._flush = flush
        self._abandon = abandon
        self._every = every
        self._process = os.getpid()
        self._ending = threading.Event()
        self._lock = threading.RLock()

    def start(self) -> None:
        """Begin; there is no end to it but that of the program."""
        os.register_at_fork(
            before=self._lock.acquire,
            after_in_parent=self._lock.release,
            after_in_child=self._forget,
        )
        atexit.register(self._end)
        self._flush_before_traceback()
        self._flush_before_termination()
        if self._every:
            threading.Thread(target=self._keep_on, name="tfdbg-flush", daemon=True).start()

    def now(self) -> None:
        """Flush; from any thread, as often as one likes."""
        if os.getpid() != self._process:
            return
        # A signal may come in the midst of a flush, whose thread then waits for its handler.
        if self._lock.acquire(timeout=PATIENCE):
            try:
                self._flush()
            finally:
                self._lock.release()

    def _keep_on(self) -> None:
        while not self._ending.wait(self._every):
            self.now()

    def _end(self) -> None:
        self._ending.set()
        self.now()

    def _forget(self) -> None:
        self._lock = threading.RLock()
        self._ending.set()
        self._abandon()

    def _flush_before_traceback(self) -> None:
        """A program whose other threads go on may never come to its exit."""
        tell = sys.excepthook

        def flush_and_tell(
            kind: type[BaseException], error: BaseException, trace: TracebackType | None
        ) -> None:
            with contextlib.suppress(Exception):
                self.now()
            tell(kind, error, trace)

        sys.excepthook = flush_and_tell

    def _flush_before_termination(self) -> None:
        """Where the program has no handler of its own; one that it has ends it in its own way."""
        is_main = threading.current_thread() is threading.main_thread()
        if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
            return

        def flush_and_die(number: int, frame: FrameType | None) -> Any:
            if os.getpid() == self._process:
                self._end()
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

        signal.signal(signal.SIGTERM, flush_and_die)
