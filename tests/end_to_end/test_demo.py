"""The demo as a newcomer meets it: it moves, one key finds the line, and nothing stays behind."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING

import pytest

from tests.support.command_under_test import app, is_chosen
from tests.support.ending import ENDS, TIMEOUT, assert_left_in_order
from tests.support.terminal import start_shell

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.ending import End
    from tests.support.terminal import Starter, Terminal

GUILTY_LINE = "log_probs = tf.math.log(probs)"
GREETING = "A training run, replayed: after some seconds its loss turns NaN. ! goes there."
FIRST_NAN = re.compile(r"LIVE.* ! \d")


def demo(temporary: Path, *words: str, starter: Starter | None = None) -> Terminal:
    """The demo in a terminal, with its temporary files in a folder of the test."""
    return app("demo", *words, env={"TMPDIR": str(temporary)}, starter=starter)


def tensors_shown(lines: list[str]) -> int:
    """How many rows the list of graph tensors has, as its title says."""
    found = re.search(r"3 Graph tensors ([\d,]+)", "\n".join(lines))
    return int(found[1].replace(",", "")) if found else 0


def test_it_moves_and_one_key_finds_the_line(tmp_path: Path) -> None:
    with demo(tmp_path, "--speed", "2", starter=start_shell) as terminal:
        terminal.wait_for(GREETING)
        terminal.wait_for("following")
        before = tensors_shown(terminal.wait_for(tensors_shown))
        terminal.wait_for(lambda lines: tensors_shown(lines) > before)
        terminal.wait_for(FIRST_NAN)
        terminal.press("!")
        terminal.wait_for(is_chosen("Log ", "! -inf "))
        terminal.wait_for(is_chosen(GUILTY_LINE))
        assert "LIVE" in terminal.text()[0]
        terminal.press("q")
        assert_left_in_order(terminal, 0)
    assert not [*tmp_path.iterdir()]


def test_it_ends_as_a_program_does(tmp_path: Path) -> None:
    with demo(tmp_path, "--speed", "50", "--first-nan") as terminal:
        terminal.wait_for(is_chosen("Log ", "! -inf "))
        terminal.wait_for(re.compile("ENDED +!"))
        terminal.wait_for(is_chosen(GUILTY_LINE))
        terminal.press("q")
        assert_left_in_order(terminal, 0)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(("end", "code"), ENDS)
def test_however_it_ends_nothing_stays_behind(tmp_path: Path, end: End, code: int) -> None:
    with demo(tmp_path) as terminal:
        terminal.wait_for(tensors_shown)
        assert [*tmp_path.iterdir()]
        end(terminal)
        assert_left_in_order(terminal, code)
    assert not [*tmp_path.iterdir()]


def test_a_lost_connection_leaves_nothing_behind(tmp_path: Path) -> None:
    with demo(tmp_path) as terminal:
        terminal.wait_for(tensors_shown)
        terminal.hang_up()
        terminal.wait_exit(TIMEOUT)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_before_there_is_a_screen_leaves_nothing_behind(
    tmp_path: Path, number: signal.Signals
) -> None:
    with demo(tmp_path, starter=start_shell) as terminal:
        while not [*tmp_path.glob("*/*")]:
            terminal.pump(0.01)
        terminal.signal(number)
        assert terminal.wait_exit(TIMEOUT) == 128 + number
    assert not [*tmp_path.iterdir()]
