"""The heat map of a host: tensors by step, kept up to date while somebody looks.

Everything that grows with the recording is done by the feed, in slices; what is asked here costs
as much as the rows and columns on the screen.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.index.step_grid import MAX_SITES, StepGrid
from tfdbg_tui.data.views.heat_names import HeatNames, key_of, site_of
from tfdbg_tui.data.views.heat_order import HeatOrder, Ranked, ordered
from tfdbg_tui.data.views.zero_shares import UNTOLD, ZeroShares
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.index.bucket_totals import Cells
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.step_grid import GridView, SiteSum, SiteSums
    from tfdbg_tui.data.stores.event_kind import EventKind
    from tfdbg_tui.data.views.heat_names import Group, SiteName

    Column = npt.NDArray[Any]

AGAIN = 2
"""A row's zeros are looked at again when it was computed so many times as often."""

MAX_SAMPLED = 4096
"""Rows whose zeros are looked at to find those that are mostly zeros."""


class Shape(NamedTuple):
    """How the axis is divided into columns."""

    first: int
    """The first unit of the first column."""
    width: int
    """Units of a column."""
    columns: int
    last: int
    """The last unit of the last column: that may have less than the others."""

    def column_of(self, unit: int) -> int:
        """The column of a unit, or the nearest."""
        return max(0, min((unit - self.first) // self.width, self.columns - 1))

    def units_of(self, column: int) -> tuple[int, int]:
        """The first and the last unit of a column."""
        first = self.first + column * self.width
        return first, max(first, min(first + self.width - 1, self.last))


class HeatMap:
    """The rows of one host; a job for the feed, the screen's thread asks."""

    def __init__(self, index: HostIndex) -> None:
        self.index = index
        self.order = HeatOrder()
        """The rows from top to bottom, as of the last time that all was looked at."""
        self.names = HeatNames(index)
        self.zeros = ZeroShares(index.host)
        self.modes: frozenset[int] = frozenset()
        """In which the tensors of the rows were recorded: what can be told follows from them."""
        self.changes = 0
        """How often the axis became another one: places on it mean nothing any more then."""
        self.is_unfolded = False
        self._grid = StepGrid(index)
        self._next: StepGrid | None = None
        self._zoomed: StepGrid | None = None
        self._closer: StepGrid | None = None
        """Becomes `_zoomed` when it has seen all."""
        self._window: tuple[int, int] | None = None
        self._group_numbers: dict[Group, int] = {}
        """Those that have a number keep it: a cursor may be on their title."""
        self._arranged: tuple[object, ...] = ()
        self._samples: dict[int, tuple[int, int]] = {}
        """The event that tells a row's zeros, and how often it was computed then."""
        self._one_at_a_time = Lock()

    # For the feed.

    def extend(self) -> bool:
        """Look at a slice of what is new; True while there is more."""
        with self._one_at_a_time:
            if self._extend_grids():
                return True
            is_known = {kind: len(self._sums(kind).counts) for kind in self._grid.kinds}
            is_naming, is_reading = self.names.extend(is_known), self.zeros.extend()
            if not is_naming:
                is_reading |= self._arrange(is_reading)
            return is_naming or is_reading

    def _extend_grids(self) -> bool:
        if self._grid.is_outdated:
            if self._next is None or self._next.is_outdated:
                self._next = StepGrid(self.index)
            if self._next.extend():
                return True
            self._grid, self._next = self._next, None
            self._window = self._zoomed = None
            self.changes += 1
        has_more = self._grid.extend()
        return has_more or self._extend_zoomed()

    def _extend_zoomed(self) -> bool:
        """Look at some of the steps more closely, if that is wanted."""
        window, zoomed = self._window, self._zoomed
        if window is None:
            self._zoomed = None
            return False
        if zoomed is not None and zoomed.window == window:
            return zoomed.extend()
        if self._closer is None or self._closer.window != window:
            self._closer = StepGrid(self.index, window, self._grid)
        if self._closer.extend():
            return True
        self._zoomed, self._closer = self._closer, None
        return False

    def _sums(self, kind: EventKind) -> SiteSums:
        return self._grid.sums(kind)

    # The order.

    def _arrange(self, is_reading: bool) -> bool:
        """Put the rows in order; True if records are to be read that may change it."""
        wants = self._sample_rows()
        every = tuple(self._sums(kind) for kind in self._grid.kinds)
        is_first_bad = not len(self.order.lines) and any(sums.bad.any() for sums in every)
        if (wants or is_reading) and not is_first_bad:
            return wants  # what is listed stays as it is until all is known
        counts = ((np.count_nonzero(sums.counts), np.count_nonzero(sums.bad)) for sums in every)
        state = (self.is_unfolded, self.changes, self.names.named, self.zeros.reads, *counts)
        if state != self._arranged:
            self._arranged = state
            ranked, groups = self._ranked()
            named = map(self.names.of, ranked.keys.tolist())
            self.modes = frozenset(name.mode for name in named if name is not None)
            self.order = ordered(ranked, groups, self.is_unfolded)
        return wants

    def _sample_rows(self) -> bool:
        """Have one record of each row read that may be mostly zeros, lately."""
        wants = False
        for kind in self._grid.kinds:
            sums = self._sums(kind)
            for site in np.flatnonzero((sums.bad == 0) & (sums.counts > 0))[:MAX_SAMPLED].tolist():
                key, count = key_of(kind, site), int(sums.counts[site])
                name, known = self.names.of(key), self._samples.get(key)
                is_new = known is None or count >= AGAIN * known[1]
                if is_new and site < MAX_SITES and name is not None and name.tells_zero:
                    event = int(sums.last[site])
                    self._samples[key] = event, count
                    wants |= self.zeros.want(kind, [event])
        return wants

    def _ranked(self) -> tuple[Ranked, list[Group]]:
        numbers = self._group_numbers
        rows: list[tuple[int, int, float, float]] = []
        for kind in self._grid.kinds:
            sums, store = self._sums(kind), self.index.host.store_of(kind)
            for site in np.flatnonzero(sums.counts).tolist():
                key = key_of(kind, site)
                name = self.names.of(key)
                if name is None or not name.holds_tensors:
                    continue
                first_bad = int(sums.first_bad[site])
                bad_at = np.nan if first_bad < 0 else store.wall_time(first_bad)
                group = numbers.setdefault(name.group, len(numbers))
                rows.append((key, group, bad_at, self._sampled(kind, key)))
        if not rows:
            empty = np.empty(0, np.int64)
            return Ranked(empty, empty, np.empty(0), np.empty(0)), list(numbers)
        keys, groups, first_bad_at, zeros = zip(*rows, strict=True)
        ranked = Ranked(np.array(keys), np.array(groups), np.array(first_bad_at), np.array(zeros))
        return ranked, list(numbers)

    def _sampled(self, kind: EventKind, key: int) -> float:
        sample = self._samples.get(key)
        share = None if sample is None else self.zeros.of(kind, sample[0])
        return np.nan if share is None or share == UNTOLD else share

    # For the screen.

    @property
    def has_steps(self) -> bool:
        """Whether the axis counts steps; else microseconds."""
        return self._grid.has_steps

    @property
    def extent(self) -> tuple[int, int] | None:
        """From where to where there are events."""
        return self._grid.extent

    def look_closer(self, window: tuple[int, int] | None) -> None:
        """Have some of the axis looked at more closely; None for all of it."""
        self._window = window

    def unfold(self, is_unfolded: bool) -> None:
        """List the quiet rows, too, or only tell how many there are."""
        self.is_unfolded = is_unfolded

    def shape(self, span: tuple[int, int], columns: int) -> Shape:
        """How a part of the axis is divided into at most so many columns."""
        kind, nobody = self._grid.kinds[0], np.empty(0, np.int64)
        view = self._grid_for(span, columns).view(kind, nobody, span, columns)
        return Shape(view.first, view.width, view.cells.counts.shape[1], span[1])

    def _grid_for(self, span: tuple[int, int], columns: int) -> StepGrid:
        """The grid that tells a part of the axis most closely."""
        zoomed, grid = self._zoomed, self._grid
        wanted = -(-(span[1] - span[0] + 1) // max(1, columns))
        if zoomed is not None and zoomed.window is not None and wanted < grid.finest:
            first, last = zoomed.window
            if first <= span[0] and span[1] <= last:
                return zoomed
        return grid

    def cells(self, keys: Sequence[int], span: tuple[int, int], columns: int) -> dict[int, Cells]:
        """The cells of some rows, each as columns of one row."""
        found: dict[int, Cells] = {}
        grid = self._grid_for(span, columns)
        for kind in grid.kinds:
            own = [key for key in keys if key >= 0 and site_of(key)[0] is kind]
            view = grid.view(kind, np.array([site_of(key)[1] for key in own], int), span, columns)
            for number, key in enumerate(own):
                found[key] = type(view.cells)(*(column[number] for column in view.cells))
        return found

    def view(self, kind: EventKind, sites: Column, span: tuple[int, int], columns: int) -> GridView:
        """The cells of some rows of one kind, all at once."""
        return self._grid_for(span, columns).view(kind, sites, span, columns)

    def bad_keys(self) -> Column:
        """A table of all keys that tells which rows are ever bad."""
        table = np.zeros(0, np.bool_)
        for kind in self._grid.kinds:
            bad = np.flatnonzero(self._sums(kind).bad)
            keys = key_of(kind, 0) + bad * (key_of(kind, 1) - key_of(kind, 0))
            room = int(keys.max(initial=-1)) + 1
            table = np.append(table, np.zeros(max(0, room - len(table)), np.bool_))
            table[keys] = True
        return table

    def sum_of(self, key: int) -> SiteSum:
        """What became of a row in all."""
        return self._grid.sum_of(*site_of(key))

    def unit_of(self, kind: EventKind, event: int) -> int:
        """Where an event stands on the axis."""
        return self._grid.unit_of(kind, event)

    def name_of(self, key: int) -> SiteName | None:
        """What a row is called."""
        return self.names.of(key)
