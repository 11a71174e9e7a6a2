"""`V`: asks whether to record a script again, and shows the whole command first."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tests.support.noting import note
from tfdbg_tui.errors import UserError
from tfdbg_tui.screens.dialogs.record_again import NO, YES, RecordAgainScreen

if TYPE_CHECKING:
    from tests.recordings.record import Library
    from tfdbg_tui.program.record_again import Request
    from tfdbg_tui.program.second_run import SecondRun

TINY = (40, 10)


class Refusing:
    """Notes what it is to start, and cannot."""

    def __init__(self) -> None:
        self.wanted: list[Request] = []

    def start(self, wanted: Request) -> SecondRun:
        self.wanted.append(wanted)
        raise UserError("cannot record to \x1b[2J: no space left on device.")


@pytest.fixture
def logdir(frozen: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "train.py").write_text("pass\n")
    logdir = Path(shutil.copytree(frozen, tmp_path / "logdir"))
    return note(logdir, folder=str(folder), python=sys.executable)


def is_open(driven: Driven) -> bool:
    return isinstance(driven.app.screen, RecordAgainScreen)


def shown(driven: Driven) -> str:
    """The text of the question, without blanks and the bar beside it."""
    return "".join("".join(driven.lines_of("again-text")).replace("┃", "").replace("▐", "").split())


async def ask(driven: Driven) -> None:
    await driven.press("!", "V")
    await driven.until(lambda: is_open(driven))


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=str)
async def test_the_whole_command_is_shown_and_run_when_somebody_agrees(
    logdir: Path, size: tuple[int, int]
) -> None:
    starter = Refusing()
    async with opened(logdir, size, starter=starter) as driven:
        await ask(driven)
        text = shown(driven)
        assert f"cd{logdir.parent / 'project'}" in text
        assert "--op-namesLog,probs,Softmax--until-step7" in text
        assert "train.py--epochs3" in text
        assert "!train.pyisnotasrecorded:stepsmaydiffer." in text
        assert "the values of Log #60" in driven.status
        await driven.press("enter", "space", "Y")
        assert is_open(driven), "only y agrees"
        assert starter.wanted == []
        await driven.press("y")
        (wanted,) = starter.wanted
        assert wanted.step == 7
        assert driven.told == "cannot record to \\x1b[2J: no space left on device."


@pytest.mark.parametrize("key", ["escape", "q", "n", "V", "ctrl+c"])
async def test_nothing_is_run_otherwise(logdir: Path, key: str) -> None:
    starter = Refusing()
    async with opened(logdir, SMALL, starter=starter) as driven:
        await ask(driven)
        await driven.press(key)
        assert not is_open(driven)
        assert starter.wanted == []
        assert not driven.has_quit


async def test_nobody_agrees_to_what_was_not_in_view(logdir: Path) -> None:
    starter = Refusing()
    async with opened(logdir, TINY, starter=starter) as driven:
        await ask(driven)
        seen = [shown(driven)]
        while is_open(driven):
            assert starter.wanted == []
            await driven.press("y")
            if is_open(driven):
                assert driven.status.startswith(" Record again  read")
                seen.append(shown(driven))
            assert len(seen) < 20
        assert len(seen) > 2
        assert len(starter.wanted) == 1
        assert NO.replace(" ", "") in seen[-1]


async def test_the_answers_can_be_clicked(logdir: Path) -> None:
    starter = Refusing()
    async with opened(logdir, SMALL, starter=starter) as driven:
        for answer, started in ((NO, 0), (YES, 1)):
            await ask(driven)
            lines = driven.lines()
            row = next(number for number, line in enumerate(lines) if line.strip() == answer)
            await driven.click(3, row)
            assert not is_open(driven)
            assert len(starter.wanted) == started


async def test_a_recording_without_notes_tells_the_line_to_change(frozen: Path) -> None:
    starter = Refusing()
    async with opened(frozen, SMALL, starter=starter) as driven:
        await ask(driven)
        assert 'tensor_debug_mode="FULL_TENSOR",' in shown(driven)
        assert YES.replace(" ", "") not in shown(driven)
        await driven.press("y")
        assert "there is nothing to run" in driven.status
        assert starter.wanted == []
        await driven.press("escape")
        assert not is_open(driven)


async def test_what_holds_values_already_is_said_to(library: Library) -> None:
    async with opened(library.path("full_tensor"), SMALL) as driven:
        await driven.press("!", "V")
        await driven.until(lambda: bool(driven.told))
        assert driven.told.endswith("are recorded already.")
