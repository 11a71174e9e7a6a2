"""The screens of the frozen recording, as text: nothing about them changes unnoticed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.recordings.neutral import FIRST_TIME
from tests.screens.test_value import PICTURES as VALUES
from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tests.support.pictures import FOLDER, assert_as_kept, colours, picture
from tfdbg_tui.config import Config
from tfdbg_tui.screens.dialogs.heat_map import HeatScreen
from tfdbg_tui.screens.dialogs.history import HistoryScreen
from tfdbg_tui.screens.dialogs.op_tree import OpTreeScreen
from tfdbg_tui.screens.dialogs.result_page import ResultScreen
from tfdbg_tui.screens.pane_names import PANES

TINY = (40, 10)

SINGLE = {"source-50x12", "op-tree-40x10", "watched-40x10"}
"""What is looked at in one size."""

SIZES = ((50, 12), SMALL, (120, 36), WIDE, (200, 60))

USUAL = (SMALL, WIDE)
"""The sizes at which what looks alike at all others is looked at."""

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


def is_history_known(driven: Driven) -> bool:
    """Whether the feed has looked through all computations of the chosen tensor."""
    history = driven.main.view.details.history
    return history is None or history._scanned == len(history.store)


def is_page_read(driven: Driven) -> bool:
    """Whether all that a page over the panes shows has been read back from disk."""
    screen = driven.app.screen
    if isinstance(screen, HistoryScreen):
        return screen._page is not None and not screen._page.is_reading
    if isinstance(screen, HeatScreen):
        rows = screen._rows._window.rows
        return driven.is_loaded and bool(rows) and all(row.is_known for row in rows)
    if isinstance(screen, OpTreeScreen):
        page, tree = screen._page, screen._look.job
        is_read = tree is not None and tree.zeros.reads > 0 and not tree.zeros._wanted
        return driven.is_loaded and is_read and page is not None and not page.is_outdated
    return all(row.event or row.note for row in driven.main.view.watched.rows(0, 99))


def named(size: tuple[int, int]) -> str:
    """A size as people write it."""
    return "{}x{}".format(*size)


@pytest.mark.parametrize("size", SIZES, ids=named)
async def test_screens(size: tuple[int, int]) -> None:
    pictures: Pictures = []

    async def shoot(driven: Driven, name: str, *keys: str) -> None:
        await driven.press(*keys)
        await driven.until(lambda: is_history_known(driven) and is_page_read(driven))
        await driven.settle()
        pictures.append((f"{name}-{named(size)}", picture(driven)))

    async with opened(LOGDIR, size) as driven:
        await at_rest(driven)
        await shoot(driven, "start")
        await shoot(driven, "first-bad", "!")
        if size in USUAL:
            pictures.append((f"colours-{named(size)}", colours(driven)))
        for number, name in enumerate(PANES, 1):
            await shoot(driven, f"zoomed-{name}", str(number), "z")
            await driven.press("z")
        await shoot(driven, "history", "!", "h")
        await driven.press("escape")
        await shoot(driven, "heat-map", "H")
        await driven.press("escape")
        await shoot(driven, "op-tree", "T", "+")
        await driven.press("escape")
        await shoot(driven, "help", "3", "?")
        await shoot(driven, "files", "escape", "s")
        await shoot(driven, "runs", "escape", "r")
        await shoot(driven, "doctor", "escape", "d")
        await shoot(driven, "palette", "escape", "ctrl+p")
        await shoot(driven, "why", "escape", "!", "w")
        await shoot(driven, "mute", "escape", "!", "M")
        await driven.press("escape", "!", "/")
        await driven.write("Softmax", "enter")
        await driven.until(lambda: driven.is_loaded)
        await shoot(driven, "search")
        await driven.press("escape", "!", "&")
        await driven.write("fn:loss bad", "enter")
        await driven.until(lambda: driven.is_loaded)
        await shoot(driven, "filter")
        await driven.press("escape", "escape", "!", "*", "e", "*", "e", "*")
        await driven.until(lambda: driven.is_loaded)
        await shoot(driven, "watched", "9")
        await driven.press("escape", "!", ":", "l", "tab", "tab")
        await shoot(driven, "candidates")
        await driven.press("escape", ":")
        await driven.write("lt -n Log", "enter")
        await driven.until(lambda: isinstance(driven.app.screen, ResultScreen))
        await shoot(driven, "result")
    assert_as_kept(pictures)


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=named)
async def test_screens_of_plain_terminals(size: tuple[int, int]) -> None:
    async with opened(LOGDIR, size, Config(ascii=True)) as driven:
        await at_rest(driven)
        await driven.press("!")
        assert_as_kept([(f"ascii-{named(size)}", picture(driven))])


async def test_the_source_of_a_small_terminal() -> None:
    async with opened(LOGDIR, SIZES[0]) as driven:
        await at_rest(driven)
        await driven.press("!", "7")
        assert_as_kept([(f"source-{named(SIZES[0])}", picture(driven))])


async def test_the_tree_and_what_is_watched_on_the_smallest_terminal() -> None:
    async with opened(LOGDIR, TINY) as driven:
        await at_rest(driven)
        await driven.press("!", "*", "9")
        await driven.until(lambda: is_page_read(driven))
        await driven.settle()
        pictures = [(f"watched-{named(TINY)}", picture(driven))]
        await driven.press("T")
        await driven.until(lambda: is_page_read(driven))
        await driven.settle()
        assert_as_kept([*pictures, (f"op-tree-{named(TINY)}", picture(driven))])


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=named)
async def test_a_logdir_that_is_not_there_yet(size: tuple[int, int]) -> None:
    async with opened(Path("/home/ada/not-there-yet"), size, loaded=False) as driven:
        await driven.until(lambda: "Waiting for" in "".join(driven.lines()))
        assert_as_kept([(f"waiting-{named(size)}", picture(driven))])


def test_no_picture_is_kept_that_nobody_takes() -> None:
    screens = (
        *("start", "first-bad", "search", "filter", *(f"zoomed-{name}" for name in PANES)),
        *("help", "files", "runs", "doctor", "palette", "why", "mute", "history", "heat-map"),
        *("op-tree", "watched"),
        *("candidates", "result"),
    )
    twice = ("ascii", "colours", "waiting")
    taken = {f"{name}-{named(size)}" for name in screens for size in SIZES}
    taken |= {f"{name}-{named(size)}" for name in twice for size in USUAL}
    assert {path.stem for path in FOLDER.glob("*.txt")} == taken | SINGLE | VALUES


def test_the_readme_shows_the_real_screen() -> None:
    kept = (FOLDER / "first-bad-80x24.txt").read_text(encoding="utf-8")
    readme = FOLDER.parents[1] / "README.md"
    assert f"```\n{kept}```\n" in readme.read_text(encoding="utf-8")
