"""The pane of what is watched, by keys and by mouse, live, and when a logdir is opened again."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import SMALL, WIDE, opened
from tests.support.growing import Growing
from tfdbg_tui.config import Config
from tfdbg_tui.kept.of_session import KeptOfSession
from tfdbg_tui.kept.watch_files import keeper_of
from tfdbg_tui.screens.present.arrangement import Shape
from tfdbg_tui.screens.session.watching import NONE_WATCHED

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.app_under_test import Driven


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def rows(driven: Driven) -> list[str]:
    """The lines of the pane below its titles."""
    return [line.strip(" │┃▸>") for line in driven.lines_of("watched")[1:] if line.strip(" │┃▸>")]


async def known(driven: Driven) -> None:
    """Wait until the feed has told all rows."""
    await driven.until(lambda: bool(driven.main.view.watched._rows))
    await driven.until(lambda: all(row.event or row.note for row in driven.main.view.watched._rows))
    await driven.settle()


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=str)
async def test_a_key_pins_shows_and_unpins(frozen: Path, size: tuple[int, int]) -> None:
    async with opened(frozen, size) as driven:
        await driven.press("!")
        before = driven.lines()
        await driven.press("9")
        assert driven.told == NONE_WATCHED
        await driven.press("*", "e", "*", "9")
        await known(driven)
        assert driven.focused == "watched"
        log, mul = rows(driven)
        assert log.startswith("Log")
        assert "step 12 ~ NaN 5,000" in log
        assert "······iNNNNN" in log
        assert log.endswith("6 of 12") or "6 of 12 " in log
        await driven.press("up")
        assert driven.chosen.trace == 105
        assert "Log" in driven.row("watched")
        await driven.press("down")
        assert driven.chosen.trace == 106
        assert "mul" in mul
        await driven.press("*")
        assert driven.told == "mul is no longer watched."
        assert len(rows(driven)) == 1
        await driven.press("*" if driven.panes.watched.cursor is not None else "k", "!", "*")
        if driven.main.session.watching.names:
            await driven.press("*")
        assert "watched" not in driven.panes.names
        await driven.press("!", "!")
        assert len(driven.lines()) == len(before)


async def test_nothing_watched_takes_no_row(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!")
        before = driven.lines()
        await driven.press("*")
        await known(driven)
        assert "9 Watched 1" in "\n".join(driven.lines())
        await driven.press("*", "!")
        assert [line for line in driven.lines() if "Watched" in line] == []
        assert driven.lines()[:-1] == before[:-1]


async def test_a_click_on_a_row_moves_every_pane(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!", "*", "1", "g")
        await known(driven)
        await driven.click_text("Log", "watched")
        assert driven.chosen.trace == 105
        assert "Log #105" in "\n".join(driven.lines())
        await driven.press("enter")
        assert driven.focused == "source"


async def test_it_is_watched_when_the_logdir_is_opened_again(frozen: Path, tmp_path: Path) -> None:
    logdir = tmp_path / "logdir"
    shutil.copytree(frozen, logdir)
    keeper = keeper_of(logdir)
    async with opened(logdir, kept=KeptOfSession(None, keeper)) as driven:
        await driven.press("!", "*")
        await driven.until(keeper.path.exists)
    async with opened(logdir, kept=KeptOfSession(None, keeper_of(logdir))) as driven:
        assert "9 Watched" in "\n".join(driven.lines())
        await driven.press("9")
        await known(driven)
        assert rows(driven)[0].startswith("Log")


async def test_what_comes_moves_nothing(frozen: Path, tmp_path: Path) -> None:
    growing = Growing(frozen, tmp_path / "growing", blocks=3)
    keeper = keeper_of(growing.path)
    async with opened(growing.path, WIDE, kept=KeptOfSession(None, keeper)) as driven:
        driven.navigator.select_trace(6)
        await driven.press("*", "9")
        await known(driven)
        chosen, region = driven.chosen, driven.panes.watched.region
        before = rows(driven)
        assert driven.panes.shape is Shape.WIDE
        while not growing.is_whole:
            growing.grow()
            await driven.settle()
        await driven.until(lambda: rows(driven) != before)
        assert driven.chosen == chosen
        assert driven.focused == "watched"
        assert driven.panes.watched.region == region


async def test_what_is_gone_says_so_and_can_be_unpinned(frozen: Path, tmp_path: Path) -> None:
    logdir = tmp_path / "logdir"
    shutil.copytree(frozen, logdir)
    keeper = keeper_of(logdir)
    keeper.path.parent.mkdir(parents=True)
    keeper.path.write_text('["graph", "Exp", 0, "loss"]\n["graph", "Log", 0, "loss"]\n')
    async with opened(logdir, kept=KeptOfSession(None, keeper_of(logdir))) as driven:
        await driven.press("9")
        await known(driven)
        assert rows(driven)[0].endswith("not in this run")
        await driven.press("g")
        assert driven.told == "Exp is not in this run."
        await driven.press("*")
        await driven.until(lambda: "Exp" not in keeper.path.read_text())
        assert [row.split()[0] for row in rows(driven)] == ["Log"]


@pytest.mark.parametrize("size", [(40, 10), SMALL], ids=str)
async def test_small_and_plain_terminals_show_it(frozen: Path, size: tuple[int, int]) -> None:
    async with opened(frozen, size, Config(ascii=True)) as driven:
        await driven.press("!", "*", "9")
        await known(driven)
        assert any("iNNNNN" in row for row in rows(driven))
        assert all(line.isascii() for line in driven.lines())
        await driven.press("z", "z", "*")
        assert driven.focused != "watched"
