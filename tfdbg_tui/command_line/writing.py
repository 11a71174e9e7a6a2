"""Writing what a command tells to a file: never over another unless asked, never through a link."""

from __future__ import annotations

import os
import stat
import tempfile
from typing import TYPE_CHECKING

from tfdbg_tui.command_line.errors import CommandError, FileThereError
from tfdbg_tui.command_line.printing import as_csv, as_json, as_text
from tfdbg_tui.command_line.result import Result
from tfdbg_tui.words import os_reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfdbg_tui.command_line.result import Answer


def write_result(result: Result, path: str, replaces: bool) -> Answer:
    """Write a result as its file is named: `.json` and `.csv` for machines, all else is text."""
    if result.is_empty and not result.heads:
        return result
    written = write_text(path, _parts(result, path), replaces)
    yield
    return Result(f"Written to {path}: {written:,} bytes.", facts={"path": path})


def _parts(result: Result, path: str) -> Iterable[str]:
    name = path.lower()
    if name.endswith(".json"):
        return [as_json(result, result.title)]
    return as_csv(result) if name.endswith(".csv") else as_text(result)


def write_text(path: str, parts: Iterable[str], replaces: bool) -> int:
    """Write a text, and say how many bytes it is; raises CommandError, FileThereError."""
    path = os.path.expanduser(path)  # noqa: PTH111 - a name as it was typed
    try:
        return _replaced(path, parts) if replaces else _made(path, parts)
    except FileExistsError:
        if stat.S_ISLNK(os.lstat(path).st_mode):
            raise _not_followed(path) from None
        raise FileThereError(path) from None
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {os_reason(error)}.") from None


def _made(path: str, parts: Iterable[str]) -> int:
    """Write a file that is not there yet."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(path, flags, 0o666)
    try:
        return _written(descriptor, parts)
    except BaseException:
        os.unlink(path)  # noqa: PTH108
        raise


def _replaced(path: str, parts: Iterable[str]) -> int:
    """Write beside a file, and put the whole in its place."""
    try:
        before = os.lstat(path)
    except FileNotFoundError:
        return _made(path, parts)
    if stat.S_ISLNK(before.st_mode):
        raise _not_followed(path)
    if not stat.S_ISREG(before.st_mode):
        raise CommandError(f"{path} is no file that could be replaced; take another name.")
    descriptor, beside = tempfile.mkstemp(dir=os.path.dirname(path) or ".")  # noqa: PTH120
    try:
        os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
        size = _written(descriptor, parts)
        os.replace(beside, path)  # noqa: PTH105 - a link that was put there meanwhile is replaced
    except BaseException:
        os.unlink(beside)  # noqa: PTH108
        raise
    return size


def _written(descriptor: int, parts: Iterable[str]) -> int:
    size = 0
    with os.fdopen(descriptor, "wb") as file:
        for part in parts:
            size += file.write(part.encode("utf-8", "backslashreplace"))
    return size


def _not_followed(path: str) -> CommandError:
    return CommandError(f"{path} is a symbolic link, which is not followed; take another name.")
