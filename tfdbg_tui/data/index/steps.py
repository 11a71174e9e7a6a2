"""Steps of a training loop, which no recorder writes down.

A step is one round of the training loop: a call of Keras's train function or a run of a TF1 session
that trains, else a round of the dominant loop of top-level executions. A record is written when its
execution ends, and what its graphs compute comes before it; so a step opens behind the execution
before the first one that takes part in the loop again. What comes between two rounds, such as
printing, belongs to the step that ended; what comes before the first, such as making variables,
to step 0.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.index.step_times import StepTimes
from tfdbg_tui.data.index.training_loop import Kinds, Loop, Occurrences
from tfdbg_tui.data.stores.columns import Table
from tfdbg_tui.frozen.named_tuple import NamedTuple

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
        self._host = host
        self._site_index = site_index
        self._store = host.executions
        self._traces = host.traces
        self._rounds: _Rounds | None = None
        """What readers see."""
        self._begin()

    def _begin(self) -> None:
        """Look at all executions for the first time, or again: some turned out to be others."""
        self._is_anew = True
        """Whether the rounds that readers see are not of these kinds."""
        self._kinds = Kinds(self._host, self._site_index)
        self._seen = Occurrences()
        self._counted = 0
        self._judged = 0
        self._next: _Rounds | None = None

    def extend(self) -> bool:
        """Index a slice of what is new; True while there is more."""
        if self._kinds.are_outdated:
            self._begin()
        self._count()
        last = self._kinds.of(self._store.settled, len(self._store))
        if self._counted >= self._judged * GROWTH or self._counted <= FEW_ROWS or len(last):
            self._judge(last)
        rounds = self._current
        if rounds is not None:
            rounds.extend(self._store, self._kinds, self._counted)
            is_whole = rounds.so_far.end >= self._counted
            if self._next is not None and (is_whole or self._rounds is None):
                self._rounds, self._next, self._is_anew = self._next, None, False
        behind = rounds is not None and rounds.so_far.end < self._counted
        return behind or self._counted < self._store.settled

    @property
    def _current(self) -> _Rounds | None:
        """The rounds that are looked for."""
        return self._next or (None if self._is_anew else self._rounds)

    def _judge(self, last: Column) -> None:
        if self._judged == self._counted and not len(last):
            return
        self._judged = self._counted
        known = self._current.loop if self._current is not None else None
        loop = self._kinds.loop(self._seen, last, known)
        if loop is None and self._counted == self._store.settled:
            self._rounds = self._next = None
        elif loop is not None and loop != known:
            self._next = _Rounds(loop)

    def _count(self) -> None:
        end = min(self._counted + SLICE_ROWS, self._store.settled)
        if end > self._counted:
            kinds = self._kinds.of(self._counted, end)
            self._seen.extend(kinds, self._counted, len(self._kinds))
            self._counted = end

    def __len__(self) -> int:
        rounds = self._rounds
        return 0 if rounds is None else rounds.so_far.whole

    def step_of(self, wall_time: float) -> int | None:
        """The step at a time, from 1; 0 before the first, None while no loop is known."""
        rounds = self._rounds
        return None if rounds is None else rounds.at(wall_time)

    @property
    def times(self) -> StepTimes | None:
        """When all steps begin, as far as they are known now; None while no loop is known."""
        rounds = self._rounds
        return None if rounds is None else rounds.times(self._store)

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
    last: tuple[tuple[int, float], ...] = ()
    """Rounds behind these that may still change, each of one execution: as in the table."""

    @property
    def whole(self) -> int:
        """All rounds that have ended."""
        return self.closed + len(self.last)


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
        _, closed, start, end_time, _ = self.so_far
        end = min(start + SLICE_ROWS, until)
        if end > start:
            present = kinds.of(start, end)
            opens = np.zeros(len(kinds), np.bool_)
            opens[list(self.loop.openers)] = True
            closers = np.flatnonzero(present == self.loop.closer)
            self._open(start, opens[present], closers, store.wall_times)
            closed += len(closers)
            end_time = float(np.fmax(end_time, store.wall_times[end - 1]))
        last: tuple[tuple[int, float], ...] = ()
        if end == store.settled < len(store):
            last = self._last(store, kinds)
            end_time = float(np.fmax(end_time, store.wall_times[-1]))
        self.so_far = _SoFar(len(self._opened), closed, max(start, end), end_time, last)

    def _last(self, store: ExecutionStore, kinds: Kinds) -> tuple[tuple[int, float], ...]:
        """The rounds among what may still change."""
        times, settled = store.wall_times, store.settled
        is_round = kinds.of(settled, len(times)) == self.loop.closer
        rows = (settled + np.flatnonzero(is_round)).tolist()
        return tuple((row, float(times[row - 1]) if row else -math.inf) for row in rows)

    def _open(self, start: int, opens: Column, closers: Column, times: Column) -> None:
        """Note the next opener behind each closer, and the first of all, among rows from one on."""
        behind = closers + 1
        if self.so_far.closed == len(self._opened):
            behind = np.concatenate(([0], behind))
        found = _next_true(opens, behind)
        rows = start + found[found < len(opens)]
        if not len(rows):
            return
        began = np.where(rows > 0, times[rows - 1], -np.inf)
        if len(self._opened):
            began[0] = np.fmax(began[0], self._opened["time"][-1])
        self._opened.extend(row=rows, time=np.fmax.accumulate(began))

    def at(self, wall_time: float) -> int:
        """The round at a time."""
        opened, closed, _, end_time, last = self.so_far
        step = int(self._opened["time"][:opened].searchsorted(wall_time))
        step += sum(began < wall_time for _, began in last) if last else 0
        is_ahead = step - len(last) == opened == closed and wall_time > end_time
        return step + 1 if is_ahead else step

    def times(self, store: ExecutionStore) -> StepTimes:
        """When the rounds begin: what `at` tells of one time, for many."""
        opened, closed, end, end_time, last = self.so_far
        until = end_time
        if last or end < len(store):  # of what may change, nothing is certain
            until = float(store.wall_times[end - 1]) if end else -math.inf
        return StepTimes(
            self,
            self._opened["time"][:opened],
            np.sort(np.array([began for _, began in last], np.float64)),
            opened == closed,
            end_time,
            until,
        )

    def beginning(self, step: int) -> tuple[int, float] | None:
        """The first execution of a round, from 1, and the time from which on it runs."""
        opened, last = self.so_far.opened, self.so_far.last
        if opened < step <= opened + len(last):
            return last[step - opened - 1]
        if not 1 <= step <= opened:
            return None
        return int(self._opened["row"][step - 1]), float(self._opened["time"][step - 1])


def _next_true(flags: Column, places: Column) -> Column:
    """The next place from each on where a flag is set; the end where there is none."""
    flags = np.append(flags, True)
    found = places.copy()
    later = np.flatnonzero(~flags[places])  # nearly all rounds follow each other at once
    if len(later):
        true = np.flatnonzero(flags)
        found[later] = true[np.searchsorted(true, places[later])]
    return found
