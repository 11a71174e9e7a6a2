"""What takes long on a page of results, for the feed's thread: another order, a row that fits."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

    from tfdbg_tui.command_line.result import Rows
    from tfdbg_tui.data.search.text_patterns import Pattern
    from tfdbg_tui.screens.session.result_rows import ResultRows

SLICE_SECONDS = 0.004
"""How long one call of `extend` works, give or take one piece of work."""

AT_ONCE = 32
"""Rows that are looked at between two looks at the clock: each may be read back from disk."""


class Ordering:
    """The rows of a table in the order of a column."""

    def __init__(self, rows: Rows, key: str, is_reversed: bool) -> None:
        self.key, self.is_reversed = key, is_reversed
        self.done: Rows | None = None
        self._work = self._working(rows)

    def extend(self) -> bool:
        """Work for a few milliseconds; True while there is more."""
        until = monotonic() + SLICE_SECONDS
        while monotonic() < until:
            if next(self._work, self) is self:
                return False
        return True

    def _working(self, rows: Rows) -> Generator[None, None, None]:
        """Rows that are sorted with pauses say so; others are few, or sorted at once."""
        put_in_order = getattr(rows, "put_in_order", None)
        if put_in_order is None:
            self.done = rows.sorted_by(self.key, self.is_reversed)
            yield
        else:
            self.done = yield from put_in_order(self.key, self.is_reversed)


class Seeking:
    """The next row in a direction that a pattern fits; the first of all behind the last."""

    def __init__(
        self, rows: ResultRows, pattern: Pattern, start: int, step: int, goes_round: bool
    ) -> None:
        self._rows = rows
        self._pattern = pattern
        self.step, self.goes_round = step, goes_round
        self._next = start
        self._left = len(rows) if goes_round else (start + 1 if step < 0 else len(rows) - start)
        self.found: int | None = None
        self.is_done = self._left <= 0

    def extend(self) -> bool:
        """Work for a few milliseconds; True while there is more."""
        until = monotonic() + SLICE_SECONDS
        while not self.is_done and monotonic() < until:
            self._look_at_some()
        return not self.is_done

    def _look_at_some(self) -> None:
        count = len(self._rows)
        here = self._next % count
        if self.step > 0:
            first, last = here, min(count, here + min(AT_ONCE, self._left))
        else:
            first, last = max(0, here + 1 - min(AT_ONCE, self._left)), here + 1
        rows = list(enumerate(self._rows.rows(first, last), first))
        for number, row in rows if self.step > 0 else reversed(rows):
            if self._pattern.fits(row.text):
                self.found = number
                break
        self._left -= last - first
        self._next = last if self.step > 0 else first - 1
        self.is_done = self.found is not None or self._left <= 0
