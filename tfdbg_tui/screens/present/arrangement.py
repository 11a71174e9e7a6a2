"""Where each pane stands, for every size of the terminal."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from textual.geometry import Region

from tfdbg_tui.screens.pane_names import LISTS, OUTPUT

BARS = 2
"""Rows of the screen beside the panes: the status above them and the keys below."""

WIDE_COLUMNS, WIDE_ROWS = 120, 30 - BARS
"""From this size on all panes are on the screen at once."""

SMALL_COLUMNS, SMALL_ROWS = 60, 15 - BARS
"""Below this size one pane is all there is room for."""

MIN_OUTPUT = 5
"""Rows of what a script prints, with their border."""

LIST_TABS, DETAIL_TABS = "list-tabs", "detail-tabs"


class Shape(Enum):
    """How the panes share the screen."""

    WIDE = "wide"
    STACKED = "stacked"
    """One list above one detail."""
    SINGLE = "single"
    """One pane: it is zoomed, or the terminal is small."""


class Arrangement(NamedTuple):
    """The regions of all widgets that are shown."""

    shape: Shape
    regions: dict[str, Region]


def arrange(
    width: int,
    height: int,
    shown_list: str,
    shown_detail: str,
    zoomed: str | None = None,
    alone: str = "alerts",
    with_output: bool = False,
    reserved: int = 0,
) -> Arrangement:
    """Place the panes in a room of this size, tab bars included.

    Rows that are reserved to a line which comes and goes do not change the shape.
    """
    if zoomed is not None:
        return _single(width, height, zoomed)
    if width >= WIDE_COLUMNS and height + reserved >= WIDE_ROWS:
        return Arrangement(Shape.WIDE, _wide(width, height, with_output))
    if width < SMALL_COLUMNS or height + reserved < SMALL_ROWS:
        return _single(width, height, alone)
    return Arrangement(Shape.STACKED, _stacked(width, height, shown_list, shown_detail))


def _single(width: int, height: int, pane: str) -> Arrangement:
    tabs = LIST_TABS if pane in LISTS else DETAIL_TABS
    regions = {tabs: Region(0, 0, width, 1), pane: Region(0, 1, width, max(1, height - 1))}
    return Arrangement(Shape.SINGLE, regions)


def _stacked(width: int, height: int, shown_list: str, shown_detail: str) -> dict[str, Region]:
    room = height - 2
    upper = room * 9 // 20
    return {
        LIST_TABS: Region(0, 0, width, 1),
        shown_list: Region(0, 1, width, upper),
        DETAIL_TABS: Region(0, 1 + upper, width, 1),
        shown_detail: Region(0, 2 + upper, width, room - upper),
    }


def _wide(width: int, height: int, with_output: bool) -> dict[str, Region]:
    if with_output:
        printed = max(MIN_OUTPUT, height // 6)
        regions = _wide(width, height - printed, False)
        return {**regions, OUTPUT: Region(0, height - printed, width, printed)}
    side = max(40, width * 3 // 10)
    upper = height * 3 // 10
    middle = height * 35 // 100
    lower = height - upper - middle
    stack = max(34, (width - side) * 4 // 11)
    return {
        "alerts": Region(0, 0, side, upper),
        "executions": Region(side, 0, width - side, upper),
        "health": Region(0, upper, side, middle),
        "traces": Region(side, upper, width - side, middle),
        "graph": Region(0, upper + middle, side, lower),
        "stack": Region(side, upper + middle, stack, lower),
        "source": Region(side + stack, upper + middle, width - side - stack, lower),
    }
