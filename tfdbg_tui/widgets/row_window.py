"""The rows of a list that are in view: fetched when they come into view, kept until stale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = TypeVar("Row")
RowOut = TypeVar("RowOut", covariant=True)


class RowSource(Protocol[RowOut]):
    """Where a list gets its rows from."""

    def __len__(self) -> int: ...

    def rows(self, start: int, stop: int) -> Sequence[RowOut]:
        """The rows from one number to before another, fewer at the end."""


class RowWindow(Generic[Row]):
    """Some rows that follow each other, out of a source that may have grown since."""

    def __init__(self, source: RowSource[Row] | None = None) -> None:
        self.source = source
        self.length = 0
        """Rows that are known of; the source may have more."""
        self.first = 0
        """The number of the first row that was fetched."""
        self.rows: Sequence[Row] = ()
        self._is_stale = False

    @property
    def unseen(self) -> int:
        """Rows that have come and are not known of yet."""
        return (0 if self.source is None else len(self.source)) - self.length

    def grow(self) -> None:
        """Know of all rows that have come."""
        self.length += self.unseen

    def make_stale(self) -> None:
        """What the rows say may have changed."""
        self._is_stale = True

    def fetch(self, first: int, last: int) -> set[int] | None:
        """Have rows ready; the numbers of those that say what they said, None if all do."""
        last = min(last, self.length)
        stop = self.first + len(self.rows)
        is_there = self.first <= first and last <= stop
        if self.source is None or (is_there and not self._is_stale):
            return None
        fetched = self._fetched(self.source, first, last)
        both = range(max(self.first, first), min(stop, first + len(fetched)))
        same = {n for n in both if self.rows[n - self.first] == fetched[n - first]}
        self.first, self.rows, self._is_stale = first, fetched, False
        return same

    def _fetched(self, source: RowSource[Row], first: int, last: int) -> Sequence[Row]:
        """Rows that are there already are not asked for again."""
        start, stop = self.first, self.first + len(self.rows)
        if self._is_stale or stop <= first or last <= start:
            return source.rows(first, last)
        known = self.rows[max(0, first - start) : max(0, last - start)]
        above = source.rows(first, start) if first < start else ()
        below = source.rows(stop, last) if stop < last else ()
        return [*above, *known, *below]

    def row_at(self, number: int) -> Row | None:
        """A row by its number, from those in view or fetched."""
        if self.first <= number < self.first + len(self.rows):
            return self.rows[number - self.first]
        if self.source is None or not 0 <= number < self.length:
            return None
        found = self.source.rows(number, number + 1)
        return found[0] if found else None
