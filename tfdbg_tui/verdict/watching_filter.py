"""A filter of the user's own over all runs of a logdir while they are recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.index.run_index import RunIndex
from tfdbg_tui.data.search.search import Search
from tfdbg_tui.verdict.filtered import first_of
from tfdbg_tui.verdict.text import tensor_in_short

if TYPE_CHECKING:
    from tfdbg_tui.data.search.named_filters import NamedFilters
    from tfdbg_tui.data.search.query import Query
    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.data.stores.run import Run


class WatchedFilter:
    """A job that asks the filter; any thread may ask what it holds for."""

    def __init__(self, logdir: Logdir, filters: NamedFilters, name: str) -> None:
        self._logdir = logdir
        self._query = filters.query(name)
        self._name = name
        self._watched: dict[Run, _Watched] = {}

    def extend(self) -> bool:
        """Look at a slice of what is new; True while there is more."""
        has_more = False
        for run in self._logdir.runs:
            watched = self._watched.get(run)
            if watched is None or not watched.index.is_current(run):
                watched = self._watched[run] = _Watched(run, self._query)
            has_more |= watched.extend()
        return has_more

    def sentence(self) -> str | None:
        """What it holds for; None while that is nothing."""
        for watched in tuple(self._watched.values()):
            first = first_of(watched.index, watched.searches)
            if first is not None:
                return f"Filter {self._name} holds: {tensor_in_short(first)}"
        return None

    def reason(self) -> str | None:
        """That it holds for something."""
        return None if self.sentence() is None else f"Filter {self._name} holds"


class _Watched:
    """The filter over one run."""

    def __init__(self, run: Run, query: Query) -> None:
        self.index = RunIndex(run)
        self.searches = [Search(index, query) for index in self.index.hosts]

    def extend(self) -> bool:
        has_more = self.index.extend_steps()
        pending = [search.extend() for search in self.searches]
        return has_more or any(pending)
