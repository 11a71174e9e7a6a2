"""The titles of panes: on their borders where all are shown, on tabs where few are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.screens.pane_names import LISTED, NUMBERS, SOURCE, STACK, TITLES, TRACES
from tfdbg_tui.widgets.bars import Tab
from tfdbg_tui.widgets.health_pane import HealthPane
from tfdbg_tui.widgets.pieces import Piece
from tfdbg_tui.widgets.row_list import RowList
from tfdbg_tui.widgets.table_list import TableList

if TYPE_CHECKING:
    from tfdbg_tui.screens.present.arrangement import Arrangement
    from tfdbg_tui.widgets.line_pane import LinePane


TITLE_FRAME = 18
"""Cells of a border that hold its corners, the name of the pane and what is between words."""

EMPTY = "none"
"""What is said of a list without rows where the reason has no room."""

TITLE_CORNERS = 9
"""Cells of a border that hold its corners, and what is between the parts of a title."""

MIN_SUBJECT = 12
"""Cells of a tensor's name on a border at least."""


class TitleNotes(NamedTuple):
    """What stands behind the titles."""

    counts: dict[str, str] = {}  # noqa: RUF012 - nobody changes it
    """Behind the name of a pane, such as how many rows it has."""
    alarms: frozenset[str] = frozenset()
    """Panes whose tab alarms."""
    sought: str = ""
    """What is searched for and filtered by."""
    subject: str = ""
    """Which tensor the health is of, so that another one gets another title."""
    empty: tuple[str, ...] = ()
    """Why lists have no rows, so that another reason gets another title."""
    trail: str = ""
    """The stack in short, where it has no pane of its own on the screen."""


class PaneTitles:
    """Writes titles as the arrangement of the panes wants them."""

    def __init__(self, panes: dict[str, LinePane]) -> None:
        self._panes = panes
        self._notes = TitleNotes()

    def note(self, notes: TitleNotes) -> bool:
        """Take other notes; False if they are the same."""
        is_news = notes != self._notes
        self._notes = notes
        return is_news

    def on_borders(self, arrangement: Arrangement) -> None:
        """Write the titles on the borders of panes."""
        for name, pane in self._panes.items():
            pane.entitle(self._border(name, pane, arrangement))

    def tabs(self, names: tuple[str, ...], is_small: bool) -> tuple[Tab, ...]:
        """The tabs of some panes; without notes where the terminal is small."""
        alarms = self._notes.alarms
        return tuple(Tab(name, self._title(name, is_small), name in alarms) for name in names)

    def hint(self, names: tuple[str, ...], zoomed: str | None, is_small: bool) -> list[Piece]:
        """What stands at the right of tabs: what is sought, and why there is one pane."""
        hints = []
        if self._notes.sought and names[0] == LISTED[0]:
            hints.append(Piece(f" {self._notes.sought} ", "notable"))
        if zoomed in names:
            hints.append(Piece(" zoomed, z for all ", "dim"))
        elif is_small:
            hints.append(Piece(" small: one pane ", "dim"))
        return hints

    def _title(self, name: str, is_small: bool = False) -> str:
        note = "" if is_small else self._notes.counts.get(name, "")
        return f"{NUMBERS[name]} {TITLES[name]}{' ' + note if note else ''}"

    def _border(self, name: str, pane: LinePane, arrangement: Arrangement) -> str:
        """A title with what there is no pane, no column or no row for."""
        notes, parts = self._notes, [self._title(name)]
        region = arrangement.regions.get(name)
        room = 0 if region is None else region.width - len(parts[0]) - TITLE_CORNERS
        if name in arrangement.folded and isinstance(pane, RowList):
            parts.append(pane.empty_text if len(pane.empty_text) <= room else EMPTY)
        elif isinstance(pane, TableList):
            parts.append(_said_alike(pane.common, room))
        if isinstance(pane, HealthPane) and name in arrangement.regions:
            parts[0] += f"  {_subject(pane, arrangement.regions[name].width)}"
        if name == TRACES and notes.sought:
            parts.append(notes.sought)
        if name == SOURCE and notes.trail and STACK not in arrangement.regions:
            parts.append(notes.trail)
        separator = f" {pane.glyphs.separator} "
        title = separator.join(part for part in parts if part)
        # Textual leaves no room around a title where there are no corners.
        return f" {title} " if name in arrangement.folded else title


def _said_alike(common: tuple[str, ...], room: int) -> str:
    """What all rows of a list say alike, as much of it as there is room for."""
    while common and len(said := f"all {', '.join(common)}") > room:
        common = common[:-1]
    return said if common else ""


def _subject(health: HealthPane, width: int) -> str:
    """The tensor of the health pane, with its type and shape if its border has room for them."""
    room = width - TITLE_FRAME
    if len(health.subject) + len(health.measure) > room:
        return health.subject_in(max(MIN_SUBJECT, room))
    return f"{health.subject}  {health.measure}"
