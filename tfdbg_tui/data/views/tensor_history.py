"""One tensor over all its invocations, in as many cells as there is room for.

Cells break where the kind of a result changes, so that a healthy invocation is never drawn as bad
for the sake of its neighbour; only where there are more changes than cells, cells mix. Bad numbers
are exact: every invocation counts, however many share a cell. Shares of zeros and of
bad numbers come from one record of each cell, read back from disk.
"""

from __future__ import annotations

from enum import IntEnum
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.health import Bad, Health
from tfdbg_tui.data.stores.columns import Table, sorted_positions
from tfdbg_tui.data.stores.executions import ExecutionStore
from tfdbg_tui.data.stores.traces import TraceStore
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

    Column = npt.NDArray[Any]

ROWS_PER_SLICE = 1 << 18
"""Events looked through in one go: a few milliseconds at the most."""

READ_BYTES = 1 << 20
"""Bytes of records that are read for one answer; whole tensors may be recorded."""

KEPT_RECORDS = 4096
"""Records whose health stays in memory."""

KINDS = (Bad.NEG_INF, Bad.POS_INF, Bad.NAN, Bad.UNTOLD)


class Outcome(IntEnum):
    """What came of an invocation, in the one word that a history has for it."""

    OK = 0
    INF = 1
    NAN = 2
    """With or without ∞: what goes on from here is NaN."""
    UNTOLD = 3


def outcome_of(bad: Bad) -> Outcome:
    """The worst of what a tensor holds."""
    return Outcome(int(OUTCOMES[int(bad)]))


def _outcome(bad: Bad) -> Outcome:
    if bad & Bad.NAN:
        return Outcome.NAN
    if bad & Bad.UNTOLD:
        return Outcome.UNTOLD
    return Outcome.INF if bad else Outcome.OK


OUTCOMES = np.array([_outcome(Bad(flags)) for flags in range(256)], np.uint8)
"""The outcome of every combination of flags, for a whole column at once."""


class HistoryCell(NamedTuple):
    """Some invocations that follow each other."""

    first_event: int
    last_event: int
    invocations: int
    bad_invocations: int
    bad: Bad
    """Of all its invocations together."""
    sampled_event: int
    """The first bad one, or else the first."""
    health: Health | None
    """Of the sampled event; None if it is gone, too large or not told by the mode."""
    is_mixed: bool = False
    """Whether its invocations differ in their outcome: there was no room to keep them apart."""

    @property
    def zero_share(self) -> float | None:
        """Zeros among the elements of the sampled record; None if it does not tell."""
        return None if self.health is None else _share(self.health.zero, self.health.size)

    @property
    def bad_share(self) -> float | None:
        """Bad numbers among the elements of the sampled record; None if it does not tell."""
        health = self.health
        if health is None or health.neg_inf is None or health.pos_inf is None or health.nan is None:
            return None
        return _share(health.neg_inf + health.pos_inf + health.nan, health.size)

    @property
    def outcome(self) -> Outcome:
        """Of all its invocations, unless it mixes them: then of the worst."""
        return outcome_of(self.bad)


class TensorHistory:
    """The invocations of one tensor; any thread may extend it and any may ask.

    One thread at a time extends it. What is bad is added before the invocations themselves, and
    readers count the invocations first: they find all that is bad among those they count.
    """

    def __init__(self, store: TraceStore | ExecutionStore, site: int, position: int = 0) -> None:
        self.store = store
        self.site = site
        self.position = position
        self._events = Table(event=np.uint32)
        # Which invocations are bad, at all and in each way: a cell is judged by two searches.
        self._bad = Table(invocation=np.uint32)
        self._bad_by_kind = {kind: Table(invocation=np.uint32) for kind in KINDS}
        # Where a row of invocations with the same outcome begins; the first begins at 0.
        self._runs = Table(invocation=np.uint32)
        self._last_outcome = -1
        self._scanned = 0
        self._one_at_a_time = Lock()
        self._read: dict[int, Health | None] = {}

    @property
    def count(self) -> int:
        """Invocations so far."""
        return len(self._events)

    @property
    def is_complete(self) -> bool:
        """Whether all events were looked through that are there."""
        return self._scanned >= len(self.store)

    @property
    def bad_count(self) -> int:
        """Bad ones among them."""
        return int(sorted_positions(self._bad["invocation"], self.count))

    def extend(self) -> bool:
        """Look through a slice of new events; True while more is pending."""
        with self._one_at_a_time:
            start = self._scanned
            stop = min(len(self.store), start + ROWS_PER_SLICE)
            events = np.flatnonzero(self.store.site_numbers[start:stop] == self.site) + start
            if isinstance(self.store, TraceStore):
                self._add_bad(self.store.bad_flags[events])  # its one tensor's own
            else:
                events, stop = self._whose_alerts_are_there(events, stop)
                self._add_bad(self._flags_of_output(events))
            self._events.extend(event=events)
            self._scanned = stop
            return stop < len(self.store)

    def _whose_alerts_are_there(self, events: Column, stop: int) -> tuple[Column, int]:
        """The events up to the first whose alerts are still to come: a store adds events first."""
        known = self.store.bad_events
        last = int(known[-1]) if len(known) else -1
        pending = events[(events > last) & (self.store.bad_flags[events] != 0)]
        if not len(pending):
            return events, stop
        return events[events < pending[0]], int(pending[0])

    def _flags_of_output(self, events: Column) -> Column:
        """The bad numbers of one output of each event: the alerts tell outputs apart."""
        alerts, bad_events = self.store.alerts, self.store.bad_events
        flags = np.zeros(len(events), np.uint8)
        bad = np.flatnonzero(self.store.bad_flags[events])
        first, last = (sorted_positions(bad_events, events[bad] + end) for end in (0, 1))
        for number in range(int((last - first).max(initial=0))):  # of the bad outputs of each
            told = np.flatnonzero(first + number < last)
            rows = first[told] + number
            own = alerts["position"][rows] == self.position
            flags[bad[told[own]]] |= alerts["bad"][rows[own]]
        return flags

    def _add_bad(self, flags: Column) -> None:
        """Note which of the invocations that come next are bad, and in which way."""
        outcomes = OUTCOMES[flags]
        before = np.concatenate(([self._last_outcome], outcomes[:-1]))
        self._runs.extend(invocation=self.count + np.flatnonzero(outcomes != before[: len(flags)]))
        if len(outcomes):
            self._last_outcome = int(outcomes[-1])
        found = np.flatnonzero(flags)
        invocations, flags = found + self.count, flags[found]
        self._bad.extend(invocation=invocations)
        for kind, table in self._bad_by_kind.items():
            table.extend(invocation=invocations[flags & int(kind) != 0])

    def cells(self, columns: int) -> tuple[HistoryCell, ...]:
        """All invocations in at most so many parts; reads a record for each at the most."""
        left = READ_BYTES
        cells = []
        for cell in self.parts(columns):
            left -= self._sample(cell.sampled_event, left)
            cells.append(cell._replace(health=self._read.get(cell.sampled_event)))
        return tuple(cells)

    def parts(self, columns: int, span: tuple[int, int] | None = None) -> tuple[HistoryCell, ...]:
        """The same of all invocations, or from one to before another; nothing is read.

        There are as many cells as there is room for, each of one outcome, if that many suffice for
        the changes; else they are equally long and some mix outcomes.
        """
        events = self._events["event"]
        first, end = (0, len(events)) if span is None else span
        bounds = self._bounds(max(0, first), min(end, len(events)), columns)
        bad = self._bad["invocation"]
        bad_bounds = sorted_positions(bad, bounds)
        flags = self._flags(bounds)
        runs = self._runs["invocation"]
        mixed = sorted_positions(runs, bounds[1:]) > sorted_positions(runs, bounds[:-1] + 1)
        cells = []
        for cell in range(len(bounds) - 1):
            first, last = int(bounds[cell]), int(bounds[cell + 1])
            first_bad, last_bad = int(bad_bounds[cell]), int(bad_bounds[cell + 1])
            sampled = int(events[bad[first_bad] if last_bad > first_bad else first])
            cells.append(
                HistoryCell(
                    int(events[first]),
                    int(events[last - 1]),
                    last - first,
                    last_bad - first_bad,
                    Bad(int(flags[cell])),
                    sampled,
                    None,
                    bool(mixed[cell]),
                )
            )
        return tuple(cells)

    def event_of(self, invocation: int) -> int:
        """The event of an invocation, from 0."""
        return int(self._events["event"][invocation])

    def invocation_of(self, event: int) -> int:
        """Which invocation an event is, or the next one behind it."""
        return int(sorted_positions(self._events["event"], event))

    def bad_of(self, invocation: int) -> Bad:
        """Which bad numbers an invocation holds."""
        bad = Bad.NONE
        for kind, table in self._bad_by_kind.items():
            first, end = sorted_positions(table["invocation"], (invocation, invocation + 1))
            bad |= kind if end > first else Bad.NONE
        return bad

    def next_bad(self, invocation: int, direction: int) -> int | None:
        """The next bad invocation, or the one before; None if there is none."""
        bad = self._bad["invocation"]
        rank = int(sorted_positions(bad, invocation + (direction > 0))) - (direction < 0)
        return int(bad[rank]) if 0 <= rank < len(bad) and bad[rank] < self.count else None

    def _bounds(self, first: int, end: int, columns: int) -> Column:
        """Where each cell begins, and the end of the last."""
        count = max(0, end - first)
        runs = self._runs["invocation"]
        inside = sorted_positions(runs, (first + 1, end))  # those behind are not counted yet
        changes = runs[inside[0] : inside[1]].astype(np.int64) - first
        if not count or len(changes) + 1 > columns:
            return first + _bounds(count, columns)
        edges = np.concatenate(([0], changes, [count]))
        return first + _bounds_of_runs(edges, columns)

    def _flags(self, bounds: Column) -> Column:
        """The bad numbers of each cell."""
        flags = np.zeros(max(len(bounds) - 1, 0), np.uint8)
        for kind, table in self._bad_by_kind.items():
            found = sorted_positions(table["invocation"], bounds)
            flags[found[1:] > found[:-1]] |= int(kind)
        return flags

    def _sample(self, event: int, left: int) -> int:
        """Read the health of an event unless it is known or too large; the bytes read."""
        if event in self._read:
            return 0
        size = self.store.record_size(event)
        if size > left:
            return 0
        if len(self._read) >= KEPT_RECORDS:
            self._read.clear()
        self._read[event] = health_at(self.store, event, self.position)
        return size


def health_at(store: TraceStore | ExecutionStore, event: int, position: int) -> Health | None:
    """What an event says of one of its tensors, read back from disk; None if nothing."""
    if isinstance(store, ExecutionStore):
        return store.health(event, position)
    return store.health(event)


def _bounds(count: int, columns: int) -> Column:
    """Where each part begins, and the end of the last."""
    parts = max(min(columns, count), 0)
    return np.arange(parts + 1) * count // max(parts, 1)


def _bounds_of_runs(edges: Column, columns: int) -> Column:
    """Parts of runs that follow each other: one for each run, the others by their lengths."""
    lengths = np.diff(edges)
    runs, count = len(lengths), int(edges[-1])
    spare, rest = min(columns, count) - runs, max(count - runs, 1)
    extra = np.diff(np.cumsum(lengths - 1) * spare // rest, prepend=0)
    parts = extra + 1
    first = np.cumsum(parts) - parts
    within = np.arange(int(parts.sum())) - np.repeat(first, parts)
    lengths, starts = np.repeat(lengths, parts), np.repeat(edges[:-1], parts)
    return np.append(starts + within * lengths // np.repeat(parts, parts), count)


def _share(part: int | None, whole: int | None) -> float | None:
    return part / whole if part is not None and whole else None
