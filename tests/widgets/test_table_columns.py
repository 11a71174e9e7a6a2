"""Columns share a width: the least telling go first, the most telling grow first."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.support.texts import TEXTS
from tfdbg_tui.widgets.column_needs import ColumnNeeds
from tfdbg_tui.widgets.pieces import Piece, Pieces, width_of
from tfdbg_tui.widgets.table_columns import Column, Layout, index_column


def shown(row: str, width: int) -> Pieces:
    return [Piece(row)]


def column(title: str, least: int, usual: int, most: int, rank: int) -> Column[str]:
    return Column(title, least, usual, most, rank, shown)


NAME = column("name", 6, 10, 20, 1)
COUNT = column("count", 5, 8, 12, 2)
TIME = column("time", 4, 6, 6, 3)
COLUMNS = (TIME, NAME, COUNT)

WIDTHS = st.tuples(st.integers(1, 9), st.integers(0, 9), st.integers(0, 9))
SOME_COLUMNS = st.lists(
    st.builds(
        lambda number, widths, rank: Column(
            f"c{number}", widths[0], widths[0] + widths[1], sum(widths), rank, shown
        ),
        st.integers(0, 1000),
        WIDTHS,
        st.integers(1, 9),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda column: column.title,
)


def titles(width: int) -> list[str]:
    head = "".join(piece.text for piece in Layout(COLUMNS, width).head())
    return head.split()


def test_columns_of_low_rank_go_first() -> None:
    whole = 4 + 1 + 6 + 1 + 5
    assert titles(whole) == ["time", "name", "count"]
    assert titles(whole - 1) == ["name", "count"]
    assert titles(6 + 1 + 5 - 1) == ["name"]


def test_the_last_column_is_never_dropped() -> None:
    assert titles(6) == ["name"]
    assert Layout(COLUMNS, 2).head()


def test_columns_of_the_first_rank_share_what_little_there_is() -> None:
    number = column("#", 3, 3, 3, 1)
    for width in range(12):
        layout = Layout((number, NAME), width)
        assert width_of(layout.head()) <= width
        assert width_of(layout.line("x")) <= width
    assert "".join(piece.text for piece in Layout((number, NAME), 8).head()) == "#   name"
    assert Layout((number, NAME), 0).head() == []


def test_every_column_is_usual_before_one_is_more() -> None:
    usual = 6 + 1 + 10 + 1 + 8
    assert [len(piece.text) for piece in Layout(COLUMNS, usual).head()[::2]] == [6, 10, 8]
    assert [len(piece.text) for piece in Layout(COLUMNS, usual + 3).head()[::2]] == [6, 13, 8]
    assert [len(piece.text) for piece in Layout(COLUMNS, usual - 1).head()[::2]] == [5, 10, 8]


@given(SOME_COLUMNS, st.integers(9, 160), TEXTS)
def test_head_and_rows_are_equally_wide_and_fit(
    columns: list[Column[str]], width: int, row: str
) -> None:
    layout = Layout(columns, width)
    line = layout.line(row)
    assert width_of(line) == width_of(layout.head()) <= width


def test_numbers_have_thousands_separators() -> None:
    column: Column[int] = index_column(lambda row: row)
    assert column.draw(1234, 7)[0].text == "  1,234"
    assert column.text is not None
    assert column.text(999_999) == "999,999"


def test_columns_are_as_wide_as_the_rows_in_view_and_do_not_narrow() -> None:
    number: Column[str] = index_column(len)
    needs = ColumnNeeds([number, replace(NAME, text=str)])
    assert needs.see(["abc"])
    assert [column.most for column in needs.fitted()] == [1, 4]
    assert needs.see(["abcdefghijkl"])
    assert [column.most for column in needs.fitted()] == [2, 12]
    assert not needs.see(["ab"]), "rows that need less change nothing"
    assert needs.see(["x" * 99])
    assert needs.fitted()[1].most == NAME.most


def test_a_column_that_says_the_same_everywhere_is_said_once() -> None:
    kind = replace(COUNT, text=lambda row: row[:1], folds=True)
    needs = ColumnNeeds([NAME, kind])
    needs.see(["a1", "a2"])
    assert [column.title for column in needs.fitted()] == ["name", "count"], "too few to tell"
    assert needs.see(["a3"])
    assert needs.common == ("a",)
    assert [column.title for column in needs.fitted()] == ["name"]
    assert needs.see(["b1"])
    assert not needs.common
    assert [column.title for column in needs.fitted()] == ["name", "count"]
    assert not needs.see(["b2", "b3", "b4"]), "it stays, for rows are not to move"
