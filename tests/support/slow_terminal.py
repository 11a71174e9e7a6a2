"""A terminal that takes what a program writes slowly, or not at all.

with SlowTerminal(["tfdbg-tui", logdir], bytes_per_second=1000) as terminal:
    terminal.press("q")
    terminal.wait_exit()
"""

from __future__ import annotations

import os
import select
import time

from tests.support.terminal import Terminal

LOOK_INTERVAL = 0.05
"""Seconds between two looks at what may be read by now."""


class SlowTerminal(Terminal):
    """A terminal at the end of a bad line."""

    _speed: float | None = None
    _read_at = 0.0

    def read_slowly(self, bytes_per_second: float) -> None:
        """From now on take no more than this; with 0 nothing, as if nobody looked."""
        self._speed, self._read_at = bytes_per_second, time.monotonic()

    def read_fast(self) -> None:
        """From now on take everything at once, as in the beginning."""
        self._speed = None

    def _read(self, timeout: float) -> bytes:
        if self._speed is None:
            return super()._read(timeout)
        until = time.monotonic() + timeout
        while True:
            now = time.monotonic()
            allowed = int((now - self._read_at) * self._speed)
            sources = [self._master] if allowed else []
            sources += [] if self.exit_code is not None else [self._report.fileno()]
            wait = max(0.0, min(until - now, LOOK_INTERVAL))
            ready, _, _ = select.select(sources, [], [], wait)
            if self._master in ready:
                self._read_at = now
                return os.read(self._master, allowed)
            if allowed:
                self._read_at = now  # a line that was free is not faster later on
            if ready:
                self.exit_code = int(self._report.readline())
                return b""
            if now >= until:
                return b""
