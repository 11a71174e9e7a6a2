"""What a filter of the user's own holds for in a run: how much, and the first of it in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.search.search import Search
from tfdbg_tui.data.stores.alert_log import Alert
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.verdict.describing import bad_tensor
from tfdbg_tui.verdict.finding_warnings import with_steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.search.named_filters import NamedFilters
    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.verdict.bad_tensor import BadTensor, Json


class Filtered(NamedTuple):
    """What one filter holds for in one run."""

    name: str
    events: int = 0
    first: BadTensor | None = None
    """Told as a bad tensor is, whether it is one or not."""

    def to_json(self) -> Json:
        """As the README describes it."""
        first = None if self.first is None else self.first.to_json()
        return {"name": self.name, "events": self.events, "first": first}


def filtered_in(run: Run, filters: NamedFilters, name: str) -> Filtered:
    """What a filter holds for in all that is read of a run."""
    index = with_steps(run)
    searches = [Search(one, filters.query(name)) for one in index.hosts]
    for search in searches:
        while search.extend():
            pass
    events = sum(len(search.of(kind).rows) for search in searches for kind in EventKind)
    return Filtered(name, events, first_of(index, searches))


def first_of(index: RunIndex, searches: Iterable[Search]) -> BadTensor | None:
    """The first tensor in time that searches have found so far, one search for each host."""
    found = min(_firsts(searches), key=_time_of, default=None)
    return None if found is None else bad_tensor(index.run.view, found)


def _firsts(searches: Iterable[Search]) -> Iterator[Alert]:
    """The first tensor of each store that something was found in."""
    for host, search in enumerate(searches):
        for matches, kind in zip((search.traces, search.found_executions), EventKind, strict=True):
            rows = matches.rows
            if len(rows):
                event = int(rows[0])
                store = search.index.host.store_of(kind)
                fitting = np.flatnonzero(matches.tensors_that_fit(event)).tolist()
                output = fitting[0] if fitting else 0
                bad = store.bad_outputs(event).get(output, Bad.NONE)
                yield Alert(host, kind, event, output, int(bad), store.wall_time(event))


def _time_of(found: Alert) -> float:
    return found.wall_time
