"""Keeps one thing in one session: each change in a thread, so that no key waits for it."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Kept = TypeVar("Kept")


class Keeper(Generic[Kept]):
    """Has what was kept when a session begins; `write` puts another in its place."""

    def __init__(self, path: Path, kept: Kept, write: Callable[[Kept], str | None]) -> None:
        self.path = path
        self.kept = kept
        """What is kept when the session begins."""
        self._write = write
        self._wanted = self._written = kept
        self._lock = threading.Lock()

    async def keep(self, now: Kept, complain: Callable[[str], None]) -> None:
        """Write down what is there now; of several changes the last one counts."""
        self._wanted = now
        sentence = await asyncio.to_thread(self.finish)
        if sentence is not None:
            complain(sentence)

    def finish(self) -> str | None:
        """Write what was to be kept last, unless it is; a sentence if that fails."""
        with self._lock:
            wanted = self._wanted
            if wanted is self._written:
                return None
            self._written = wanted  # once is enough where it fails
            return self._write(wanted)
