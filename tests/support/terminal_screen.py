"""What a terminal shows and in which state it is, from the bytes that a program wrote.

pyte emulates the screen. What it does not know is kept away from it or added here: control
sequences it would draw as text, the alternate screen, characters without a width.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any, NamedTuple

import pyte
from wcwidth import wcwidth

if TYPE_CHECKING:
    from collections.abc import Iterator

ALTERNATE_SCREEN = 1049
"""The private mode in which full-screen programs draw; leaving it brings the old screen back."""

MODE_NAMES = {
    7: "line wrap",
    25: "cursor",
    1000: "mouse",
    1002: "mouse",
    1003: "mouse",
    1004: "focus reports",
    1006: "mouse",
    1015: "mouse",
    1016: "mouse",
    ALTERNATE_SCREEN: "alternate screen",
    2004: "bracketed paste",
    2026: "synchronised output",
    2048: "reports of the size",
}

# What pyte would draw or trip over: CSI with a private mark, a colon or an intermediate byte,
# except the switching of private modes; device control and other strings.
_UNKNOWN = re.compile(
    rb"\x1b\[(?![?][0-9;]*[hl])[0-9;]*[:<=>?][0-?]*[ -/]*[@-~]"
    rb"|\x1b\[[0-?]*[ -/]+[@-~]"
    rb"|\x1b[P_^X].*?\x1b\\",
    re.DOTALL,
)
_UNFINISHED = re.compile(rb"\x1b(\[[0-?]*[ -/]*|[P_^X]((?!\x1b\\).)*)?\Z", re.DOTALL)
_KEYBOARD_PROTOCOL = re.compile(rb"\x1b\[([<>])[0-9;]*u")


class Cell(NamedTuple):
    """One character cell; colours are pyte's: a name or six hexadecimal digits."""

    character: str
    fg: str
    bg: str
    bold: bool
    reverse: bool
    italics: bool
    underscore: bool


class _Emulator(pyte.Screen):
    """pyte's screen with an alternate one, drawing past characters that have no width."""

    def set_mode(self, *modes: int, **kwargs: Any) -> None:
        if self._is_switch(modes, kwargs) and not self.is_alternate:
            self._main_screen = dict(self.buffer)
            self.buffer.clear()
            self.save_cursor()
        super().set_mode(*modes, **kwargs)

    def reset_mode(self, *modes: int, **kwargs: Any) -> None:
        if self._is_switch(modes, kwargs) and self.is_alternate:
            self.buffer.clear()
            self.buffer.update(self._main_screen)
            self.restore_cursor()
        super().reset_mode(*modes, **kwargs)

    @staticmethod
    def _is_switch(modes: tuple[int, ...], kwargs: dict[str, Any]) -> bool:
        return ALTERNATE_SCREEN in modes and bool(kwargs.get("private"))

    @property
    def is_alternate(self) -> bool:
        return ALTERNATE_SCREEN << 5 in self.mode

    def draw(self, data: str) -> None:
        # pyte drops the rest of a text behind a character that it cannot place.
        super().draw("".join(filter(_has_place, data)))


def _has_place(character: str) -> bool:
    return wcwidth(character) > 0 or unicodedata.combining(character) > 0


class TerminalScreen:
    """The screen of an xterm-like terminal, fed with the raw output of a program."""

    def __init__(self, columns: int, rows: int) -> None:
        self._emulator = _Emulator(columns, rows)
        self._stream = pyte.ByteStream(self._emulator)
        self._unfinished = b""
        self._keyboard_protocols = 0
        self._modes_at_first = self.modes

    def feed(self, output: bytes) -> None:
        """Draw some output, which may begin and end within a control sequence."""
        output = self._unfinished + output
        cut = _UNFINISHED.search(output)
        whole = output[: cut.start()] if cut else output
        self._unfinished = output[len(whole) :]
        for mark in _KEYBOARD_PROTOCOL.findall(whole):
            self._keyboard_protocols += 1 if mark == b">" else -1
        self._stream.feed(_UNKNOWN.sub(b"", whole))

    def resize(self, columns: int, rows: int) -> None:
        """Change the size; the program is expected to draw anew."""
        self._emulator.resize(rows, columns)

    @property
    def columns(self) -> int:
        """Width in cells."""
        return self._emulator.columns

    @property
    def rows(self) -> int:
        """Height in cells."""
        return self._emulator.lines

    def lines(self) -> list[str]:
        """The text of all rows, without the blanks behind it."""
        return ["".join(self._characters(row)).rstrip() for row in range(self.rows)]

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Column and row, from 1, of the places where a text begins, from the top."""
        for row in range(self.rows):
            characters = self._characters(row)
            line = "".join(characters)
            # A cell may hold several characters (combined ones) or none (right half of a wide one).
            columns = [column for column, cell in enumerate(characters, 1) for _ in cell]
            for match in re.finditer(re.escape(text), line):
                yield columns[match.start()], row + 1

    def _characters(self, row: int) -> list[str]:
        line = self._emulator.buffer[row]
        return [line[column].data for column in range(self.columns)]

    def cell(self, column: int, row: int) -> Cell:
        """One cell, counted from 1."""
        if not (1 <= column <= self.columns and 1 <= row <= self.rows):
            raise IndexError(f"no cell {column}, {row} in {self.columns}x{self.rows}")
        char = self._emulator.buffer[row - 1][column - 1]
        styles = (char.bold, char.reverse, char.italics, char.underscore)
        return Cell(char.data, char.fg, char.bg, *styles)

    @property
    def modes(self) -> frozenset[int]:
        """The private modes that are on, such as 1049, the alternate screen."""
        return frozenset(mode >> 5 for mode in self._emulator.mode if mode >= 1 << 5)

    def changed_modes(self) -> list[str]:
        """What a program switched and did not switch back, in words."""
        changed = sorted(self.modes ^ self._modes_at_first)
        names = [f"{MODE_NAMES.get(mode, 'private mode')} (?{mode})" for mode in changed]
        if self._keyboard_protocols > 0:
            names.append("keyboard protocol (>u)")
        if self._emulator.cursor.attrs != self._emulator.default_char:
            names.append("colours and styles")
        if self._emulator.margins is not None:
            names.append("scrolling region")
        return names
