"""Keeps a recording live: flushes it on time, and whenever the program may come to its end.

Knows neither TensorFlow nor what a flush does. Every hook it sets calls on to the one that was
there before, so that the program notices nothing.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType

FLUSH_WAIT = 2.0
"""Seconds that the end of the program waits at most for a flush that goes on."""

MOMENT = 0.5
"""Seconds that the main thread has to handle a signal by itself."""

NOBODY = -1
"""Python's number for no place at which signals are told."""


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
        self._told = NOBODY
        """Where the system writes the numbers of signals as they come."""

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
        if self._lock.acquire(timeout=FLUSH_WAIT):
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
        if self._is_ours():
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            _listen_at(NOBODY, instead_of=self._told)
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
        signal.signal(signal.SIGTERM, self._flush_and_die)
        # The handler has to wait while the main thread computes; what is written here does not.
        heard, self._told = os.pipe()
        os.set_blocking(self._told, False)
        _listen_at(self._told, instead_of=NOBODY)
        threading.Thread(target=self._listen, args=[heard], daemon=True).start()

    def _flush_and_die(self, number: int, frame: FrameType | None) -> Any:
        if os.getpid() == self._process:
            self._end()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _listen(self, heard: int) -> None:
        """See to it that the program dies soon, whatever its main thread is busy with."""
        while number := os.read(heard, 1):
            if number[0] == signal.SIGTERM and self._is_ours():
                self.now()
                time.sleep(MOMENT)
                if self._is_ours():  # else the program has found another way to end
                    _die_of(signal.SIGTERM)

    def _is_ours(self) -> bool:
        return signal.getsignal(signal.SIGTERM) == self._flush_and_die


def _listen_at(place: int, instead_of: int) -> None:
    """Have signals told at another place, unless a third party, such as asyncio, listens."""
    before = signal.set_wakeup_fd(place, warn_on_full_buffer=False)
    if before != instead_of:
        signal.set_wakeup_fd(before)


def _die_of(number: int) -> None:
    """What only the main thread may ask Python for, asked of the system."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).signal(number, 0)  # its default
    os.kill(os.getpid(), number)
