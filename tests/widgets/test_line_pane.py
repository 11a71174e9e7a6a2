"""Drawing: every line has its width, only changed lines are painted, and no old line stays."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len
from textual.geometry import Region

from tests.support.texts import NAMES
from tests.support.tiny import Numbers, TextList, TinyApp, mounted
from tfdbg_tui.widgets.fixed_rows import FixedRows

if TYPE_CHECKING:
    from textual.strip import Strip

    from tests.support.hands import Hands

SIZES = ((30, 12), (30, 5), (55, 12), (20, 30), (80, 24))


async def test_every_line_is_exactly_as_wide_as_the_pane() -> None:
    pane = TextList()
    async with mounted(pane, (20, len(NAMES) + 2)) as hands:
        pane.show(FixedRows(NAMES), 0)
        for width in range(20, 161, 7):
            await hands.resize(width, len(NAMES) + 2)
            for spans in ([(0, 1)], []):
                pane.highlight(lambda text, spans=spans: spans[: len(text)])  # type: ignore[misc]
                for strip in pane.render_lines(Region(0, 0, *pane.size)):
                    assert sum(cell_len(segment.text) for segment in strip) == width
                    assert strip.cell_length == width


async def test_recorded_text_is_drawn_harmlessly() -> None:
    pane = TextList()
    async with mounted(pane, (100, len(NAMES) + 2)) as hands:
        pane.show(FixedRows(NAMES), 0)
        await hands.settle()
        for strip in pane.render_lines(Region(0, 0, *pane.size)):
            assert all(segment.text.isprintable() for segment in strip)
            assert not any(segment.style and segment.style.meta for segment in strip)
            assert not any(segment.style and segment.style.link for segment in strip)


async def test_titles_on_the_border_are_no_markup() -> None:
    pane = TextList()
    async with mounted(pane, (60, 12)) as hands:
        pane.styles.border = ("round", "white")
        pane.entitle("[/x][@click=app.quit]e[/]")
        await hands.settle()
        assert "[/x][@click=app.quit]e[/]" in hands.lines()[0]
        await hands.click_text("e[/]")
        assert not hands.has_quit


async def test_another_title_paints_nothing_but_the_border(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pane = TextList()
    async with mounted(pane, (60, 12)) as hands:
        pane.styles.border = ("round", "white")
        pane.show(FixedRows(["first", "second"]), 0)
        pane.entitle("one")
        await hands.settle()
        painted = []
        draw = pane.render_line

        def render_line(y: int) -> Strip:
            painted.append(y)
            return draw(y)

        monkeypatch.setattr(pane, "render_line", render_line)
        pane.entitle("another")
        await hands.settle()
        assert "another" in hands.lines()[0]
        assert not painted


async def test_hits_are_drawn_in_reverse() -> None:
    pane = TextList()
    async with mounted(pane) as hands:
        pane.show(FixedRows(["first second", "third fourth"]), 0)
        pane.highlight(
            lambda text: [(place, place + 4) for place in [text.find("cond")] if place >= 0]
        )
        await hands.settle()
        strips = pane.render_lines(Region(0, 0, *pane.size))
        reverse = [
            segment.text
            for strip in strips
            for segment in strip
            if segment.style is not None and segment.style.reverse
        ]
        assert reverse == ["cond"]
        pane.highlight(None)
        await hands.settle()
        strips = pane.render_lines(Region(0, 0, *pane.size))
        assert not any(s.style and s.style.reverse for strip in strips for s in strip)


async def painted_lines(hands: Hands[TinyApp], action: Callable[[], object]) -> set[int]:
    """The lines of the terminal that an action has painted."""
    terminal = hands.app.terminal
    assert terminal is not None
    await hands.settle()
    terminal._emulator.dirty.clear()
    action()
    await hands.settle()
    return set(terminal._emulator.dirty)


async def test_only_lines_that_changed_are_painted() -> None:
    pane, source = TextList(), Numbers(100)
    async with mounted(pane, painted=True) as hands:
        pane.show(source, 2)
        await hands.settle()
        assert await painted_lines(hands, lambda: pane.put_cursor(4)) == {3, 5}
        assert await painted_lines(hands, pane.redraw) == set()
        assert await painted_lines(hands, pane.reload_rows) == set()
        assert len(await painted_lines(hands, lambda: pane.scroll_top_to(1))) == 11
        source.length = 10**6
        assert await painted_lines(hands, pane.append_rows) <= {1, 2}, "at most the scroll bar"
        assert await painted_lines(hands, lambda: pane.highlight(lambda text: [])) == set()


def change_words(pane: TextList, source: Numbers, chance: random.Random) -> None:
    source.word = chance.choice(("row", "損失", "e\u0301", "x" * 99))
    pane.reload_rows()


Operation = Callable[[TextList, Numbers, random.Random], object]

OPERATIONS: dict[str, Operation] = {
    "grow": lambda pane, source, chance: setattr(
        source, "length", source.length + chance.choice((1, 5, 100))
    ),
    "shrink": lambda pane, source, chance: setattr(
        source, "length", max(0, source.length - chance.choice((1, 50)))
    ),
    "append": lambda pane, source, chance: pane.append_rows(),
    "cursor": lambda pane, source, chance: pane.put_cursor(chance.choice((None, 0, 3, 40, 10**9))),
    "quiet cursor": lambda pane, source, chance: pane.put_cursor(
        chance.randrange(50), scroll=False
    ),
    "scroll": lambda pane, source, chance: pane.scroll_top_to(chance.randrange(-5, 120)),
    "hits": lambda pane, source, chance: pane.highlight(lambda text: [(1, 3)] * (len(text) > 3)),
    "no hits": lambda pane, source, chance: pane.highlight(None),
    "empty": lambda pane, source, chance: pane.say_when_empty(chance.choice(("", "No.", "None."))),
    "words": lambda pane, source, chance: change_words(pane, source, chance),
    "other rows": lambda pane, source, chance: pane.show(source, chance.choice((None, 0, 7))),
    "no rows": lambda pane, source, chance: pane.show(None),
    "marks": lambda pane, source, chance: pane.marks_from(
        lambda _, height: [chance.choice(("", "bad", "accent"))] * height
    ),
    "redraw": lambda pane, source, chance: pane.redraw(),
}
KEYS = ("j", "k", "pagedown", "pageup", "g", "G", "ctrl+d", "l", "h", "enter", "tab")


async def something(
    hands: Hands[TinyApp], pane: TextList, source: Numbers, chance: random.Random
) -> str:
    """Do something at random; says what."""
    kind = chance.random()
    if kind < 0.6:
        name = chance.choice(list(OPERATIONS))
        OPERATIONS[name](pane, source, chance)
        return name
    if kind < 0.85:
        key = chance.choice(KEYS)
        await hands.press(key)
        return key
    width, height = hands.app.size
    x, y = chance.randrange(width), chance.randrange(height)
    if kind < 0.93:
        await hands.click(x, y)
        return f"click {x}, {y}"
    if kind < 0.97:
        await hands.wheel(x, y, chance.choice((-2, 1, 3)))
        return "wheel"
    size = chance.choice(SIZES)
    await hands.resize(*size)
    return f"size {size}"


@pytest.mark.parametrize("seed", range(4))
async def test_no_old_line_stays_on_the_terminal(seed: int) -> None:
    chance = random.Random(seed)
    pane, source = TextList(), Numbers(20)
    async with mounted(pane, painted=True) as hands:
        pane.show(source, 0)
        done = []
        for _ in range(40):
            actions = range(chance.choice((1, 1, 3)))
            done += [await something(hands, pane, source, chance) for _ in actions]
            await hands.settle()
            assert hands.app.stale_lines() == [], f"after {done[-4:]}"


async def test_a_pane_knows_its_size_without_having_everything_laid_out() -> None:
    """Textual tells nobody of a size that it found when it was asked for a place in between."""
    pane = TextList()
    async with mounted(pane) as hands:
        compositor = hands.app.screen._compositor
        compositor._full_map_invalidated = True
        assert pane.content_size == (30, 12)
        pane.show(Numbers(100), 50)
        assert compositor._full_map_invalidated


async def test_the_cursor_is_in_view_when_a_pane_is_first_drawn_and_in_every_size() -> None:
    pane = TextList()
    pane.show(Numbers(1000), 700)
    async with mounted(pane) as hands:
        for size in SIZES:
            await hands.resize(*size)
            assert any("row 700" in line for line in hands.lines()), size
