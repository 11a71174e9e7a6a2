"""What a key means: the state behind the screen, and how keys, clicks and snapshots change it.

Knows nothing of Textual. Every verb returns a `Change`; the view shows it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.asking_why import AskingWhy
from tfdbg_tui.data.views.cause_walk import go_to_first_bad, which_alert
from tfdbg_tui.data.views.navigator import Navigator
from tfdbg_tui.data.views.warning_walk import step_bad, which_warning
from tfdbg_tui.doctor.findings import findings
from tfdbg_tui.doctor.scripts import without_recording
from tfdbg_tui.screens.pane_names import LIST_OF, SOURCE
from tfdbg_tui.screens.session import destinations
from tfdbg_tui.screens.session.beginning import Beginning, go_to_failure
from tfdbg_tui.screens.session.change import MOVED, OTHER_ROWS, UNCHANGED, Change, Reveal, say
from tfdbg_tui.screens.session.commands import Commands
from tfdbg_tui.screens.session.filtering import Filtering
from tfdbg_tui.screens.session.finder import Finder
from tfdbg_tui.screens.session.first_bad import FirstBad
from tfdbg_tui.screens.session.following import Following
from tfdbg_tui.screens.session.leaving import Leaving
from tfdbg_tui.screens.session.looks import Looks
from tfdbg_tui.screens.session.muting import UserMutes
from tfdbg_tui.screens.session.pane_links import PaneLinks
from tfdbg_tui.screens.session.run_choice import RunChoice
from tfdbg_tui.screens.session.walking import Walking, no_alert
from tfdbg_tui.screens.session.watching import Watching

if TYPE_CHECKING:
    from tfdbg_tui.data.early.thresholds import Thresholds
    from tfdbg_tui.data.live.snapshot import RunState, Snapshot
    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.doctor.finding import Finding
    from tfdbg_tui.program.process import ScriptState
    from tfdbg_tui.screens.session.muting import Keeper, Option
    from tfdbg_tui.screens.session.watching import Keeper as WatchKeeper

ONE_ROW, OWN_ROWS = "Eager ops of one line are one row.", "Every op has its row."

HIDDEN = "The filter hides this row; escape shows all."


class Session:
    """Where the user is in a logdir, and what they wait for."""

    def __init__(
        self,
        first_bad: bool = False,
        run_id: str | None = None,
        follow: bool = False,
        keeper: Keeper | None = None,
        thresholds: Thresholds | None = None,
        watches: WatchKeeper | None = None,
    ) -> None:
        self.navigator = Navigator(thresholds)
        self.muting = UserMutes(self.navigator, keeper)
        self.watching = Watching(self.navigator, watches)
        self.run_choice = RunChoice(run_id)
        self.following = Following(follow)
        self.first_bad = FirstBad(self.navigator, first_bad)
        self._beginning = Beginning(self.navigator)
        self._finder = Finder(self.navigator)
        self._filtering = Filtering(self.navigator)
        self.links = PaneLinks(self.navigator, self.following, self._in_its_list, self._hidden)
        """What choosing a row of a pane means."""
        self.walking = Walking(self.navigator)
        self.asking_why = AskingWhy(self.navigator)
        self.looks = Looks(self.navigator)
        self.commands = Commands(self.navigator, lambda: self.snapshot)
        self.leaving = Leaving()
        self.snapshot: Snapshot | None = None
        self.script: ScriptState | None = None
        """The script that is run here, if one is."""
        self.findings: tuple[Finding, ...] = ()
        """What the doctor has found."""
        self.is_paused = False
        self.event_list = EventKind.TRACE
        """The list of events that keys such as `n` move in."""

    @property
    def state(self) -> RunState | None:
        """The run that is looked at."""
        run = self.navigator.run
        return self.run_choice.state(self.snapshot, None if run is None else run.run)

    @property
    def awaits_search(self) -> bool:
        """Whether what a search, a filter or a command finds is about to be shown."""
        return _is_any_expected(self._filtering, self._finder, self.commands)

    @property
    def script_has_ended(self) -> bool:
        """Whether a script was run here, and has ended."""
        return self.script is not None and self.script.exit_code is not None

    # What the feed and the script tell.

    def take_snapshot(self, snapshot: Snapshot) -> Change:
        """Take note of what has come; nothing moves under the user unless following."""
        before, self.snapshot = self.snapshot, snapshot
        state = self.state
        self.findings = _examined(snapshot, state, self.script)
        if state is None:
            return UNCHANGED
        change = OTHER_ROWS if self.navigator.open_run(state.run) else UNCHANGED
        self.navigator.causes.tell_silence(state.silent_for)
        change |= self._filtering.go_on(state) | self.muting.take_news()
        loading = Activity.LOADING in (snapshot.activity, before and before.activity)
        # Lists may grow while loading, following, and at the end.
        appends = Change(appends=self.following.is_on or loading or state.ended)
        change |= _news(before, snapshot) | appends
        if self.following.is_on:
            is_over = self.following.is_over(state.ended)
            change |= (self._answer() if is_over else None) or self._go_to_newest()
        if self._beginning.is_outdated(loading or snapshot.working):
            change |= self._select_first()
        return change | self._complete_selection(snapshot, not change.ends) | self._go_on()

    def take_script(self, script: ScriptState) -> ScriptState | None:
        """Take note of what the script prints, and how it ended; returns what was known before."""
        before, self.script = self.script, script
        if self.snapshot is not None and self.state is None:
            self.findings = _examined(self.snapshot, None, script)
        return before

    def _complete_selection(self, snapshot: Snapshot, is_old: bool) -> Change:
        """Select something, or find what was not on disk when it was selected before."""
        change = self.first_bad.go_if_wanted(snapshot)
        if change is not None:
            return self._at_first_bad(change)
        if self.first_bad.is_shown:
            change = self.first_bad.stay(snapshot)
            return self._at_first_bad(change) if change.reveal else change
        if self.navigator.selection.is_empty:
            return self._select_first()
        return Change(selection=True) if is_old and self.navigator.relink() else UNCHANGED

    def _select_first(self) -> Change:
        """Something is always selected, so that no pane is empty: what went wrong, if it did."""
        if self.navigator.index is None:
            return UNCHANGED
        self.event_list = self._beginning.choose(self.state) or self.event_list
        return MOVED

    def _go_on(self) -> Change:
        """Go to a match that was waited for, if the search has come to it."""
        return self._went(self._finder.go_on(self.event_list, self.state))

    # Going somewhere.

    def go_to_first_bad(self) -> Change:
        """Go to the first NaN or Inf in time, to where the program failed, or wait for one."""
        change = self.first_bad.go_on() or self.first_bad.go(self.snapshot)
        change = change or go_to_failure(self.navigator, self.state)
        if change is None:
            return self.first_bad.wait(self.state, self.script_has_ended)
        return self._at_first_bad(change) | self._hidden()

    def _at_first_bad(self, change: Change) -> Change:
        self.following.stop()
        return self._in_its_list(change)

    def go_to_match(self, direction: int) -> Change:
        """Go to the next or previous match; without a search, bad tensor."""
        return self._went(self._finder.go(self.event_list, direction, self.state))

    def go_to_alert(self, steps: int) -> Change:
        """Go to the next or previous cause in time; behind the last, alert; then warning."""
        if not step_bad(self.navigator, steps):
            return say(no_alert(self.navigator, self.state, steps))
        said = which_warning(self.navigator) or which_alert(self.navigator)
        change = self._went(MOVED) | say(said)
        return change | Change(reveal=(Reveal(LIST_OF[self.event_list]),)) | self._hidden()

    def go_to(self, text: str) -> Change | None:
        """Go to an event, a step or a line; None if the text names none of them."""
        before = self.navigator.selection
        obstacle = destinations.try_destination(self.navigator, self.event_list, text)
        if obstacle is None:
            return None
        if obstacle:
            return say(obstacle, "warn")
        now = self.navigator.selection
        if now.pinned and now != before:
            return MOVED | Change(reveal=(Reveal(SOURCE),))
        change = self._in_its_list(MOVED) | self._hidden()
        return change | Change(reveal=(Reveal(LIST_OF[self.event_list]),))

    def look_at(self, run: Run, host: int) -> Change:
        """Look at another run or host."""
        self.run_choice.choose(run)
        change = UNCHANGED if self.snapshot is None else self.take_snapshot(self.snapshot)
        if host != self.navigator.selection.host:
            self.navigator.look_at_host(host)
            change |= self._select_first()
        return change

    def _in_its_list(self, change: Change) -> Change:
        """Let keys such as `n` move in the list that holds what was gone to."""
        if change.selection:
            self.event_list = self.navigator.selection.list_kind
        return change

    def _went(self, change: Change) -> Change:
        """The user goes somewhere: where that is in a list, what comes must not lead away."""
        if change.selection:
            self.following.stop()
        return self._in_its_list(change)

    def _hidden(self) -> Change:
        """Say that what was gone to is in no list, where that is so."""
        return say(HIDDEN) if self.navigator.is_filtered_out else UNCHANGED

    # Finding.

    def search(self, text: str) -> Change:
        """Search for a query, or no more; raises QueryError.

        Following would lead away from where the search begins, and from what it finds.
        """
        change = self._finder.search(text)
        if text:
            self.following.stop()
        return change

    def show_only(self, text: str) -> Change:
        """Filter by a query, or no more; raises QueryError."""
        return self._filtering.show_only(text)

    # The lists.

    def follow(self) -> Change:
        """Follow the newest events, or stop."""
        self.following.toggle()
        if not self.following.is_on:
            return say("No longer following.")
        if not len(self.navigator.trace_rows() or ()):
            self.event_list = EventKind.EXECUTION
        change = Change(appends=True) | self._go_to_newest()
        change |= say(self.following.words(self.state is not None and self.state.ended))
        return change | Change(reveal=(Reveal(LIST_OF[self.event_list]),))

    def _go_to_newest(self) -> Change:
        """Select the last event of the list that is followed."""
        index = self.navigator.index
        if index is None:
            return UNCHANGED
        traces, executions = len(index.host.traces), len(index.host.executions)
        if traces and (self.event_list is EventKind.TRACE or not executions):
            self.navigator.select_trace(traces - 1)
        elif executions:
            self.navigator.select_execution(executions - 1)
        return MOVED | Change(ends=True)

    def _answer(self) -> Change | None:
        """What was followed has ended: choose what went wrong first; None if nothing did."""
        is_bad = go_to_first_bad(self.navigator)
        return self._went(MOVED | Change(in_front=True)) if is_bad else None

    def mute(self, option: Option) -> Change:
        """Mute or unmute something; the user stays where they are."""
        self.first_bad.stay_here()
        return self.muting.choose(option)

    def collapse(self) -> Change:
        """Show eager ops of one line as one row, or each."""
        self.navigator.collapsed = collapsed = not self.navigator.collapsed
        return OTHER_ROWS | say(ONE_ROW if collapsed else OWN_ROWS)

    def pause(self) -> Change:
        """Have reading stop, or go on; the sentence says why it does not."""
        if self.state is not None and self.state.ended and not self.is_paused:
            return say("The program has ended: there is nothing more to read.")
        self.is_paused = not self.is_paused
        return UNCHANGED

    def stop_looking(self) -> Change | None:
        """Stop what is waited for, a match, a filter or a command; None if nothing is."""
        return self._finder.stop() or self._filtering.stop() or self.commands.stop()

    def leave_layer(self) -> Change | None:
        """Leave filter, search or following; None if there is nothing to leave."""
        if self.navigator.filter is not None:
            return self.show_only("")
        if self.navigator.search is not None:
            return self.search("")
        return self.follow() if self.following.can_be_left else None

    def begin_key(self) -> None:
        """A key is about to act: nobody waits any more, a question is answered by it or not."""
        self.first_bad.stop_waiting()
        self._beginning.leave()
        self.leaving.begin_key()


def _is_any_expected(*parts: Filtering | Finder | Commands) -> bool:
    """Whether what is typed now is meant for what one of them is about to find."""
    return any(part.is_expected_at_once for part in parts)


def _examined(
    snapshot: Snapshot, state: RunState | None, script: ScriptState | None
) -> tuple[Finding, ...]:
    """What the doctor says of a run or, where there is none, of the script that records none."""
    if script is not None and state is None:
        return (without_recording(script, snapshot.program),)
    return findings(snapshot, state)


def _news(before: Snapshot | None, now: Snapshot) -> Change:
    """What a snapshot tells that was not told before."""
    if before is None:
        return Change(reloads=True, history=now.details_extended > 0)
    return Change(
        reloads=(before.runs, before.extended) != (now.runs, now.extended),
        history=before.details_extended != now.details_extended,
    )
