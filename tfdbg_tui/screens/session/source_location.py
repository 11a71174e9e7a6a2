"""The source line that is selected, for an editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.views.navigator import Navigator


class SourceLocation(NamedTuple):
    """A recorded line."""

    path: str
    line: int
    recorded: tuple[str, ...] | None
    """The lines of the file as they were recorded, if they were."""


def source_location(navigator: Navigator) -> SourceLocation | None:
    """Which line of which file is selected; None if there is none, or its file is not on disk."""
    index, file = navigator.index, navigator.selection.file
    if index is None or file is None:
        return None
    sources = index.host.sources
    source = sources.get(file)
    if source is None:
        return None
    return SourceLocation(source.path, navigator.selection.line or 1, sources.lines(file))
