"""Writes to a terminal without ever waiting for it: a slow one, or one that nobody reads.

What the terminal takes at once is written at once. The rest is queued and a thread writes it as
fast as the terminal takes it. Nobody else waits, except at the end and then not for long: what a
terminal has not taken by then is dropped, also what the system keeps for it, so that the last words
come through.
"""

from __future__ import annotations

import contextlib
import os
import select
import termios
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

FAR_BEHIND = 8 << 10
"""Bytes that wait: more would be old before they are seen. About one full screen."""

PIECE = 512
"""Bytes written at once where a write may block."""

ROOM_TIMEOUT = 100
"""Milliseconds between two looks whether a terminal takes something again."""

TYPICAL_SPEED = 100_000
"""Bytes a second that a terminal takes at least if it is not slow; nobody can ask it."""

SETTLING = 0.4
"""Seconds that such a terminal has at most to take what it was given last."""

SHOW = "\x1b[?2026l"
"""Shows a screen that is kept back until all of it is there; it begins with an escape character,
which ends a sequence whose rest was dropped."""


class TerminalWriter:
    """The output of a terminal; `caught_up` is called in its thread when nothing waits any more."""

    def __init__(self, terminal: int, encoding: str, caught_up: Callable[[], None]) -> None:
        self._terminal = terminal
        self._encoding = encoding
        self._caught_up = caught_up
        self._changed = threading.Condition()
        self._queue: deque[bytes] = deque()
        self._waiting = 0
        """Bytes in the queue, and those of a piece that is being written."""
        self._is_awaited = self._is_stopping = self._is_gone = False
        self._dropped = 0
        """How often everything was dropped: a piece that was taken before is not gone on with."""
        self._settled_at = time.monotonic()
        """When a terminal that is not slow has taken all that the system keeps for it."""
        self._descriptor, self._blocks = _opened(terminal)
        self._thread = threading.Thread(target=self._run, name="terminal-output", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def write(self, text: str) -> None:
        """Have a text written; returns at once."""
        data = text.encode(self._encoding, "backslashreplace")
        with self._changed:
            data = data[self._write_at_once(data) :]
            if data and not self._is_gone:
                self._queue.append(data)
                self._waiting += len(data)
                self._changed.notify_all()

    def _write_at_once(self, data: bytes) -> int:
        """Write what the terminal takes now, if nothing is before it; the bytes it took.

        The thread would get to it later: when whoever writes has nothing else to do.
        """
        if not data or self._waiting or self._blocks or not self._thread.is_alive():
            return 0
        try:
            count = os.write(self._descriptor, data)
        except BlockingIOError:
            return 0
        except OSError:
            self._give_up()
            return 0
        self._note_time(count)
        return count

    def is_far_behind(self) -> bool:
        """Whether it is better to write nothing now; `caught_up` is called when it is again."""
        with self._changed:
            self._is_awaited = self._is_awaited or self._waiting > FAR_BEHIND
            return self._is_awaited

    def drop(self, timeout: float) -> None:
        """Wait some seconds for what is queued, then drop what the terminal has not taken."""
        with self._changed:
            all_written = self._changed.wait_for(lambda: not self._waiting, timeout)
            rest = self._settled_at - time.monotonic()
            self._is_awaited = False
        if all_written:
            time.sleep(min(SETTLING, max(0.0, rest)))
        with self._changed:
            self._queue.clear()
            self._waiting = 0
            self._dropped += 1
        with contextlib.suppress(termios.error):  # it is gone
            termios.tcflush(self._terminal, termios.TCOFLUSH)
        self.write(SHOW)

    def stop(self, timeout: float) -> None:
        """Wait some seconds for what is queued, and write no more."""
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting, timeout)
            self._is_stopping = True
            self._changed.notify_all()
        self._thread.join(timeout)
        if not self._blocks and not self._thread.is_alive():
            os.close(self._descriptor)

    # In the thread.

    def _run(self) -> None:
        try:
            while (taken := self._next()) is not None:
                self._write(*taken)
        except OSError:
            self._give_up()

    def _next(self) -> tuple[bytes, int] | None:
        """The next text, and how often all was dropped before it; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._is_stopping)
            return None if self._is_stopping else (self._queue.popleft(), self._dropped)

    def _write(self, data: bytes, dropped: int) -> None:
        rest = memoryview(data)
        while rest and self._dropped == dropped and not self._is_stopping:
            count = self._write_some(rest)
            rest = rest[count:]
            if count:
                self._note(count, dropped)

    def _write_some(self, data: memoryview) -> int:
        """Write what the terminal takes now; 0 after a moment in which it took nothing."""
        if self._blocks:
            return os.write(self._descriptor, data[:PIECE]) if self._has_room() else 0
        try:
            return os.write(self._descriptor, data)
        except BlockingIOError:
            self._has_room()
            return 0

    def _has_room(self) -> bool:
        """Whether the terminal takes something; waits a moment for it."""
        poll = select.poll()
        poll.register(self._descriptor, select.POLLOUT)
        return bool(poll.poll(ROOM_TIMEOUT))

    def _note(self, count: int, dropped: int) -> None:
        with self._changed:
            self._note_time(count)
            if self._dropped != dropped:
                return
            self._waiting -= count
            if self._waiting:
                return
            was_awaited, self._is_awaited = self._is_awaited, False
            self._changed.notify_all()
        if was_awaited:
            self._caught_up()

    def _note_time(self, count: int) -> None:
        """So many bytes more are on their way through the terminal."""
        self._settled_at = max(self._settled_at, time.monotonic()) + count / TYPICAL_SPEED

    def _give_up(self) -> None:
        """The terminal is gone: there is nobody to write for."""
        with self._changed:
            self._is_gone = True
            self._queue.clear()
            self._waiting = 0
            self._changed.notify_all()


def _opened(terminal: int) -> tuple[int, bool]:
    """A descriptor to write to, and whether writing may block.

    To open the terminal once more leaves that of the shell and other programs, which is the same
    as ours, blocking as they know it.
    """
    wanted = os.fstat(terminal)
    for name in (f"/proc/self/fd/{terminal}", _name_of(terminal)):
        try:
            flags = os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC
            descriptor = os.open(name, flags)
        except OSError:
            continue
        if os.fstat(descriptor).st_rdev == wanted.st_rdev and not os.get_blocking(descriptor):
            return descriptor, False
        os.close(descriptor)
    return terminal, True


def _name_of(terminal: int) -> str:
    try:
        return os.ttyname(terminal)
    except OSError:
        return ""
