"""Any size of the terminal works, and changing it at any moment does not lose the place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.command_under_test import SETTLED, app, chosen, is_chosen, settle
from tests.support.terminal_screen import ALTERNATE_SCREEN

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.terminal import Terminal

NORMAL = (80, 24)

SIZES = [(160, 48), (50, 12), (20, 5), (300, 100), (119, 40)]
"""Columns and rows: all panes, one above another, one alone, and the edges between."""

ABSURD = [(1, 1), (2, 40), (200, 2), (8, 3)]

FIRST_BAD = ("60", "Log ")
"""What the row says that `!` goes to, at any width."""


MARGIN = 2
"""Cells at the right of a list, for marks and the scroll bar."""


def resized(terminal: Terminal, size: tuple[int, int]) -> list[str]:
    """The screen after a change of size."""
    before = terminal.bytes_written
    terminal.resize(*size)
    terminal.wait_for(lambda _: terminal.bytes_written > before)
    return settle(terminal)


def at_the_first_bad(terminal: Terminal) -> list[str]:
    """The screen after `!`."""
    terminal.wait_for(SETTLED)
    terminal.press("!")
    terminal.wait_for(is_chosen(*FIRST_BAD))
    return settle(terminal)


def test_the_place_is_kept_and_the_screen_comes_back(frozen: Path) -> None:
    with app(frozen) as terminal:
        before = at_the_first_bad(terminal)
        for size in SIZES:
            lines = resized(terminal, size)
            assert re.search(is_chosen(*FIRST_BAD), "\n".join(lines)), size
            assert chosen(resized(terminal, NORMAL)) == chosen(before), size
            assert terminal.text() == before, size


def test_the_place_is_kept_through_many_sizes(frozen: Path) -> None:
    with app(frozen) as terminal:
        before = at_the_first_bad(terminal)
        for size in (*ABSURD, *SIZES, *ABSURD):
            terminal.resize(*size)  # without waiting: as a dragged window does
            terminal.pump(0.01)
        assert chosen(resized(terminal, NORMAL)) == chosen(before)


@pytest.mark.parametrize("size", [(160, 48), (20, 5), (300, 100)], ids=str)
def test_every_size_shows_the_first_nan_from_the_start(frozen: Path, size: tuple[int, int]) -> None:
    with app(frozen, "--first-nan", columns=size[0], rows=size[1]) as terminal:
        terminal.wait_for(is_chosen(*FIRST_BAD))
        lines = settle(terminal)
        assert all(len(line) <= size[0] for line in lines)


@pytest.mark.parametrize("size", [(1, 1), (200, 2)], ids=str)
def test_a_terminal_of_an_absurd_size_does_not_stop_it(frozen: Path, size: tuple[int, int]) -> None:
    with app(frozen, columns=size[0], rows=size[1]) as terminal:
        terminal.wait_for(lambda _: ALTERNATE_SCREEN in terminal.modes)
        terminal.wait_quiet(1.0)
        terminal.resize(*NORMAL)
        at_the_first_bad(terminal)


@pytest.mark.parametrize("zoomed", [False, True], ids=["all panes", "zoomed"])
def test_the_panes_fill_the_terminal_at_every_size(frozen: Path, zoomed: bool) -> None:
    with app(frozen) as terminal:
        at_the_first_bad(terminal)
        if zoomed:
            terminal.press("z")
            terminal.wait_for("zoomed")
        for size in ((82, 26), (100, 40), (170, 50), (60, 20), (20, 5)):
            lines = resized(terminal, size)
            assert re.search(is_chosen(*FIRST_BAD), "\n".join(lines)), (size, *lines)
            assert all(lines), (size, *lines)
            assert max(map(len, lines[1:-1])) >= size[0] - MARGIN, (size, *lines)


@pytest.mark.parametrize(
    ("keys", "sign"),
    [
        (("?",), "Help: Graph tensors"),
        (("r", "g"), ", newest first"),
        (("/", "Lo"), "/Lo"),
        (("ctrl+p",), "what it does"),
    ],
    ids=["help", "chooser", "prompt", "palette"],
)
def test_what_is_open_stays_open(frozen: Path, keys: tuple[str, ...], sign: str) -> None:
    with app(frozen) as terminal:
        before = at_the_first_bad(terminal)
        terminal.press(*keys)
        terminal.wait_for(sign)
        opened = quiet(terminal)
        for size in ((160, 48), (20, 5)):
            terminal.resize(*size)
            terminal.pump(0.05)
        terminal.resize(*NORMAL)
        terminal.wait_for(sign)
        assert quiet(terminal) == opened
        terminal.press("escape")
        terminal.wait_for(is_chosen(*FIRST_BAD))
        assert chosen(quiet(terminal)) == chosen(before)


def quiet(terminal: Terminal) -> list[str]:
    """The screen when nothing more is painted."""
    terminal.wait_quiet(0.3)
    return terminal.text()
