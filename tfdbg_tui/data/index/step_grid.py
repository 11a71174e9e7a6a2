"""Every tensor's site by every step: how often it was computed, and whether it was bad.

One pass over columns that are in memory, a slice at a time, extended with what comes. Steps are
merged into buckets where there are many (`BucketTotals`); a grid over some of the steps looks only
at the blocks of events that have any of them.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.index.bucket_totals import BucketTotals, Cells, together
from tfdbg_tui.data.index.step_axis import StepAxis, axis_of
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.step_axis import TimeAxis
    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.traces import TraceStore

    Column = npt.NDArray[Any]
    Axis = StepAxis | TimeAxis

ROWS_PER_SLICE = 1 << 15
"""Events looked at in one go: some milliseconds. Also the events of a block."""

MAX_SITES = 1 << 14
"""Sites of a kind that have a row of their own; all others share one more."""

EVERYWHERE = (0, 1 << 62)
"""Where the events of a block may be while some of them may yet move."""


class SiteSums(NamedTuple):
    """What became of each site in all."""

    counts: Column
    bad: Column
    first_bad: Column
    """The first bad event; -1 where there is none."""
    last: Column
    """The last event; -1 where there is none."""


class SiteSum(NamedTuple):
    """The same of one site."""

    counts: int
    bad: int
    first_bad: int
    last: int


class GridView(NamedTuple):
    """Some rows of a grid, in columns of equal widths."""

    first: int
    """The first unit of the first column."""
    width: int
    """Units of a column."""
    cells: Cells


class StepGrid:
    """The sites of one host by step; a job for the feed. Any thread may ask."""

    def __init__(
        self,
        index: HostIndex,
        window: tuple[int, int] | None = None,
        whole: StepGrid | None = None,
    ) -> None:
        self.window = window
        """The first and the last unit that count; None for all."""
        self._index = index
        self._axis = axis_of(index)
        self._lock = Lock()
        host = index.host
        stores: dict[EventKind, TraceStore | ExecutionStore] = {EventKind.TRACE: host.traces}
        if host.executions.is_recorded:
            stores[EventKind.EXECUTION] = host.executions
        known = {} if whole is None else whole._scans
        self._scans: dict[EventKind, _Scan] = {
            kind: _Scan(store, window, known[kind].blocks if kind in known else ())
            for kind, store in stores.items()
        }

    @property
    def has_steps(self) -> bool:
        """Whether units are steps; else they are microseconds."""
        return isinstance(self._axis, StepAxis)

    @property
    def is_outdated(self) -> bool:
        """Whether steps have become others, or have become known: another grid is needed."""
        times = self._index.steps.times
        return (None if times is None else times.loop) is not self._axis.loop

    @property
    def kinds(self) -> Sequence[EventKind]:
        """The kinds of events that are there."""
        return tuple(self._scans)

    def extend(self) -> bool:
        """Look at a slice of new events; True while there are more."""
        if not self.is_outdated:
            self._axis = axis_of(self._index, getattr(self._axis, "began", None))
        with self._lock:
            pending = [scan.extend(self._axis) for scan in self._scans.values()]
        return any(pending)

    @property
    def extent(self) -> tuple[int, int] | None:
        """The first and the last unit with events; None if there are none."""
        with self._lock:
            extents = [scan.extent for scan in self._scans.values() if scan.extent is not None]
        if not extents:
            return None
        return min(first for first, _ in extents), max(last for _, last in extents)

    @property
    def finest(self) -> int:
        """The least units of a column that can be told apart."""
        with self._lock:
            return 1 << max(scan.totals.scale for scan in self._scans.values())

    def unit_of(self, kind: EventKind, event: int) -> int:
        """Where an event stands on the axis, as far as that is known."""
        times = self._index.host.store_of(kind).wall_times[event : event + 1]
        return int(self._axis.places(times)[0])

    def sums(self, kind: EventKind) -> SiteSums:
        """What became of all sites of a kind."""
        with self._lock:
            return SiteSums._make(column.copy() for column in self._scans[kind].sums)

    def sum_of(self, kind: EventKind, site: int) -> SiteSum:
        """What became of one site in all; nothing if it has not been met yet."""
        scan = self._scans.get(kind)
        with self._lock:
            if scan is None or site >= len(scan.sums.counts):
                return SiteSum(0, 0, -1, -1)
            return SiteSum._make(int(column[site]) for column in scan.sums)

    def view(self, kind: EventKind, sites: Column, span: tuple[int, int], columns: int) -> GridView:
        """Some sites from one unit to another, in at most so many columns of equal widths."""
        with self._lock:
            scale = max(scan.totals.scale for scan in self._scans.values())
            first, last = (max(0, unit - self._origin) >> scale for unit in span)
            merged = -(-(last - first + 1) // max(1, columns))
            shown = -(-(last - first + 1) // merged)
            scan = self._scans.get(kind)
            part = (np.empty(0, np.int64) if scan is None else sites, first, shown, merged, scale)
            cells = next(iter(self._scans.values())) if scan is None else scan
            return GridView((first << scale) + self._origin, merged << scale, cells.cells(*part))

    @property
    def _origin(self) -> int:
        return 0 if self.window is None else self.window[0]


class _Events(NamedTuple):
    """Some events of a store, ascending."""

    rows: Column
    sites: Column
    units: Column
    flags: Column

    def some(self, chosen: Column) -> _Events:
        """Those for which that is so."""
        return _Events._make(column[chosen] for column in self)

    def joined(self, others: _Events) -> _Events:
        """These, and others behind them."""
        return _Events._make(map(np.append, self, others))


NO_ROWS = np.empty(0, np.int64)

NO_EVENTS = _Events(NO_ROWS, NO_ROWS, NO_ROWS, np.empty(0, np.uint8))


class _Scan:
    """The events of one store, as far as they were looked at; who shares it locks it.

    Events whose steps may still change are looked at again whenever more of the steps is settled;
    until then their totals stand apart.
    """

    def __init__(
        self,
        store: TraceStore | ExecutionStore,
        window: tuple[int, int] | None,
        known: Sequence[tuple[int, int]],
    ) -> None:
        self.totals = BucketTotals()
        self._settled: tuple[int, int] | None = None
        """The first and the last unit of the events that are in place."""
        self.blocks: list[tuple[int, int]] = []
        """The first and the last unit of every block that was looked at."""
        self._store = store
        self._window = window
        self._known = tuple(known)
        self._scanned = 0
        self._unsettled = NO_EVENTS
        self._tail = BucketTotals()
        self._until = -np.inf
        self.sums = SiteSums(*(np.empty(0, np.int64) for _ in SiteSums._fields))

    def extend(self, axis: Axis) -> bool:
        if axis.settled_until != self._until:
            self._until = axis.settled_until
            self._settle(axis)
        while self._can_skip(self._scanned // ROWS_PER_SLICE):
            self._scanned += ROWS_PER_SLICE
        start = self._scanned
        stop = min(len(self._store), (start // ROWS_PER_SLICE + 1) * ROWS_PER_SLICE)
        if start < stop:
            self._look_at(start, stop, axis)
            self._scanned = stop
        if not self._tail.has_shape_of(self.totals):
            self._tail = self.totals.empty_copy()
            self._add(self._tail, self._unsettled)
        return self._scanned < len(self._store)

    def _can_skip(self, block: int) -> bool:
        """Whether it is known that a block is whole and has nothing in the window."""
        is_begun = self._scanned % ROWS_PER_SLICE > 0
        is_whole = (block + 1) * ROWS_PER_SLICE <= len(self._store)
        if self._window is None or is_begun or not is_whole or block >= len(self._known):
            return False
        first, last = self._known[block]
        return last < self._window[0] or first > self._window[1]

    def _look_at(self, start: int, stop: int, axis: Axis) -> None:
        times = self._store.wall_times[start:stop]
        is_settled = times <= axis.settled_until
        events = _Events(
            np.arange(start, stop),
            np.minimum(self._store.site_numbers[start:stop].astype(np.int64), MAX_SITES),
            axis.places(times),
            self._store.bad_flags[start:stop],
        )
        self._note_block(start // ROWS_PER_SLICE, events.units, bool(is_settled.all()))
        self._sum_up(events)
        if is_settled.all():
            self._put_in_place(events)
            return
        self._put_in_place(events.some(is_settled))
        self._unsettled = self._unsettled.joined(events.some(~is_settled))
        self._add_tail(events.some(~is_settled))

    def _note_block(self, block: int, units: Column, are_settled: bool) -> None:
        first, last = int(units.min()), int(units.max())
        now = (first, last) if are_settled else EVERYWHERE
        if block < len(self.blocks):
            before = self.blocks[block]
            self.blocks[block] = min(before[0], now[0]), max(before[1], now[1])
        else:
            self.blocks.append(now)

    def _settle(self, axis: Axis) -> None:
        """Add those events for good whose steps are certain now."""
        if not len(self._unsettled.rows):
            return
        times = self._store.wall_times[self._unsettled.rows]
        is_settled = times <= axis.settled_until
        events = self._unsettled._replace(units=axis.places(times))
        self._put_in_place(events.some(is_settled))
        self._unsettled = events.some(~is_settled)
        self._tail = BucketTotals(0)  # of another shape: all is added anew
        self._add_tail(self._unsettled)

    def _put_in_place(self, events: _Events) -> None:
        """Add events whose steps are certain."""
        self._settled = _joined(self._settled, events.units)
        self._add(self.totals, events)

    @property
    def extent(self) -> tuple[int, int] | None:
        """The first and the last unit of all events that were looked at."""
        return _joined(self._settled, self._unsettled.units)

    def _add_tail(self, events: _Events) -> None:
        """Add events apart, in rows and buckets as the others have them."""
        inside = self._inside(events)
        if len(inside.rows):
            self.totals.prepare(int(inside.sites.max()) + 1, int(inside.units.max()))
        if self._tail.has_shape_of(self.totals):
            self._add(self._tail, events)  # else all of it is added anew

    def _add(self, totals: BucketTotals, events: _Events) -> None:
        rows, sites, units, flags = self._inside(events)
        totals.add(sites, units, rows, flags)

    def _inside(self, events: _Events) -> _Events:
        """Those in the window, counted from its beginning."""
        if self._window is None:
            return events
        first, last = self._window
        inside = (events.units >= first) & (events.units <= last)
        return events._replace(units=events.units - first).some(inside)

    def _sum_up(self, events: _Events) -> None:
        """What became of each site in all, settled or not."""
        rows, sites, _, flags = events
        room = int(sites.max()) + 1
        if room > len(self.sums.counts):
            self.sums = SiteSums._make(map(_with_room, self.sums, [room] * 4, (0, 0, -1, -1)))
        counts, bad, first_bad, last = self.sums
        counts += np.bincount(sites, minlength=len(counts))
        last[sites] = rows
        found = np.flatnonzero(flags)
        if len(found):
            bad += np.bincount(sites[found], minlength=len(bad))
            new = found[first_bad[sites[found]] < 0][::-1]  # of several the last one counts
            first_bad[sites[new]] = rows[new]

    def cells(self, sites: Column, first: int, columns: int, merged: int, scale: int) -> Cells:
        """Some rows in columns of buckets, each as many units as the coarsest grid has."""
        finer = scale - self.totals.scale
        place = (sites, first << finer, columns, merged << finer)
        cells = self.totals.cells(*place)
        if not len(self._unsettled.rows):
            return cells
        return together(cells, self._tail.cells(*place))


def _joined(extent: tuple[int, int] | None, units: Column) -> tuple[int, int] | None:
    """From the first to the last unit, of some that are known and of others."""
    if not len(units):
        return extent
    first, last = int(units.min()), int(units.max())
    return (first, last) if extent is None else (min(extent[0], first), max(extent[1], last))


def _with_room(column: Column, rows: int, missing: int) -> Column:
    return np.append(column, np.full(rows - len(column), missing, column.dtype))
