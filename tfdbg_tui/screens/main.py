"""The main screen: what each key and each click does, in a line or two."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on

from tfdbg_tui.data.live.jobs import WantedJobs
from tfdbg_tui.data.search.query import QueryError
from tfdbg_tui.sanitise import one_line
from tfdbg_tui.screens.again_actions import AgainActions
from tfdbg_tui.screens.dialogs.opener import Dialogs
from tfdbg_tui.screens.dialogs.results import Results
from tfdbg_tui.screens.keys import BINDINGS as KEYS
from tfdbg_tui.screens.messages import EditorWanted, JobsChanged, PauseToggled
from tfdbg_tui.screens.pane_reports import PaneReports
from tfdbg_tui.screens.present.view import View
from tfdbg_tui.screens.session.source_location import source_location
from tfdbg_tui.widgets.candidates import Candidates
from tfdbg_tui.widgets.executions_pane import ExecutionsPane
from tfdbg_tui.widgets.health_pane import HealthPane
from tfdbg_tui.widgets.prompt import Prompt
from tfdbg_tui.widgets.row_list import RowList
from tfdbg_tui.widgets.source_pane import SourcePane
from tfdbg_tui.widgets.timeline_strip import StripClicked
from tfdbg_tui.widgets.traces_pane import TracesPane
from tfdbg_tui.widgets.watch_pane import WatchPane

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import Binding, BindingType

    from tfdbg_tui.data.live.jobs import Job
    from tfdbg_tui.data.live.snapshot import Snapshot
    from tfdbg_tui.program.process import ScriptState
    from tfdbg_tui.screens.pane_reports import Report
    from tfdbg_tui.screens.session.change import Change
    from tfdbg_tui.screens.session.recording_again import Starter
    from tfdbg_tui.screens.session.session import Session

MAX_COPIED = 50_000
"""Characters of a name that is copied, at most: terminals refuse much more."""


ANSWER_HEIGHTS = [(0, "-low"), (12, "-short"), (20, "-tall")]
"""Rows of the screen and the classes by which the style sheet knows how much room there is."""


class MainScreen(AgainActions):
    """Linked panes over a live logdir: keys and clicks go to the session, changes to the view."""

    BINDINGS: ClassVar[list[BindingType]] = list(KEYS)
    VERTICAL_BREAKPOINTS = ANSWER_HEIGHTS

    def __init__(
        self,
        session: Session,
        key_text: Callable[[Binding], str],
        with_script: bool = False,
        starter: Starter | None = None,
    ) -> None:
        super().__init__()
        self.session = session
        self._starter = starter
        self.view = View(session, with_script)
        self._reports = PaneReports(session.links, self.view.details.unfold)
        self._dialogs = Dialogs(session, self._show, self._run, key_text, self._update_jobs)
        self._results = Results(
            session, self.view, self._show, self._run, self._update_jobs, self._keep_typed
        )
        self._wanted = WantedJobs()
        self._is_ready = self._was_told = False
        """Whether something stood above the keys when the key at hand was pressed."""
        self._early_snapshot: Snapshot | None = None
        """What was told before there was a screen."""

    def compose(self) -> ComposeResult:
        """The widgets of the view."""
        yield from self.view.widgets()

    def on_mount(self) -> None:
        """Show the keys, and what was told before there was a screen."""
        self.view.show_keys(self._dialogs.key_text)
        self._is_ready = True
        if self._early_snapshot is not None:
            self.show_snapshot(self._early_snapshot)

    # What is shown.

    def _show(self, change: Change) -> None:
        self.view.show(change)
        self._update_jobs(again=change.watched)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Take note of what the feed tells, and show it."""
        if not self._is_ready:
            self._early_snapshot = snapshot
            return
        before = self.session.snapshot
        self.view.show_arrival(self.session.take_snapshot(snapshot), before)
        self._dialogs.show_arrival(self.app)
        self._results.show_arrival(self.app)
        self._update_jobs()

    def show_script(self, script: ScriptState) -> None:
        """Take note of what the script printed or how it ended, and show it."""
        self.view.show_script(self.session.take_script(script))

    def _update_jobs(self, again: bool = False) -> None:
        """Have the feed keep up to date what is looked at, or go on with what lies over it."""
        above, now = self._dialogs.jobs() + self._results.jobs(), self.session.navigator
        details: tuple[Job, ...] = self.view.details.jobs() + above + self.jobs_of_second_run()
        details += self.view.watched.jobs()
        patient: tuple[Job, ...] = now.causes.patient_jobs
        patient += self.session.commands.patient_jobs
        wanted = WantedJobs(tuple(now.jobs()), details, patient)
        if again or wanted != self._wanted:
            self._wanted = wanted
            restarted = (*above, *self.view.watched.jobs()) if again else ()
            is_awaited = self.session.awaits_search or bool(restarted)
            self.post_message(
                JobsChanged(wanted._replace(restarted=restarted, is_awaited=is_awaited))
            )
        for kept in (self.session.muting, self.session.watching):
            if keeping := kept.keeping(self.tell):
                self.run_worker(keeping, exit_on_error=False)

    # Going somewhere.

    def action_first_bad(self) -> None:
        """Go to the first NaN or Inf in time."""
        self._show(self.session.go_to_first_bad())

    def action_next_match(self, steps: int) -> None:
        """Go to the next or previous match; without a search, bad tensor."""
        self._show(self.session.go_to_match(steps))

    def action_next_alert(self, steps: int) -> None:
        """Go to the next or previous alert in time."""
        self._show(self.session.go_to_alert(steps))

    def action_history(self, steps: int) -> None:
        """Back or forward through what was selected."""
        walking = self.session.walking
        self._show(walking.back() if steps < 0 else walking.forward())

    def action_next_output(self) -> None:
        """Show the next output of an execution."""
        self._show(self.session.walking.next_output())

    # Finding.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While something is typed, keys are text."""
        return self.focused is not self.view.prompt

    def action_ask(self, purpose: str, text: str = "") -> None:
        """Open the prompt, maybe with a text to go on from."""
        self.session.commands.type(purpose == ":")
        self.view.open_prompt(purpose, text)
        self._update_jobs()

    @on(Prompt.Left)
    def _prompt_left(self) -> None:
        self.view.close_prompt()
        self._results.show_arrival(self.app)

    @on(Candidates.Taken)
    def _candidate_taken(self, event: Candidates.Taken) -> None:
        self.view.prompt.accept(event.number)

    def _keep_typed(self, line: str) -> None:
        """Keep what was typed for the next session."""
        keeper = self.session.commands.keeper
        if keeper is not None:
            self.run_worker(keeper.keep(line, self.tell), exit_on_error=False)

    @on(Prompt.Answered)
    def _prompt_answered(self, event: Prompt.Answered) -> None:
        self.view.close_prompt()
        if event.purpose == ":":
            self.session.commands.type(False)
            self._results.typed(event.text)
            return
        answers = {"/": self.session.search, "&": self.session.show_only}
        try:
            self._show(answers[event.purpose](event.text))
        except QueryError as error:
            self.tell(str(error), "warn")

    def _run(self, action: str) -> None:
        self.run_worker(self.run_action(action), exit_on_error=False)

    # The view.

    def action_follow(self) -> None:
        """Follow the newest events, or stop."""
        self._show(self.session.follow())

    def action_pause(self) -> None:
        """Stop reading, or go on."""
        was_paused = self.session.is_paused
        self._show(self.session.pause())
        if self.session.is_paused is not was_paused:
            self.post_message(PauseToggled())

    def action_collapse(self) -> None:
        """Show eager ops of one line as one row, or each."""
        self._show(self.session.collapse())

    # The world outside.

    def action_edit(self) -> None:
        """Open the source line in an editor."""
        read_line = self.view.panes.source.read_line
        if (location := source_location(self.session.navigator, read_line)) is not None:
            self.post_message(EditorWanted(location))
        else:
            self.tell("There is no source line to open.")

    def action_copy(self) -> None:
        """Copy the name of what is selected."""
        name = one_line(self.view.details.name)
        if 0 < len(name) <= MAX_COPIED:
            self.app.copy_to_clipboard(name)
            self.tell(f"Copied {name}")
        else:
            self.tell("A name this long is not copied." if name else "Nothing is selected.")

    # Leaving.

    def action_leave(self) -> None:
        """Leave what is waited for, or a layer: zoom, filter, search..."""
        if not self._leave() and not self._was_told:  # to take a sentence away is enough
            self.tell("There is nothing to leave: no search, no filter, no zoom. q quits.")

    def _leave(self) -> bool:
        """Leave one thing; False if none is left."""
        change = self.session.stop_looking()
        if change is None and self.view.leave_layer():
            return True
        change = change or self.session.leave_layer()
        if change is not None:
            self._show(change)
        return change is not None

    def action_quit_layer(self) -> None:
        """Leave one layer, or the program; a script that runs ends with it, so ask again."""
        if self._leave():
            return
        question = self.session.leaving.question(self.second_script() or self.session.script)
        if question is None:
            self.app.exit()
        else:
            self._show(question)

    def begin_key(self) -> None:
        """A key is about to act: what was said goes, and a question is answered by it or not."""
        self._was_told = self.view.message.told is not None
        self.view.tell("")
        self.session.begin_key()

    def begin_click(self, y: int) -> None:
        """The mouse was pressed: above the keys that does something, as a key does."""
        if y < self.outer_size.height - 1:
            self.view.tell("")
            self.session.first_bad.stop_waiting()

    # What panes report.

    @on(RowList.Chosen)
    @on(RowList.Opened)
    @on(StripClicked)
    @on(HealthPane.InvocationClicked)
    def _pane_reported(self, event: Report) -> None:
        self._show(self._reports.change(event))

    @on(SourcePane.OpsWanted)
    def _ops_wanted(self, event: SourcePane.OpsWanted) -> None:
        """Go to a line, which brings its first bad op or its first, and offer them all."""
        self._show(self.session.links.choose_line(event.line))
        self._dialogs.ops_of_line(self.app, event.line)

    @on(HealthPane.CameIntoView)
    def _health_came_into_view(self) -> None:
        self.view.details.begin_history()
        self.view.panes.refit()  # a history needs room
        self._update_jobs()

    @on(WatchPane.CameIntoView)
    def _watched_came_into_view(self) -> None:
        self._update_jobs()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The titles show which pane has the keys; the last list of events is remembered."""
        if isinstance(event.widget, (TracesPane, ExecutionsPane)):
            self.session.event_list = event.widget.kind
        self.view.focus_moved()
