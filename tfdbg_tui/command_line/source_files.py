"""Recorded source files by what people type for them: a path, or the end of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.data.index.line_index import SourceEntry

MAX_LIKE = 3
"""Files that are offered in place of one that is not there."""


def files_of(context: Context) -> Iterator[tuple[int, SourceEntry]]:
    """All source files, each host's own first, with the numbers of the hosts."""
    for number, index in context.hosts.items():
        for entry in index.lines.files():
            yield number, entry


def file_named(context: Context, name: str) -> tuple[int, SourceEntry]:
    """The first file whose path is so, or ends so; raises CommandError."""
    wanted = "/" + name.replace("\\", "/").lstrip("/")
    for number, entry in files_of(context):
        if f"/{entry.path}".replace("\\", "/").endswith(wanted):
            return number, entry
    own = [entry.path.rpartition("/")[2] for _, entry in files_of(context) if entry.is_user]
    few = listed(list(dict.fromkeys(own))[:MAX_LIKE])
    hint = f"yours: {few}" if few else "`ls` lists them"
    raise CommandError(f"No recorded source file is called {name[:80]}; {hint}.")
