"""Runs of eager ops that one line of the user's program made: one row instead of dozens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.stores.columns import NO_ROWS, RowsSoFar, Table

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.index.site_facts import SiteIndex
    from tfdbg_tui.data.stores.host import Host

ROWS_PER_SLICE = 200_000
"""Executions looked at in one go."""

CALL = -1
"""The line number of a call of a function: each is a group of its own."""


class LineGroups:
    """Where each group of a timeline begins.

    `extend` is for the feed's thread; any thread reads `so_far`, which is published in one
    assignment for each slice.
    """

    def __init__(self, host: Host, site_index: SiteIndex) -> None:
        self._executions = host.executions
        self._site_index = site_index
        self.so_far = NO_ROWS
        """The first executions of the groups, and how many executions were looked at."""
        self._starts = Table(event=np.uint32)
        self._line_numbers: dict[object, int] = {}
        self._line_of_site = np.empty(0, np.int64)
        self._last_line = CALL

    @property
    def rows(self) -> npt.NDArray[np.uint32]:
        """The first executions of the groups."""
        return self.so_far.rows

    def extend(self) -> bool:
        """Group a slice of new executions; True while there is more."""
        begin = self.so_far.scanned
        end = min(len(self._executions), begin + ROWS_PER_SLICE)
        if end == begin:
            return False
        sites = self._executions.site_numbers[begin:end]
        self._number_sites(int(sites.max()) + 1)
        lines = self._line_of_site[sites]
        before = np.append(self._last_line, lines[:-1])
        starts = np.flatnonzero((lines != before) | (lines == CALL)) + begin
        self._last_line = int(lines[-1])
        self._starts.extend(event=starts)
        self.so_far = RowsSoFar(self._starts["event"], end)
        return end < len(self._executions)

    def _number_sites(self, count: int) -> None:
        known = len(self._line_of_site)
        new = [self._line_number(site) for site in range(known, count)]
        if new:
            self._line_of_site = np.append(self._line_of_site, np.array(new, np.int64))

    def _line_number(self, site: int) -> int:
        facts = self._site_index.execution(site)
        if facts.is_call:
            return CALL
        # While the line is not on disk, what was called from one stack is taken as one line.
        key: object = facts.line or self._executions.sites[site].stack
        return self._line_numbers.setdefault(key, len(self._line_numbers))
