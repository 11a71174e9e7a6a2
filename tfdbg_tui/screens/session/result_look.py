"""Looking at what a command told: in which order, what is searched in it, where the cursor is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.screens.session.result_jobs import Ordering, Seeking
from tfdbg_tui.screens.session.result_rows import ResultRows

if TYPE_CHECKING:
    from tfdbg_tui.command_line.result import Head, Result
    from tfdbg_tui.data.live.jobs import Job
    from tfdbg_tui.data.search.text_patterns import Pattern

ONE_ORDER = "This has one order only."
NO_PATTERN = "Nothing is searched for: type / and what to find."
NOWHERE = "No row has {text}."
NO_MORE = {1: "No later row has {text}.", -1: "No earlier row has {text}."}


class ResultLook:
    """One result that is looked at."""

    def __init__(self, line: str, result: Result) -> None:
        self.line = line
        """What was typed."""
        self.result = result
        self.rows = ResultRows(result, result.rows)
        self.order: tuple[str, bool] | None = None
        """The column that rows are sorted by, and whether backwards."""
        self.cursor: int | None = None
        """Where the cursor was when something else was looked at."""
        self._ordering: Ordering | None = None
        self._seeking: Seeking | None = None
        self._text = ""
        self.pattern: Pattern | None = None

    @property
    def jobs(self) -> tuple[Job, ...]:
        """What the feed has to work on."""
        return tuple(job for job in (self._ordering, self._seeking) if job is not None)

    @property
    def working(self) -> str:
        """What takes its time, empty if nothing does."""
        if self._ordering is not None:
            return "Sorting"
        return f"Searching for {self._text}" if self._seeking is not None else ""

    def stop(self) -> bool:
        """Work on nothing; False if nothing was worked on."""
        was_working = bool(self.working)
        self._ordering = self._seeking = None
        return was_working

    def is_news(self) -> bool:
        """Whether rows have another order, or a row was found, since this was asked last."""
        ordering, seeking = self._ordering, self._seeking
        return (ordering is not None and ordering.done is not None) or (
            seeking is not None and seeking.is_done
        )

    # Another order.

    @property
    def sortable(self) -> tuple[Head, ...]:
        """The columns that rows can be sorted by."""
        heads = self.result.heads if self.result.is_sortable else ()
        return tuple(head for head in heads if head.title) if len(self.rows.table) > 1 else ()

    def sort_next(self) -> str:
        """Sort by the next column; what stands in the way, if something does."""
        keys = [head.key for head in self.sortable]
        here = keys.index(self.order[0]) if self.order and self.order[0] in keys else -1
        return self._sort(keys[(here + 1) % len(keys)], False) if keys else ONE_ORDER

    def sort_by(self, key: str) -> str:
        """Sort by a column; by the one that they are sorted by, the other way round."""
        if key not in [head.key for head in self.sortable]:
            return ONE_ORDER
        return self._sort(key, self.order == (key, False))

    def turn_round(self) -> str:
        """The other way round."""
        if not self.sortable:
            return ONE_ORDER
        key, is_reversed = self.order or (self.sortable[0].key, False)
        return self._sort(key, not is_reversed)

    def _sort(self, key: str, is_reversed: bool) -> str:
        self._seeking = None
        self._ordering = Ordering(self.result.rows, key, is_reversed)
        return ""

    def take_order(self) -> bool:
        """Have rows in the order that was asked for, if that is made; True if they are."""
        made = self._ordering
        if made is None or made.done is None:
            return False
        self._ordering = None
        self.order = (made.key, made.is_reversed)
        self.rows = ResultRows(self.result, made.done)
        return True

    # Searching.

    def search(self, text: str, here: int) -> None:
        """Search from a row on, and on from the first; an empty text ends that.

        Raises PatternError.
        """
        from tfdbg_tui.data.search.text_patterns import typed

        self.pattern = typed(text) if text else None
        self._text, self._seeking = text, None
        if self.pattern is not None:
            self._seeking = Seeking(self.rows, self.pattern, here, 1, goes_round=True)

    def seek(self, here: int, step: int) -> str:
        """Go to the next row that fits, or to the one before; what stands in the way."""
        if self.pattern is None:
            return NO_PATTERN
        self._seeking = Seeking(self.rows, self.pattern, here + step, step, goes_round=False)
        return ""

    def take_found(self) -> int | str | None:
        """The row that was sought, or that there is none; None while it is sought."""
        seeking = self._seeking
        if seeking is None or not seeking.is_done:
            return None
        self._seeking = None
        if seeking.found is not None:
            return seeking.found
        sentence = NOWHERE if seeking.goes_round else NO_MORE[seeking.step]
        return sentence.format(text=self._text)
