"""A terminal that notes when which output came, and draws it only when somebody looks.

Emulating a screen takes longer than painting it: while time counts, output is only kept. What the
screen showed at which time is found afterwards, by drawing the tape again.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from tests.support.terminal import Terminal
from tests.support.terminal_screen import Cell, TerminalScreen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

SILENCE = 0.04
"""Seconds without output that separate two repaints."""


class Chunk(NamedTuple):
    """Some output, and when it came."""

    wall_time: float
    output: bytes


class Frame(NamedTuple):
    """What the screen showed from some time on."""

    wall_time: float
    lines: list[str]


class Tape(TerminalScreen):
    """A screen that keeps all it was fed."""

    def __init__(self, columns: int, rows: int) -> None:
        self.chunks: list[Chunk] = []
        self._drawn = 0
        super().__init__(columns, rows)

    def feed(self, output: bytes) -> None:
        """Keep some output with its time."""
        self.chunks.append(Chunk(time.time(), output))

    def _catch_up(self) -> None:
        drawn, self._drawn = self._drawn, len(self.chunks)
        super().feed(b"".join(chunk.output for chunk in self.chunks[drawn:]))

    def lines(self) -> list[str]:
        """The text of all rows, without the blanks behind it."""
        self._catch_up()
        return super().lines()

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Column and row, from 1, of the places where a text begins, from the top."""
        self._catch_up()
        return super().find(text)

    def cell(self, column: int, row: int) -> Cell:
        """One cell, counted from 1."""
        self._catch_up()
        return super().cell(column, row)

    def frames(self, first: int = 0) -> Iterator[Frame]:
        """What was shown after each piece of output from one of them on; draws all of it again."""
        screen = TerminalScreen(self.columns, self.rows)
        for number, (wall_time, output) in enumerate(self.chunks):
            screen.feed(output)
            if number >= first:
                yield Frame(wall_time, screen.lines())


class TapedTerminal(Terminal):
    """A terminal whose output is on tape."""

    def __init__(
        self,
        command: Sequence[str | Path],
        columns: int = 80,
        rows: int = 24,
        env: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(command, columns, rows, env)
        self.screen = self.tape = Tape(columns, rows)

    @property
    def began_at(self) -> float:
        """The wall time at which the program began."""
        return time.time() - (time.perf_counter() - self.started)


def first_time(frames: Iterable[Frame], is_shown: Callable[[list[str]], object]) -> float | None:
    """When something was shown for the first time; None if it was not."""
    return next((frame.wall_time for frame in frames if is_shown(frame.lines)), None)


def repaints(chunks: Iterable[Chunk]) -> int:
    """How often the screen was repainted: bursts of output with silence between them."""
    count, last = 0, 0.0
    for chunk in chunks:
        count += chunk.wall_time - last > SILENCE
        last = chunk.wall_time
    return count
