"""A list whose rows are drawn in columns, which suit the rows that were in view so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from textual.message import Message

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.widgets.column_needs import ColumnNeeds
from tfdbg_tui.widgets.pieces import Piece, Pieces
from tfdbg_tui.widgets.row_list import SIGN_WIDTH, RowList
from tfdbg_tui.widgets.table_columns import Layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.widgets.row_window import RowSource
    from tfdbg_tui.widgets.table_columns import Column

Row = TypeVar("Row")


class _View(NamedTuple):
    """Which rows were in view, and in which width."""

    first: int = 0
    last: int = 0
    width: int = 0
    is_at_end: bool = False

    def follows(self, before: _View) -> bool:
        """Whether the end of the list is in view as it was before, whatever has come."""
        return self.width == before.width and self.is_at_end and before.is_at_end

    def overlaps(self, before: _View) -> bool:
        """Whether some of the rows were in view before, in the same columns."""
        is_near = self.first < before.last and before.first < self.last
        return self.width == before.width and is_near


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
        self._view = _View()
        self._is_at_rest = False
        """Whether the cursor has come into view since other rows are shown."""
        self._has_scrolled = False
        """Whether columns suit earlier rows, too."""

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
        self._is_at_rest = self._has_scrolled = False
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
        view = _View(first, last, width, last >= self.row_count)
        if window.rows is self._rows_seen and view == self._view:
            return
        if not self._goes_on(view):
            self._needs, self._layout = ColumnNeeds(self.columns()), None
            self.forget_lines()
        self._rows_seen, self._view = window.rows, view
        self._is_at_rest |= self.cursor is not None and first <= self.cursor < last
        rows = window.rows[max(0, first - window.first) : max(0, last - window.first)]
        if self._needs.see(rows):
            self._layout = None
            self.forget_lines()
        if self._needs.common != before:
            self.post_message(self.CommonChanged())

    def _goes_on(self, view: _View) -> bool:
        """Whether columns keep what earlier rows needed: somebody scrolls, or follows."""
        is_moved = view.first != self._view.first
        goes_on = view.follows(self._view) or (self._is_at_rest and view.overlaps(self._view))
        self._has_scrolled = goes_on and (is_moved or self._has_scrolled)
        # What the same rows say becomes known piece by piece: that is no reason to keep anything.
        return self._has_scrolled

    def titles(self, width: int) -> Pieces:
        """The line of titles."""
        return [Piece(" " * SIGN_WIDTH), *self.layout_in(max(0, width - SIGN_WIDTH)).head()]

    def draw(self, row: Row, width: int) -> Pieces:
        """The columns of a row."""
        return self.layout_in(width).line(row)
