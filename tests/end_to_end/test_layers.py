"""Prompt, help and choosers lie over the panes: each is left once, whatever is done to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.command_under_test import app, is_chosen, is_free_of, settle

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.terminal import Terminal

KEY_LINE = re.compile("q Quit$")
"""The last line when nothing is typed there."""


def open_chooser(terminal: Terminal) -> tuple[int, int]:
    """Where its only row stands."""
    settle(terminal)
    terminal.press("r")
    terminal.wait_for("gpu-box")
    return terminal.find("gpu-box")


def test_choosing_twice_at_once_chooses_once(frozen: Path) -> None:
    with app(frozen) as terminal:
        open_chooser(terminal)
        terminal.type("\r\r")
        terminal.wait_for(is_free_of(", newest first"))
        terminal.press("2")
        terminal.wait_for("op or function")


def test_a_double_click_chooses_once(frozen: Path) -> None:
    with app(frozen) as terminal:
        place = open_chooser(terminal)
        terminal.click(*place)
        terminal.click(*place)
        terminal.wait_for(is_free_of(", newest first"))
        terminal.press("2")
        terminal.wait_for("op or function")


def test_a_click_elsewhere_does_not_leave_the_prompt_behind(frozen: Path) -> None:
    with app(frozen) as terminal:
        settle(terminal)
        terminal.press("/", "Lo")
        terminal.wait_for("/Lo")
        terminal.click(*terminal.find("├ mul"))
        terminal.wait_for(is_chosen("├ mul", ":20", "NaN +inf"))
        terminal.press("escape")
        terminal.wait_for(KEY_LINE)
        terminal.press("2")
        terminal.wait_for("op or function")


def test_deleting_the_sign_leaves_the_prompt(frozen: Path) -> None:
    with app(frozen) as terminal:
        settle(terminal)
        terminal.press("/")
        terminal.wait_for(re.compile("^/", re.MULTILINE))
        terminal.press("backspace")
        terminal.wait_for(KEY_LINE)


@pytest.mark.parametrize(("key", "sign"), [("?", "Help: "), ("r", "gpu-box"), ("s", "train.py")])
def test_escape_leads_back_to_the_panes(frozen: Path, key: str, sign: str) -> None:
    with app(frozen) as terminal:
        before = settle(terminal)
        terminal.press(key)
        terminal.wait_for(sign)
        terminal.press("escape")
        terminal.wait_for(lambda lines: lines == before)


def test_a_sentence_stands_until_the_next_key(frozen: Path) -> None:
    with app(frozen) as terminal:
        settle(terminal)
        terminal.press("[")
        terminal.wait_for("Nothing was selected before.")
        terminal.press("4")
        terminal.wait_for(is_free_of("Nothing was selected before."))
