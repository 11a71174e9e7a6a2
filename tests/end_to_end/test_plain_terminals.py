"""Terminals without colour, without Unicode, without room."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.support.command_under_test import SETTLED, app, chosen, is_chosen, is_free_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.terminal import Wanted

COLOURS = re.compile(rb"\x1b\[(?:[0-9]+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[0-9]+)*m")
"""Sets a foreground or a background."""


def test_without_colour_the_cursor_still_stands_out(frozen: Path) -> None:
    with app(frozen, columns=160, rows=48, env={"NO_COLOR": "1"}) as terminal:
        terminal.wait_for(SETTLED)
        terminal.press("!", "?", "escape", "r", "escape", "/", "escape")
        terminal.wait_for(is_chosen("60", "Log ", "! -inf 1,312"))
        assert COLOURS.search(terminal.transcript) is None
        column, row = terminal.find("60 loss")
        chosen_cell, other_cell = terminal.cell(column, row), terminal.cell(column, row + 1)
        assert chosen_cell[3:] != other_cell[3:]


ASCII_TOUR: dict[str, Wanted] = {
    "1": "Alerts 117 from 1 cause",
    "2": "op or function",
    "4": "! -inf",
    "5": "> Log ",
    "6": "library frames",
    "s": "Recorded source files",
    "escape": is_free_of("Recorded source files"),
    "?": "Help: Stack",
    "G": "Names for the settings file",
}
"""Keys, and what they show."""


def test_ascii_draws_with_ascii_alone(frozen: Path) -> None:
    with app(frozen, "--ascii", columns=160, rows=48) as terminal:
        terminal.wait_for(SETTLED)
        terminal.press("!")
        terminal.wait_for(re.compile("> +60 .*Log "))
        for key, sign in ASCII_TOUR.items():
            terminal.press(key)
            terminal.wait_for(sign)
        assert terminal.transcript.isascii()
        assert COLOURS.search(terminal.transcript)
        assert "\\u" not in "".join(terminal.text())


def test_a_terminal_that_speaks_no_unicode_gets_ascii(frozen: Path) -> None:
    with app(
        frozen, env={"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ) as terminal:
        terminal.wait_for(SETTLED)
        terminal.press("!")
        terminal.wait_for(re.compile("> +60 .*Log "))
        assert terminal.transcript.isascii()


def test_a_terminal_that_is_too_small_says_so(frozen: Path) -> None:
    with app(frozen, columns=50, rows=12) as terminal:
        terminal.wait_for("one pane")
        terminal.wait_for(SETTLED)
        terminal.press("!")
        terminal.wait_for(is_chosen("60", "Log ", "! -inf 1,312"))
        terminal.press("7")
        terminal.wait_for(is_chosen("20", "tf.math.log("))
        assert len(chosen(terminal.text())) == 1
