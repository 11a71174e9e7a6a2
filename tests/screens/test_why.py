"""Why, over the panes: the page of a cause, by keys and by mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import WIDE, opened
from tfdbg_tui.screens.dialogs.why import WhyScreen

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tests.support.app_under_test import Driven


def shown(driven: Driven) -> list[str]:
    return driven.lines_of("why-text")


async def test_one_key_says_why_and_the_answer_fits_a_small_terminal(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("w")
        assert isinstance(driven.app.screen, WhyScreen)
        text = "\n".join(shown(driven))
        assert "Log took 1,312 zeros of Softmax" in text
        assert "!    20      diff = -labels * tf.math.log(probs)" in text
        assert "tf.math.log(tf.maximum(probs, 1e-7))" in text
        await driven.press("w")
        assert not isinstance(driven.app.screen, WhyScreen)


@pytest.mark.parametrize("leave", ["escape", "q", "w"])
async def test_leaving_changes_nothing(frozen: Path, leave: str) -> None:
    async with opened(frozen) as driven:
        before = driven.chosen
        await driven.press("w", "tab", "tab", leave)
        assert driven.chosen == before


async def test_a_tensor_of_the_page_is_gone_to_in_all_panes(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!", "w", "tab", "tab", "tab")
        row = next(line for line in shown(driven) if line.startswith("▸"))
        assert "2         mul" in row
        await driven.press("enter")
        assert driven.chosen.trace == 61
        assert "mul" in driven.row("traces")


async def test_causes_are_turned_like_pages(library: Library) -> None:
    async with opened(library.path("full_health")) as driven:
        await driven.press("w")
        assert "cause 1 of" in driven.lines_of("why-title")[0]
        await driven.press("n")
        assert "cause 2 of" in driven.lines_of("why-title")[0]
        await driven.press("N")
        first = driven.lines()
        await driven.press("N")
        assert "no cause before this" in driven.lines_of("why-title")[0]
        assert driven.lines()[1:] == first[1:], "the page stays"


async def test_a_healthy_run_says_so_in_a_sentence(library: Library) -> None:
    async with opened(library.path("healthy")) as driven:
        await driven.press("w")
        assert driven.told == "Nothing is bad in what is recorded."


async def test_what_is_meant_gets_no_advice(library: Library) -> None:
    async with opened(library.path("masked"), WIDE) as driven:
        await driven.press("e", "w")
        page = "\n".join(driven.lines())
        assert "on purpose" in page
        assert "What usually helps" not in page
        assert "bad because of it" not in page
