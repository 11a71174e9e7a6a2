"""Random keys, clicks, wheels and sizes, the same ones every time: nothing stops the app."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tests.support.command_under_test import SETTLED, app, is_chosen
from tests.support.terminal_keys import key_bytes

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Literal

    from tests.recordings.record import Library
    from tests.support.terminal import Terminal

SEED = 7

FIRST_BAD = {"frozen": ("60", "Log "), "keras_fit": ("inf",)}
"""Recordings, and what their first bad row says."""

EVENTS = 160

BURST = 8
"""Events that are sent at once."""

KEYS = (
    *"!nNeE/&:fz[]oyrsucx+-m1234567?jkgGhl =",
    *("tab", "shift+tab", "enter", "enter", "escape", "escape", "up", "down", "left", "right"),
    *("pageup", "pagedown", "home", "end", "backspace", "ctrl+d", "ctrl+u", "ctrl+f", "ctrl+b"),
    *("Log", "bad", "op:Mul nan>0", "#52", "step 3", "((", "漢"),
)
"""All but those that end the app; the palette can end it, too."""

SIZES = [(80, 24), (160, 48), (60, 20), (50, 12), (20, 5), (120, 30), (100, 40), (7, 3)]

KEY_ROWS = {rows for _, rows in SIZES}
"""The last lines at any size: a click there may mean to quit."""


class Monkey:
    """Does something, whatever the screen shows."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._random = random.Random(SEED)

    def act(self) -> None:
        kinds = (self._key, self._click, self._wheel, self._hover, self._resize)
        (act,) = self._random.choices(kinds, weights=(20, 6, 3, 1, 1))
        act()

    def _key(self) -> None:
        self._terminal.type(key_bytes(self._random.choice(KEYS)).decode())

    def _place(self) -> tuple[int, int]:
        screen = self._terminal.screen
        rows = [row for row in range(1, screen.rows) if row not in KEY_ROWS]
        return self._random.randint(1, screen.columns), self._random.choice(rows)

    def _click(self) -> None:
        self._terminal.click(*self._place())

    def _wheel(self) -> None:
        direction: Literal["up", "down"] = "up" if self._random.random() < 0.5 else "down"
        self._terminal.wheel(*self._place(), direction, self._random.randint(1, 5))

    def _hover(self) -> None:
        self._terminal.hover(*self._place())

    def _resize(self) -> None:
        self._terminal.resize(*self._random.choice(SIZES))


@pytest.mark.parametrize("scenario", FIRST_BAD)
def test_nothing_stops_the_app(library: Library, frozen: Path, scenario: str) -> None:
    logdir = frozen if scenario == "frozen" else library.path(scenario)
    with app(logdir) as terminal:
        terminal.wait_for(SETTLED)
        terminal.press("!")
        terminal.wait_for("3 Graph tensors")
        monkey = Monkey(terminal)
        for number in range(EVENTS):
            monkey.act()
            if number % BURST == 0:
                terminal.wait_quiet(0.02)
            assert terminal.exit_code is None, "\n".join(terminal.text())
        terminal.resize(80, 24)
        for _ in range(8):  # out of every layer
            terminal.press("escape")
        terminal.wait_quiet(0.3)
        terminal.press("!", *["left"] * 30)
        terminal.wait_for(is_chosen(*FIRST_BAD[scenario]))
