"""Lists to choose from: runs and hosts, source files, the ops of a line; and the help."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.recordings.neutral import PROGRAM_PATH
from tests.support.app_under_test import WIDE, Driven, opened
from tfdbg_tui.screens.dialogs.help import PANE_HELP
from tfdbg_tui.screens.pane_names import PANES, TITLES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library


def choices(driven: Driven) -> list[str]:
    """The lines of the list."""
    lines = [line.rstrip("┃ ") for line in driven.lines_of("choices")]
    return [line for line in lines if line]


async def test_files_are_listed_with_the_users_first(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!", "s")
        assert PROGRAM_PATH in choices(driven)[0]
        assert choices(driven)[0].startswith("▸"), "the cursor is on the file that is shown"
        assert not any("/home/" in line for line in choices(driven)[1:])
        await driven.press("down", "enter")
        assert driven.focused == "source"
        assert "was not recorded" in "".join(driven.lines_of("source"))
        await driven.press("s", "home", "up", "up", "enter")
        assert "train.py" in "".join(driven.lines())
        assert "!" in driven.row("source"), "a line of the file that went bad"


async def test_typing_narrows_a_list(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!", "s")
        whole = choices(driven)
        await driven.write("train")
        assert [line for line in choices(driven) if PROGRAM_PATH not in line] == []
        await driven.write(" nothing-has-this")
        assert choices(driven) == ["  Nothing fits."]
        await driven.press("enter")
        assert driven.app.screen is not driven.main, "nothing can be chosen"
        await driven.press(*["backspace"] * 30)
        assert choices(driven) == whole
        await driven.press("pagedown", "pagedown", "pageup", "down", "up", "escape")
        assert driven.app.screen is driven.main
        assert driven.focused == "traces"


@pytest.mark.parametrize("leave", ["escape", "ctrl+c"])
async def test_leaving_a_list_changes_nothing(frozen: Path, leave: str) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        before, chosen = driven.lines(), driven.chosen
        for key in ("s", "r"):
            await driven.press(key, "down", leave)
            assert not driven.has_quit
            assert (driven.lines(), driven.chosen) == (before, chosen)


async def test_runs_are_listed_newest_first_and_can_be_changed(library: Library) -> None:
    async with opened(library.path("two_runs")) as driven:
        run = driven.navigator.run
        assert run is not None
        newest = (run.run.run_id or "")[:8]
        assert newest in driven.status
        assert "2/2" in driven.status
        await driven.press("r")
        assert len(choices(driven)) == 2
        assert newest in choices(driven)[0]
        assert choices(driven)[0].startswith("▸")
        await driven.press("down", "enter")
        await driven.until(lambda: driven.is_loaded)
        assert newest not in driven.status
        assert "1/2" in driven.status
        assert driven.panes.executions.row_count > 0
        await driven.press("!")
        assert driven.navigator.run is not run
        await driven.press("r")
        await driven.click_text(newest, "choices")
        await driven.until(lambda: newest in driven.status)


async def test_runs_of_a_parent_folder_are_told_apart_by_their_folders(
    library: Library, frozen: Path, tmp_path: Path
) -> None:
    shutil.copytree(frozen, tmp_path / "first" / "logdir")
    shutil.copytree(library.path("healthy"), tmp_path / "second")
    async with opened(tmp_path, WIDE) as driven:
        assert "· second ·" in driven.status
        await driven.press("r")
        newest, oldest = choices(driven)
        assert newest.split()[:2] == ["▸", "2"]
        assert " second " in newest
        assert oldest.split()[0] == "1"
        assert " first/logdir " in oldest
        await driven.write("first", "enter")
        await driven.until(lambda: "· first/logdir ·" in driven.status)


async def test_a_single_run_is_listed_too(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("r")
        (line,) = choices(driven)
        assert "b9a2519f" in line
        assert "gpu-box" in line
        assert "235 events" in line
        await driven.press("enter")
        assert driven.app.screen is driven.main


async def test_there_is_no_run_yet(tmp_path: Path) -> None:
    async with opened(tmp_path, loaded=False) as driven:
        await driven.until(lambda: driven.main.session.snapshot is not None)
        await driven.press("r")
        assert driven.told == "There is no run here yet."
        await driven.press("s")
        assert driven.told == "No source file is on disk yet."
        await driven.press("o")
        assert driven.told == "There is no source line to open."
        await driven.press("y")
        assert driven.told == "Nothing is selected."
        for key in (
            "!",
            "n",
            "N",
            "e",
            "E",
            "[",
            "]",
            "x",
            "f",
            "f",
            "c",
            "+",
            "minus",
            "u",
            "z",
            "z",
        ):
            await driven.press(key)
        await driven.press("/")
        await driven.write("Log", "enter")
        await driven.press("&")
        await driven.write("Log", "enter")
        await driven.press(":")
        await driven.write("#1", "enter")
        assert driven.told == "Nothing is recorded yet."
        for number in "1234567":
            await driven.press(number, "j", "enter")
        await driven.press("?")
        assert "Help" in driven.lines()[0]


async def test_help_is_about_the_focused_pane(frozen: Path) -> None:
    async with opened(frozen) as driven:
        for number, name in enumerate(PANES, 1):
            await driven.press(str(number), "?")
            assert TITLES[name] in driven.lines()[0]
            shown = " ".join(" ".join(driven.lines()).split())
            assert " ".join(PANE_HELP[name])[:30] in shown
            await driven.press(("escape", "q", "?")[number % 3])
            assert driven.app.screen is driven.main
            assert driven.focused == name


async def test_help_scrolls(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("?", "j", "pagedown", "G")
        assert "-op:Const" in "".join(driven.lines())
        await driven.press("g")
        assert "Every op that put out NaN" in "".join(driven.lines())
        await driven.wheel(5, 5, 2)
        assert "Every op that put out NaN" not in "".join(driven.lines())


async def test_a_file_that_was_chosen_is_kept_in_view_of_the_list(library: Library) -> None:
    async with opened(library.path("keras_fit"), WIDE) as driven:
        await driven.press("!", "s")
        count = len(choices(driven))
        await driven.press(*["down"] * (count + 3))
        chosen = next(line for line in choices(driven) if line.startswith("▸"))
        await driven.press("enter")
        await driven.press("s")
        assert next(line for line in choices(driven) if line.startswith("▸")) == chosen
