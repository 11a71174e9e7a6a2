"""A search or filter over both kinds of events of one host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.search.containing import Containing
from tfdbg_tui.data.search.matches import Matches
from tfdbg_tui.data.stores.event_kind import EventKind

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.search.query import Query


class Search:
    """What a query finds in a host; `extend` is for the feed's thread.

    `with_calls`, as a filter has it, keeps the calls in which something was found as well.
    """

    def __init__(self, index: HostIndex, query: Query, with_calls: bool = False) -> None:
        host, site_index, step_of = index.host, index.sites, index.steps.step_of
        self.index = index
        self.query = query
        self.traces = Matches(host.traces, site_index.trace, query, step_of)
        self._executions = Matches(host.executions, site_index.execution, query, step_of)
        self._containing: Containing | None = None
        if with_calls:
            self._containing = Containing(index, self.traces, self._executions)

    @property
    def with_calls(self) -> bool:
        """Whether calls that contain a match are kept."""
        return self._containing is not None

    @property
    def found_executions(self) -> Matches:
        """The executions that match themselves."""
        return self._executions

    @property
    def executions(self) -> Matches | Containing:
        """The executions that it finds."""
        return self._executions if self._containing is None else self._containing

    def of(self, kind: EventKind) -> Matches | Containing:
        """The events of a kind that it finds."""
        return self.traces if kind is EventKind.TRACE else self.executions

    def kept(self, kind: EventKind) -> tuple[int, int]:
        """How many events of a kind it has found so far, and how many there are."""
        return len(self.of(kind).rows), len(self.index.host.store_of(kind))

    def extend(self) -> bool:
        """Search a slice; True while there is more."""
        if self.query.asks_each and self.index.extend_steps():
            return True  # functions are told the step, and are asked once
        pending = [self.traces.extend(), self._executions.extend()]
        if self._containing is not None:
            pending.append(self._containing.extend())
        return any(pending)

    @property
    def is_done(self) -> bool:
        """Whether all that has arrived is searched."""
        host = self.index.host
        searched = (self.traces.scanned, self._executions.scanned)
        is_searched = searched == (len(host.traces), len(host.executions))
        return is_searched and (self._containing is None or self._containing.is_done)
