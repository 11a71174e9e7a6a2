"""The rows of a source file: one a line, and some more below the chosen one."""

from __future__ import annotations

from tfdbg_tui.frozen.named_tuple import NamedTuple


class SourceLine(NamedTuple):
    """A line of a source file, counted from 1, or a further row of the same line."""

    number: int
    part: int = 0
    """0 is the line itself; what is wrapped and what is said of it come below."""


class SourceRows:
    """A row source: all lines of a file, one of them with rows of its own below it."""

    def __init__(self, lines: int) -> None:
        self._lines = lines
        self._line, self._more = lines + 1, 0

    def widen(self, line: int | None, more: int) -> bool:
        """Give a line so many rows below its own; False if it has them already."""
        before = (self._line, self._more)
        is_there = line is not None and 0 < line <= self._lines
        self._line = line if is_there and line is not None else self._lines + 1
        self._more = more if is_there else 0
        return (self._line, self._more) != before

    def __len__(self) -> int:
        return self._lines + self._more

    def row_of(self, line: int) -> int:
        """The row of a line."""
        return line - 1 + (self._more if line > self._line else 0)

    def rows_of(self, line: int) -> range:
        """The row of a line, and those below it that belong to it."""
        row = self.row_of(line)
        return range(row, row + 1 + (self._more if line == self._line else 0))

    def line_of(self, row: int) -> SourceLine:
        """What a row shows."""
        if row < self._line:
            return SourceLine(row + 1)
        if row < self._line + self._more:
            return SourceLine(self._line, row - self._line + 1)
        return SourceLine(row + 1 - self._more)

    def rows(self, start: int, stop: int) -> list[SourceLine]:
        """Some rows, counted from 0."""
        return [self.line_of(row) for row in range(start, min(stop, len(self)))]
