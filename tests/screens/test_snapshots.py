"""The screens of the frozen recording, as text: nothing about them changes unnoticed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.recordings.neutral import FIRST_TIME
from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tests.support.pictures import FOLDER, assert_as_kept, colours, picture
from tfdbg_tui.config import Config
from tfdbg_tui.screens.pane_names import PANES

LOGDIR = Path("logdir")
"""Relative, so that the path on the screen is the same on every machine."""

Pictures = list[tuple[str, list[str]]]


@pytest.fixture(autouse=True)
def _logdir(frozen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the frozen run that was last written to when it was recorded."""
    shutil.copytree(frozen, tmp_path / LOGDIR)
    for path in (tmp_path / LOGDIR).iterdir():
        os.utime(path, (FIRST_TIME, FIRST_TIME))
    monkeypatch.chdir(tmp_path)


async def at_rest(driven: Driven) -> None:
    """Wait until it is known that the program has ended."""
    await driven.until(lambda: "ENDED" in driven.status)


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=lambda size: "{}x{}".format(*size))
async def test_screens(size: tuple[int, int]) -> None:
    pictures: Pictures = []

    async def shoot(driven: Driven, name: str, *keys: str) -> None:
        await driven.press(*keys)
        pictures.append((f"{name}-{size[0]}x{size[1]}", picture(driven)))

    async with opened(LOGDIR, size) as driven:
        await at_rest(driven)
        await shoot(driven, "start")
        await shoot(driven, "first-bad", "!")
        pictures.append((f"colours-{size[0]}x{size[1]}", colours(driven)))
        for number, name in enumerate(PANES, 1):
            await shoot(driven, f"zoomed-{name}", str(number), "z")
            await driven.press("z")
        await shoot(driven, "help", "3", "?")
        await shoot(driven, "files", "escape", "s")
        await shoot(driven, "runs", "escape", "r")
        await driven.press("escape", "!", "/")
        await driven.write("Softmax", "enter")
        await driven.until(lambda: driven.is_loaded)
        await shoot(driven, "search")
        await driven.press("escape", "!", "&")
        await driven.write("fn:loss bad", "enter")
        await driven.until(lambda: driven.is_loaded)
        await shoot(driven, "filter")
    assert_as_kept(pictures)


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=lambda size: "{}x{}".format(*size))
async def test_screens_of_plain_terminals(size: tuple[int, int]) -> None:
    async with opened(LOGDIR, size, Config(ascii=True)) as driven:
        await at_rest(driven)
        await driven.press("!")
        assert_as_kept([(f"ascii-{size[0]}x{size[1]}", picture(driven))])


@pytest.mark.parametrize("size", [(60, 20), (50, 12)], ids=lambda size: "{}x{}".format(*size))
async def test_screens_of_small_terminals(size: tuple[int, int]) -> None:
    pictures: Pictures = []
    async with opened(LOGDIR, size) as driven:
        await at_rest(driven)
        pictures.append((f"start-{size[0]}x{size[1]}", picture(driven)))
        await driven.press("!")
        pictures.append((f"first-bad-{size[0]}x{size[1]}", picture(driven)))
        await driven.press("7")
        pictures.append((f"source-{size[0]}x{size[1]}", picture(driven)))
    assert_as_kept(pictures)


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=lambda size: "{}x{}".format(*size))
async def test_a_logdir_that_is_not_there_yet(size: tuple[int, int]) -> None:
    async with opened(Path("/home/ada/not-there-yet"), size, loaded=False) as driven:
        await driven.until(lambda: "Waiting for" in "".join(driven.lines()))
        assert_as_kept([(f"waiting-{size[0]}x{size[1]}", picture(driven))])


def test_no_picture_is_kept_that_nobody_takes() -> None:

    zoomed = {f"zoomed-{name}" for name in PANES}
    both = {"start", "first-bad", "help", "files", "runs", "search", "filter", "ascii", "waiting"}
    sized = {
        f"{name}-{size}" for name in both | zoomed | {"colours"} for size in ("80x24", "160x48")
    }
    small = {
        f"{name}-{size}" for name in ("start", "first-bad", "source") for size in ("60x20", "50x12")
    }
    assert {path.stem for path in FOLDER.glob("*.txt")} == sized | small


def test_the_readme_shows_the_real_screen() -> None:
    kept = (FOLDER / "first-bad-80x24.txt").read_text(encoding="utf-8")
    readme = FOLDER.parents[1] / "README.md"
    assert f"```\n{kept}```\n" in readme.read_text(encoding="utf-8")
