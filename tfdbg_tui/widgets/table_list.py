"""A list whose rows are drawn in columns, which are laid out once for a width."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tfdbg_tui.widgets.pieces import Piece, Pieces
from tfdbg_tui.widgets.row_list import SIGN_WIDTH, RowList
from tfdbg_tui.widgets.table_columns import Layout, index_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.widgets.table_columns import Column

Row = TypeVar("Row")
Drawn = TypeVar("Drawn")


class TableList(RowList[Row]):
    """Rows in columns; subclasses say which columns there are."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id)
        self._layout: Layout[Row] | None = None
        self._laid_out_for: tuple[int, int] | None = None

    def columns(self) -> Sequence[Column[Row]]:
        """The columns, those with numbers of rows as wide as these are now; subclasses answer."""
        raise NotImplementedError

    def layout_in(self, width: int) -> Layout[Row]:
        """The columns in a width."""
        needed = (width, index_width(self.row_count))
        if self._layout is None or self._laid_out_for != needed:
            self._laid_out_for = needed
            self._layout = Layout(self.columns(), width)
        return self._layout

    def prepare(self, first: int, last: int, width: int) -> None:
        """Fetch the rows in view; all lines change where more digits need another layout."""
        before = self._layout
        if self.layout_in(max(0, width - SIGN_WIDTH)) is not before:
            self.forget_lines()
        super().prepare(first, last, width)

    def titles(self, width: int) -> Pieces:
        """The line of titles."""
        return [Piece(" " * SIGN_WIDTH), *self.layout_in(max(0, width - SIGN_WIDTH)).head()]

    def draw(self, row: Row, width: int) -> Pieces:
        """The columns of a row."""
        return self.layout_in(width).line(row)
