"""A search or filter over both kinds of events of one host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.search.matches import Matches
from tfdbg_tui.data.stores.event_kind import EventKind

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.search.query import Query


class Search:
    """What a query finds in a host; `extend` is for the feed's thread."""

    def __init__(self, index: HostIndex, query: Query) -> None:
        host, site_index, step_of = index.host, index.sites, index.steps.step_of
        self.index = index
        self.query = query
        self.traces = Matches(host.traces, site_index.trace, query, step_of)
        self.executions = Matches(host.executions, site_index.execution, query, step_of)

    def of(self, kind: EventKind) -> Matches:
        """The events of a kind that it finds."""
        return self.traces if kind is EventKind.TRACE else self.executions

    def extend(self) -> bool:
        """Search a slice; True while there is more."""
        pending = [self.traces.extend(), self.executions.extend()]
        return any(pending)

    @property
    def is_done(self) -> bool:
        """Whether all that has arrived is searched."""
        host = self.index.host
        searched = (self.traces.scanned, self.executions.scanned)
        return searched == (len(host.traces), len(host.executions))
