"""Everything that is worked out about one run for the screen: an index for each of its hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.alert_rows import AlertRows
from tfdbg_tui.data.host_index import HostIndex

if TYPE_CHECKING:
    from tfdbg_tui.data.run import Run


class RunIndex:
    """The indexes of a run's hosts; made anew when a host joins or a file is replaced."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._hosts = run.hosts
        self.hosts = tuple(HostIndex(host, run) for host in self._hosts)
        self.alerts = AlertRows(self.hosts)

    def is_current(self, run: Run) -> bool:
        """Whether it still speaks of what the run consists of."""
        same = run is self.run and run.hosts == self._hosts
        return same and all(index.is_current for index in self.hosts)

    def extend(self) -> bool:
        """Index a slice of what is new; True while more is waiting."""
        waiting = [index.extend() for index in self.hosts]
        return any(waiting)
