"""Muting in the app: by keys, by mouse, live, and what is kept of it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import SMALL, WIDE, opened
from tests.support.growing import Growing
from tfdbg_tui.config import Config
from tfdbg_tui.data.cause.mutes import Mutes
from tfdbg_tui.kept.mute_files import keeper_of
from tfdbg_tui.kept.of_session import KeptOfSession
from tfdbg_tui.screens.dialogs.chooser import Chooser
from tfdbg_tui.screens.dialogs.why import WhyScreen

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tests.support.app_under_test import Driven

METRIC_FIRST = "cause_metric_before_the_loss"


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


async def mute_op(driven: Driven, tensors: int) -> None:
    """Mute the op type of what is chosen."""
    await driven.press("M")
    await driven.write("op type", "enter")
    await driven.until(lambda: f"muted {tensors}" in driven.status)


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_muting_by_keys_changes_all_that_tells_of_it(
    frozen: Path, size: tuple[int, int]
) -> None:
    async with opened(frozen, size) as driven:
        await driven.press("!")
        before = driven.chosen
        await mute_op(driven, 117)
        assert driven.chosen == before
        assert "! 117" not in driven.status
        band = "\n".join(driven.lines_of("band"))
        assert "m MUTED  Log" in band
        assert "muted by op=Log" in band
        assert "m -inf 1,312" in driven.row("traces")
        await driven.press("1")
        assert "m 117 muted tensors: op=Log" in driven.row("alerts")
        await driven.press("!")
        assert driven.told.startswith("Nothing is bad but 117 tensors that you have muted")
        await driven.press("w")
        assert isinstance(driven.app.screen, WhyScreen)
        assert "You have muted it, by op=Log" in "\n".join(driven.lines_of("why-text"))


async def test_unmuting_by_mouse_brings_all_back(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        await mute_op(driven, 117)
        await driven.press("M")
        assert isinstance(driven.app.screen, Chooser)
        await driven.click_text("Unmute", "choices")
        await driven.until(lambda: driven.told == "No longer muted: op=Log.")
        await driven.until(lambda: "! 117" in driven.status)
        assert "muted" not in driven.status
        assert "! -inf 1,312" in driven.row("traces")


async def test_what_is_muted_is_listed_and_hidden_again(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        await mute_op(driven, 117)
        await driven.press("M")
        await driven.write("show", "enter")
        assert driven.focused == "alerts"
        assert driven.panes.alerts.row_count == 21, "nor is there a warning of what is muted"
        assert "m Log" in driven.row("alerts")
        await driven.press("M")
        await driven.write("hide", "enter")
        assert driven.panes.alerts.row_count == 1


async def test_a_metric_is_muted_and_the_real_cause_is_gone_to(library: Library) -> None:
    async with opened(library.path(METRIC_FIRST), WIDE) as driven:
        await driven.press("!", "!")
        assert "truediv" in driven.row("traces")
        await driven.press("M")
        await driven.write("this function", "enter")
        await driven.until(lambda: "muted 12" in driven.status)
        assert "! 37" in driven.status
        assert "37 from 1 cause, 12 muted" in "\n".join(driven.lines())
        await driven.press("!")
        assert "Sqrt" in driven.row("traces")
        await driven.press("!")
        assert "Sqrt" in driven.row("traces"), "there is no other"


async def test_what_is_muted_is_muted_when_it_is_opened_again(frozen: Path, tmp_path: Path) -> None:
    logdir = tmp_path / "logdir"
    shutil.copytree(frozen, logdir)
    keeper = keeper_of(logdir)
    async with opened(logdir, kept=KeptOfSession(keeper)) as driven:
        await driven.press("!")
        await mute_op(driven, 117)
        await driven.until(keeper.path.exists)
        await driven.press("M")
        assert keeper.path.name[-10:] in "\n".join(driven.lines_of("choices"))
    again = keeper_of(logdir)
    async with opened(logdir, kept=KeptOfSession(again)) as driven:
        await driven.until(lambda: "muted 117" in driven.status)
        assert driven.told == "117 tensors are muted; M lists that."


async def test_a_home_that_cannot_be_written_is_told_and_the_session_goes_on(
    frozen: Path, tmp_path: Path
) -> None:
    (tmp_path / "state").write_text("no folder")
    async with opened(frozen, kept=KeptOfSession(keeper_of(frozen))) as driven:
        await driven.press("!")
        await mute_op(driven, 117)
        await driven.until(lambda: "What is muted is not kept" in driven.told)
        await driven.press("down")
        assert "muted 117" in driven.status


async def test_what_is_not_bad_has_nothing_to_mute(library: Library) -> None:
    async with opened(library.path("healthy")) as driven:
        await driven.press("M")
        assert driven.told.endswith("is not bad: there is nothing to mute here.")


async def test_the_sign_needs_no_colour_and_no_unicode(frozen: Path) -> None:
    async with opened(frozen, config=Config(ascii=True)) as driven:
        await driven.press("!")
        await mute_op(driven, 117)
        text = "\n".join(driven.lines())
        assert text.isascii()
        assert "m -inf 1,312" in text
        await driven.press("?")
        await driven.until(lambda: driven.app.screen is not driven.main)


async def test_what_comes_while_it_grows_is_muted_and_not_announced(
    frozen: Path, tmp_path: Path
) -> None:
    growing = Growing(frozen, tmp_path / "logdir", blocks=2)
    keeper = keeper_of(growing.path)
    keeper.kept = Mutes().adding("op=Log")
    async with opened(growing.path, kept=KeptOfSession(keeper)) as driven:
        assert "muted" not in driven.status
        while not growing.is_whole:
            growing.grow(4)
            await driven.settle()
            assert "has come" not in driven.told
        await driven.until(lambda: "muted 117" in driven.status)
        assert "! " not in driven.status
        assert driven.chosen.execution == 0, "nobody is led to it"
