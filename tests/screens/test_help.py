"""The help: the focused pane first, then all keys in groups, signs, queries and names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tfdbg_tui.config import Config
from tfdbg_tui.keymap import binding_ids
from tfdbg_tui.screens.dialogs.help_text import PANE_HELP, PANE_KEYS, QUERY_HELP, all_keys, groups
from tfdbg_tui.screens.keys import APP_KEYS, BINDINGS
from tfdbg_tui.screens.pane_names import OUTPUT, PANES, TITLES
from tfdbg_tui.widgets.glyphs import UNICODE
from tfdbg_tui.widgets.legend import legend

if TYPE_CHECKING:
    from pathlib import Path

TITLES_IN_ORDER = (
    "Keys in Alerts",
    "Find",
    "Go",
    "Show",
    "Panes",
    "Moving",
    "In a value (v)",
    "Help, leaving",
    "Signs",
    "Search and filter: all terms must hold",
    "Names for the settings file",
)


async def whole_help(driven: Driven) -> list[str]:
    """The lines of the help, read page by page."""
    lines = [line.rstrip("┃ ") for line in driven.lines_of("help-text")]
    while True:
        before = driven.lines_of("help-text")
        await driven.press("down")
        now = driven.lines_of("help-text")
        if now == before:
            return lines
        lines.append(now[-1].rstrip("┃ "))


async def test_help_is_about_the_focused_pane(frozen: Path) -> None:
    async with opened(frozen) as driven:
        for number, name in enumerate(PANES, 1):
            await driven.press(str(number), "?")
            assert TITLES[name] in driven.lines()[0]
            shown = " ".join(" ".join(driven.lines()).split())
            assert " ".join(PANE_HELP[name])[:30] in shown
            assert f"Keys in {TITLES[name]}" in shown
            await driven.press(("escape", "q", "?")[number % 3])
            assert driven.app.screen is driven.main
            assert driven.focused == name


async def test_help_scrolls(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("?", "j", "pagedown", "G")
        assert "view.zoom" in "".join(driven.lines())
        await driven.press("g")
        assert "Every op that put out NaN" in "".join(driven.lines())
        await driven.wheel(5, 5, 2)
        assert "Every op that put out NaN" not in "".join(driven.lines())


async def test_in_one_column_this_pane_comes_first_and_the_names_last(frozen: Path) -> None:
    async with opened(frozen, SMALL) as driven:
        await driven.press("?")
        lines = [line.strip() for line in await whole_help(driven)]
        assert [line for line in lines if line in TITLES_IN_ORDER] == list(TITLES_IN_ORDER)
        assert lines[0].startswith(" ".join(PANE_HELP["alerts"])[:40])


@pytest.mark.parametrize("size", [(120, 36), WIDE, (200, 60)], ids=str)
async def test_where_there_is_room_there_are_two_columns(
    frozen: Path, size: tuple[int, int]
) -> None:
    async with opened(frozen, size) as driven:
        await driven.press("?")
        lines = await whole_help(driven)
        start = max(lines[0].find(f"   {title}") for title in TITLES_IN_ORDER)
        assert start > 50, "both begin at the top"
        first = [line[:start].strip() for line in lines]
        second = [line[start:].strip() for line in lines]
        titles = [line for line in (*first, *second) if line in TITLES_IN_ORDER[:-1]]
        assert titles == list(TITLES_IN_ORDER[:-1]), "down the first column, then the second"
        assert lines.index(" Names for the settings file") > max(
            number for number, line in enumerate(second) if line in TITLES_IN_ORDER
        )


async def test_every_key_sign_and_name_is_in_the_help(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("?")
        lines = await whole_help(driven)
        text = "\n".join(lines)
        told = [key.tooltip or key.description for key in (*BINDINGS, *APP_KEYS)]
        assert [words for words in told if words not in text] == []
        assert [sign.means for sign in legend(UNICODE) if sign.means not in text] == []
        assert [term for term, _ in QUERY_HELP if term not in text] == []
        names = "\n".join(lines[lines.index(" Names for the settings file") :])
        assert [name for name in all_keys() if f"{name} " not in f"{names} "] == []
        assert binding_ids() - set(all_keys()) == {"help.close"}


@pytest.mark.parametrize("pane", [*PANES, OUTPUT])
def test_every_pane_has_keys_that_there_are(pane: str) -> None:
    assert {name for name, _ in PANE_KEYS[pane]} <= set(all_keys())
    grouped = [key for _, keys in groups(pane) for key in keys]
    assert len(grouped) == len(set(grouped)), "each in one group"


async def test_help_tells_the_keys_as_the_user_has_them(frozen: Path) -> None:
    async with opened(frozen, WIDE, Config(keys={"alerts.fold": "f3"})) as driven:
        await driven.press("?")
        (line,) = (line for line in driven.lines() if "Hide what follows" in line)
        assert line.split()[0] == "f3"
