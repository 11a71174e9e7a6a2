"""Lists to choose from: runs and hosts, source files, the ops of a line, commands, themes."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.recordings.neutral import PROGRAM_PATH
from tests.support.app_under_test import WIDE, Driven, opened
from tfdbg_tui.screens.keys import BINDINGS, PALETTE
from tfdbg_tui.theme import themes

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library


def choices(driven: Driven) -> list[str]:
    """The lines of the list, without the headings."""
    lines = [line.rstrip("┃ ") for line in driven.lines_of("choices")[1:]]
    return [line for line in lines if line]


def headings(driven: Driven) -> list[str]:
    """The headings of the list."""
    return driven.lines_of("choices")[0].split()


def places(driven: Driven, heading: str) -> set[str]:
    """What all choices say at a heading, from its first cell on to the next blank."""
    column = driven.lines_of("choices")[0].index(heading)
    return {line[column:].split("  ")[0].strip() for line in choices(driven)}


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
        assert re.search("[!~][0-9]", driven.row("source")), "a line of the file that went bad"


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
        assert line.split() == ["▸", "1", "b9a2519f", "gpu-box", *line.split()[4:]]
        assert headings(driven) == ["run", "host", "when", "state", "events", "alerts"]
        assert places(driven, "alerts") == {"! 117"}
        assert places(driven, "state") == {"ended"}
        assert " 235 " in line
        await driven.press("enter")
        assert driven.app.screen is driven.main


async def test_runs_stand_in_columns_and_say_what_became_of_them(
    library: Library, tmp_path: Path
) -> None:
    for name in ("healthy", "no_tensor", "two_runs", "op_fails"):
        shutil.copytree(library.path(name), tmp_path / name)
    async with opened(tmp_path, WIDE) as driven:
        await driven.until(lambda: "ENDED" in driven.status)
        await driven.press("r")
        assert headings(driven) == ["run", "folder", "host", "when", "state", "events", "alerts"]
        assert len(choices(driven)) == 5
        assert places(driven, "folder") == {"healthy", "no_tensor", "two_runs", "op_fails"}
        assert places(driven, "state") == {"ended", "exit 1"}
        assert places(driven, "alerts") == {"clean", "not judged", "! 5"}
        (failed,) = (line for line in choices(driven) if "op_fails" in line)
        assert "clean" in failed
        await driven.write("not judged")
        assert [line.split()[3] for line in choices(driven)] == ["no_tensor"]


async def test_a_low_screen_is_all_list(frozen: Path) -> None:
    async with opened(frozen, (50, 12)) as driven:
        await driven.press("s")
        assert driven.lines()[0].startswith("╭")
        assert driven.lines()[-1].startswith("╰")
        assert len(choices(driven)) == 7, "as many as there is room for"
        assert [line for line in choices(driven) if ".py" not in line] == []


async def test_installed_files_are_named_from_their_package_on(library: Library) -> None:
    async with opened(library.path("keras_fit")) as driven:
        await driven.press("s")
        shown = choices(driven)
        assert not any("-packages" in line for line in shown)
        assert any(line.split()[0] == "tensorflow/python/util/dispatch.py" for line in shown)
        await driven.write("sequential.py", "enter")
        await driven.until(lambda: driven.app.screen is driven.main)
        assert "sequential.py" in "".join(driven.lines())


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


async def test_a_file_that_was_chosen_is_kept_in_view_of_the_list(library: Library) -> None:
    async with opened(library.path("keras_fit"), WIDE) as driven:
        await driven.press("!", "s")
        count = len(choices(driven))
        await driven.press(*["down"] * (count + 3))
        chosen = next(line for line in choices(driven) if line.startswith("▸"))
        await driven.press("enter")
        await driven.press("s")
        assert next(line for line in choices(driven) if line.startswith("▸")) == chosen


async def test_the_palette_lists_every_action_in_a_row(frozen: Path) -> None:
    async with opened(frozen, (120, 80)) as driven:
        await driven.press("!", "ctrl+p")
        assert headings(driven) == ["command", "key", "what", "it", "does"]
        rows = ["  ".join(line.strip("▸ ").split()) for line in choices(driven)]
        for binding in BINDINGS:
            does = binding.tooltip or ""
            row = f"{binding.description} {driven.app.key_text(binding)} {does}"
            assert (binding.id == PALETTE) == ("  ".join(row.split()) not in rows), row
        await driven.write("first nan")
        assert len(choices(driven)) == 1
        await driven.press("ctrl+p", "enter")
        assert driven.app.screen is driven.main
        await driven.until(lambda: driven.chosen.trace == 60)


async def test_the_palette_opens_other_lists_and_can_be_clicked(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.click_text("Palette", "keys")
        await driven.click_text("Runs and hosts", "choices")
        await driven.until(lambda: headings(driven)[0] == "run")
        await driven.press("escape", "ctrl+p")
        await driven.write("Zoom whole", "enter")
        await driven.until(lambda: driven.panes.zoomed is not None)


async def test_the_palette_runs_what_it_lists(frozen: Path) -> None:
    async with opened(frozen) as driven:
        for number, binding in enumerate(b for b in BINDINGS if b.id != PALETTE):
            if binding.description in ("Quit", "Editor", "Mouse"):
                continue
            await driven.press("ctrl+p")
            await driven.press_at_once(*["down"] * number)
            await driven.press("enter")
            while driven.app.screen is not driven.main:
                await driven.press("escape")
            if driven.main.view.prompt.display:
                await driven.press("escape")
        assert not driven.has_quit


async def test_every_theme_can_be_chosen(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        before = driven.app.theme
        await driven.press("ctrl+p")
        await driven.write("colours", "enter")
        await driven.until(lambda: headings(driven) == ["theme", "colours"])
        (shown,) = (line for line in choices(driven) if line.startswith("▸"))
        assert shown.split()[1] == before
        assert {line.strip("▸ ").split()[0] for line in choices(driven)} == set(themes())
        await driven.write("nord", "enter")
        assert driven.app.theme == "nord"
        assert driven.told.startswith("The theme is nord")
        await driven.press(":")
        await driven.write("theme", "enter")
        await driven.until(lambda: driven.app.screen is not driven.main)
        await driven.press("escape")
        assert driven.app.theme == "nord"
