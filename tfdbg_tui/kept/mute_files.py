"""Where it is kept what the user has muted: one text a logdir, or the one that they name.

The texts lie in the user's own folder, never in the logdir: they hold names and lines of a program.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.mutes import MuteError, Mutes, read_mutes
from tfdbg_tui.errors import UserError
from tfdbg_tui.kept.private_files import folder, write_whole
from tfdbg_tui.words import os_reason

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_BYTES = 1_000_000
"""More is no list of rules."""

HASHED = 12
"""Digits that tell logdirs of the same name apart."""

MAX_STEM = 40
"""Characters of the logdir's name in that of its file."""

HEADER = (
    "# What is muted in {logdir}: a query a line, as in the app behind &. See tfdbg-tui's README.\n"
)


def file_of(logdir: Path) -> Path:
    """The file of a logdir: it is called like that, and a number tells which of that name."""
    path = str(_resolved(logdir))
    number = hashlib.sha256(os.fsencode(path)).hexdigest()[:HASHED]
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", Path(path).name)[:MAX_STEM].strip("-.") or "logdir"
    return folder() / "mutes" / f"{stem}-{number}.mute"


def _resolved(logdir: Path) -> Path:
    try:
        return logdir.resolve()
    except (OSError, RuntimeError, ValueError):  # links in a ring, a name that none can have
        return logdir.absolute()


def read(path: Path, has_to_exist: bool = True) -> Mutes:
    """What a file mutes; raises UserError."""
    try:
        with path.open("rb") as file:
            told = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        if not has_to_exist:
            return Mutes()
        raise UserError(f"{path} does not exist; give a file with a rule a line.") from None
    except (OSError, ValueError) as error:
        reason = os_reason(error) if isinstance(error, OSError) else str(error)
        if not has_to_exist and isinstance(error, (NotADirectoryError, PermissionError)):
            return Mutes()
        raise UserError(f"{path} cannot be read ({reason}).") from error
    if len(told) > MAX_BYTES:
        raise UserError(f"{path} is too large for a list of what is muted.")
    try:
        return read_mutes(told.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not text in UTF-8.") from error
    except MuteError as error:
        raise UserError(f"{path}, {error}") from error


def read_mutes_of(named: str) -> Mutes:
    """What the file mutes that a user names; raises UserError."""
    return read(Path(named))


def write(path: Path, mutes: Mutes, logdir: Path) -> str | None:
    """Keep what is muted; a sentence if that cannot be done."""
    try:
        _write(path, mutes, logdir)
    except OSError as error:
        return f"What is muted is not kept: {path} cannot be written ({os_reason(error)})."
    return None


def _write(path: Path, mutes: Mutes, logdir: Path) -> None:
    text = mutes.to_text()
    target = Path(os.path.realpath(path))
    if not target.exists():
        text = HEADER.format(logdir=ascii(str(logdir))) + text
    write_whole(target, text)


class MuteKeeper:
    """Keeps what is muted in one session: each change in a thread, so that no key waits for it."""

    def __init__(self, path: Path, logdir: Path, has_to_exist: bool) -> None:
        self.path = path
        self.mutes = read(path, has_to_exist)
        """What is muted when the session begins."""
        self._logdir = logdir
        self._wanted = self._written = self.mutes
        self._lock = threading.Lock()

    async def keep(self, mutes: Mutes, complain: Callable[[str], None]) -> None:
        """Write down what is muted now; of several changes the last one counts."""
        self._wanted = mutes
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
            return write(self.path, wanted, self._logdir)


def keeper_of(logdir: Path, named: str | None = None) -> MuteKeeper:
    """Keeps what is muted in a logdir, in its file or in the one that the user names."""
    if named is not None:
        return MuteKeeper(Path(named), logdir, has_to_exist=True)
    return MuteKeeper(file_of(logdir), logdir, has_to_exist=False)
