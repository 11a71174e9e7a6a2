"""Keys: each with an id and a tooltip, in the palette and in the help, and remappable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import SMALL, WIDE, opened
from tfdbg_tui.app import TfdbgApp
from tfdbg_tui.config import Config
from tfdbg_tui.screens.dialogs.chooser import Chooser
from tfdbg_tui.screens.dialogs.doctor import DoctorScreen
from tfdbg_tui.screens.dialogs.help import HelpScreen
from tfdbg_tui.screens.keys import BINDINGS, full_action
from tfdbg_tui.screens.main import MainScreen
from tfdbg_tui.widgets.prompt import Prompt
from tfdbg_tui.widgets.row_list import RowList
from tfdbg_tui.widgets.text_pane import TextPane

if TYPE_CHECKING:
    from pathlib import Path

    from textual.binding import Binding

UNSENDABLE = {"ctrl+m", "ctrl+i", "ctrl+h", "ctrl+j"}
"""Plain terminals send other keys for these."""

TAKEN = {"ctrl+a", "ctrl+b", "ctrl+s"}
"""Those of screen, tmux and the terminal; ctrl+z does here what it does everywhere."""


def all_bindings() -> list[Binding]:
    owners = (TfdbgApp, MainScreen, Chooser, HelpScreen, DoctorScreen, Prompt, RowList, TextPane)
    return [binding for owner in owners for binding in owner.BINDINGS]  # type: ignore[misc]


def test_every_key_of_the_main_screen_has_an_id_and_a_tooltip() -> None:
    assert [binding for binding in BINDINGS if not (binding.id and binding.tooltip)] == []
    assert [binding for binding in BINDINGS if not binding.description] == []


def test_ids_are_unique() -> None:
    ids = [binding.id for binding in all_bindings()]
    assert None not in ids
    assert len(ids) == len(set(ids))


def test_no_key_of_the_main_screen_means_two_things() -> None:
    keys = [key for binding in BINDINGS for key in binding.key.split(",")]
    assert len(keys) == len(set(keys))
    moving = {key for b in RowList.BINDINGS for key in b.key.split(",")}  # type: ignore[union-attr]
    assert moving & set(keys) == set()


def test_every_key_can_be_sent_by_a_plain_terminal() -> None:
    keys = {key for binding in all_bindings() for key in binding.key.split(",")}
    assert keys & UNSENDABLE == set()


def test_every_action_can_be_reached_without_keys_of_tmux() -> None:
    for binding in all_bindings():
        assert set(binding.key.split(",")) - TAKEN, binding


def test_actions_have_names_of_their_own() -> None:
    names = [binding.description for binding in BINDINGS]
    assert sorted(name for name in names if names.count(name) > 1) == []


def test_every_action_exists() -> None:
    for binding in BINDINGS:
        whose, _, name = full_action(binding).partition("(")[0].partition(".")
        owner = MainScreen if whose == "screen" else TfdbgApp
        assert hasattr(owner, f"action_{name}"), binding


async def test_keys_can_be_remapped_by_id(frozen: Path) -> None:
    config = Config(keys={"go.first-bad": "f2", "view.follow": "F", "list.down": "down,f3"})
    async with opened(frozen, SMALL, config) as driven:
        before = driven.chosen
        await driven.press("!")
        assert driven.chosen == before, "the old key does nothing"
        await driven.press("f2")
        assert driven.chosen.trace == 60
        await driven.press("f3")
        assert driven.chosen.trace == 61
        assert driven.lines()[-1].lower().startswith(" f2 first nan")
        await driven.press("?")
        help_text = "\n".join(driven.lines())
        assert "f2" in help_text.lower()
        await driven.press("escape", "f")
        assert not driven.main.session.following.is_on
        await driven.press("F")
        assert driven.main.session.following.is_on


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=str)
async def test_the_keys_below_can_be_clicked(frozen: Path, size: tuple[int, int]) -> None:
    async with opened(frozen, size) as driven:
        await driven.click_text("First NaN", "keys")
        assert driven.chosen.trace == 60
        await driven.click_text("Next", "keys")
        assert driven.chosen.trace == 61
        await driven.click_text("Why", "keys")
        assert "Why" in driven.lines()[0]
        await driven.press("escape")
        if size == WIDE:
            await driven.click_text("Zoom", "keys")
            assert driven.panes.zoomed == "traces"
            await driven.click_text("Follow", "keys")
            assert driven.main.session.following.is_on
        await driven.click_text("Search", "keys")
        assert driven.main.view.prompt.display
        await driven.press("escape")
        await driven.click_text("Help", "keys")
        assert "Help" in driven.lines()[0]
        await driven.press("escape", "escape", "escape")
        await driven.click_text("Quit", "keys")
        assert driven.has_quit
