"""The timeline over the full width: the strip of the run, and its steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.widgets.bars import Bar
from tfdbg_tui.widgets.glyphs import UNICODE, Glyphs
from tfdbg_tui.widgets.pieces import Piece, Pieces
from tfdbg_tui.widgets.timeline_strip import StripClicked, TimelineStrip

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ClassVar

    from textual import events

    from tfdbg_tui.data.views.timeline import Density

LABEL = " run  "

ROWS = 2
"""The strip and its axis."""


class TimelineBar(Bar):
    """Where the terminal has room for it; else the executions have the strip."""

    glyphs: ClassVar[Glyphs] = UNICODE
    """Set once by the app, before anything is drawn."""

    DEFAULT_CSS = f"TimelineBar {{ height: {ROWS}; width: 1fr; }}"

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._strip = TimelineStrip()
        self._rows: list[Pieces] = []
        """What both lines say; empty while that has to be looked up."""
        self._written_for = 0

    def measure_with(self, measure: Callable[[int], Density] | None) -> None:
        """Take the density of the run, asked for when the width is known."""
        self._strip.measure_with(measure)
        self._rewrite()

    def reload(self) -> None:
        """Measure again: executions have come, or the zoom changed."""
        self._strip.forget()
        self._rewrite()

    def choose_execution(self, execution: int | None) -> None:
        """Show where an execution is."""
        if self._strip.choose(execution):
            self._rewrite()

    def _rewrite(self) -> None:
        """Paint again, but not if it says the same: most of what comes changes nothing here."""
        before, self._rows = self._rows, []
        if self.is_on_screen:
            self._rows = self._written(self.size.width)
            if self._rows != before:
                self.refresh()

    def _written(self, width: int) -> list[Pieces]:
        """The strip and its axis, measured if the width is another one."""
        self._written_for = width
        self._strip.fit(width - len(LABEL) - 1)
        axis = [Piece(" " * len(LABEL)), *self._strip.axis(self.glyphs)]
        return [[Piece(LABEL, "dim"), *self._strip.signs(self.glyphs)], axis]

    def line(self, y: int, width: int) -> Pieces:
        """One of both, written when it is painted unless it is already."""
        if not self._rows or self._written_for != width:
            self._rows = self._written(width)
        return self._rows[y]

    def on_click(self, event: events.Click) -> None:
        """A click goes to that part of the run."""
        execution = self._strip.execution_at(event.x - len(LABEL))
        if execution is not None:
            self.post_message(StripClicked(execution))
