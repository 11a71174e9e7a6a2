"""Files in the user's own folder: for their owner alone, and never half written."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from platformdirs import user_state_dir

FOLDER_MODE, FILE_MODE = 0o700, 0o600


def folder() -> Path:
    """Where it is kept what outlives a session."""
    return Path(user_state_dir("tfdbg-tui"))


def write_whole(path: Path, text: str) -> None:
    """Write a text beside a file and have it take its place; a link stays one."""
    target = Path(os.path.realpath(path))
    target.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    mode = target.stat().st_mode & 0o777 if target.exists() else FILE_MODE
    number, scratch = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with open(number, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(scratch).chmod(mode)
        Path(scratch).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(scratch).unlink()
        raise
