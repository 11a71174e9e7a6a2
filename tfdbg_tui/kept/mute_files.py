"""Where it is kept what the user has muted: one text a logdir, or the one that they name."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tfdbg_tui.data.cause.mutes import MuteError, Mutes, read_mutes
from tfdbg_tui.errors import UserError
from tfdbg_tui.kept import logdir_files
from tfdbg_tui.kept.keeper import Keeper

HEADER = (
    "# What is muted in {logdir}: a query a line, as in the app behind &. See tfdbg-tui's README.\n"
)


def file_of(logdir: Path) -> Path:
    """The file of a logdir."""
    return logdir_files.file_of(logdir, "mutes", "mute")


def read(path: Path, has_to_exist: bool = True) -> Mutes:
    """What a file mutes; raises UserError."""
    wanted = "a file with a rule a line" if has_to_exist else None
    text = logdir_files.read_text(path, "a list of what is muted", wanted)
    try:
        return read_mutes(text)
    except MuteError as error:
        raise UserError(f"{path}, {error}") from error


def read_mutes_of(named: str) -> Mutes:
    """What the file mutes that a user names; raises UserError."""
    return read(Path(named))


def write(path: Path, mutes: Mutes, logdir: Path) -> str | None:
    """Keep what is muted; a sentence if that cannot be done."""
    header = HEADER.format(logdir=ascii(str(logdir)))
    return logdir_files.write_text(path, mutes.to_text(), header, "What is muted")


def keeper_of(logdir: Path, named: str | None = None) -> Keeper[Mutes]:
    """Keeps what is muted in a logdir, in its file or in the one that the user names."""
    path = file_of(logdir) if named is None else Path(named)
    mutes = read(path, has_to_exist=named is not None)
    return Keeper(path, mutes, partial(_write, path, logdir))


def _write(path: Path, logdir: Path, mutes: Mutes) -> str | None:
    return write(path, mutes, logdir)
