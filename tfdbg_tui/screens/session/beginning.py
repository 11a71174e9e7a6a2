"""Where to look first: at what went wrong, if anything did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.views.cause_walk import first_bad
from tfdbg_tui.data.views.failing import failing_selection
from tfdbg_tui.data.views.navigator import ALERTS_LOOKED_AT
from tfdbg_tui.screens.pane_names import LIST_OF, SOURCE
from tfdbg_tui.screens.session.change import MOVED, Change, Reveal, Sentence
from tfdbg_tui.screens.session.first_bad import tells_health

if TYPE_CHECKING:
    from tfdbg_tui.data.live.snapshot import RunState
    from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
    from tfdbg_tui.data.views.navigator import Navigator
    from tfdbg_tui.data.views.selection import Selection


class Beginning:
    """What is chosen before the user chooses anything.

    Files are read one beside the other: while a recording is loaded, something that went wrong
    earlier may come later, and which cause is the worst is known when all are judged. It is chosen
    then, unless the user has pressed a key meanwhile.
    """

    def __init__(self, navigator: Navigator) -> None:
        self._navigator = navigator
        self._chosen: EventRef | None = None
        self._settles = True
        """Whether what there was at the start is still being read or judged."""

    def is_outdated(self, is_busy: bool) -> bool:
        """Whether what was chosen is chosen still, and was not the first that went wrong.

        That is asked with every snapshot until nothing is read or judged for the first time.
        """
        settles, self._settles = self._settles, self._settles and is_busy
        if not settles:
            return False
        chosen, first = self._chosen, _first_bad_of_host(self._navigator)
        is_chosen = chosen is not None and self._navigator.selection.event == chosen
        return is_chosen and first is not None and first != chosen

    def choose(self, state: RunState | None) -> EventKind | None:
        """Choose something; returns the list of what went wrong, None if nothing did."""
        kind = _select(self._navigator, state)
        self._settles = True
        self._chosen = self._navigator.selection.event
        return kind

    def leave(self) -> None:
        """The user does something."""
        self._chosen = None


def _first_bad_of_host(navigator: Navigator) -> EventRef | None:
    """What to look at first on the host that is looked at."""
    if navigator.run is None:
        return None
    host = navigator.selection.host
    first = first_bad(navigator)
    if first is not None and first.host == host:
        return first
    worst = next((c.tensor for c in navigator.causes.ranked if c.tensor.host == host), None)
    if worst is not None:
        return worst
    log, muting = navigator.run.log, navigator.causes.muting
    rank = log.first_of_host(navigator.selection.host, ALERTS_LOOKED_AT)
    if rank is None or not muting.is_known or muting.rule_of(log[rank].ref) is not None:
        return None
    return log[rank].ref


def _select(navigator: Navigator, state: RunState | None) -> EventKind | None:
    """Choose something, so that no pane is empty.

    The first bad tensor of the host that is looked at; without one, where the program failed;
    else the first event.
    """
    index, host = navigator.index, navigator.selection.host
    if index is None:
        return None
    first = _first_bad_of_host(navigator)
    if first is not None:
        navigator.select_at(first)
        return navigator.selection.list_kind
    failed = _failing_selection(navigator, state)
    if failed is not None and failed.host == host:
        navigator.select(failed)
        return failed.list_kind
    if len(index.host.executions):
        navigator.select_execution(0)
    elif len(index.host.traces):
        navigator.select_trace(0)
    return None


def go_to_failure(navigator: Navigator, state: RunState | None) -> Change | None:
    """Go to where the program failed, and say so; None if it did not, or that is not recorded."""
    failed = _failing_selection(navigator, state)
    if failed is None or state is None or state.program is None or state.program.failure is None:
        return None
    navigator.select(failed)
    well = "No NaN or Inf. " if tells_health(state) else ""
    ended = f"{state.program.name} ended here, with {state.program.failure.name}"
    panes = (Reveal(SOURCE, focus=False), Reveal(LIST_OF[failed.list_kind]))
    return MOVED | Change(reveal=panes, said=Sentence(f"{well}{ended}.", "warn"))


def _failing_selection(navigator: Navigator, state: RunState | None) -> Selection | None:
    program = None if state is None else state.program
    if navigator.run is None or program is None or program.failure is None or not program.failed:
        return None
    return failing_selection(navigator.run, program.failure)
