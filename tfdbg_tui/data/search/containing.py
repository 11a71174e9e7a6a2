"""The executions that a filter keeps: those that match, and calls in which a match was computed.

It follows the matches a slice at a time, in the feed's thread. Which call a tensor belongs to
becomes known later than the tensor: when the call ends, and when its graphs are on disk. Until
then the tensor waits; where graphs that came later change an answer, all are asked again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.stores.columns import NO_ROWS, RowsSoFar

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.search.matches import Matches

    Events = npt.NDArray[Any]

AT_ONCE = 1 << 15
"""Tensors whose calls are looked for together, a few milliseconds."""

GROWTH = 0.05
"""The part by which the rows have to grow before they are put in order again on the way."""


class Containing:
    """Matching executions, and those that contain a matching tensor; read from any thread."""

    def __init__(self, index: HostIndex, traces: Matches, executions: Matches) -> None:
        self._index = index
        self._traces = traces
        self._executions = executions
        self.so_far = NO_ROWS
        """The rows and how far was looked, published in one assignment."""
        self._revision = -1
        self._known: tuple[object, ...] = ()
        """What the answers depend on besides the tensors, as it was when they were given."""
        self._rounds = 0
        """How often it was begun."""
        self._basis: tuple[object, ...] = ()
        """What the published rows were made of."""
        self._begin()

    def _begin(self) -> None:
        self._rounds += 1
        self._taken = 0
        """Matching tensors that were looked at."""
        self._calls: set[int] = set()
        self._open: Events = np.empty(0, np.int64)
        """Tensors that were looked at whose calls are not certain yet."""
        self._guessed: set[int] = set()
        """The calls of these, as far as they seem known."""
        self._ends: tuple[int, int] = (0, 0)
        self._answers: dict[tuple[int, str], bool] = {}
        """Whether a site of a call runs a graph, for those that were met."""

    @property
    def rows(self) -> npt.NDArray[np.uint32]:
        """The executions, ascending."""
        return self.so_far.rows

    @property
    def scanned(self) -> int:
        """Executions looked at so far, from the first on."""
        return self._executions.scanned

    @property
    def is_done(self) -> bool:
        """Whether the calls of all tensors found so far are among the rows."""
        return self.so_far.scanned == len(self._traces) and self._revision == self._traces.revision

    def __len__(self) -> int:
        return len(self.rows)

    # ------------------------------------------------------------------ for the feed's thread

    def extend(self) -> bool:
        """Look for the calls of some more tensors; True while there is more."""
        if self._revision != self._traces.revision or self._is_outdated():
            self._revision = self._traces.revision
            self._begin()
        self._ask_open()
        rows = self._traces.rows
        part = rows[self._taken : self._taken + AT_ONCE].astype(np.int64)
        if len(part):
            self._take(part)
            self._taken += len(part)
        has_more = self._taken < len(rows)
        self._publish(is_whole=not has_more)
        return has_more

    def _is_outdated(self) -> bool:
        """Whether more of the files has changed which calls run which graphs."""
        host = self._index.host
        known = (host.graphs.counts, len(host.executions.sites))
        if known == self._known:
            return False
        self._known = known
        runs = self._index.joins.runs
        return any(runs(*asked) is not answer for asked, answer in self._answers.items())

    def _ask_open(self) -> None:
        """Look again at what waits if calls have ended since."""
        executions = self._index.host.executions
        ends = (len(executions), executions.settled)
        if ends != self._ends:
            self._ends = ends
            open_traces, self._open, self._guessed = self._open, self._open[:0], set()
            if len(open_traces):
                self._take(open_traces)

    def _take(self, traces: Events) -> None:
        """Find the calls of some tensors."""
        known, settled = self._ends
        calls = np.minimum(self._index.joins.ends_after(traces), known)
        is_open = calls >= settled
        self._open = np.append(self._open, traces[is_open])
        has_ended = calls < known
        self._calls |= self._own(traces[~is_open], calls[~is_open])
        guessed = is_open & has_ended
        self._guessed |= self._own(traces[guessed], calls[guessed])

    def _own(self, traces: Events, calls: Events) -> set[int]:
        """Those of the calls behind some tensors that have computed them."""
        if not len(traces):
            return set()
        host = self._index.host
        sites = host.traces.site_numbers[traces].astype(np.int64)
        pairs = np.unique(np.stack((calls, sites)), axis=1)
        called = host.executions.site_numbers[pairs[0]].tolist()
        return {
            call
            for call, caller, site in zip(pairs[0].tolist(), called, pairs[1].tolist(), strict=True)
            if self._runs(caller, host.traces.sites[site].graph_id)
        }

    def _runs(self, caller: int, graph_id: str) -> bool:
        asked = (caller, graph_id)
        if asked not in self._answers:
            self._answers[asked] = self._index.joins.runs(*asked)
        return self._answers[asked]

    def _publish(self, is_whole: bool) -> None:
        """Put the rows in order, at the end or where that is worth it."""
        matching = self._executions.so_far
        seen = (self._rounds, self._taken, self._ends)
        basis = (self._executions.revision, len(matching.rows), *seen)
        if basis == self._basis:
            return
        found = len(matching.rows) + len(self._calls) + len(self._guessed)
        if not is_whole and found <= (1 + GROWTH) * len(self.so_far.rows):
            return
        self._basis = basis
        inside = np.fromiter(self._calls | self._guessed, np.uint32)
        self.so_far = RowsSoFar(np.union1d(matching.rows, inside).astype(np.uint32), self._taken)
