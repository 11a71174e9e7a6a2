"""Where the user has been: back and forward through what was selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.views.selection import Selection

MAX_STEPS = 1000
"""Steps that are remembered."""


class SelectionHistory:
    """The selections of a session, and which of them is shown."""

    def __init__(self) -> None:
        self._steps: list[Selection] = []
        self._current = -1
        self._walking = False

    def add(self, selection: Selection, coalesce: bool = False) -> None:
        """Go on to another selection; what lay ahead is forgotten.

        Moves row by row count as one entry.
        """
        if 0 <= self._current < len(self._steps) and self._steps[self._current] == selection:
            return
        goes_on = coalesce and self._walking
        self._walking = coalesce
        del self._steps[self._current + (0 if goes_on else 1) :]
        self._steps.append(selection)
        del self._steps[:-MAX_STEPS]
        self._current = len(self._steps) - 1

    def amend(self, before: Selection, after: Selection) -> None:
        """Take note that more is known about the selection than when it was made."""
        if self._current >= 0 and self._steps[self._current] == before:
            self._steps[self._current] = after

    def kept(self, change: Callable[[Selection], Selection | None]) -> SelectionHistory:
        """The same history with changed selections, without those that became None."""
        history = SelectionHistory()
        for number, selection in enumerate(self._steps):
            changed = change(selection)
            if changed is not None:
                history._steps.append(changed)
            if number == self._current:
                history._current = len(history._steps) - 1
        return history

    def back(self) -> Selection | None:
        """The selection before this one."""
        return self._go(-1)

    def forward(self) -> Selection | None:
        """The selection that was left with `back`."""
        return self._go(1)

    def _go(self, steps: int) -> Selection | None:
        wanted = self._current + steps
        if not 0 <= wanted < len(self._steps):
            return None
        self._current = wanted
        self._walking = False
        return self._steps[wanted]
