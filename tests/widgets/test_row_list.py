"""A list: its cursor, its scrolling, rows that wait, and rows beyond counting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.tiny import HEAD, Numbers, TextList, TinyApp, bare_lines, mounted

if TYPE_CHECKING:
    from tests.support.hands import Hands

ROWS = 10**9
VISIBLE = 11
"""Rows below the head of a screen of 12 lines."""


def cursor_line(hands: Hands[TinyApp]) -> str:
    (line,) = (line for line in bare_lines(hands) if line.startswith("▸"))
    return line.removeprefix("▸ ")


async def test_keys_move_the_cursor_and_say_so() -> None:
    pane = TextList()
    async with mounted(pane) as hands:
        pane.show(Numbers(100), 0)
        await hands.settle()
        assert bare_lines(hands)[:3] == [HEAD, "▸ row 0", "  row 1"]
        places = []
        for key in ("j", "down", "k", "up", "up", "pagedown", "G", "end", "k", "g", "home", "j"):
            await hands.press(key)
            places.append(pane.cursor)
            assert cursor_line(hands) == f"row {pane.cursor}"
        assert places == [1, 2, 1, 0, 0, 10, 99, 99, 98, 0, 0, 1]
        assert hands.app.heard[-1] == ("Chosen", 1, "row 1")
        await hands.press("enter")
        assert hands.app.heard[-1] == ("Opened", 1, "row 1")


@pytest.mark.parametrize(
    ("key", "back", "rows"),
    [("pagedown", "pageup", 10), ("ctrl+f", "ctrl+b", 10), ("ctrl+d", "ctrl+u", 5)],
)
async def test_pages_move_view_and_cursor_together(key: str, back: str, rows: int) -> None:
    pane = TextList()
    async with mounted(pane) as hands:
        pane.show(Numbers(100), 3)
        await hands.press(key, key)
        assert (pane.top, pane.cursor) == (2 * rows, 3 + 2 * rows)
        await hands.press(back)
        assert (pane.top, pane.cursor) == (rows, 3 + rows)
        await hands.press("G", key)
        assert (pane.top, pane.cursor) == (100 - VISIBLE, 99)


async def test_moving_the_cursor_scrolls_line_by_line_and_keeps_it_in_view() -> None:
    pane = TextList()
    async with mounted(pane) as hands:
        pane.show(Numbers(100), 0)
        for key in "j" * 30 + "k" * 30:
            top = pane.top
            await hands.press(key)
            assert pane.cursor is not None
            assert abs(pane.top - top) <= 1
            assert pane.top <= pane.cursor < pane.top + VISIBLE
        assert (pane.top, pane.cursor) == (0, 0)


async def test_a_cursor_put_far_away_is_shown_with_rows_around_it() -> None:
    pane = TextList()
    async with mounted(pane) as hands:
        pane.show(Numbers(1000), 0)
        pane.put_cursor(500)
        await hands.settle()
        assert 0 < 500 - pane.top < VISIBLE - 1
        top = pane.top
        pane.put_cursor(501)
        await hands.settle()
        assert pane.top == top, "a cursor that is in view moves nothing"


async def test_the_wheel_scrolls_and_leaves_the_cursor() -> None:
    pane = TextList()
    async with mounted(pane) as hands:
        pane.show(Numbers(100), 0)
        await hands.wheel(5, 5, 2)
        assert (pane.top, pane.cursor) == (6, 0)
        await hands.wheel(5, 5, -1)
        assert pane.top == 3
        await hands.wheel(5, 5, -9)
        assert pane.top == 0
        await hands.wheel(5, 5, 99)
        assert pane.top == 100 - VISIBLE
        assert bare_lines(hands)[-1] == "  row 99"


async def test_a_click_chooses_and_a_double_click_opens() -> None:
    pane = TextList()
    async with mounted(pane) as hands:
        pane.show(Numbers(100), 0)
        await hands.wheel(5, 5, 1)
        await hands.click(4, 3)
        assert hands.app.heard == [("Chosen", 5, "row 5")]
        await hands.click(4, 4, times=2)
        assert hands.app.heard[1:] == [("Chosen", 6, "row 6"), ("Opened", 6, "row 6")]
        assert pane.top == 3, "a click scrolls nothing"


async def test_clicks_on_the_head_and_below_the_end_choose_nothing() -> None:
    pane = TextList()
    async with mounted(pane) as hands:
        pane.show(Numbers(3))
        await hands.click(4, 0)
        await hands.click(4, 9)
        assert hands.app.heard == []
        assert pane.cursor is None


async def test_the_scroll_bar_can_be_dragged_and_clicked() -> None:
    pane = TextList()
    async with mounted(pane) as hands:
        pane.show(Numbers(1000), 7)
        await hands.settle()
        bar = 29
        await hands.drag((bar, 1), (bar, 6), (bar, 11))
        assert pane.top == 1000 - VISIBLE
        await hands.drag((bar, 11), (bar, 5), (bar, 1))
        assert pane.top == 0
        assert (pane.cursor, hands.app.heard) == (7, []), "dragging chooses nothing"
        await hands.drag((bar, 6), (bar, 6))
        assert abs(pane.top - 495) < 60
        top = pane.top
        await hands.drag((3, 6), (3, 9))
        assert pane.top == top, "only the bar drags"


async def test_dragging_goes_on_beside_the_bar_and_ends_with_the_button() -> None:
    pane = TextList()
    async with mounted(pane) as hands:
        pane.show(Numbers(1000), 7)
        await hands.settle()
        await hands.drag((29, 1), (3, 11))
        assert pane.top == 1000 - VISIBLE
        assert hands.app.mouse_captured is None
        await hands.drag((29, 1), (29, 1))
        assert pane.top == 0


async def test_a_click_on_the_scroll_bar_chooses_no_row() -> None:
    pane = TextList()
    async with mounted(pane) as hands:
        pane.show(Numbers(1000), 7)
        await hands.click(29, 8)
        assert hands.app.heard == []
        assert pane.cursor == 7


async def test_the_thumb_shows_where_the_view_is() -> None:
    pane = TextList()
    async with mounted(pane) as hands:
        pane.show(Numbers(100), 0)
        await hands.settle()

        def thumb() -> list[int]:
            return [y for y, line in enumerate(hands.lines()) if line.endswith("┃")]

        assert thumb() == [1]
        await hands.press("G")
        assert thumb() == [11]
        pane.show(Numbers(VISIBLE), 0)
        await hands.settle()
        assert thumb() == [], "what fits needs no scroll bar"


async def test_new_rows_wait_until_they_are_taken_in() -> None:
    pane, source = TextList(), Numbers(5)
    async with mounted(pane) as hands:
        pane.show(source, 2)
        await hands.settle()
        before = hands.lines()
        source.length = 40
        assert pane.unseen == 35
        await hands.settle()
        assert hands.lines() == before
        pane.append_rows()
        await hands.settle()
        assert pane.unseen == 0
        assert (pane.top, pane.cursor) == (0, 2)
        assert bare_lines(hands)[1:6] == [line[:-1].rstrip() for line in before[1:6]]
        assert bare_lines(hands)[-1] == "  row 10"


@pytest.mark.parametrize("key", ["G", "end"])
async def test_going_to_the_end_takes_in_what_waits(key: str) -> None:
    pane, source = TextList(), Numbers(5)
    async with mounted(pane) as hands:
        pane.show(source, 2)
        source.length = 40
        await hands.press(key)
        assert (pane.unseen, pane.cursor) == (0, 39)


async def test_moving_beyond_the_last_row_takes_in_what_waits() -> None:
    pane, source = TextList(), Numbers(5)
    async with mounted(pane) as hands:
        pane.show(source, 3)
        source.length = 40
        await hands.press("j")
        assert pane.cursor == 4
        await hands.press("j")
        assert (pane.unseen, pane.cursor) == (0, 5)


async def test_rows_may_become_fewer() -> None:
    pane, source = TextList(), Numbers(100)
    async with mounted(pane) as hands:
        pane.show(source, 99)
        await hands.settle()
        source.length = 4
        await hands.press("k", "j", "pagedown", "enter")
        pane.append_rows()
        await hands.settle()
        assert bare_lines(hands)[1].endswith("row 0")
        assert "row 99" not in "".join(hands.lines())
        assert pane.cursor is None or pane.cursor < 4
        source.length = 0
        pane.append_rows()
        await hands.press("j", "k", "g", "G", "enter", "pagedown")
        assert bare_lines(hands)[1:] == [""] * VISIBLE


async def test_an_empty_list_says_why() -> None:
    pane = TextList()
    async with mounted(pane) as hands:
        pane.say_when_empty("Nothing ran.")
        pane.show(Numbers(0))
        await hands.press("j", "enter", "G", "pagedown", "pageup", "ctrl+d", "g")
        await hands.click(3, 1)
        assert bare_lines(hands)[:3] == [HEAD, "  Nothing ran.", ""]
        assert hands.app.heard == []
        pane.show(Numbers(1))
        await hands.settle()
        assert bare_lines(hands)[1] == "  row 0"


async def test_a_billion_rows_are_fetched_only_where_they_are_seen() -> None:
    pane, source = TextList(), Numbers(ROWS)
    async with mounted(pane) as hands:
        pane.show(source, 0)
        await hands.press("G", "pageup", "k", "g", "pagedown", "j")
        pane.put_cursor(ROWS // 2)
        await hands.drag((29, 2), (29, 7), (29, 11), (29, 4))
        await hands.wheel(5, 5, 5)
        pane.append_rows()
        pane.highlight(lambda text: [(0, 1)])
        await hands.resize(40, 30)
        assert "row 499,999,9" in "".join(hands.lines()) or pane.top < ROWS
        assert max(stop - start for start, stop in source.asked) <= 30
        assert len(source.asked) < 60


async def test_what_is_in_view_is_fetched_once() -> None:
    pane, source = TextList(), Numbers(ROWS)
    async with mounted(pane) as hands:
        pane.show(source, 5)
        await hands.settle()
        source.asked.clear()
        await hands.press("j", "j", "k", "l", "h")
        assert source.asked == []


async def test_resizing_keeps_the_cursor_in_view() -> None:
    pane = TextList()
    async with mounted(pane, (30, 40)) as hands:
        pane.show(Numbers(100), 0)
        await hands.press(*"j" * 35)
        for size in ((30, 10), (60, 5), (20, 3), (30, 40), (12, 2), (30, 12)):
            await hands.resize(*size)
            assert pane.top <= 35 < pane.top + pane.body_height
            assert cursor_line(hands).startswith("row 35"[: size[0] - 4])
