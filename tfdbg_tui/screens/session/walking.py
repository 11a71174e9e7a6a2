"""From one selection to the next: what was selected before, other outputs, alerts; with words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.views.warning_walk import chosen_warning
from tfdbg_tui.screens.session.change import MOVED, OTHER_ROWS, Change, say
from tfdbg_tui.screens.session.first_bad import healthy
from tfdbg_tui.screens.session.naming import name_of_selected

if TYPE_CHECKING:
    from tfdbg_tui.data.live.snapshot import RunState
    from tfdbg_tui.data.views.navigator import Navigator


NO_WARNING = ("This is the first warning.", "No later warning: this is the last.")
"""What to say where there are warnings, and none before or behind."""

ONE_ROW, OWN_ROWS = "Eager ops of one line are one row.", "Every op has its row."


class Walking:
    """Where to without a destination: back, forward, to the next output; and by which rows."""

    def __init__(self, navigator: Navigator) -> None:
        self._navigator = navigator

    def back(self) -> Change:
        """Back through what was selected."""
        if not self._navigator.back():
            return say("Nothing was selected before.")
        return MOVED | say(f"Back at {name_of_selected(self._navigator)}.")

    def forward(self) -> Change:
        """Forward through what was selected."""
        if not self._navigator.forward():
            return say("Nothing was selected after.")
        return MOVED | say(f"Forward to {name_of_selected(self._navigator)}.")

    def collapse(self) -> Change:
        """Show eager ops of one line as one row, or each."""
        self._navigator.collapsed = collapsed = not self._navigator.collapsed
        return OTHER_ROWS | say(ONE_ROW if collapsed else OWN_ROWS)

    def next_output(self) -> Change:
        """Show the next output of an execution."""
        navigator = self._navigator
        if navigator.selection.is_empty:
            return say("Nothing is selected.")
        name = name_of_selected(navigator)
        if not navigator.next_output():
            return say(f"{name} has no other recorded output.")
        return MOVED | say(f"{name}: output :{navigator.selection.output}.")


def no_alert(navigator: Navigator, state: RunState | None, steps: int) -> str:
    """Why there is no other alert to go to."""
    run = navigator.run
    if state is None:
        return "Nothing is recorded yet."
    if chosen_warning(navigator) is not None:
        return NO_WARNING[steps > 0]
    if run is None or not len(run.log):
        return healthy(state)
    if navigator.causes.muting.muted.tensors:
        return f"No {'later' if steps > 0 else 'earlier'} alert that is not muted."
    when, end = ("later", "last") if steps > 0 else ("earlier", "first")
    return f"No {when} alert: this is the {end} of {len(run.log):,}."
