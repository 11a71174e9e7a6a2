"""What columns need for the rows that were in view so far: a width, or no column at all.

A column that says the same in every row says it better once, in the title of its pane. Columns
widen, and come, as rows come into view; they do not narrow or go again while the same list is
shown, for rows are not to move sideways while somebody scrolls.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Generic, TypeVar

from rich.cells import cell_len

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.widgets.table_columns import Column

Row = TypeVar("Row")

MIN_ROWS = 3
"""Rows that have to say the same before a column is left out."""


class ColumnNeeds(Generic[Row]):
    """Looks at rows as they come into view."""

    def __init__(self, columns: Sequence[Column[Row]]) -> None:
        self._columns = columns
        self._widths: dict[str, int] = {}
        self._common: dict[str, str | None] = {}
        """What columns that may be left out say in every row so far; None where rows differ."""
        self._rows = 0

    def see(self, rows: Sequence[Row]) -> bool:
        """Look at all rows in view; True if columns need another layout for them."""
        before = (dict(self._widths), self._left_out)
        self._rows += len(rows)
        for column in self._columns:
            if column.text is not None and rows:
                self._see_column(column, {column.text(row) for row in rows})
        return (self._widths, self._left_out) != before

    def _see_column(self, column: Column[Row], texts: set[str]) -> None:
        title = column.title
        width = max(len(text) if text.isascii() else cell_len(text) for text in texts)
        if width > self._widths.get(title, 0):
            self._widths[title] = min(width, column.most)
        if not column.folds:
            return
        # What is not known yet is blank in every row; when it is known, that is no difference.
        known = self._common.get(title) or next(iter(texts))
        is_common = texts == {known} and self._common.get(title, "") is not None
        self._common[title] = known if is_common else None

    @property
    def _left_out(self) -> dict[str, str]:
        """The columns that are left out, and what all rows say there."""
        if self._rows < MIN_ROWS:
            return {}
        return {title: text for title, text in self._common.items() if text is not None}

    @property
    def common(self) -> tuple[str, ...]:
        """What the columns say that are left out."""
        left_out = self._left_out
        said = (c.in_title(left_out[c.title]) for c in self._columns if left_out.get(c.title))
        return tuple(said)

    def fitted(self) -> list[Column[Row]]:
        """The columns that are needed, no wider than their rows."""
        left_out = self._left_out
        return [self._narrowed(column) for column in self._columns if column.title not in left_out]

    def _narrowed(self, column: Column[Row]) -> Column[Row]:
        if column.text is None or not self._rows:
            return column
        most = max(self._widths.get(column.title, 0), cell_len(column.title))
        most = min(most, column.most)
        least = most if column.whole else min(column.least, most)
        return replace(column, least=least, usual=max(least, min(column.usual, most)), most=most)
