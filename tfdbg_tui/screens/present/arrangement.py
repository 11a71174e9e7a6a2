"""Where each pane stands, for every size of the terminal."""

from __future__ import annotations

from enum import Enum

from textual.geometry import Region

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.screens.pane_names import LISTED, OUTPUT, WATCHED

BARS = 5
"""Rows of a screen that has room for all panes beside them: status, answer and keys."""

WIDE_COLUMNS, WIDE_ROWS = 120, 30 - BARS
"""From this size on all panes are on the screen at once."""

SMALL_COLUMNS, SMALL_ROWS = 60, 12
"""Below this size one pane is all there is room for; a lower screen has a lower answer, too."""

COLUMNS_OF_THREE = 180
"""From this width on the stack has a column of its own, above the source."""

BORDER = 2
"""Rows of a pane's border."""

FOLDED = 1
"""Rows of a list that has nothing for the whole run: its border, with the reason."""

MIN_PANE = 5
"""Rows of a pane with its border, however much the others want."""

WATCHED_SHARE = 3
"""What is watched has one of so many parts of the lists at the most, unless it has the keys."""

MIN_OUTPUT = 5
"""Rows of what a script prints, with their border."""

TIMELINE_ROWS, HIGH_ROWS = 2, 40 - BARS
"""Rows of the timeline, and of a screen that can spare them."""

LIST_TABS, DETAIL_TABS, TIMELINE = "list-tabs", "detail-tabs", "timeline"


class Shape(Enum):
    """How the panes share the screen."""

    WIDE = "wide"
    STACKED = "stacked"
    """One list above one detail."""
    SINGLE = "single"
    """One pane: it is zoomed, or the terminal is small."""


class Wants(NamedTuple):
    """What the panes would show if they had room, in lines without their borders."""

    lines: dict[str, int]
    empty: frozenset[str] = frozenset()
    """Lists that have nothing for the whole run."""
    focused: str = ""
    """The pane that gets more room than others."""
    lower: str = "source"
    """Which of stack and source is shown where there is room for one."""

    def rows(self, pane: str) -> int:
        """Rows that a pane would fill, with its border."""
        return FOLDED if pane in self.empty else self.lines.get(pane, MIN_PANE) + BORDER


class Arrangement(NamedTuple):
    """The regions of all widgets that are shown."""

    shape: Shape
    regions: dict[str, Region]
    folded: frozenset[str] = frozenset()
    """Panes of which only the border is shown."""


def arrange(
    width: int,
    height: int,
    shown_list: str,
    shown_detail: str,
    zoomed: str | None = None,
    alone: str = "alerts",
    with_output: bool = False,
    reserved: int = 0,
    wants: Wants = Wants({}),  # noqa: B008 - frozen
) -> Arrangement:
    """Place the panes in a room of this size, tab bars included.

    Rows that are reserved to a line which comes and goes do not change the shape.
    """
    if zoomed is not None:
        return _single(width, height, zoomed)
    if width >= WIDE_COLUMNS and height + reserved >= WIDE_ROWS:
        has_timeline = height + reserved >= HIGH_ROWS and "executions" not in wants.empty
        regions = _wide_below(width, height, with_output, wants, TIMELINE_ROWS * has_timeline)
        return Arrangement(Shape.WIDE, regions, wants.empty)
    if width < SMALL_COLUMNS or height + reserved < SMALL_ROWS:
        return _single(width, height, alone)
    return Arrangement(Shape.STACKED, _stacked(width, height, shown_list, shown_detail))


def _single(width: int, height: int, pane: str) -> Arrangement:
    tabs = LIST_TABS if pane in LISTED else DETAIL_TABS
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


def _wide_below(
    width: int, height: int, with_output: bool, wants: Wants, timeline: int
) -> dict[str, Region]:
    """All panes, below the timeline if it has rows."""
    regions = _wide(width, height - timeline, with_output, wants)
    if not timeline:
        return regions
    lower = {name: region.translate((0, timeline)) for name, region in regions.items()}
    return {TIMELINE: Region(0, 0, width, timeline), **lower}


def _wide(width: int, height: int, with_output: bool, wants: Wants) -> dict[str, Region]:
    """Columns of panes, each as high as what it has to show."""
    if with_output:
        printed = max(MIN_OUTPUT, height // 6)
        regions = _wide(width, height - printed, False, wants)
        return {**regions, OUTPUT: Region(0, height - printed, width, printed)}
    if width >= COLUMNS_OF_THREE:
        return _three_columns(width, height, wants)
    side = side_width(width)
    room = max(8, height * 32 // 100)
    upper = height - max(room, height // 2 if wants.focused == wants.lower else 0)
    left = _left_heights(height, wants, with_stack=True)
    if sum(left.values()) + room <= height:
        # What is at the left is short: source or stack below it, in the full width.
        upper = max(upper, sum(left.values()))
        regions = _column(0, side, _stretched(left, upper))
        regions |= _column(side, width - side, _stretched(_list_heights(upper, wants), upper))
        lower = "source" if "stack" in left else wants.lower
        return {**regions, lower: Region(0, upper, width, height - upper)}
    lists = _list_heights(upper, wants)
    lower = "source" if "stack" in left else wants.lower
    heights = {**lists, lower: height - sum(lists.values())}
    return _column(0, side, _stretched(left, height)) | _column(side, width - side, heights)


def side_width(width: int) -> int:
    """Columns of the panes at the left."""
    return 52 if width >= COLUMNS_OF_THREE else max(40, width * 3 // 10)


def _three_columns(width: int, height: int, wants: Wants) -> dict[str, Region]:
    """What happened, where in the run, and where in the code."""
    side = side_width(width)
    middle = (width - side) * 53 // 100
    stack = min(wants.rows("stack"), height // 3)
    columns = (
        (0, side, _stretched(_left_heights(height, wants, with_stack=False), height)),
        (side, middle, _stretched(_list_heights(height, wants), height)),
        (side + middle, width - side - middle, {"stack": stack, "source": height - stack}),
    )
    return {name: region for column in columns for name, region in _column(*column).items()}


def _stretched(heights: dict[str, int], height: int) -> dict[str, int]:
    """The same over a whole column: the last pane that is not folded gets what is left.

    What is watched has no use for more than its rows.
    """
    growing = [pane for pane in heights if pane != WATCHED]
    last = [pane for pane in growing if heights[pane] > FOLDED][-1:] or growing[-1:]
    more = height - sum(heights.values())
    return {pane: rows + (more if pane in last else 0) for pane, rows in heights.items()}


def _column(x: int, width: int, heights: dict[str, int]) -> dict[str, Region]:
    """Panes one below the other."""
    regions, y = {}, 0
    for pane, height in heights.items():
        regions[pane] = Region(x, y, width, height)
        y += height
    return regions


def _left_heights(height: int, wants: Wants, with_stack: bool) -> dict[str, int]:
    """Alerts get what health and graph do not need; the stack what nobody needs."""
    most = height // 3
    heights = {
        pane: max(MIN_PANE, min(wants.rows(pane), height // 2 if pane == wants.focused else most))
        for pane in ("health", "graph")
    }
    rest = height - sum(heights.values())
    alerts = min(rest, wants.rows("alerts"))
    stack = wants.rows("stack") if with_stack else 0
    left = {"alerts": alerts, **heights}
    return {**left, "stack": stack} if MIN_PANE <= stack <= rest - alerts else left


def _list_heights(height: int, wants: Wants) -> dict[str, int]:
    """The lists of events and, below them, what is watched, if anything is."""
    if WATCHED not in wants.lines:
        return _event_list_heights(height, wants)
    share = height // (2 if wants.focused == WATCHED else WATCHED_SHARE)
    watched = min(wants.rows(WATCHED), max(MIN_PANE, share))
    return {**_event_list_heights(height - watched, wants), WATCHED: watched}


def _event_list_heights(height: int, wants: Wants) -> dict[str, int]:
    """The two lists of events: each what it can fill, the longer one what is left."""
    calls, tensors = wants.rows("executions"), wants.rows("traces")
    if calls + tensors <= height:
        return {"executions": calls, "traces": tensors}
    share = height * 4 // 10
    if wants.focused == "executions":
        share = height * 6 // 10
    if tensors < height - share:
        return {"executions": height - tensors, "traces": tensors}
    calls = min(calls, share)
    return {"executions": calls, "traces": height - calls}
