"""Opening a recorded line in the user's editor."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

AT_COLON = {"code", "codium", "subl", "zed", "hx", "helix"}
"""Editors that take `file:line`; the others take `+line file`."""


def command(path: str, line: int) -> list[str]:
    """The command that opens a file at a line in $VISUAL or $EDITOR."""
    words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    name = Path(words[0]).name
    if name in AT_COLON:
        go_to = ["--goto"] if name in ("code", "codium") else []
        return [*words, *go_to, f"{path}:{line}"]
    return [*words, f"+{line}", path]


def difference(path: str, recorded: tuple[str, ...] | None) -> str | None:
    """What to know before a file on disk is taken for the recorded one; None if it is the same."""
    try:
        on_disk = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return f"{path} is not on this machine."
    except OSError as error:
        return f"{path} cannot be read ({(error.strerror or str(error)).lower()})."
    if recorded is not None and on_disk != [line.rstrip("\r\n") for line in recorded]:
        return f"{path} has changed since it was recorded; lines may differ."
    return None


def run(path: str, line: int) -> str | None:
    """Run the editor and wait for it; a sentence if that failed."""
    words = command(path, line)
    try:
        code = subprocess.run(words, check=False).returncode
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return f"{words[0]} cannot be started ({reason}); set $EDITOR to an editor."
    return f"{words[0]} ended with exit code {code}." if code else None
