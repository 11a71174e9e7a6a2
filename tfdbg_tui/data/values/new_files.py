"""Files that somebody asked for: never over one that is there unless told, never through a link."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from tfdbg_tui.data.values.value_error import ValueQueryError
from tfdbg_tui.words import os_reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class FileThereError(ValueQueryError):
    """The file exists; whoever asked may be asked whether to replace it."""


def writing(path: Path, content: Iterable[bytes], replace: bool = False) -> Iterator[None]:
    """Write a file piece by piece: each step writes one. What is not whole is taken away again."""
    path = path.expanduser()
    _refuse(path, replace)
    written = path.with_name(f".{path.name[:100]}.{os.getpid()}.part") if replace else path
    try:
        descriptor = os.open(written, NEW, 0o666)
    except FileExistsError:
        raise FileThereError(_exists(written)) from None
    except (OSError, ValueError) as error:
        raise _refused(path, error) from None
    is_whole = False
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in content:
                file.write(piece)
                yield
        if replace:
            _refuse(path, replace)
            os.replace(written, path)  # noqa: PTH105 (one step, whatever stands there)
        is_whole = True
    except OSError as error:
        raise _refused(path, error) from None
    finally:
        if not is_whole:
            with suppress(OSError):
                written.unlink()


def _refuse(path: Path, replace: bool) -> None:
    """What is there already and is not to be written over."""
    try:
        found = path.lstat().st_mode
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        raise _refused(path, error) from None
    if stat.S_ISLNK(found):
        raise ValueQueryError(f"{path} is a symbolic link: nothing is written through one.")
    if not stat.S_ISREG(found):
        raise ValueQueryError(f"{path} is no file that could be written.")
    if not replace:
        raise FileThereError(_exists(path))


def _exists(path: Path) -> str:
    return f"{path} exists already; it is not replaced without asking."


def _refused(path: Path, error: OSError | ValueError) -> ValueQueryError:
    reason = os_reason(error) if isinstance(error, OSError) else str(error)
    return ValueQueryError(f"{path} cannot be written: {reason}.")
