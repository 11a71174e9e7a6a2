"""Everything that is worked out about one host for the screen, beside the stores themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.columns import places
from tfdbg_tui.data.joins import Joins
from tfdbg_tui.data.line_book import LineBook
from tfdbg_tui.data.line_groups import LineGroups
from tfdbg_tui.data.site_facts import SiteBook
from tfdbg_tui.data.steps import Steps

if TYPE_CHECKING:
    from tfdbg_tui.data.host import Host
    from tfdbg_tui.data.run import Run
    from tfdbg_tui.data.site_facts import SiteFacts

MOST_BAD_INSIDE = 1000
"""Bad tensors of one call that are counted; a row has to be made within microseconds."""


class HostIndex:
    """The indexes over one host's stores; `extend` is for the feed's thread."""

    def __init__(self, host: Host, run: Run) -> None:
        self.host = host
        self._run = run
        self.book = SiteBook(host)
        self.steps = Steps(host, self.book)
        self.joins = Joins(host, self.book)
        self.groups = LineGroups(host, self.book)
        self.lines = LineBook(host, self.book)
        self._stores = _stores(host)

    @property
    def started(self) -> float:
        """When the run began: times are shown since then."""
        return self._run.started or 0.0

    @property
    def is_current(self) -> bool:
        """Whether the host still has these stores: a file that was replaced is read anew."""
        return all(map(_same, self._stores, _stores(self.host)))

    def extend(self) -> bool:
        """Index a slice of what is new; True while more is waiting."""
        parts = (self.steps, self.groups, self.lines)
        waiting = [part.extend() for part in parts]
        return any(waiting)

    def bad_inside(self, execution: int, call: SiteFacts) -> int:
        """How many bad tensors the graphs of a call computed, up to a limit."""
        alerts = self.host.traces.alerts["event"]
        if not len(alerts):
            return 0
        low, high = places(alerts, self.joins.window_of(execution)).tolist()
        sites = self.host.traces.events["site"][alerts[low : min(high, low + MOST_BAD_INSIDE)]]
        return sum(self.book.trace(site).function == call.function for site in sites.tolist())


def _stores(host: Host) -> tuple[object, ...]:
    return (host.sources, host.frames, host.graphs, host.executions, host.traces)


def _same(one: object, other: object) -> bool:
    return one is other
