"""New folders and files beside those of others: nothing that was there before is touched.

A recording holds source code and data, so folders are made for their owner alone. Imports nothing
of ours: programs that record themselves bring it along.
"""

from __future__ import annotations

import contextlib
import errno
import os
from itertools import takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

OWNER_ONLY = 0o700
"""The mode of a folder that nobody else may look into."""

NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
"""How a file is opened that must not be there yet, not even as a link to nowhere."""


def make_folder(folder: Path) -> tuple[Path, ...]:
    """Make a folder and its missing parents for their owner alone; what exists stays as it is.

    Returns those that were made, from the outside in. If one cannot be made, none is left.
    """
    parents = (folder, *folder.parents)
    missing = list(takewhile(lambda path: not path.exists(), parents))
    made: list[Path] = []
    if not missing and not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    try:
        for path in reversed(missing):
            with _unless_made_by_others(path):
                _make(path)
                made.append(path)
    except OSError:
        remove_empty(made)
        raise
    return tuple(made)


def make_new_folder(wanted: Path) -> Path:
    """Make a folder that nobody has yet, for its owner alone: `run-2` for `run`, or `run-3`."""
    number = 2
    while True:
        folder = _numbered(wanted, number)
        with contextlib.suppress(FileExistsError):
            _make(folder)
            return folder
        number += 1


def remove_empty(folders: Sequence[Path]) -> None:
    """Remove folders, given from the outside in, as far as there is nothing in them."""
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()


def open_new_file(wanted: Path, mode: int = 0o666) -> tuple[Path, BinaryIO]:
    """Open a file that nobody has yet, unbuffered: `output.txt` or, if taken, `output-2.txt`.

    A link of that name is not followed, wherever it leads: the name is taken.
    """
    path, number = wanted, 2
    while True:
        with contextlib.suppress(FileExistsError):
            return path, open(os.open(path, NEW_FILE, mode), "wb", buffering=0)
        path, number = _numbered(wanted, number), number + 1


def _numbered(path: Path, number: int) -> Path:
    """The name of another one of that kind: `output-2.txt`."""
    return path.with_name(f"{path.stem}-{number}{path.suffix}")


def _make(folder: Path) -> None:
    folder.mkdir(mode=OWNER_ONLY)
    if folder.stat().st_mode & OWNER_ONLY != OWNER_ONLY:  # an umask that denies even the owner
        folder.chmod(OWNER_ONLY)


@contextlib.contextmanager
def _unless_made_by_others(folder: Path) -> Iterator[None]:
    """Do nothing where somebody else has just made the folder."""
    try:
        yield
    except FileExistsError:
        if not folder.is_dir():
            raise
