"""What a script prints, in its pane."""

from __future__ import annotations

import pytest

from tests.support.texts import NAMES
from tests.support.tiny import bare_lines, mounted
from tfdbg_tui.widgets.output_pane import OutputPane
from tfdbg_tui.widgets.pieces import width_of

HEIGHT = 6


def numbered(count: int) -> list[str]:
    return [f"line {number}" for number in range(count)]


async def test_it_stays_at_the_end_until_scrolled_away() -> None:
    pane = OutputPane()
    pane.show(numbered(3))
    async with mounted(pane, (30, HEIGHT)) as hands:
        assert bare_lines(hands)[:3] == numbered(3)
        pane.show([*numbered(20), ""])
        await hands.settle()
        assert bare_lines(hands) == numbered(20)[-HEIGHT:]
        await hands.press("g")
        assert bare_lines(hands) == numbered(20)[:HEIGHT]
        pane.show(numbered(40))
        await hands.settle()
        assert bare_lines(hands) == numbered(20)[:HEIGHT], "nothing moves under the reader"
        await hands.press("G")
        pane.show(numbered(60))
        await hands.settle()
        assert bare_lines(hands) == numbered(60)[-HEIGHT:]


async def test_it_stays_at_the_end_in_every_size() -> None:
    pane = OutputPane()
    pane.show(numbered(50))
    async with mounted(pane, (30, HEIGHT)) as hands:
        for size in ((10, 3), (80, 20), (30, HEIGHT)):
            await hands.resize(*size)
            await hands.settle()
            assert bare_lines(hands)[-1] == "line 49"


@pytest.mark.parametrize("width", [1, 7, 20, 80])
def test_long_lines_are_broken_as_a_terminal_does(width: int) -> None:
    pane = OutputPane()
    for text in ("x" * 100, "損失関数" * 10, "e\u0301" * 50, *NAMES):
        pane.show([text])
        lines = pane.write(width)
        assert all(width_of(line) <= max(width, 2) for line in lines)


def test_it_says_that_nothing_was_printed() -> None:
    pane = OutputPane()
    for printed in ([], [""], ["", ""]):
        pane.show(printed)
        ((piece,),) = pane.write(40)
        assert piece.text == "Nothing was printed yet."
