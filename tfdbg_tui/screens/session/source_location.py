"""The source line that is selected, for an editor."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.views.navigator import Navigator


class SourceLocation(NamedTuple):
    """A recorded line."""

    path: str
    line: int
    read_recorded: Callable[[], tuple[str, ...] | None]
    """Reads the lines of the file as they were recorded, if they were; not for the screen's
    thread: a file may be long."""


def source_location(navigator: Navigator, read_line: int | None = None) -> SourceLocation | None:
    """Which line of which file is selected, or the one that is read in that file.

    None if there is none, or its file is not on disk.
    """
    index, file = navigator.index, navigator.selection.file
    if index is None or file is None:
        return None
    sources = index.host.sources
    source = sources.get(file)
    if source is None:
        return None
    line = read_line or navigator.selection.line or 1
    return SourceLocation(source.path, line, partial(sources.lines, file))
