"""Steps of a training loop, which no recorder writes down.

A step is one round of the dominant loop of top-level executions. A record is written when its
execution ends, and what its graphs compute comes before it; so a step opens behind the execution
before the first one that takes part in the loop again. What comes between two rounds, such as
printing, belongs to the step that ended; what comes before the first, such as making variables,
to step 0.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tfdbg_tui.data.index.training_loop import Kinds, Loop, Occurrences, find_loop
from tfdbg_tui.data.stores.columns import Table

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.index.site_facts import SiteIndex
    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.host import Host

    Column = npt.NDArray[Any]

SLICE_ROWS = 200_000
"""Executions looked at in one go: some milliseconds."""

FEW_ROWS = 5_000
"""Up to so many executions the loop is looked for again whenever some are added."""

GROWTH = 1.01
"""Beyond that, when there are this many times as many as at the last look."""


class Steps:
    """The steps of the executions that a host has now: a file that is replaced needs new ones.

    `extend` is for the feed's thread, everything else for any. Readers see the rounds of one
    loop: those of another are published in one assignment, when they reach as far.
    """

    def __init__(self, host: Host, site_index: SiteIndex) -> None:
        self._store = host.executions
        self._traces = host.traces
        self._kinds = Kinds(host, site_index)
        self._seen = Occurrences()
        self._counted = 0
        self._judged = 0
        self._next: _Rounds | None = None
        self._rounds: _Rounds | None = None

    def extend(self) -> bool:
        """Index a slice of what is new; True while there is more."""
        self._count()
        if self._counted >= self._judged * GROWTH or self._counted <= FEW_ROWS:
            self._judge()
        rounds = self._next or self._rounds
        if rounds is not None:
            rounds.extend(self._store, self._kinds, self._counted)
            is_whole = rounds.so_far.end >= self._counted
            if self._next is not None and (is_whole or self._rounds is None):
                self._rounds, self._next = self._next, None
        behind = rounds is not None and rounds.so_far.end < self._counted
        return behind or self._counted < len(self._store)

    def _count(self) -> None:
        sites = self._store.site_numbers[self._counted : self._counted + SLICE_ROWS]
        if len(sites):
            kinds = self._kinds.of(sites)
            self._seen.extend(kinds, self._counted, len(self._kinds))
            self._counted += len(sites)

    def _judge(self) -> None:
        if self._judged == self._counted:
            return
        self._judged = self._counted
        rounds = self._next or self._rounds
        known = rounds.loop if rounds is not None else None
        loop = find_loop(self._seen, self._kinds.weights(), known)
        if loop is not None and loop != known:
            self._next = _Rounds(loop)

    def __len__(self) -> int:
        rounds = self._rounds
        return 0 if rounds is None else rounds.so_far.closed

    def step_of(self, wall_time: float) -> int | None:
        """The step at a time, from 1; 0 before the first, None while no loop is known."""
        rounds = self._rounds
        return None if rounds is None else rounds.at(wall_time)

    def time_of(self, step: int) -> float | None:
        """When a step begins: the end of the last execution before it."""
        rounds = self._rounds
        found = None if rounds is None else rounds.beginning(step)
        if found is None:
            return None
        _, began = found
        return began if np.isfinite(began) else self._first_time()

    def _first_time(self) -> float:
        stores = (self._store, self._traces)
        return min(store.wall_time(0) for store in stores if len(store))

    def first_execution(self, step: int) -> int | None:
        """The first execution of a step."""
        rounds = self._rounds
        found = None if rounds is None else rounds.beginning(step)
        return None if found is None else found[0]


class _SoFar(NamedTuple):
    """What is known of the rounds of a loop at one moment."""

    opened: int = 0
    """Rounds that have begun."""
    closed: int = 0
    """Rounds that are whole."""
    end: int = 0
    """Rows looked at."""
    end_time: float = -math.inf
    """The latest time among them."""


class _Rounds:
    """Where each round of a loop begins.

    `extend` is for the feed's thread. Any thread reads: `so_far` is published in one assignment
    for each slice, and says how many rows of the table count.
    """

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.so_far = _SoFar()
        self._opened = Table(row=np.int64, time=np.float64)
        """The first execution of each round, and the time from which on it runs."""

    def extend(self, store: ExecutionStore, kinds: Kinds, until: int) -> None:
        """Look at a slice of executions."""
        _, closed, start, end_time = self.so_far
        end = min(start + SLICE_ROWS, until)
        if end <= start:
            return
        present = kinds.of(store.site_numbers[start:end])
        opens = np.zeros(len(kinds), np.bool_)
        opens[list(self.loop.openers)] = True
        openers = start + np.flatnonzero(opens[present])
        closers = start + np.flatnonzero(present == self.loop.closer)
        self._open(openers, closers, store.wall_times)
        self.so_far = _SoFar(
            len(self._opened),
            closed + len(closers),
            end,
            float(np.fmax(end_time, store.wall_times[end - 1])),
        )

    def _open(self, openers: Column, closers: Column, times: Column) -> None:
        """Note the next opener behind each closer, and the first of all."""
        following = np.searchsorted(openers, closers, side="right")
        if self.so_far.closed == len(self._opened):
            following = np.concatenate(([0], following))
        rows = openers[following[following < len(openers)]]
        if not len(rows):
            return
        began = np.where(rows > 0, times[rows - 1], -np.inf)
        if len(self._opened):
            began[0] = np.fmax(began[0], self._opened["time"][-1])
        self._opened.extend(row=rows, time=np.fmax.accumulate(began))

    def at(self, wall_time: float) -> int:
        """The round at a time."""
        opened, closed, _, end_time = self.so_far
        step = int(np.searchsorted(self._opened["time"][:opened], wall_time))
        is_ahead = step == opened == closed and wall_time > end_time
        return step + 1 if is_ahead else step

    def beginning(self, step: int) -> tuple[int, float] | None:
        """The first execution of a round, from 1, and the time from which on it runs."""
        if not 1 <= step <= self.so_far.opened:
            return None
        return int(self._opened["row"][step - 1]), float(self._opened["time"][step - 1])
