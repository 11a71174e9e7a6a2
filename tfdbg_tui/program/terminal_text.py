"""What a program writes to its terminal, as lines: progress bars overwrite themselves here too.

Colours and other control sequences are left out. Knows no process and no screen.
"""

from __future__ import annotations

import codecs
import re

MAX_LINES = 5_000
"""Lines that are kept; the file beside the recording has all of them."""

MAX_LINE_LENGTH = 2_000
"""Characters after which a line is broken, as a terminal would."""

TAB = 8
"""Columns between two tab stops."""

MAX_SEQUENCE_LENGTH = 256
"""Characters to wait for the end of an escape sequence; a longer one is taken as text."""

_TOKEN = re.compile(
    r"\x1b\[(?P<numbers>[0-9;?]*)[ -/]*(?P<command>[@-~])"  # move, erase, colour
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)"  # titles, clipboards and the like
    r"|\x1b[ -/]*[0-Z\\`-~]"
    r"|(?P<control>[\n\r\b\t])"
    r"|(?P<text>[^\x00-\x1f\x7f-\x9f]+)"
    r"|[\x00-\x1f\x7f-\x9f]"
)
_UNFINISHED = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?|[ -/]*)$")


class OutputText:
    """The last lines of a program's output."""

    def __init__(self, max_lines: int = MAX_LINES) -> None:
        self._max_lines = max_lines
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._unfinished = ""
        self._lines = [""]
        self._row = self._column = 0

    def write(self, written: bytes) -> None:
        """Add what the program wrote next; it may be cut anywhere, even inside a character."""
        text = self._unfinished + self._decoder.decode(written)
        end = _UNFINISHED.search(text, max(0, len(text) - MAX_SEQUENCE_LENGTH))
        self._unfinished = "" if end is None else end.group()
        for token in _TOKEN.finditer(text, 0, len(text) - len(self._unfinished)):
            if token["text"]:
                self._put(token["text"])
            elif token["control"]:
                self._control(token["control"])
            elif token["command"]:
                self._command(token["command"], token["numbers"])
        if len(self._lines) > 2 * self._max_lines:
            self._drop_old_lines()

    def lines(self) -> tuple[str, ...]:
        """The last lines; the very last is that of the cursor, and may be empty."""
        return tuple(self._lines[-self._max_lines :])

    def _put(self, text: str) -> None:
        while text:
            if self._column >= MAX_LINE_LENGTH:
                self._move_to(self._row + 1, 0)
            part, text = (
                text[: MAX_LINE_LENGTH - self._column],
                text[MAX_LINE_LENGTH - self._column :],
            )
            line = self._lines[self._row].ljust(self._column)
            end = self._column + len(part)
            self._lines[self._row] = line[: self._column] + part + line[end:]
            self._column = end

    def _control(self, character: str) -> None:
        if character == "\n":
            self._move_to(self._row + 1, 0)
        elif character == "\r":
            self._column = 0
        elif character == "\b":
            self._column = max(0, self._column - 1)
        else:
            self._column = min(MAX_LINE_LENGTH, (self._column // TAB + 1) * TAB)

    def _command(self, command: str, numbers: str) -> None:
        first = numbers.partition(";")[0]
        count = int(first) if first.isdecimal() else 0
        steps = max(1, min(count, MAX_LINE_LENGTH))
        if command in "AF":
            self._move_to(self._row - steps, 0 if command == "F" else self._column)
        elif command in "BE":
            self._move_to(self._row + steps, 0 if command == "E" else self._column)
        elif command == "C":
            self._column = min(MAX_LINE_LENGTH, self._column + steps)
        elif command == "D":
            self._column = max(0, self._column - steps)
        elif command == "G":
            self._column = steps - 1
        elif command == "K":
            self._erase(count)

    def _erase(self, which: int) -> None:
        """Erase the line from the cursor on, or up to it, or all of it."""
        line = self._lines[self._row]
        kept = line[: self._column] if which == 0 else ""
        blanked = " " * (self._column + 1) + line[self._column + 1 :] if which == 1 else kept
        self._lines[self._row] = blanked.rstrip()

    def _move_to(self, row: int, column: int) -> None:
        self._row, self._column = max(0, row), column
        while len(self._lines) <= self._row:
            self._lines.append("")

    def _drop_old_lines(self) -> None:
        gone = len(self._lines) - self._max_lines
        del self._lines[:gone]
        self._row = max(0, self._row - gone)
