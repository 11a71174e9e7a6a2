"""The app at random: no old text stays on the terminal, every line fits, nothing falls over."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tests.support.growing import Growing

if TYPE_CHECKING:
    from pathlib import Path

STEPS = 30

KEYS: tuple[str, ...] = (
    *("!", "n", "N", "e", "E", "[", "]", "f", "z", "escape", "tab", "shift+tab", "u", "c", "+"),
    *("minus", "x", "space", "enter", "enter", "pagedown", "pageup", "ctrl+d", "ctrl+u"),
    *"1234567jjjkkkgGhl?sr",
)
QUERIES: tuple[str, ...] = (
    "/Log",
    "/op:Mul",
    "/(",
    "&bad",
    "&nothing",
    "&fn:loss",
    "&",
    "/",
    ":#5",
    ":step 3",
    ":#x",
)
SIZES = (SMALL, WIDE, (60, 20), (50, 12), (120, 30), (100, 40), (20, 5))


async def do_something(driven: Driven, chance: random.Random) -> str:
    """Press, click, turn the wheel, ask or resize; says what."""
    kind = chance.random()
    width, height = driven.app.size
    x, y = chance.randrange(width), chance.randrange(height - 1)
    if kind < 0.62:
        key = chance.choice(KEYS)
        await driven.press(key)
        return key
    if kind < 0.8:
        await driven.click(x, y, chance.choice((1, 1, 2)))
        return f"click {x}, {y}"
    if kind < 0.86:
        await driven.wheel(x, y, chance.choice((-3, 1, 3)))
        return f"wheel {x}, {y}"
    if kind < 0.94:
        query = chance.choice(QUERIES)
        await driven.press(query[0])
        await driven.write(query[1:], "enter")
        return query
    size = chance.choice(SIZES)
    await driven.resize(*size)
    return f"size {size}"


def assert_sound(driven: Driven, done: list[str]) -> None:
    """What must hold whatever was done."""
    doings = f"after {done[-5:]}"
    width, height = driven.app.size
    assert [cell_len(line) for line in driven.lines()] == [width] * height, doings
    assert driven.app.stale_lines() == [], doings
    assert not driven.chosen.is_empty, doings
    for pane in (
        driven.panes.alerts,
        driven.panes.executions,
        driven.panes.traces,
        driven.panes.stack,
    ):
        assert pane.cursor is None or 0 <= pane.cursor < pane.row_count, doings
        assert not pane.region.area or 0 <= pane.top <= pane.last_top, doings


@pytest.mark.parametrize("seed", range(3))
async def test_no_old_text_stays_on_the_terminal(tmp_path: Path, frozen: Path, seed: int) -> None:
    chance = random.Random(seed)
    growing = Growing(frozen, tmp_path / "logdir", blocks=2)
    done: list[str] = []
    async with opened(growing.path, (SMALL, SMALL, WIDE)[seed]) as driven:
        driven.app.paint()
        for _ in range(STEPS):
            if chance.random() < 0.1:
                growing.grow()
                done.append("grow")
            done.append(await do_something(driven, chance))
            if driven.has_quit:
                break
            assert_sound(driven, done)
    assert len(done) >= STEPS, f"it was left by {done[-1]}"
