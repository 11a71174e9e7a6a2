"""The lines of a heat map as they come into view: a title, or a tensor with a sign by column."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.event_kind import EventRef
from tfdbg_tui.data.views.heat_names import site_of
from tfdbg_tui.data.views.heat_order import FOLD
from tfdbg_tui.data.views.zero_shares import UNTOLD
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.index.bucket_totals import Cells
    from tfdbg_tui.data.views.heat_map import HeatMap
    from tfdbg_tui.data.views.heat_names import Group, SiteName
    from tfdbg_tui.data.views.heat_order import HeatOrder


class Look(IntEnum):
    """How a cell looks, from what is least to what is worst."""

    NOTHING = 0
    """Not computed."""
    UNTOLD = 1
    """Computed; the mode does not tell whether it was bad."""
    CLEAN = 2
    FEW_ZEROS = 3
    SOME_ZEROS = 4
    MANY_ZEROS = 5
    NEARLY_ALL = 6
    ALL_ZEROS = 7
    INF = 8
    NAN = 9
    BOTH = 10
    """NaN and ∞."""
    BAD = 11
    """NaN or ∞: which is not told."""


def _look_of(bad: Bad) -> Look:
    if bad & Bad.UNTOLD:
        return Look.BAD
    if bad & Bad.NAN:
        return Look.BOTH if bad & (Bad.NEG_INF | Bad.POS_INF) else Look.NAN
    return Look.INF if bad else Look.CLEAN


LOOKS = np.array([_look_of(Bad(flags)) for flags in range(256)], np.uint8)
"""How every combination of bad numbers looks."""

ZERO_LEVELS = (0.25, 0.5, 0.75)
"""Shares of zeros between few, some, many and most."""


class HeatRow(NamedTuple):
    """One line."""

    entry: int
    """A key, or what stands for a title or the fold."""
    group: Group | None = None
    """Of a title."""
    name: SiteName | None = None
    """Of a tensor."""
    looks: tuple[int, ...] = ()
    is_bad: bool = False
    follows: bool = False
    """Where it is bad: whether it was first so because of something else."""
    tensors: int = 0
    """Of a group; or not listed, of the fold."""
    bad: int = 0
    """Bad tensors of a group; bad computations of a tensor."""
    computed: int = 0
    is_known: bool = True
    """Whether all shares of zeros are read."""


class HeatRows:
    """A row source; what it does not know of its rows, it has read."""

    def __init__(
        self,
        heat: HeatMap,
        order: HeatOrder,
        span: tuple[int, int],
        columns: int,
        host: int,
        follows: Callable[[EventRef], bool],
    ) -> None:
        self._heat = heat
        self._order = order
        self._span = span
        self._columns = columns
        self._host = host
        self._follows = follows

    def __len__(self) -> int:
        return len(self._order.lines)

    def entry(self, line: int) -> int | None:
        """What a line stands for."""
        return int(self._order.lines[line]) if 0 <= line < len(self) else None

    def rows(self, start: int, stop: int) -> list[HeatRow]:
        """Some lines."""
        entries = self._order.lines[start:stop].tolist()
        cells = self._heat.cells(entries, self._span, self._columns)
        return [self._row(entry, cells.get(entry)) for entry in entries]

    def _row(self, entry: int, cells: Cells | None) -> HeatRow:
        if entry == FOLD:
            return HeatRow(entry, tensors=self._order.quiet)
        if entry < 0 or cells is None:
            number = -1 - entry if entry < 0 else 0
            tensors, bad = self._order.sizes[number]
            return HeatRow(entry, self._order.groups[number], tensors=tensors, bad=bad)
        name = self._heat.name_of(entry)
        found = self._heat.sum_of(entry)
        kind, _ = site_of(entry)
        tensor = EventRef(self._host, kind, found.first_bad) if found.bad else None
        looks, is_known = self._looks(entry, cells, name)
        return HeatRow(
            entry,
            name=name,
            looks=looks,
            is_bad=tensor is not None,
            follows=tensor is not None and self._follows(tensor),
            bad=found.bad,
            computed=found.counts,
            is_known=is_known,
        )

    def _looks(
        self, entry: int, cells: Cells, name: SiteName | None
    ) -> tuple[tuple[int, ...], bool]:
        """A look for each column, and whether all is known."""
        looks = np.where(cells.counts > 0, LOOKS[cells.flags], Look.NOTHING)
        if name is None or not name.tells_bad:
            looks[looks == Look.CLEAN] = Look.UNTOLD
        found: list[int] = looks.tolist()
        if name is None or not name.tells_zero:
            return tuple(found), True
        kind, _ = site_of(entry)
        clean = np.flatnonzero(looks == Look.CLEAN).tolist()
        events = cells.events[clean].tolist()
        zeros = self._heat.zeros
        is_known = not zeros.want(kind, events)
        for column, event in zip(clean, events, strict=True):
            share = zeros.of(kind, event)
            if share is not None and share != UNTOLD:
                found[column] = look_of_zeros(share)
        return tuple(found), is_known


def look_of_zeros(share: float) -> Look:
    """How a share of zeros looks; none at all and nothing else are told apart from nearly so."""
    if not share:
        return Look.CLEAN
    if share >= 1:
        return Look.ALL_ZEROS
    return Look(Look.FEW_ZEROS + sum(share >= level for level in ZERO_LEVELS))


def is_bad(look: int) -> bool:
    """Whether a cell holds any NaN or ∞."""
    return look >= Look.INF
