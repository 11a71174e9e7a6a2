"""One run as the library reads it: its indexes, its names, its causes, each made when needed."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.cause.causes import Causes
from tfdbg_tui.data.cause.run_causes import RunCauses
from tfdbg_tui.data.index.run_index import RunIndex
from tfdbg_tui.data.search.search import Search
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.library.columns import EXECUTIONS, TENSORS, executions_of, tensors_of
from tfdbg_tui.library.sites import Sites

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.search.matches import Matches
    from tfdbg_tui.data.search.named_filters import NamedFilters
    from tfdbg_tui.data.search.query import Query
    from tfdbg_tui.data.stores.run import Run

    Rows = npt.NDArray[Any]


class RunAccess:
    """Reads one run; what it has read once it keeps."""

    def __init__(self, run: Run, filters: NamedFilters) -> None:
        self.filters = filters
        self.index = RunIndex(run)
        while self.index.extend_steps():
            pass

    @cached_property
    def sites(self) -> Sites:
        """The names of where tensors come from."""
        return Sites(self.index)

    @cached_property
    def causes(self) -> RunCauses:
        """What made its bad numbers."""
        found = RunCauses(self.index, Causes(self.index), tells_absorbed=False)
        while found.extend():
            pass
        return found

    def all_tensors(self) -> Rows:
        """A row for each recorded tensor, in time."""
        parts = [
            self._tensors(host, kind, np.arange(len(one.host.store_of(kind))))
            for host, one in enumerate(self.index.hosts)
            for kind in EventKind
        ]
        return _in_time(parts, TENSORS)

    def all_executions(self) -> Rows:
        """A row for each execution, in time."""
        parts = []
        for host, one in enumerate(self.index.hosts):
            rows = executions_of(one, host)
            rows["site"] += self.sites.first_of(host, EventKind.EXECUTION)
            parts.append(rows)
        return _in_time(parts, EXECUTIONS)

    def found(self, query: Query) -> Rows:
        """A row for each tensor that fits a query, in time."""
        parts = []
        for host, one in enumerate(self.index.hosts):
            search = Search(one, query)
            while search.extend():
                pass
            for kind in EventKind:
                is_trace = kind is EventKind.TRACE
                matches = search.traces if is_trace else search.found_executions
                parts.append(self._matching(host, kind, matches, query))
        return _in_time(parts, TENSORS)

    def _matching(self, host: int, kind: EventKind, matches: Matches, query: Query) -> Rows:
        events = matches.rows.astype(np.int64)
        rows = self._tensors(host, kind, events, query)
        if not query.filters or kind is EventKind.TRACE:
            return rows
        # Which of several tensors of an execution a function holds for only it can say.
        fits = {event: matches.tensors_that_fit(event) for event in events.tolist()}
        places = zip(rows["event"].tolist(), rows["output"].tolist(), strict=True)
        return rows[[bool(fits[event][output]) for event, output in places]]

    def outputs(self, host: int, execution: int) -> Rows:
        """A row for each tensor that an execution put out."""
        return self._tensors(host, EventKind.EXECUTION, np.array([execution]))

    def history(self, host: int, kind: EventKind, site: int, output: int) -> Rows:
        """A row for each computation of one tensor; its site as the whole run numbers it."""
        store = self.index.hosts[host].host.store_of(kind)
        own = site - self.sites.first_of(host, kind)
        rows = self._tensors(host, kind, np.flatnonzero(store.site_numbers == own))
        return _in_time([rows[rows["output"] == output]], TENSORS)

    def _tensors(
        self, host: int, kind: EventKind, events: Rows, query: Query | None = None
    ) -> Rows:
        rows = tensors_of(self.index.hosts[host], host, kind, events, query)
        rows["site"] += self.sites.first_of(host, kind)
        return rows


def _in_time(parts: list[Rows], dtype: np.dtype[Any]) -> Rows:
    rows = np.concatenate([np.zeros(0, dtype), *parts])
    return rows[np.argsort(rows["time"], kind="stable")]
