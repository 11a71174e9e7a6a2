"""The doctor in the app: a line while there is announced, and all findings behind one key."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tests.support.examining import examine
from tfdbg_tui.config import Config
from tfdbg_tui.doctor.finding import Finding, Level
from tfdbg_tui.screens.dialogs.doctor import DoctorScreen
from tfdbg_tui.screens.present.arrangement import Shape
from tfdbg_tui.screens.present.finding_banner import FindingBanner
from tfdbg_tui.screens.present.pane_area import PaneArea
from tfdbg_tui.widgets.finding_line import FindingLine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library

HEADLINE = "NO_TENSOR: nothing tells NaN or Inf"

EDGE = (120, 30)
"""The smallest terminal that shows all panes at once."""


def has_line(driven: Driven) -> bool:
    """Whether the line is on the screen, above the keys."""
    return "d Doctor" in driven.lines()[-2]


def report(driven: Driven) -> list[str]:
    """The text of the doctor, without the bar that tells where in it this is."""
    return [line.rstrip(" ┃") for line in driven.lines_of("doctor-text")]


def is_open(driven: Driven) -> bool:
    return isinstance(driven.app.screen, DoctorScreen)


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=str)
async def test_a_line_says_what_is_wrong_until_it_was_read(
    library: Library, size: tuple[int, int]
) -> None:
    async with opened(library.path("no_tensor"), size) as driven:
        assert driven.lines()[-2].startswith(f" ! {HEADLINE}   d Doctor")
        await driven.press("d")
        assert is_open(driven)
        assert "Doctor" in driven.status
        text = report(driven)
        assert text[1] == f" ! problem   {HEADLINE}"
        assert any(f'"{library.path("no_tensor")}",' in line for line in text)
        await driven.press("d")
        assert not is_open(driven)
        assert not has_line(driven)


@pytest.mark.parametrize("key", ["escape", "q", "d"])
async def test_the_doctor_is_closed_as_everything_is(library: Library, key: str) -> None:
    async with opened(library.path("no_tensor")) as driven:
        await driven.press("d", key)
        assert not is_open(driven)
        assert not driven.has_quit


async def test_a_click_on_the_line_opens_the_doctor(library: Library) -> None:
    async with opened(library.path("no_tensor")) as driven:
        await driven.click(*driven.find(HEADLINE))
        assert is_open(driven)


async def test_the_doctor_can_be_typed(library: Library) -> None:
    async with opened(library.path("healthy")) as driven:
        await driven.press(":", *"doctor", "enter")
        await driven.until(lambda: is_open(driven))


async def test_the_line_names_the_key_that_the_user_mapped(library: Library) -> None:
    config = Config(keys={"view.doctor": "f3"})
    async with opened(library.path("no_tensor"), config=config) as driven:
        assert f"{HEADLINE}   f3 Doctor" in driven.lines()[-2]


@pytest.mark.parametrize("scenario", ["full_health", "healthy", "eager_only", "two_runs"])
async def test_a_good_recording_has_no_line_but_a_report(library: Library, scenario: str) -> None:
    async with opened(library.path(scenario)) as driven:
        assert not has_line(driven)
        await driven.press("d")
        assert "All is well" in report(driven)[1]


async def test_the_text_scrolls_with_the_usual_keys(library: Library) -> None:
    async with opened(library.path("no_tensor")) as driven:
        await driven.press("d")
        first = report(driven)
        await driven.press("j")
        assert report(driven)[0] == first[1]
        await driven.press("G")
        assert "tape.gradient(loss, variables)" in report(driven)[-1]
        await driven.press("g")
        assert report(driven) == first


async def test_a_notice_has_no_line_beside_it_but_the_key_works(library: Library) -> None:
    async with opened(library.path("circular"), loaded=False) as driven:
        await driven.until(lambda: any("without writing an event" in x for x in driven.lines()))
        assert not has_line(driven)
        await driven.press("d")
        assert "The program ended without writing an event" in report(driven)[1]


async def test_nothing_is_recorded_yet_and_the_key_works(tmp_path: Path) -> None:
    async with opened(tmp_path, loaded=False) as driven:
        await driven.until(lambda: any("No recording in" in line for line in driven.lines()))
        await driven.press("d")
        assert "No recording in" in report(driven)[1]


@pytest.mark.parametrize("size", [SMALL, EDGE, WIDE], ids=str)
async def test_the_line_comes_and_goes_without_moving_the_place(
    copy_of: Callable[[str], Path], size: tuple[int, int]
) -> None:
    logdir = copy_of("full_health")
    async with opened(logdir, size) as driven:
        await driven.press("3", "G", "k", "k")
        assert not has_line(driven)
        chosen, shape, row = driven.chosen, driven.panes.shape, driven.row("traces")
        shutil.rmtree(logdir)
        await driven.until(lambda: "The logdir was deleted" in driven.lines()[-2])
        await driven.settle()
        assert has_line(driven)
        assert (driven.chosen, driven.panes.shape, driven.row("traces")) == (chosen, shape, row)
        assert driven.focused == "traces"
        assert any("105" in line for line in driven.lines_of("traces")), "the row is in sight"
        await driven.press("d", "d")
        assert not has_line(driven)
        assert (driven.chosen, driven.panes.shape, driven.row("traces")) == (chosen, shape, row)
        assert any("105" in line for line in driven.lines_of("traces"))


async def test_a_line_does_not_take_the_wide_shape_away(library: Library) -> None:
    async with opened(library.path("no_tensor"), EDGE) as driven:
        assert has_line(driven)
        assert driven.panes.shape is Shape.WIDE


# ---------------------------------------------------------------------- what the line tells


PROBLEM = Finding("a", Level.PROBLEM, "A")
WARNING = Finding("b", Level.WARNING, "B")
FACT = Finding("c", Level.FACT, "C")


@pytest.fixture
def banner() -> FindingBanner:
    return FindingBanner(FindingLine(), PaneArea())


def test_the_most_serious_unseen_finding_is_told(banner: FindingBanner) -> None:
    banner.show("run", (PROBLEM, WARNING, FACT))
    assert banner.told == PROBLEM
    banner.read()
    assert banner.told is None
    another = Finding("d", Level.WARNING, "D")
    banner.show("run", (PROBLEM, WARNING, another, FACT))
    assert banner.told == another


def test_a_finding_that_comes_and_goes_is_told_once(banner: FindingBanner) -> None:
    told = []
    for found in ((WARNING,), (), (WARNING,), (), (WARNING,)):
        banner.show("run", found)
        told.append(banner.told)
    assert told == [WARNING, None, None, None, None]


def test_a_finding_that_becomes_worse_is_told_again(banner: FindingBanner) -> None:
    banner.show("run", (WARNING,))
    banner.read()
    worse = WARNING._replace(level=Level.PROBLEM)
    banner.show("run", (worse,))
    assert banner.told == worse


def test_each_run_has_news_of_its_own(banner: FindingBanner) -> None:
    banner.show("one", (WARNING,))
    banner.read()
    banner.show("two", (WARNING,))
    assert banner.told == WARNING
    banner.show("one", (WARNING,))
    assert banner.told is None


def test_facts_are_not_news(banner: FindingBanner, library: Library) -> None:
    banner.show("run", examine(library.path("healthy")).found[0])
    assert banner.told is None
