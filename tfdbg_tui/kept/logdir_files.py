"""The files where something is kept of a logdir: small texts in the user's own folder.

They never lie in the logdir: they hold names and lines of a program.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from tfdbg_tui.errors import UserError
from tfdbg_tui.kept.private_files import folder as own_folder
from tfdbg_tui.kept.private_files import write_whole
from tfdbg_tui.words import os_reason

MAX_BYTES = 1_000_000
"""More was not written here."""

HASHED = 12
"""Digits that tell logdirs of the same name apart."""

MAX_STEM = 40
"""Characters of the logdir's name in that of its file."""


def file_of(logdir: Path, folder: str, ending: str) -> Path:
    """The file of a logdir: it is called like that, and a number tells which of that name."""
    path = str(_resolved(logdir))
    number = hashlib.sha256(os.fsencode(path)).hexdigest()[:HASHED]
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", Path(path).name)[:MAX_STEM].strip("-.") or "logdir"
    return own_folder() / folder / f"{stem}-{number}.{ending}"


def _resolved(logdir: Path) -> Path:
    try:
        return logdir.resolve()
    except (OSError, RuntimeError, ValueError):  # links in a ring, a name that none can have
        return logdir.absolute()


def read_text(path: Path, what: str, wanted: str | None = None) -> str:
    """The text of a file, which is to be a `what`; raises UserError.

    Empty where there is no file, unless it is `wanted`: then that says what to give.
    """
    try:
        with path.open("rb") as file:
            told = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        if wanted is None:
            return ""
        raise UserError(f"{path} does not exist; give {wanted}.") from None
    except (OSError, ValueError) as error:
        reason = os_reason(error) if isinstance(error, OSError) else str(error)
        if wanted is None and isinstance(error, (NotADirectoryError, PermissionError)):
            return ""
        raise UserError(f"{path} cannot be read ({reason}).") from error
    if len(told) > MAX_BYTES:
        raise UserError(f"{path} is too large for {what}.")
    try:
        return told.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not text in UTF-8.") from error


def write_text(path: Path, text: str, header: str, subject: str) -> str | None:
    """Put a text in the place of what is kept; a new file begins with a header.

    Returns a sentence if that cannot be done; its subject is what is not kept then.
    """
    try:
        _write(path, text, header)
    except OSError as error:
        return f"{subject} is not kept: {path} cannot be written ({os_reason(error)})."
    return None


def _write(path: Path, text: str, header: str) -> None:
    target = Path(os.path.realpath(path))
    write_whole(target, text if target.exists() else header + text)
