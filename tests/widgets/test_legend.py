"""Every sign that is drawn is explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import SMALL, WIDE, opened
from tfdbg_tui.screens.pane_names import PANES
from tfdbg_tui.widgets import alerts_pane, history_lines
from tfdbg_tui.widgets.glyphs import ASCII, UNICODE, Glyphs
from tfdbg_tui.widgets.legend import explained, legend
from tfdbg_tui.widgets.roles import ROLES

if TYPE_CHECKING:
    from pathlib import Path

PUNCTUATION = "·│"
"""What stands between words and says nothing; without colours or not."""


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_every_glyph_is_in_the_legend(glyphs: Glyphs) -> None:
    words = explained(glyphs)
    silent = {"separator", "group"}
    missing = [
        name
        for name, text in glyphs._asdict().items()
        if name not in silent and not set(text.strip()) <= words
    ]
    assert missing == []


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["80x24", "160x48"])
async def test_every_sign_that_is_drawn_is_in_the_legend(
    frozen: Path, size: tuple[int, int]
) -> None:
    words = explained(UNICODE)
    async with opened(frozen, size) as driven:
        await driven.press("!")
        for number, name in enumerate(PANES, 1):
            await driven.press(str(number))
            drawn = set("".join([*driven.lines_of(name), *driven.lines()[:4]]))
            odd = {sign for sign in drawn if not sign.isascii()} - set(PUNCTUATION)
            odd -= set("─━┃│╭╮╰╯┏┓┗┛")
            assert odd <= words, f"in {name}"


def test_signs_of_letters_are_in_the_legend() -> None:
    letters = {*history_lines.SIGNS.values(), alerts_pane.CAUSE, "~"}
    assert letters <= {sign.text for sign in legend(UNICODE)}


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_each_has_a_role_that_panes_draw_and_words_of_its_own(glyphs: Glyphs) -> None:
    signs = legend(glyphs)
    assert {sign.role for sign in signs} <= {"", *ROLES}
    assert len({sign.means for sign in signs}) == len(signs)
    assert glyphs is UNICODE or all(sign.text.isascii() for sign in signs)


def test_no_sign_means_two_things() -> None:
    texts = [sign.text for sign in legend(UNICODE)]
    assert len(set(texts)) == len(texts)
