"""Hostile text in every pane, list, title and sentence: drawn harmlessly, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from tests.recordings.hostile import HOSTILE, hostile_recording
from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tests.test_sanitise import is_unsafe

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "[/x][@click=app.quit]evil[]\x1b[2J\x1b]0;t\x07\u202e損e\u0301\t"


GROUPS = {
    "markup": ("closing markup", "click markup", "style markup"),
    "commands": ("clear screen", "window title", "clipboard", "reset", "eight-bit controls"),
    "controls": ("bidi", "tabs", "newlines", "nul"),
    "scripts": ("cjk", "combining", "emoji"),
    "broken": ("surrogate", "invalid"),
    "long": ("long",),
}
"""Kinds that are tried together in every name."""


def assert_harmless(driven: Driven) -> None:
    """Nothing on the screen is a command, a link or wider than the screen."""
    assert not driven.has_quit
    strips = driven.app.screen._compositor.render_strips()
    width, height = driven.app.size
    assert len(strips) == height
    for strip in strips:
        assert sum(cell_len(segment.text) for segment in strip) == width, strip.text
        for text, style, _ in strip:
            assert not any(map(is_unsafe, text)), ascii(text)
            if style is not None:
                assert style.link is None
                assert not [key for key in style.meta if key.startswith("@click")]


async def visit_panes(driven: Driven) -> None:
    """Look at every pane, list and sentence that shows what was recorded."""
    await driven.press("!")
    for key in ("1", "2", "3", "4", "5", "6", "7", "u", "y", "o", "s", "r"):
        await driven.press(key)
        assert_harmless(driven)
        if driven.app.screen is not driven.main:
            await driven.press("escape")
    await driven.press("!", "7", "enter")
    assert_harmless(driven)
    await driven.press("enter")
    assert_harmless(driven)


async def visit_everything(driven: Driven) -> None:
    """Look at all there is, zoomed, moved and found, and click on it."""
    await visit_panes(driven)
    for number in "1234567":
        await driven.press(number, "j", "z", "right")
        assert_harmless(driven)
        await driven.press("left", "z")
    for key in ("?", "ctrl+p", "h", "H"):
        await driven.press(key)
        assert_harmless(driven)
        await driven.press("escape")
    for key in ("n", "N", "e", "x", "c", "f"):
        await driven.press(key)
        assert_harmless(driven)
    for prompt in ("/evil", "&evil", ":evil"):
        await driven.press(prompt[0])
        await driven.write(prompt[1:], "enter")
        assert_harmless(driven)
        await driven.press("escape")
    await click_around(driven)


async def click_around(driven: Driven) -> None:
    """Click in lines all over the screen, where a link would be."""
    for y in range(0, driven.app.size.height - 1, 5):
        await driven.click(12, y)
        assert_harmless(driven)
        while driven.app.screen is not driven.main:
            await driven.press("escape")


def test_every_kind_is_in_a_group() -> None:
    assert sorted(kind for kinds in GROUPS.values() for kind in kinds) == sorted(HOSTILE)


@pytest.mark.parametrize("group", GROUPS)
async def test_every_kind_of_hostile_text_is_harmless_everywhere(
    tmp_path: Path, group: str
) -> None:
    logdir = hostile_recording(tmp_path / "logdir", *GROUPS[group], together=True)
    async with opened(logdir, SMALL) as driven:
        await visit_panes(driven)
        await driven.resize(*WIDE)
        assert_harmless(driven)
        assert driven.panes.traces.row_count == 108
        assert len(driven.panes.alerts.source or ()) > 10


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=str)
async def test_all_kinds_together_in_a_hostile_folder(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened(hostile_recording(tmp_path / FOLDER), size) as driven:
        await visit_everything(driven)


async def test_nothing_is_lost_of_a_hostile_recording(tmp_path: Path) -> None:
    async with opened(hostile_recording(tmp_path / "logdir", "click markup"), WIDE) as driven:
        await driven.press("!")
        assert driven.chosen.trace == 60
        assert "[@click=app.quit]evil[/]Log #" in driven.panes.health.subject
        assert "il[/]Log " in driven.row("graph")
        assert "[@click=app.quit]evil[/]    diff" in driven.row("source")
        assert "[@clic" in driven.row("stack")
        await driven.press("y")
        assert driven.app.clipboard == "[@click=app.quit]evil[/]Log:0"


async def test_a_hostile_folder_that_is_not_there_is_waited_for(tmp_path: Path) -> None:
    async with opened(tmp_path / FOLDER, loaded=False) as driven:
        await driven.until(lambda: "Waiting for" in "".join(driven.lines()))
        assert_harmless(driven)
        await driven.press("r", "s", "?")
        assert_harmless(driven)
