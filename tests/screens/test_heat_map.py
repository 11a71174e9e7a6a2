"""The heat map over the panes, by keys and by mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tests.support.growing import Growing
from tfdbg_tui.config import Config
from tfdbg_tui.screens.dialogs.heat_map import HeatScreen

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library


def shown(driven: Driven) -> list[str]:
    return driven.lines_of("heat-rows")


def words(driven: Driven) -> str:
    return driven.lines_of("heat-words")[0]


async def open_map(driven: Driven) -> None:
    await driven.press("H")
    assert isinstance(driven.app.screen, HeatScreen)
    await driven.until(lambda: any("▸" in line or ">" in line for line in shown(driven)))
    await driven.until(lambda: driven.is_loaded)
    await driven.settle()


async def test_one_key_shows_where_it_went_bad(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        await open_map(driven)
        rows = shown(driven)
        assert rows[2].startswith("  ƒ loss")
        assert rows[3].split()[:3] == ["▸", "!", "Log"]
        assert rows[3].count("N") == 5
        assert words(driven).startswith(" Log in ƒ loss, step 7: #60  -inf 1,312")


@pytest.mark.parametrize("leave", ["escape", "q", "H"])
async def test_leaving_changes_nothing(frozen: Path, leave: str) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        before = driven.chosen
        await open_map(driven)
        await driven.press("down", "right", "n", leave)
        assert driven.app.screen is driven.main
        assert driven.chosen == before


async def test_a_cell_is_gone_to_in_all_panes(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        await open_map(driven)
        await driven.press("down", "right")
        assert words(driven).startswith(" mul in ƒ loss, step 8: ")
        await driven.press("enter")
        assert driven.app.screen is driven.main
        index = driven.navigator.index
        trace = driven.chosen.trace
        assert index is not None
        assert trace is not None
        assert index.host.traces.site_of(trace).op_name == "mul"
        assert index.steps.step_of(index.host.traces.wall_time(trace)) == 8


async def test_a_click_puts_the_cursor_and_another_goes_there(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!")
        await open_map(driven)
        x, y = driven.find("X", "heat-rows")
        await driven.click(x, y)
        assert words(driven).startswith(" mul in ƒ loss, step 7: ")
        assert driven.app.screen is not driven.main
        await driven.click(x, y)
        assert driven.app.screen is driven.main
        assert driven.chosen.trace == 61


async def test_one_click_chooses_row_and_column(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!")
        await open_map(driven)
        _, y = driven.find("MatMul  ", "heat-rows")
        axis_x, _ = driven.find("X", "heat-rows")
        column = axis_x + 7 * 2  # two steps later
        await driven.click(column, y)
        assert words(driven).startswith(" MatMul in ƒ model, step 9: ")
        (chosen,) = [line for line in shown(driven) if "▸" in line]
        assert "MatMul  " in chosen


async def test_what_cannot_be_gone_to_says_so(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        await open_map(driven)
        await driven.press("home", "enter")
        assert words(driven) == " It was not computed there."
        await driven.press("g", "enter")
        assert "group" in words(driven)
        await driven.press("G", "enter")
        await driven.until(lambda: not any("quiet" in line for line in shown(driven)))
        await driven.press("!", "-")
        assert words(driven) == " This is the whole run."


async def test_the_axis_and_the_ends_follow_the_keys(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        await open_map(driven)
        column = shown(driven)[1].index("▼")
        await driven.press("left")
        assert shown(driven)[1].index("▼") < column
        await driven.press("end")
        assert "step 12" in words(driven)
        await driven.press("0", "l", "l")
        assert "step 2" in words(driven)


async def test_a_run_that_grows_moves_no_cursor(frozen: Path, tmp_path: Path) -> None:
    growing = Growing(frozen, tmp_path / "growing")
    async with opened(growing.path) as driven:
        await open_map(driven)
        await driven.press("down", "down")
        before = words(driven).partition(":")[0]
        assert "loss" in before
        for _ in range(3):
            snapshot = driven.main.session.snapshot
            growing.grow()
            await driven.until(
                lambda last=snapshot: driven.main.session.snapshot is not last  # type: ignore[misc]
            )
        await driven.until(lambda: driven.is_loaded)
        await driven.settle()
        assert words(driven).partition(":")[0] == before


@pytest.mark.parametrize("size", [(40, 10), (50, 12), SMALL, WIDE], ids=str)
@pytest.mark.parametrize("ascii_only", [False, True])
async def test_every_size_and_every_terminal_shows_it(
    frozen: Path, size: tuple[int, int], ascii_only: bool
) -> None:
    async with opened(frozen, size, Config(ascii=ascii_only)) as driven:
        await driven.press("!")
        await open_map(driven)
        lines = driven.lines()
        assert any("NNNNN" in line.replace(" ", "") for line in lines)
        assert not ascii_only or all(line.isascii() for line in lines)
        for key in ("down", "G", "g", "n", "N", "+", "-", "u"):
            await driven.press(key)
        assert isinstance(driven.app.screen, HeatScreen)


async def test_nothing_is_counted_until_somebody_looks(library: Library) -> None:
    async with opened(library.path("healthy")) as driven:
        assert driven.main.session.looks.heat._heat is None
        await open_map(driven)
        jobs = driven.main._wanted.details
        assert driven.main.session.looks.heat.job in jobs
        await driven.press("escape")
        assert driven.main.session.looks.heat.job not in driven.main._wanted.details
