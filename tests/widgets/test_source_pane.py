"""The source pane: the chosen line is never cut, and something is said below it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.support.tiny import mounted
from tfdbg_tui.widgets.highlight import HighlightedSource
from tfdbg_tui.widgets.pieces import Piece, width_of, wrapped
from tfdbg_tui.widgets.source_pane import SourcePane
from tfdbg_tui.widgets.source_rows import SourceLine, SourceRows

LONG = "    result = first_function(argument_one, argument_two) + second_function(argument_three)"
TEXT = HighlightedSource(["import x", *["y = 1"] * 8, LONG, *["z = 2"] * 30])


async def test_the_chosen_line_is_wrapped_and_what_is_said_of_it_stands_below() -> None:
    pane = SourcePane()
    async with mounted(pane, (50, 20)) as hands:
        pane.show_source(TEXT, {}, 10, note=[Piece("↑ Log  ! -inf 66")])
        await hands.settle()
        lines = hands.lines()
        first = next(n for n, line in enumerate(lines) if "▸" in line)
        code = "".join(line[10:49].strip() for line in lines[first : first + 3])
        assert code.replace(" ", "") == LONG.replace(" ", "")
        assert "↑ Log  ! -inf 66" in lines[first + 3]
        assert lines[first + 4].split()[0] == "11"
        await hands.press("down")
        assert pane.cursor is not None
        row = pane.row_at(pane.cursor)
        assert row == SourceLine(11), "wrapped rows are not lines"
        await hands.press("up", "up")
        assert pane.row_at(pane.cursor) == SourceLine(9)


async def test_something_else_is_said_below_the_same_line() -> None:
    pane = SourcePane()
    async with mounted(pane, (50, 20)) as hands:
        for note in ("↑ MatMul  + 16", "↑ Sigmoid  + 16"):
            pane.show_source(TEXT, {}, 10, note=[Piece(note)])
            await hands.settle()
            (said,) = [line for line in hands.lines() if "↑" in line]
            assert note in said


async def test_another_width_wraps_anew_and_ends_the_sideways_shift() -> None:
    pane = SourcePane()
    async with mounted(pane, (50, 20)) as hands:
        pane.show_source(TEXT, {}, 10)
        await hands.settle()
        await hands.press("right")
        assert "result" not in "".join(hands.lines())
        await hands.resize(120, 20)
        assert LONG.strip() in "".join(hands.lines())


async def test_lines_that_are_not_there_are_chosen_without_harm() -> None:
    pane = SourcePane()
    async with mounted(pane, (50, 20)) as hands:
        for line in (-100, 0, 10**9):
            pane.show_source(TEXT, {}, line, note=[Piece("x")])
            await hands.settle()


@given(st.integers(1, 40), st.integers(-5, 60), st.integers(0, 4))
def test_rows_and_lines_lead_to_each_other(lines: int, chosen: int, more: int) -> None:
    rows = SourceRows(lines)
    rows.widen(chosen, more)
    shown = rows.rows(0, len(rows))
    assert [row.number for row in shown if not row.part] == list(range(1, lines + 1))
    assert all(rows.line_of(rows.row_of(line)) == SourceLine(line) for line in range(1, lines + 1))
    assert [row for n in range(1, lines + 1) for row in rows.rows_of(n)] == [*range(len(rows))]
    below = [row for row in shown if row.part]
    assert len(below) == (more if 0 < chosen <= lines else 0)


@given(st.text("ab ,(", max_size=80), st.integers(8, 30), st.integers(1, 4))
def test_wrapping_loses_nothing_but_blanks(text: str, width: int, most: int) -> None:
    parts = wrapped([Piece(text)], width, most, 4)
    assert 1 <= len(parts) <= most
    joined = "".join(piece.text for part in parts for piece in part)
    assert joined.replace(" ", "") == text.replace(" ", "")
    assert all(width_of(part) <= width for part in parts[:-1])
