"""All indexes over one run: an index for each of its hosts, and its alerts as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.index.alert_rows import AlertRows
from tfdbg_tui.data.index.host_index import HostIndex

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.run import Run


class RunIndex:
    """The indexes of a run's hosts; made anew when a host joins or a file is replaced.

    One for `only_steps` knows steps and joins, which is all that causes and warnings need.
    """

    def __init__(self, run: Run, only_steps: bool = False) -> None:
        hosts, log = run.view
        self.run = run
        self.log = log
        """The alerts in time order, which number the hosts as here."""
        self.hosts = tuple(HostIndex(host, run, only_steps) for host in hosts)
        self.alerts = AlertRows(self.hosts)

    def is_current(self, run: Run) -> bool:
        """Whether it still indexes the hosts and stores that the run has."""
        hosts, log = run.view
        same = run is self.run and log is self.log and len(hosts) == len(self.hosts)
        return same and all(map(HostIndex.is_of, self.hosts, hosts))

    def number_of(self, before: HostIndex) -> int | None:
        """The number here of a host that was indexed before; None if it has left."""
        numbered = enumerate(self.hosts)
        return next((number for number, index in numbered if index.origin is before.origin), None)

    def extend_steps(self) -> bool:
        """Index a slice for steps and joins alone, which is all that causes need."""
        pending = [index.extend_steps() for index in self.hosts]
        return any(pending)

    @property
    def steps(self) -> int | None:
        """Steps of the training loop; None while none is known."""
        return max((len(index.steps) for index in self.hosts), default=0) or None

    def extend(self) -> bool:
        """Index a slice of what is new; True while there is more."""
        pending = [index.extend() for index in self.hosts]
        return any(pending)
