"""Keeps a recording live: flushes it regularly, and at every way the program may end.

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
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType

FLUSH_WAIT = 2.0
"""Seconds that the end of the program waits for a flush in another thread."""

HANDLER_WAIT = 0.5
"""Seconds that the main thread has to handle a signal by itself."""

NO_FD = -1
"""No fd for `signal.set_wakeup_fd`."""


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
        self._wakeup_fd = NO_FD
        """Our wakeup fd: the system writes the number of each signal to it at once."""

    def start(self) -> None:
        """Begin; it goes on until the program ends."""
        os.register_at_fork(
            before=self._lock.acquire,
            after_in_parent=self._lock.release,
            after_in_child=self._forget,
        )
        atexit.register(self._end)
        self._flush_before_traceback()
        self._flush_before_termination()
        if self._every:
            threading.Thread(target=self._flush_regularly, name="tfdbg-flush", daemon=True).start()

    def now(self) -> None:
        """Flush; may be called from any thread, at any time."""
        if os.getpid() != self._process:
            return
        # A signal may interrupt a flush, and its handler flushes too: never wait for ever.
        if self._lock.acquire(timeout=FLUSH_WAIT):
            try:
                self._flush()
            finally:
                self._lock.release()

    def _flush_regularly(self) -> None:
        while not self._ending.wait(self._every):
            self.now()

    def _end(self) -> None:
        self._ending.set()
        self.now()

    def _forget(self) -> None:
        """In a forked child: undo what the parent set up."""
        self._lock = threading.RLock()
        self._ending.set()
        if self._handles_sigterm():
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            _set_wakeup_fd(NO_FD, instead_of=self._wakeup_fd)
        self._abandon()

    def _flush_before_traceback(self) -> None:
        """Flush at an uncaught exception: if other threads go on, the program may never exit."""
        tell = sys.excepthook

        def flush_and_tell(
            kind: type[BaseException], error: BaseException, trace: TracebackType | None
        ) -> None:
            with contextlib.suppress(Exception):
                self.now()
            tell(kind, error, trace)

        sys.excepthook = flush_and_tell

    def _flush_before_termination(self) -> None:
        """Flush at SIGTERM, unless the program has a handler of its own."""
        is_main = threading.current_thread() is threading.main_thread()
        if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
            return
        signal.signal(signal.SIGTERM, self._flush_and_die)
        # A handler runs only when the main thread has a moment; the wakeup fd is written at once.
        read_end, self._wakeup_fd = os.pipe()
        os.set_blocking(self._wakeup_fd, False)
        _set_wakeup_fd(self._wakeup_fd, instead_of=NO_FD)
        threading.Thread(target=self._listen, args=[read_end], daemon=True).start()

    def _flush_and_die(self, number: int, frame: FrameType | None) -> None:
        if os.getpid() == self._process:
            self._end()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _listen(self, read_end: int) -> None:
        """End the program soon after SIGTERM, even if its main thread never runs the handler."""
        while number := os.read(read_end, 1):
            if number[0] == signal.SIGTERM and self._handles_sigterm():
                self.now()
                time.sleep(HANDLER_WAIT)
                if self._handles_sigterm():  # else the program has found another way to end
                    _die_of(signal.SIGTERM)

    def _handles_sigterm(self) -> bool:
        return signal.getsignal(signal.SIGTERM) == self._flush_and_die


def _set_wakeup_fd(number: int, instead_of: int) -> None:
    """Have signals written to another fd, unless a third party, such as asyncio, has its own."""
    before = signal.set_wakeup_fd(number, warn_on_full_buffer=False)
    if before != instead_of:
        signal.set_wakeup_fd(before)


def _die_of(number: int) -> None:
    """End this process by a signal; Python lets only the main thread reset its handler."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).signal(number, 0)  # SIG_DFL
    os.kill(os.getpid(), number)
