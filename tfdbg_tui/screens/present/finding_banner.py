"""Which finding of the doctor stands below the panes: the most serious that nobody has seen.

One that goes away by itself does not come back: a line that comes and goes would move the panes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.doctor.finding import Level
from tfdbg_tui.doctor.page import MARKS
from tfdbg_tui.screens.present.status_text import LEVEL_ROLES
from tfdbg_tui.widgets.pieces import Piece

if TYPE_CHECKING:
    from tfdbg_tui.doctor.finding import Finding
    from tfdbg_tui.screens.present.pane_area import PaneArea
    from tfdbg_tui.widgets.finding_line import FindingLine

_Key = tuple[str, Level]
"""A finding that becomes more serious is another one."""


class FindingBanner:
    """Shows the line and hides it; remembers for each run what was told and what was seen."""

    def __init__(self, line: FindingLine, panes: PaneArea) -> None:
        self.told: Finding | None = None
        """What the line says now."""
        self._line = line
        self._panes = panes
        self._run = ""
        self._found: tuple[Finding, ...] = ()
        self._done: dict[str, set[_Key]] = {}
        self._standing: dict[str, set[_Key]] = {}
        line.display = False

    def show(self, run: str, found: tuple[Finding, ...]) -> None:
        """Say what is new about a run; in place of panes stands a notice that says it at length."""
        self._run, self._found = run, found
        unseen = self._unseen() if self._panes.display else []
        self.told = unseen[0] if unseen else None
        if unseen:
            level = unseen[0].level
            mark = Piece(MARKS[level], LEVEL_ROLES[level])
            headlines = (unseen[0].headline, *unseen[0].shorter)
            self._line.show(mark, headlines, len(unseen) - 1)
        if self._line.display is not bool(unseen):
            self._panes.reserve_rows(1 if unseen else 0)
            self._line.display = bool(unseen)

    def read(self) -> None:
        """Take note that the user has seen all there is."""
        self._done.setdefault(self._run, set()).update(map(_key, self._found))
        self.show(self._run, self._found)

    def _unseen(self) -> list[Finding]:
        done = self._done.setdefault(self._run, set())
        pressing = {_key(f): f for f in self._found if f.level is not Level.FACT}
        done |= self._standing.get(self._run, set()) - pressing.keys()
        self._standing[self._run] = set(pressing)
        return [finding for key, finding in pressing.items() if key not in done]


def _key(finding: Finding) -> _Key:
    return finding.id, finding.level
