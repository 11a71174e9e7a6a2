"""Looking at the heat map: which part of it, where the cursor is, and where that leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.records.health import Bad, Health
from tfdbg_tui.data.stores.event_kind import EventRef
from tfdbg_tui.data.views.heat_map import HeatMap, Shape
from tfdbg_tui.data.views.heat_names import KINDS, SiteName, site_of
from tfdbg_tui.data.views.heat_order import FOLD
from tfdbg_tui.data.views.heat_rows import HeatRows
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.screens.session.held import health_of

if TYPE_CHECKING:
    from tfdbg_tui.data.views.heat_names import Group
    from tfdbg_tui.data.views.navigator import Navigator

ZOOM = 4
"""Times as closely as before."""

MAX_BAD_ROWS = 4096
"""Bad rows among which the next bad cell is looked for."""

NOTHING_BAD = "Nothing is bad in what is recorded."
NO_MORE = {1: "No bad cell behind this one.", -1: "No bad cell before this one."}


class HeatPage(NamedTuple):
    """What is on the screen, but for the rows themselves."""

    rows: HeatRows
    shape: Shape
    has_steps: bool
    extent: tuple[int, int]
    """The whole axis, of which a part may be shown."""
    tensors: int
    bad: int
    modes: frozenset[int]
    """In which the tensors were recorded."""


class HeatCell(NamedTuple):
    """What is told of the cell at the cursor."""

    row: SiteName
    units: tuple[int, int]
    computed: int
    bad_computed: int
    bad: Bad
    event: EventRef | None = None
    """The first bad one or, without one, the first."""
    unit: int = 0
    """Where that stands on the axis."""
    health: Health | None = None


class HeatLook:
    """The part of the heat map that is looked at, and a cursor that stays on its cell."""

    def __init__(self, navigator: Navigator) -> None:
        self._navigator = navigator
        self._heat: HeatMap | None = None
        self._changes = 0
        self._room = 1
        self._window: tuple[int, int] | None = None
        self.entry: int | None = None
        """What the cursor's line stands for; None until it has been put somewhere."""
        self.unit = 0
        """The cursor's place on the axis."""

    @property
    def job(self) -> HeatMap | None:
        """What the feed has to keep up to date; None if no run is there."""
        index = self._navigator.index
        if index is None:
            return None
        if self._heat is None or self._heat.index is not index:
            self._heat = HeatMap(index)
            self._window = self.entry = None
        return self._heat

    def page(self, room: int) -> HeatPage | None:
        """What to show in so many columns; None while nothing is known."""
        heat = self.job
        extent = None if heat is None else heat.extent
        if heat is None or extent is None or not len(heat.order.lines):
            return None
        if heat.changes != self._changes:
            self._changes, self._window = heat.changes, None
            self._find_place(heat, extent)
        self._room = max(1, room)
        span = self._span(heat, extent)
        order, chosen = heat.order, self._navigator.selection
        shape = heat.shape(span, self._room)
        if self.entry is None or order.line_of(self.entry) is None:
            self._begin(heat)
        rows = HeatRows(heat, order, span, self._room, chosen.host, self._navigator.causes.follows)
        return HeatPage(
            rows,
            shape,
            heat.has_steps,
            extent,
            order.tensors,
            order.bad,
            heat.modes,
        )

    def _span(self, heat: HeatMap, extent: tuple[int, int]) -> tuple[int, int]:
        return extent if self._window is None else self._window

    def _find_place(self, heat: HeatMap, extent: tuple[int, int]) -> None:
        """The axis is another one: the cursor's row has to be found on it again."""
        self.unit = extent[0]
        if self.entry is None or self.entry < 0:
            return
        found = heat.sum_of(self.entry)
        event = found.first_bad if found.bad else found.last
        if event >= 0:
            self.unit = heat.unit_of(site_of(self.entry)[0], event)

    def _begin(self, heat: HeatMap) -> None:
        """On what is selected, if it is listed; else on the first that is bad, or at the end."""
        chosen = self._navigator.selection.nearest_event
        if chosen is not None and chosen.host == self._navigator.selection.host:
            store = heat.index.host.store_of(chosen.kind)
            key = len(KINDS) * store.site_number(chosen.event) + KINDS.index(chosen.kind)
            if heat.order.line_of(key) is not None:
                self.entry, self.unit = key, heat.unit_of(chosen.kind, chosen.event)
                return
        if self._go_to_first_bad(heat):
            return
        keys = heat.order.lines[heat.order.lines >= 0]
        extent = heat.extent
        self.entry = int(keys[0]) if len(keys) else int(heat.order.lines[0])
        self.unit = 0 if extent is None else extent[0]

    def line(self) -> int | None:
        """The cursor's line."""
        heat = self.job
        return None if heat is None or self.entry is None else heat.order.line_of(self.entry)

    # Moving.

    def choose(self, entry: int) -> None:
        """Put the cursor on a line."""
        self.entry = entry

    def choose_column(self, column: int) -> None:
        """Put the cursor on a column."""
        shape = self._shape()
        if shape is not None:
            column = max(0, min(column, shape.columns - 1))
            if column != shape.column_of(self.unit):
                self.unit = shape.units_of(column)[0]

    def move(self, columns: int) -> None:
        """Move the cursor by columns, as far as there are any."""
        shape = self._shape()
        if shape is not None:
            self.choose_column(shape.column_of(self.unit) + columns)

    def _shape(self) -> Shape | None:
        heat, extent = self.job, None if self.job is None else self.job.extent
        if heat is None or extent is None:
            return None
        return heat.shape(self._span(heat, extent), self._room)

    def zoom(self, steps: int) -> str:
        """Show a shorter or a longer part of the axis around the cursor; what there is to say."""
        heat, shape = self.job, self._shape()
        extent = None if heat is None else heat.extent
        if heat is None or shape is None or extent is None:
            return ""
        length = shape.columns * shape.width
        if steps > 0 and (shape.width == 1 or length <= 1):
            unit = "step" if heat.has_steps else "microsecond"
            return f"Every column is one {unit} already."
        if steps < 0 and self._window is None:
            return "This is the whole run."
        length = max(self._room, length // ZOOM) if steps > 0 else length * ZOOM
        self._look_at(heat, extent, length)
        return ""

    def _look_at(self, heat: HeatMap, extent: tuple[int, int], length: int) -> None:
        """Show so much of the axis, the cursor in its middle as far as that can be."""
        first, last = extent
        if length >= last - first + 1:
            self._window = None
        else:
            begin = max(first, min(self.unit - length // 2, last - length + 1))
            self._window = (begin, begin + length - 1)
        heat.look_closer(self._window)

    def unfold(self) -> None:
        """List the quiet rows too, or fold them again."""
        heat = self.job
        if heat is not None:
            heat.unfold(not heat.is_unfolded)

    # What is bad.

    def go_to_first_bad(self) -> str:
        """Put the cursor on the first bad cell in time; a sentence if there is none."""
        heat = self.job
        return "" if heat is not None and self._go_to_first_bad(heat) else NOTHING_BAD

    def _go_to_first_bad(self, heat: HeatMap) -> bool:
        lines = heat.order.bad_lines(heat.bad_keys())
        if not len(lines):
            return False
        key = int(heat.order.lines[lines[0]])
        event = heat.sum_of(key).first_bad
        self.entry, self.unit = key, heat.unit_of(site_of(key)[0], event)
        extent, window = heat.extent, self._window
        if extent is not None and window is not None and not window[0] <= self.unit <= window[1]:
            self._look_at(heat, extent, window[1] - window[0] + 1)
        return True

    def go_to_bad(self, direction: int) -> str:
        """Put the cursor on the next bad cell, row by row, or the one before; or say why not."""
        heat, shape, line = self.job, self._shape(), self.line()
        if heat is None or shape is None or line is None or heat.extent is None:
            return NOTHING_BAD
        lines = heat.order.bad_lines(heat.bad_keys())[:MAX_BAD_ROWS]
        if not len(lines):
            return NOTHING_BAD
        keys = heat.order.lines[lines]
        cells = heat.cells(keys.tolist(), self._span(heat, heat.extent), self._room)
        flags = np.array([cells[key].flags for key in keys.tolist()])
        bad = np.flatnonzero(flags.reshape(-1))
        columns = flags.shape[1]
        row = int(np.searchsorted(lines, line))
        is_on_row = row < len(lines) and lines[row] == line
        here = row * columns + (shape.column_of(self.unit) if is_on_row else -0.5)
        beyond = bad[bad > here][:1] if direction > 0 else bad[bad < here][-1:]
        if not len(beyond):
            return NO_MORE[direction]
        found, column = divmod(int(beyond[0]), columns)
        self.entry, self.unit = int(keys[found]), shape.units_of(column)[0]
        return ""

    # The cell at the cursor.

    def cell(self) -> HeatCell | None:
        """What is known of the cell at the cursor; None on what is no tensor."""
        heat, shape = self.job, self._shape()
        if heat is None or shape is None or self.entry is None or self.entry < 0:
            return None
        name, extent = heat.name_of(self.entry), heat.extent
        if name is None or extent is None:
            return None
        column = shape.column_of(self.unit)
        cells = heat.cells([self.entry], self._span(heat, extent), self._room)[self.entry]
        if column >= len(cells.counts):
            return None
        event = int(cells.events[column])
        told = HeatCell(
            name,
            shape.units_of(column),
            int(cells.counts[column]),
            int(cells.bad[column]),
            Bad(int(cells.flags[column])),
        )
        if event < 0:
            return told
        kind, _ = site_of(self.entry)
        tensor = EventRef(self._navigator.selection.host, kind, event)
        return told._replace(
            event=tensor, unit=heat.unit_of(kind, event), health=health_of(heat.index, tensor)
        )

    @property
    def is_on_fold(self) -> bool:
        """Whether the cursor is on the line that stands for the quiet rows."""
        return self.entry == FOLD

    def group(self) -> tuple[Group, int, int] | None:
        """The group whose title the cursor is on, its tensors and how many of them are bad."""
        heat = self.job
        if heat is None or self.entry is None or not FOLD < self.entry < 0:
            return None
        number = -1 - self.entry
        return (heat.order.groups[number], *heat.order.sizes[number])
