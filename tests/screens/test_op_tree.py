"""The tree of ops over the panes, by keys and by mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tests.support.growing import Growing
from tests.support.many_ops import many_ops
from tfdbg_tui.config import Config
from tfdbg_tui.screens.dialogs.op_tree import OpTreeScreen

if TYPE_CHECKING:
    from pathlib import Path


def shown(driven: Driven) -> list[str]:
    return driven.lines_of("tree-rows")


def words(driven: Driven) -> str:
    return driven.lines_of("tree-words")[0]


def here(driven: Driven) -> str:
    """The line of the cursor."""
    return next((line for line in shown(driven) if line[:1] in "▸>" and line.strip()), "")


async def looked_at(driven: Driven) -> None:
    """Wait until the feed has looked at the tree as it is wanted."""
    screen = driven.app.screen
    assert isinstance(screen, OpTreeScreen)
    await driven.until(lambda: screen._page is not None and not screen._page.is_outdated)
    await driven.settle()


async def open_tree(driven: Driven) -> None:
    await driven.press("T")
    await driven.until(lambda: bool(here(driven)))
    await driven.until(lambda: driven.is_loaded)
    await looked_at(driven)


async def press(driven: Driven, *keys: str) -> None:
    for key in keys:
        await driven.press(key)
        await looked_at(driven)


async def test_one_key_shows_where_the_chosen_op_hangs_and_leads_on(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        await open_tree(driven)
        assert shown(driven)[1].split()[:3] == ["-", "!", "CPU:0"]
        assert here(driven).split()[:3] == ["▸", "!", "Log"]
        assert words(driven).startswith(" Log  first bad #60 in step 7: ! -inf 1,312")
        await press(driven, "n", "n")
        assert "Mean" in here(driven)
        await press(driven, "left", "left")
        assert "+ ! ƒ loss" in here(driven)
        await press(driven, "enter", "right", "down")
        assert "mul" in here(driven)
        await driven.press("enter")
        assert driven.app.screen is driven.main
        assert driven.chosen.trace == 61
        assert driven.focused == "traces"


async def test_searching_lists_what_fits_until_it_is_left(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await open_tree(driven)
        rows = shown(driven)
        await driven.press("/")
        await driven.write("softmax", "enter")
        await looked_at(driven)
        assert "Softmax" in here(driven)
        assert "7 of 82 ops fit softmax" in driven.lines()[0]
        await driven.press("/")
        await driven.write("/(/", "enter")
        assert "a ( is not closed" in words(driven)
        await driven.press("/", "escape")
        assert "Softmax" in here(driven)
        await press(driven, "escape")
        assert len(shown(driven)) == len(rows)
        assert "fit" not in driven.lines()[0]
        await press(driven, "s")
        assert "by name" in driven.lines()[0]
        await driven.press("escape")
        assert driven.app.screen is driven.main


async def test_the_mouse_folds_chooses_and_goes_there(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await open_tree(driven)
        before = shown(driven)
        x, y = driven.find("- ! ƒ loss", "tree-rows")
        await driven.click(x, y)
        await looked_at(driven)
        assert "+ ! ƒ loss" in here(driven)
        assert shown(driven) != before
        await driven.click(x, y)
        await looked_at(driven)
        x, y = driven.find("~ mul", "tree-rows")
        await driven.click(x + 2, y)
        assert words(driven).startswith(" mul  first bad #61")
        await driven.click(x + 2, y)
        assert driven.app.screen is driven.main
        assert driven.chosen.trace == 61


async def test_an_op_that_is_not_recorded_is_gone_to_in_its_graph(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        await open_tree(driven)
        await driven.press("/")
        await driven.write("/^Const$/", "enter")
        await looked_at(driven)
        assert "not traced" in words(driven)
        await driven.press("enter")
        assert driven.app.screen is driven.main
        assert driven.chosen.node is not None
        assert driven.chosen.node.op_name.endswith("Const")


async def test_a_run_that_grows_moves_no_cursor(frozen: Path, tmp_path: Path) -> None:
    growing = Growing(frozen, tmp_path / "growing")
    async with opened(growing.path) as driven:
        await open_tree(driven)
        await press(driven, "down", "down")
        before = here(driven).split()[-1], words(driven).split()[0]
        place = [n for n, line in enumerate(shown(driven)) if line == here(driven)]
        while not growing.is_whole:
            growing.grow()
            await driven.settle()
        await driven.until(lambda: driven.is_loaded)
        await looked_at(driven)
        assert words(driven).split()[0] == before[1]
        assert [n for n, line in enumerate(shown(driven)) if line == here(driven)] == place


async def test_many_ops_are_walked_to_the_last(tmp_path: Path) -> None:
    async with opened(many_ops(tmp_path / "many", 3000)) as driven:
        await open_tree(driven)
        await press(driven, "+", "+", "+", "G")
        assert here(driven).split()[1:4] == ["op_2949", "AddV2", "25%"]
        assert len(driven.app.screen.query_one("#tree-rows")._window.rows) < 60, "made as shown"  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", [(40, 10), (50, 12), SMALL, WIDE], ids=str)
@pytest.mark.parametrize("ascii_only", [False, True])
async def test_every_size_and_every_terminal_shows_it(
    frozen: Path, size: tuple[int, int], ascii_only: bool
) -> None:
    async with opened(frozen, size, Config(ascii=ascii_only)) as driven:
        await driven.press("!")
        await open_tree(driven)
        assert any("! Log" in line for line in shown(driven))
        assert not ascii_only or all(line.isascii() for line in driven.lines())
        await press(driven, "G", "g", "n", "N", "+", "-", "s", "left", "right")
