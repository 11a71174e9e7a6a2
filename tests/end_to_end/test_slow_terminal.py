"""A terminal at 1 kB/s, and one that nobody reads: the app hears keys and signals, and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.recordings import repeat
from tests.support.command_under_test import COMMAND, SETTINGS, is_chosen, settle, start_ready
from tests.support.ending import ENDS, TIMEOUT
from tests.support.slow_terminal import SlowTerminal
from tests.support.terminal_screen import ALTERNATE_SCREEN

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tests.support.ending import End

SIZE = (200, 60)
"""Columns and rows: a paint has some 40 kB."""

SLOW = 1000.0
"""Bytes a second."""

NOT_AT_ALL = 0.0

LONG = (60_000, 250_000)
"""Executions and traces of a recording that takes a while to load."""

MANY = ["z"] * 40
"""Paints the screen more often than any queue has room for."""

LEAVE = ["q", "q"]
"""The first leaves a pane that is zoomed: keys typed before there are panes zoom none."""


def slow_app(*words: str | Path) -> SlowTerminal:
    return SlowTerminal([*COMMAND, *words], *SIZE, SETTINGS, start_ready)


PAGES = ["pagedown", "pageup"] * 20
"""The same with panes that keep their size: where a list is scrolled to depends on that."""


def paint_much(terminal: SlowTerminal, speed: float, keys: list[str] = MANY) -> None:
    """Have it paint far more than the terminal takes from now on."""
    terminal.read_slowly(speed)
    terminal.press(*keys)


def assert_ends_and_leaves_order(terminal: SlowTerminal, code: int) -> None:
    assert terminal.wait_exit(TIMEOUT) == code
    terminal.read_fast()
    terminal.wait_quiet()
    assert terminal.left_sane() == []
    assert [line for line in terminal.text() if line] == []


def test_a_slow_terminal_is_not_waited_for(frozen: Path) -> None:
    with slow_app(frozen) as terminal:
        settle(terminal)
        paint_much(terminal, SLOW)
        terminal.press("q")
        assert_ends_and_leaves_order(terminal, 0)


def test_it_is_not_waited_for_while_a_recording_grows() -> None:
    with slow_app("demo") as terminal:
        terminal.wait_for("LIVE")
        paint_much(terminal, SLOW)
        terminal.press(*LEAVE)
        assert_ends_and_leaves_order(terminal, 0)


def test_it_is_not_waited_for_while_a_long_recording_loads(
    library: Library, tmp_path: Path
) -> None:
    repeat(library.path("full_health"), tmp_path / "long", *LONG)
    with slow_app(tmp_path / "long") as terminal:
        terminal.wait_for(lambda _: ALTERNATE_SCREEN in terminal.modes)
        paint_much(terminal, SLOW)
        terminal.press(*LEAVE)
        assert_ends_and_leaves_order(terminal, 0)


@pytest.mark.parametrize(("end", "code"), [ENDS[1], *ENDS[3:]])
def test_a_terminal_that_nobody_reads_keeps_nothing_from_ending(
    frozen: Path, end: End, code: int
) -> None:
    with slow_app(frozen) as terminal:
        settle(terminal)
        paint_much(terminal, NOT_AT_ALL)
        end(terminal)
        assert_ends_and_leaves_order(terminal, code)


def test_what_was_left_out_is_painted_when_the_terminal_is_read_again(frozen: Path) -> None:
    with slow_app(frozen) as terminal:
        settle(terminal)
        terminal.press("!", "g", "!")
        terminal.wait_for(is_chosen("tf.math.log(probs)"))
        wanted = settle(terminal)
        terminal.press("g")
        terminal.wait_for(lambda lines: lines != wanted)
        paint_much(terminal, NOT_AT_ALL, PAGES)
        terminal.press("!")
        terminal.read_fast()
        terminal.wait_for(lambda lines: lines == wanted)
