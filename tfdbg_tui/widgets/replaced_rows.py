"""A list whose rows become others as a whole while somebody reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tfdbg_tui.widgets.row_list import RowList
from tfdbg_tui.widgets.row_window import RowWindow

if TYPE_CHECKING:
    from tfdbg_tui.widgets.row_window import RowSource

Row = TypeVar("Row")


class ReplacedRows(RowList[Row]):
    """Keeps the line of the cursor where it is on the screen."""

    def replace_rows(self, source: RowSource[Row], cursor: int | None) -> None:
        """Show what the rows have become; the cursor's stays where it is on the screen."""
        before, top = self.cursor, self.top
        self._window = RowWindow(source)
        self._window.grow()
        self.cursor = cursor
        self.forget_lines()
        if before is not None and cursor is not None:
            self._wanted_top = max(0, top + cursor - before)
        if cursor is not None:
            self._aim_at(cursor)
        self.repaint()
