"""Where it is kept what the user watches: one text a logdir."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tfdbg_tui.data.views.watched_names import WatchedName, WatchError, read_names, to_text
from tfdbg_tui.errors import UserError
from tfdbg_tui.kept import logdir_files
from tfdbg_tui.kept.keeper import Keeper

if TYPE_CHECKING:
    from pathlib import Path

    Names = tuple[WatchedName, ...]

HEADER = "# What is watched in {logdir}, a tensor a line, as * in tfdbg-tui has it.\n"


def file_of(logdir: Path) -> Path:
    """The file of a logdir."""
    return logdir_files.file_of(logdir, "watched", "watch")


def read(path: Path) -> Names:
    """What a file watches, nothing if it does not exist; raises UserError."""
    try:
        return read_names(logdir_files.read_text(path, "a list of what is watched"))
    except WatchError as error:
        raise UserError(f"{path}, {error} Mend or delete it.") from error


def keeper_of(logdir: Path) -> Keeper[Names]:
    """Keeps what is watched in a logdir."""
    path = file_of(logdir)
    return Keeper(path, read(path), partial(_write, path, logdir))


def _write(path: Path, logdir: Path, names: Names) -> str | None:
    text = HEADER.format(logdir=ascii(str(logdir))) + to_text(names)
    return logdir_files.write_text(path, text, "", "What is watched")
