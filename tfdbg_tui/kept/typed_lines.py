"""What the user typed behind `:`, from one session to the next: one text for all logdirs."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from tfdbg_tui.kept.private_files import folder, write_whole
from tfdbg_tui.words import os_reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

MAX_LINES = 500
"""Lines that are kept, the newest."""

LONGEST = 2_000
"""Characters of a line that is kept."""

MAX_BYTES = 4 * MAX_LINES * LONGEST
"""More is not ours."""


class LineKeeper:
    """Keeps the lines of one session: each in a thread, so that no key waits for it."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = folder() / "typed-lines.txt" if path is None else path
        self.lines = self._read()
        """What was typed when the session began, the newest last."""
        self._new: list[str] = []
        self._lock = threading.Lock()

    async def keep(self, line: str, complain: Callable[[str], None]) -> None:
        """Keep one more line."""
        self._new.append(line)
        sentence = await asyncio.to_thread(self.finish)
        if sentence is not None:
            complain(sentence)

    def finish(self) -> str | None:
        """Write what is not written yet, behind what other sessions wrote; a sentence if not."""
        with self._lock:
            new, self._new = self._new, []
            if not new:
                return None
            kept = _newest([*self._read(), *new])
            try:
                write_whole(self.path, "".join(f"{line}\n" for line in kept))
            except OSError as error:
                reason = os_reason(error)
                return f"What you type is not kept: {self.path} cannot be written ({reason})."
        return None

    def _read(self) -> tuple[str, ...]:
        """The lines that are kept; what cannot be read is as good as empty."""
        try:
            with self.path.open("rb") as file:
                told = file.read(MAX_BYTES)
        except (OSError, ValueError):
            return ()
        return _newest(told.decode("utf-8", "replace").splitlines())


def _newest(lines: Iterable[str]) -> tuple[str, ...]:
    """The newest lines, each once, none that a terminal would stumble over."""
    fit = [line for line in lines if line and len(line) <= LONGEST and line.isprintable()]
    last = list(dict.fromkeys(reversed(fit)))[:MAX_LINES]
    return tuple(reversed(last))
