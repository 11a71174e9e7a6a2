"""A search that takes minutes: the screen lives on, shows what is found, and escape ends it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.recordings.long_names import long_names
from tests.support.command_under_test import app, is_chosen, is_free_of, settle

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.terminal import Terminal

SLOW = "(.?){300}(qq|Log)"
"""About as large as an expression may be: some 50 ms for each of the names."""

NAMES = 3000


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return long_names(tmp_path_factory.mktemp("long"), NAMES, letter="é")


def test_a_long_search_shows_what_it_has_found_and_escape_stops_it(logdir: Path) -> None:
    with app(logdir) as terminal:
        settle(terminal)
        terminal.type(f"3g/{SLOW}\r")
        terminal.wait_for(is_chosen("6 loss", "Log "))
        terminal.wait_for(re.compile(r"1 of [\d,]+\+"))
        terminal.type("G")
        terminal.wait_for(is_chosen("3,107"))
        terminal.press("n")
        terminal.wait_for("escape stops.")
        terminal.press("escape")
        terminal.wait_for("Stopped searching for")
        terminal.wait_for(is_free_of("/ (.?)"))
        terminal.type("gn")
        terminal.wait_for(is_chosen("60", "Log "))
        terminal.press("q")
        assert terminal.wait_exit() == 0


def search_in_vain(terminal: Terminal) -> None:
    """Search for what is not there, and takes long to be sure of."""
    settle(terminal)
    terminal.type(f"3g/{SLOW.replace('Log', 'zzz')}\r")
    terminal.wait_for("Searching for")


def test_a_long_filter_shows_rows_as_they_come_and_escape_stops_it(logdir: Path) -> None:
    with app(logdir) as terminal:
        settle(terminal)
        terminal.type(f"3g&{SLOW}\r")
        terminal.wait_for(is_free_of("Softmax "))
        terminal.wait_for("6 Log ")
        terminal.press("escape")
        terminal.wait_for("Stopped filtering by")
        terminal.wait_for("Softmax ")
        terminal.type(f"&{SLOW.replace('Log', 'zzz')}\r")
        terminal.wait_for("so far; escape shows all.")
        terminal.press("q")
        terminal.wait_for("Stopped filtering by")
        terminal.press("q")
        assert terminal.wait_exit() == 0


def test_other_keys_act_while_it_searches(logdir: Path) -> None:
    with app(logdir) as terminal:
        search_in_vain(terminal)
        terminal.type("&Softmax\r")
        terminal.wait_for(is_free_of(" Neg "))
        terminal.wait_for("Softmax ")
        terminal.press("q")
        terminal.wait_for("Stopped searching for")
        terminal.press("q")
        terminal.wait_for(" Neg ")
        terminal.press("q")
        assert terminal.wait_exit() == 0


def test_the_program_can_be_left_while_it_searches(logdir: Path) -> None:
    with app(logdir) as terminal:
        search_in_vain(terminal)
        terminal.type(":quit\r")
        assert terminal.wait_exit() == 0
