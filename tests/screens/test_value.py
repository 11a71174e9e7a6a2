"""The value of a tensor over the panes, by keys and by mouse, and its pictures."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.recordings.freeze_values import FROZEN_VALUES
from tests.recordings.neutral import FIRST_TIME
from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tests.support.pictures import assert_as_kept, colours, picture
from tfdbg_tui.config import Config
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.screens.dialogs.value import ValueScreen

ADD, LOG = 12, 11

LOGDIR = Path("logdir")

SIZES = ((40, 10), SMALL, WIDE)

WAYS = ("grid", "statistics", "picture", "over-time", "curve")

PICTURES = {
    *(f"value-{way}-{width}x{height}" for way in WAYS for width, height in SIZES),
    *(f"value-ascii-{key}-80x24" for key in "iso"),
    "value-colours-80x24",
}
"""All that are kept of this page."""


@pytest.fixture(autouse=True)
def _logdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(FROZEN_VALUES, tmp_path / LOGDIR)
    for path in (tmp_path / LOGDIR).iterdir():
        os.utime(path, (FIRST_TIME, FIRST_TIME))
    monkeypatch.chdir(tmp_path)


async def open_value(driven: Driven, trace: int = ADD) -> None:
    links = driven.main.session.links
    driven.main._show(links.go_to_tensor(EventRef(0, EventKind.TRACE, trace, 0)))
    await driven.press("v")
    assert isinstance(driven.app.screen, ValueScreen)
    await worked(driven)


async def worked(driven: Driven) -> None:
    """Wait until all that is shown was worked out."""
    look = driven.main.session.looks.value
    await driven.until(lambda: driven.is_loaded and not look.work.is_working)
    await driven.settle()


def words(driven: Driven) -> str:
    return driven.lines_of("value-words")[0]


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_pictures(size: tuple[int, int]) -> None:
    pictures = []
    async with opened(LOGDIR, size) as driven:
        await driven.until(lambda: "ENDED" in driven.status)

        async def shoot(name: str, *keys: str) -> None:
            await driven.press(*keys)
            await worked(driven)
            pictures.append((f"value-{name}-{size[0]}x{size[1]}", picture(driven)))

        await open_value(driven)
        await shoot("grid", "n")
        await shoot("statistics", "s")
        await shoot("picture", "s", "i")
        if size == SMALL:
            pictures.append(("value-colours-80x24", colours(driven)))
        await shoot("over-time", "i", "o")
        await driven.press("escape", "escape")
        await open_value(driven, LOG)
        await shoot("curve", "i")
    assert_as_kept(pictures)


async def test_pictures_of_plain_terminals() -> None:
    pictures = []
    async with opened(LOGDIR, SMALL, Config(ascii=True)) as driven:
        await driven.until(lambda: "ENDED" in driven.status)
        await open_value(driven)
        for name in "iso":
            await driven.press(name)
            await worked(driven)
            pictures.append((f"value-ascii-{name}-80x24", picture(driven)))
            assert "".join(picture(driven)).isascii()
            await driven.press(name)
    assert_as_kept(pictures)


async def test_keys_behind_each_other_act_in_order() -> None:
    async with opened(LOGDIR) as driven:
        await open_value(driven)
        await driven.press("down", "right", "right", "full_stop")
        assert words(driven).startswith(" [1, 1, 2] -inf")
        await driven.press("n")
        await worked(driven)
        assert words(driven).startswith(" [1, 1, 3] nan")
        await driven.press("N", "N")
        await worked(driven)
        assert words(driven).startswith(" [1, 0, 3] nan")


async def test_what_is_typed_is_no_key() -> None:
    async with opened(LOGDIR) as driven:
        await open_value(driven)
        await driven.press("[")
        await driven.write("1, 2:4, :2]", "enter")
        await worked(driven)
        assert "[1, 2:4, 0:2]" in driven.lines()[0]
        assert driven.lines_of("value-rows")[0].split() == ["0", "1"]
        await driven.press("[")
        await driven.write("nonsense", "enter")
        assert "A slice looks like" in words(driven)
        await driven.press("@")
        await driven.write("1,3,1", "enter")
        assert words(driven).startswith(" [1, 3, 1]")
        await driven.press("=")
        await driven.write(">0.9", "enter")
        await worked(driven)
        assert any("*" in line for line in driven.lines_of("value-rows"))
        await driven.press("w")
        await driven.write("part.npy", "enter")
        await worked(driven)
        assert np.load("part.npy").shape == (2, 2)
        await driven.press("w")
        await driven.write("part.npy", "enter")
        assert "exists already" in words(driven)
        await driven.press("[", "escape", "escape")
        assert not isinstance(driven.app.screen, ValueScreen)


async def test_a_click_puts_the_cursor_on_an_element() -> None:
    async with opened(LOGDIR) as driven:
        await open_value(driven)
        line = driven.lines_of("value-rows")[3]
        x, y = driven.app.screen.query_one("#value-rows").region.offset
        await driven.click(x + line.rindex("!") + 1, y + 3)
        assert words(driven).startswith(" [0, 2, 3] nan")


async def test_enter_goes_to_the_computation_in_all_panes() -> None:
    async with opened(LOGDIR) as driven:
        await open_value(driven)
        await driven.press("}")
        await worked(driven)
        await driven.press("enter")
        assert not isinstance(driven.app.screen, ValueScreen)
        assert driven.chosen.trace == 22


async def test_where_there_is_no_value_the_key_says_so(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!", "v")
        assert "FULL_HEALTH does not record values" in driven.told
