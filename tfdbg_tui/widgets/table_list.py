"""A list whose rows are drawn in columns, which suit the rows that were in view so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from textual.message import Message

from tfdbg_tui.widgets.column_needs import ColumnNeeds
from tfdbg_tui.widgets.pieces import Piece, Pieces
from tfdbg_tui.widgets.row_list import SIGN_WIDTH, RowList
from tfdbg_tui.widgets.table_columns import Layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.widgets.row_window import RowSource
    from tfdbg_tui.widgets.table_columns import Column

Row = TypeVar("Row")


class TableList(RowList[Row]):
    """Rows in columns; subclasses say which columns there are."""

    class CommonChanged(Message):
        """Other columns than before say the same in every row: the title tells that."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id)
        self._needs = ColumnNeeds(self.columns())
        self._layout: Layout[Row] | None = None
        self._laid_out_for = 0
        self._rows_seen: Sequence[Row] = ()
        self._range_seen = (0, 0)
        self._seen_in = 0

    def columns(self) -> Sequence[Column[Row]]:
        """The columns; subclasses answer."""
        raise NotImplementedError

    @property
    def common(self) -> tuple[str, ...]:
        """What all rows say alike, in columns that are left out for it."""
        return self._needs.common

    def show(self, source: RowSource[Row] | None, cursor: int | None = None) -> None:
        """Show other rows, in columns that suit them."""
        self._needs, self._layout, self._rows_seen = ColumnNeeds(self.columns()), None, ()
        super().show(source, cursor)

    def layout_in(self, width: int) -> Layout[Row]:
        """The columns in a width."""
        if self._layout is None or self._laid_out_for != width:
            self._laid_out_for = width
            self._layout = Layout(self._needs.fitted(), width)
        return self._layout

    def prepare(self, first: int, last: int, width: int) -> None:
        """Fetch the rows in view; all lines change where these rows need another layout."""
        super().prepare(first, last, width)
        window, before = self._window, self._needs.common
        if width != self._seen_in:  # what rows elsewhere needed does not matter in another width
            self._seen_in = width
            self._needs, self._rows_seen = ColumnNeeds(self.columns()), ()
        if window.rows is not self._rows_seen or self._range_seen != (first, last):
            self._rows_seen, self._range_seen = window.rows, (first, last)
            rows = window.rows[max(0, first - window.first) : max(0, last - window.first)]
            if self._needs.see(rows):
                self._layout = None
                self.forget_lines()
            if self._needs.common != before:
                self.post_message(self.CommonChanged())

    def titles(self, width: int) -> Pieces:
        """The line of titles."""
        return [Piece(" " * SIGN_WIDTH), *self.layout_in(max(0, width - SIGN_WIDTH)).head()]

    def draw(self, row: Row, width: int) -> Pieces:
        """The columns of a row."""
        return self.layout_in(width).line(row)
