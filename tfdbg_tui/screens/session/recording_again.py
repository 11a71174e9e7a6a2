"""Recording a script again with the values of what is chosen: the question, and what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tfdbg_tui.data.index.same_place import Place, find, place_of
from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.data.live.stopping import is_in
from tfdbg_tui.errors import UserError
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.program.record_again import Refusal, Request, has_values, request
from tfdbg_tui.sanitise import one_line
from tfdbg_tui.screens.session.change import UNCHANGED, Change, say
from tfdbg_tui.screens.session.naming import name_of_selected

if TYPE_CHECKING:
    from tfdbg_tui.data.live.jobs import Job
    from tfdbg_tui.data.live.snapshot import RunState
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.program.process import ScriptState
    from tfdbg_tui.program.second_run import SecondRun
    from tfdbg_tui.screens.session.session import Session

NOTHING_SELECTED = "Nothing is selected."

LOOKS_AFTER_END = 20
"""Looks at a script that has ended until what it recorded counts as nothing."""


class Starter(Protocol):
    """Runs scripts again."""

    def start(self, wanted: Request) -> SecondRun:
        """Begin; raises UserError."""


class AgainPage(NamedTuple):
    """What the user is asked, or told."""

    name: str
    """What is chosen."""
    answer: Request | Refusal
    event: EventRef


class RecordingAgain:
    """At most one second run at a time, and where to go when it has come as far."""

    def __init__(self, session: Session, starter: Starter | None) -> None:
        self._session = session
        self._starter = starter
        self._run: SecondRun | None = None
        self._place: Place | None = None
        self._asked_at: object = None
        """What was chosen then: whoever has moved on is not taken elsewhere."""
        self._found: tuple[RunState, EventRef] | None = None
        """Where the values are, if the user was not taken there."""
        self._looks = 0

    # Asking.

    def ready(self) -> Change | None:
        """Go to values that have been recorded meanwhile; None if there are none to go to."""
        found, self._found = self._found, None
        return None if found is None else self._go(*found)

    def obstacle(self) -> str:
        """Why there is nothing to ask; empty if there is something."""
        navigator, event = self._session.navigator, self._session.navigator.selection.event
        if navigator.run is None or navigator.index is None:
            return "Nothing is recorded yet."
        name = name_of_selected(navigator)
        if event is None:
            is_node = navigator.selection.is_node
            return f"{name} is not recorded here: choose what is." if is_node else NOTHING_SELECTED
        if self._run is not None:
            return f"{one_line(self._run.script.name)} is being recorded again: one at a time."
        has_all = has_values(navigator.index, event)
        return f"The values of {name} are recorded already." if has_all else ""

    def page(self) -> AgainPage | None:
        """What to ask, if there is no obstacle; reads source files, so for any thread."""
        navigator, snapshot = self._session.navigator, self._session.snapshot
        event, run, index = navigator.selection.event, navigator.run, navigator.index
        if snapshot is None or run is None or index is None or event is None:
            return None
        answer = request(run.run, index, event, snapshot.path)
        return AgainPage(name_of_selected(navigator), answer, event)

    # Running.

    def begin(self, page: AgainPage) -> Change:
        """Run what the user has agreed to."""
        index = self._session.navigator.index
        if isinstance(page.answer, Refusal) or self._starter is None or index is None:
            return say("Nothing can be run again here.")
        try:
            self._run = run = self._starter.start(page.answer)
        except UserError as error:
            return say(one_line(str(error)), "warn")
        self._place = place_of(index, page.event)
        self._asked_at = self._session.navigator.selection
        self._looks = 0
        until = "" if page.answer.step is None else f", up to step {page.answer.step:,}"
        return say(f"Recording {one_line(run.script.name)} again{until}: {one_line(run.where)}")

    @property
    def script(self) -> ScriptState | None:
        """The script that runs again, if one does."""
        run = self._run
        return None if run is None or run.script.exit_code is not None else run.script.state()

    def jobs(self) -> tuple[Job, ...]:
        """What the feed has to do for it."""
        return () if self._run is None else (self._run.watch,)

    def stop(self) -> Change | None:
        """Ask the script to end; None if there is none that could."""
        run = self._run
        if run is None or run.script.exit_code is not None or run.script.state().is_stopping:
            return None
        run.script.stop()
        return say(f"Stopping {one_line(run.script.name)}, which is recorded again.")

    def look(self) -> Change:
        """Stop the script where it has come far enough, and go there; for every little while."""
        run, snapshot = self._run, self._session.snapshot
        if run is None or snapshot is None:
            return UNCHANGED
        why = run.watch.reason()
        if run.script.exit_code is None:
            if why is not None and not run.script.state().is_stopping:
                run.script.stop()
                return say(f"{why}: stopping {one_line(run.script.name)}.")
            return UNCHANGED
        is_read = snapshot.activity is not Activity.LOADING and not snapshot.working
        there = (state for state in reversed(snapshot.runs) if is_in(state.run, run.logdir))
        state = next(there, None)
        self._looks += 1
        if state is not None and state.ended and is_read:
            return self._arrive(run, state)
        is_over = state is None and self._looks > LOOKS_AFTER_END
        return self._nothing(run) if is_over else UNCHANGED

    def _nothing(self, run: SecondRun) -> Change:
        self._run = None
        code = run.script.exit_code
        name, output = one_line(run.script.name), run.script.output_file
        return say(f"{name} ended with exit code {code}, and nothing is recorded: {output}", "warn")

    def _arrive(self, run: SecondRun, state: RunState) -> Change:
        """The second run is read: look for the place in it."""
        place, indexes = self._place, run.watch.indexes()
        index = next((index for index in indexes if index.is_current(state.run)), None)
        if place is None or index is None:
            return UNCHANGED
        self._run = None
        event = find(index, place)
        name = one_line(place.name)
        if event is None:
            at = "" if place.step is None else f" in step {place.step:,}"
            return say(f"The second run did not compute {name}{at}; r lists it.", "warn")
        if self._session.navigator.selection != self._asked_at:
            self._found = (state, event)
            return say(f"The values of {name} are recorded: the same key goes there.")
        return self._go(state, event)

    def _go(self, state: RunState, event: EventRef) -> Change:
        change = self._session.look_at(state.run, event.host)
        change |= self._session.links.go_to_tensor(event)
        name = name_of_selected(self._session.navigator)
        return change | say(f"{name} in the second run, with values; r lists both.")
