"""Opening a recorded line in the user's editor."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.words import os_reason

if TYPE_CHECKING:
    from collections.abc import Iterable

AT_COLON = {"code", "codium", "subl", "zed", "hx", "helix"}
"""Editors that take `file:line`; the others take `+line file`."""


def command(path: str, line: int) -> list[str]:
    """The command that opens a file at a line in $VISUAL or $EDITOR."""
    words = _editor()
    name = Path(words[0]).name
    whole_path = str(Path(path).absolute())  # a recorded name must not pass for an option
    if name in AT_COLON:
        go_to = ["--goto"] if name in ("code", "codium") else []
        return [*words, *go_to, f"{whole_path}:{line}"]
    return [*words, f"+{line}", whole_path]


def _editor() -> list[str]:
    """The words of the first variable that holds any."""
    for name in ("VISUAL", "EDITOR"):
        stated = os.environ.get(name, "")
        try:
            words = shlex.split(stated)
        except ValueError:  # a quotation mark without its pair
            words = stated.split()
        if words:
            return words
    return ["vi"]


class Difference(NamedTuple):
    """Why a file on disk is not the recorded one."""

    sentence: str
    can_be_opened: bool
    """Whether there is a file at all, though with other lines."""


def difference(path: str, recorded: tuple[str, ...] | None) -> Difference | None:
    """How a file on disk differs from the recorded one; None if it is the same."""
    # No device either, which would never end. `Path.is_file` raises for names that are too long.
    if not os.path.isfile(path):  # noqa: PTH113
        return Difference(f"{path} is not on this machine.", can_be_opened=False)
    try:
        on_disk = Path(path).read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        return Difference(f"{path} cannot be read ({os_reason(error)}).", can_be_opened=False)
    if recorded is not None and _lines(on_disk.split("\n")) != _lines(recorded):
        changed = f"{path} has changed since it was recorded; lines may differ."
        return Difference(changed, can_be_opened=True)
    return None


def _lines(lines: Iterable[str]) -> list[str]:
    """Lines without their ends, which differ between systems."""
    return [line.rstrip("\r\n") for line in lines]


def run(path: str, line: int) -> str | None:
    """Run the editor and wait for it; a sentence if that failed."""
    words = command(path, line)
    try:
        code = subprocess.run(words, check=False).returncode
    except OSError as error:
        return f"{words[0]} does not start ({os_reason(error)}); set $EDITOR."
    return f"{words[0]} ended with exit code {code}." if code else None
