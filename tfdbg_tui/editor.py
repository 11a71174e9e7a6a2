"""Opening a recorded line in the user's editor."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.words import os_reason, reason_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

AT_COLON = {"code", "codium", "subl", "zed", "hx", "helix"}
"""Editors that take `file:line`; the others take `+line file`."""


NO_TEXT = ("/proc/", "/sys/")
"""Where files are no files, though they say so: the system shows itself there."""

MAX_COMPARED = 32 << 20
"""Bytes of a file that is compared with what was recorded, at most."""

MAX_BYTES_A_CHARACTER = 4

LONGEST_LINE_END = "\r\n"


def command(path: str, line: int) -> list[str]:
    """The command that opens a file at a line in $VISUAL or $EDITOR.

    The path is whole: it begins with a slash, and cannot pass for an option.
    """
    words = _editor()
    name = Path(words[0]).name
    if name in AT_COLON:
        go_to = ["--goto"] if name in ("code", "codium") else []
        return [*words, *go_to, f"{path}:{line}"]
    return [*words, f"+{line}", path]


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
    """Why a file on disk is not known to be the recorded one."""

    sentence: str
    can_be_opened: bool
    """Whether there is a file of text at all."""


def examine(
    path: str,
    recorded: Callable[[], Sequence[str] | None],
    tell: Callable[[Difference | None], None],
) -> None:
    """Have `tell` told how a file differs from the recorded one, in a thread that may take long."""

    def look() -> None:
        found: Difference | None
        try:
            found = difference(path, recorded())
        except Exception as error:
            # Whatever it is, it would end the thread, and the user would never hear of it.
            found = _refused(f"{path} cannot be looked at ({reason_of(error)}).")
        tell(found)

    threading.Thread(target=look, name="editor-examine", daemon=True).start()


def difference(path: str, recorded: Sequence[str] | None) -> Difference | None:
    """How a file on disk differs from the recorded one; None if it is the same.

    Nothing but a file of text is ever opened: neither a device nor a pipe, and nothing in which
    the system shows itself. Of a file no more is read than was recorded.
    """
    if not os.path.isabs(path):  # noqa: PTH117 - it may be no path at all
        # Where it lay when it was recorded has nothing to do with where we are.
        return _refused(f"{path} cannot be found: its folder was not recorded.")
    try:
        whole = os.path.realpath(path)
        found = os.stat(whole)  # noqa: PTH116
        if not stat.S_ISREG(found.st_mode) or whole.startswith(NO_TEXT):
            return _refused(f"{path} is no file of text; it is not opened.")
        if recorded is None:
            outside = f"{path} lies outside what was recorded as source; it may be another file."
            return Difference(outside, can_be_opened=True)
        if found.st_size > MAX_COMPARED:
            return Difference(f"{path} is too long to be compared.", can_be_opened=True)
        is_same = _is_same(whole, recorded)
    except PermissionError as error:
        return _refused(f"{path} cannot be read ({os_reason(error)}).")
    except (OSError, ValueError):
        return _refused(f"{path} is not on this machine.")
    if is_same:
        return None
    changed = f"{path} has changed since it was recorded; lines may differ."
    return Difference(changed, can_be_opened=True)


def _refused(sentence: str) -> Difference:
    return Difference(sentence, can_be_opened=False)


def _is_same(path: str, recorded: Sequence[str]) -> bool:
    """Whether a file has the recorded lines; it is read as far as they can reach."""
    longest = sum(MAX_BYTES_A_CHARACTER * len(line) + len(LONGEST_LINE_END) for line in recorded)
    longest = min(longest, MAX_COMPARED)
    # A named pipe that has come meanwhile would be waited for.
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    with open(number, "rb") as file:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode) or found.st_size > longest:
            return False
        content = file.read(longest + 1)
    on_disk = content.decode("utf-8", errors="replace")
    return len(content) <= longest and _lines(on_disk.split("\n")) == _lines(recorded)


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
