"""What was typed before, recalled by how it begins, as shells and vim do."""

from __future__ import annotations


class TypedHistory:
    """The lines typed for one purpose, and which of them is shown."""

    def __init__(self, lines: tuple[str, ...] = ()) -> None:
        self.lines = list(lines)
        self._beginning = ""
        """What was typed when recalling began: what is recalled begins so."""
        self._at = 0
        """The number of the line that is shown; their count while none is."""
        self._shown: str | None = None

    def begin(self) -> None:
        """A new line is typed."""
        self._at, self._shown = len(self.lines), None

    def add(self, line: str) -> None:
        """Take note of a line."""
        if line and self.lines[-1:] != [line]:
            self.lines.append(line)

    def recall(self, typed: str, steps: int) -> str:
        """The line before or after, given what is typed; that itself where there is none."""
        if typed != self._shown:
            self._beginning, self._at = typed, len(self.lines)
        at = self._at + steps
        while 0 <= at < len(self.lines) and not self._fits(self.lines[at], typed):
            at += steps
        if at < 0:
            return typed
        self._at = min(at, len(self.lines))
        self._shown = self._beginning if at >= len(self.lines) else self.lines[at]
        return self._shown

    def _fits(self, line: str, typed: str) -> bool:
        return line.startswith(self._beginning) and line != typed
