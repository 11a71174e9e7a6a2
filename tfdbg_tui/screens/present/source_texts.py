"""The recorded texts of source files, each read once for all panes that show lines of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.widgets.highlight import HighlightedSource

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.sources import SourceFiles

MAX_KEPT = 64
"""Files that are kept; of more the one read first goes."""


class SourceTexts:
    """Reads a file when a line of it is first shown."""

    def __init__(self) -> None:
        self._texts: dict[tuple[SourceFiles, int], HighlightedSource] = {}

    def text(self, sources: SourceFiles, file: int) -> HighlightedSource | None:
        """A file by its number; None while it is not on disk, or if it was not recorded."""
        known = self._texts.get((sources, file))
        if known is not None:
            return known
        lines = sources.lines(file)
        if lines is None:
            return None
        while len(self._texts) >= MAX_KEPT:
            del self._texts[next(iter(self._texts))]
        return self._texts.setdefault((sources, file), HighlightedSource(lines))

    def code(self, sources: SourceFiles, file: int, line: int) -> str | None:
        """A line without its indentation, counted from 1; None where it is not known."""
        text = self.text(sources, file)
        return None if text is None else text.code_at(line)
