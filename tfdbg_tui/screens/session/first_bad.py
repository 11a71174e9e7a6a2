"""Going to the worst cause: at once, as soon as one comes, if a worse one comes; then to others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.data.records.modes import tells_bad
from tfdbg_tui.data.views.cause_walk import (
    go_to_first_bad,
    go_to_next_cause,
    is_at_first_bad,
)
from tfdbg_tui.screens.pane_names import LIST_OF, SOURCE
from tfdbg_tui.screens.session.change import MOVED, UNCHANGED, Change, Reveal, Sentence, say
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from tfdbg_tui.data.live.snapshot import RunState, Snapshot
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.views.navigator import Navigator
    from tfdbg_tui.data.views.selection import Selection

WAITING = "No NaN or Inf so far; this goes there when one comes."


class FirstBad:
    """What is known of the wish to see the first bad tensor."""

    def __init__(self, navigator: Navigator, wanted: bool = False) -> None:
        self._navigator = navigator
        self._wanted = wanted
        """Whether the program was started for it."""
        self._waits = False
        """Whether the user asked for it before there was one."""
        self._shown: Selection | None = None
        """What was shown as the first, until the user goes on."""
        self._gone_to: EventRef | None = None
        """The cause that the user was led to when they asked last."""

    @property
    def is_shown(self) -> bool:
        """Whether the user is at what was shown as the first."""
        return self._shown is not None

    def go(self, snapshot: Snapshot | None) -> Change | None:
        """Go there; None if there is none."""
        if not go_to_first_bad(self._navigator):
            return None
        self._gone_to = self._navigator.selection.event
        return self._show(snapshot)

    def go_on(self) -> Change | None:
        """Go from a cause to which this led to the next; None if there is no other."""
        if self._gone_to is None or self._navigator.selection.event != self._gone_to:
            return None
        number = go_to_next_cause(self._navigator)
        if number is None:
            return None
        self._gone_to = self._navigator.selection.event
        causes = len(self._navigator.causes.ranked)
        which = f"Cause {number + 1} of {causes}"
        said = f"{which}; the worst comes first." if number else f"{which}: the first again."
        panes = (Reveal(SOURCE, focus=False), Reveal(LIST_OF[self._navigator.selection.list_kind]))
        return MOVED | Change(reveal=panes, said=Sentence(said))

    def wait(self, state: RunState | None, is_over: bool) -> Change:
        """Say that there is none, and go there when one comes, if one may come."""
        muting = self._navigator.causes.muting
        if not muting.is_known:
            self._waits = True
            return say("What is muted is being found.")
        well = f"{healthy(state)}{_failed(state)}" if state else "Nothing is recorded."
        if muting.muted.tensors:
            tensors = counted(muting.muted.tensors, "tensor")
            well = f"Nothing is bad but {tensors} that you have muted; M lists that."
            return say(well)
        self._waits = not is_over and (state is None or may_turn_bad(state))
        return say(WAITING if self._waits else well)

    def stay_here(self) -> None:
        """What is shown was the first, and is no longer to be."""
        self._shown = None

    def stop_waiting(self) -> None:
        """Something else was done."""
        self._waits = False

    def go_if_wanted(self, snapshot: Snapshot) -> Change | None:
        """Go there if somebody waits for it and it has come; None otherwise."""
        return self.go(snapshot) if self._wanted or self._waits else None

    def stay(self, snapshot: Snapshot) -> Change:
        """Go to an earlier bad tensor that came later than the one shown: it is the one asked for.

        Files are read one beside the other, and the recorder writes each when it likes to.
        """
        navigator, shown, self._shown = self._navigator, self._shown, None
        if navigator.selection != shown:
            return UNCHANGED  # the user went on
        change = UNCHANGED
        if not is_at_first_bad(navigator) and go_to_first_bad(navigator):
            self._gone_to = navigator.selection.event
            change = self._show(snapshot) | say("More is known by now: this is the first cause.")
        elif navigator.relink():
            change = Change(selection=True)
        self._shown = navigator.selection
        return change

    def _show(self, snapshot: Snapshot | None) -> Change:
        self._wanted = self._waits = False
        self._shown = chosen = self._navigator.selection
        loading = snapshot is not None and snapshot.activity is Activity.LOADING
        said = Sentence("The first of what is read so far.") if loading else None
        panes = (Reveal(SOURCE, focus=False), Reveal(LIST_OF[chosen.list_kind]))
        return MOVED | Change(reveal=panes, said=said)


def tells_health(state: RunState) -> bool:
    """Whether the recording tells NaN and Inf at all, as far as its events say."""
    modes = state.run.modes()
    return not modes or any(map(tells_bad, modes))


def may_turn_bad(state: RunState) -> bool:
    """Whether a NaN or Inf may yet come to a recording without one."""
    return not state.ended and tells_health(state)


def healthy(state: RunState) -> str:
    """What to say when there is no NaN or Inf."""
    events = state.traces + state.executions
    if not tells_health(state):
        modes = ", ".join(state.run.mode_names())
        return f"{modes} does not tell NaN or Inf: record with FULL_HEALTH."
    if not events:
        return f"Nothing that was computed is on disk{'' if state.ended else ' yet'}."
    so_far = "" if state.ended else " so far"
    return f"No NaN or Inf in {counted(events, 'event')}{so_far}."


def _failed(state: RunState) -> str:
    """That the program failed, as one more sentence; empty if it did not."""
    program = state.program
    if program is None or not program.failed:
        return ""
    how = program.failure.name if program.failure else f"exit code {program.exit_code}"
    return f" {program.name} ended with {how}."
