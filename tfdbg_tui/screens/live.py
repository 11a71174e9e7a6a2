"""Shows a growing recording: takes the feed's snapshots in and moves all panes to the selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message
from textual.screen import Screen

from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.navigator import Navigator
from tfdbg_tui.doctor.findings import findings
from tfdbg_tui.doctor.scripts import without_recording
from tfdbg_tui.screens.present import status_text
from tfdbg_tui.screens.present.announcements import Announcer
from tfdbg_tui.screens.present.arrangement import LIST_OF
from tfdbg_tui.screens.present.detail_panes import Details
from tfdbg_tui.screens.present.finding_banner import FindingBanner
from tfdbg_tui.screens.present.list_panes import Lists
from tfdbg_tui.screens.present.notices import notice_of, remarks
from tfdbg_tui.screens.present.pane_area import PaneArea
from tfdbg_tui.widgets.bars import KeyBar, StatusBar
from tfdbg_tui.widgets.finding_line import DoctorLine
from tfdbg_tui.widgets.notice_pane import NoticePane
from tfdbg_tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from tfdbg_tui.data.live.jobs import Job
    from tfdbg_tui.data.live.snapshot import RunState, Snapshot
    from tfdbg_tui.data.search.search import Search
    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.data.views.selection import Selection
    from tfdbg_tui.doctor.finding import Finding
    from tfdbg_tui.program.process import ScriptState


class LiveScreen(Screen[None]):
    """Status, panes and keys over one run; knows no key itself."""

    class JobsChanged(Message):
        """Other indexes and searches are to be kept up to date."""

        def __init__(self, jobs: Sequence[Job]) -> None:
            super().__init__()
            self.jobs = jobs

    def __init__(
        self, first_bad: bool = False, run_id: str | None = None, with_script: bool = False
    ) -> None:
        super().__init__()
        self.navigator = Navigator()
        self.panes = PaneArea(with_script)
        self.details = Details(self.panes, lambda: self.call_later(self.update_jobs))
        self.lists = Lists(self.panes, self.navigator)
        self.snapshot: Snapshot | None = None
        self.script: ScriptState | None = None
        """The script that is run here, if one is."""
        self.paused = False
        self.following = False
        self.follows_unasked = False
        """Whether it follows since the start: that is no layer that the user could leave."""
        self.event_list = EventKind.TRACE
        """The list of events that keys such as `n` move in."""
        self._is_ready = False
        self._wants_first_bad = first_bad
        self.waits_for_bad = False
        """Whether the user asked for the first bad tensor before there was one."""
        self._first_so_far: Selection | None = None
        """What was shown as the first bad tensor, until the user goes on."""
        self._wanted_run: Run | None = None
        self._wanted_run_id = run_id
        self._filtered_by: Search | None = None
        """The filter that has been through all there was when it was set."""
        self._jobs: list[Job] = []
        self._announcer = Announcer(self.tell)
        self._found: tuple[Finding, ...] = ()
        self.doctor_line = DoctorLine("doctor-line")
        self._banner = FindingBanner(self.doctor_line, self.panes)
        self._notice = NoticePane("notice")
        self._status, self.keys, self.prompt = StatusBar("status"), KeyBar("keys"), Prompt()
        self.panes.display = False
        self.details.show(None, self.navigator.selection)

    def compose(self) -> ComposeResult:
        """Status above, panes or a notice, and the keys below."""
        yield self._status
        yield self._notice
        yield self.panes
        yield self.doctor_line
        yield self.keys
        yield self.prompt

    def on_mount(self) -> None:
        """Show what was told before there was a screen."""
        self._is_ready = True
        if self.snapshot is not None:
            self.show_snapshot(self.snapshot)

    def tell(self, text: str, role: str = "") -> None:
        """Say a sentence in place of the keys, until the next key."""
        self.keys.tell(text, role)

    # What the feed tells.

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Take in what has come; nothing moves under the user unless following."""
        before, self.snapshot = self.snapshot, snapshot
        if not self._is_ready:
            return
        state = self.state
        if state is not None and self.navigator.open_run(state.run):
            self.show_lists()
        self._show_notice(snapshot, state)
        if self.script is not None and state is None:
            self._found = (without_recording(self.script),)
        else:
            self._found = findings(snapshot, state)
        self._banner.show(state.run.key if state else "", self._found)
        if state is not None:
            self._take_in(before, snapshot)
            self._complete_selection()
        self.update_jobs()
        self.show_status()
        if before is not None:
            self._announcer.of_snapshot(before, snapshot, state, self._first_so_far is not None)

    def show_script(self, script: ScriptState) -> None:
        """Show what the script prints, and how it ended."""
        before, self.script = self.script, script
        self.panes.output.show(script.lines)
        self._announcer.of_script(before, script, self.snapshot)
        if self._is_ready and self.snapshot is not None:
            if self.state is None:
                self._found = (without_recording(script),)
                self._banner.show("", self._found)
            self.show_status()

    @property
    def state(self) -> RunState | None:
        """The run that is looked at: the one chosen, or the newest when it was opened."""
        if self.snapshot is None or not self.snapshot.runs:
            return None
        shown = self._wanted_run or (self.navigator.run.run if self.navigator.run else None)
        wanted = self._wanted_run_id
        for state in self.snapshot.runs:
            if state.run is shown or (not shown and wanted and state.run.key.startswith(wanted)):
                return state
        return self.snapshot.runs[-1]

    def look_at(self, run: Run, host: int) -> None:
        """Look at another run or host."""
        self._wanted_run = run
        if self.snapshot is not None:
            self.show_snapshot(self.snapshot)
        if host != self.navigator.selection.host:
            self.navigator.look_at_host(host)
            self._select_first()

    def _show_notice(self, snapshot: Snapshot, state: RunState | None) -> None:
        # A script's own pane says what goes on before anything is recorded.
        notice = None if self.script is not None else notice_of(snapshot, state)
        if notice is not None:
            self._notice.show(*notice)
        if self.panes.display is (notice is not None):
            self._notice.display = notice is not None
            self.panes.display = notice is None
            if notice is None and not self.prompt.display:
                shown = LIST_OF[self.event_list] if self.following else self.panes.shown_list
                self.panes.reveal(shown)

    def read_findings(self) -> tuple[Finding, ...]:
        """All that the doctor has found; from now on the user knows it."""
        self._banner.read()
        return self._found

    def _take_in(self, before: Snapshot | None, now: Snapshot) -> None:
        """Let the lists take what has come, as far as that moves nothing."""
        self.lists.append_alerts()
        loading = now.activity is Activity.LOADING or (
            before is not None and before.activity is Activity.LOADING
        )
        filtered = self.navigator.filter
        filtering = filtered is not self._filtered_by
        if filtered is None or filtered.is_done:
            self._filtered_by = filtered
        empty = any(not pane.row_count for pane in self.lists.of_events)
        ended = self.state is not None and self.state.ended
        if self.lists.unseen and (self.following or loading or filtering or empty or ended):
            self.lists.append_rows()
        if self.following:
            self.select_newest()
        if before is None or (before.runs, before.extended) != (now.runs, now.extended):
            self.lists.reload_rows()
            self.details.reload_health(self.navigator.index, self.navigator.selection)

    def _complete_selection(self) -> None:
        """Select something, or find what was not on disk when it was selected."""
        navigator = self.navigator
        if (self._wants_first_bad or self.waits_for_bad) and navigator.first_alert():
            self.show_first_bad()
        elif self._first_so_far is not None:
            self._stay_at_first_bad(self._first_so_far)
        elif navigator.selection.is_empty:
            self._select_first()
        elif navigator.relink():
            self.show_selection(scroll=False)
        index, file = navigator.index, navigator.selection.file
        if index is not None and file is not None:
            self.panes.source.update_facts(index.lines.lines(file))

    def _stay_at_first_bad(self, shown: Selection) -> None:
        """Go to an earlier bad tensor that came later than this one: it is the one asked for.

        Files are read one beside the other, and the recorder writes each when it likes to.
        """
        navigator, self._first_so_far = self.navigator, None
        if navigator.selection != shown:
            return  # the user went on
        if not navigator.is_at_first_alert and navigator.first_alert():
            self.show_first_bad()
            self.tell("An earlier one has come; this is the first.")
        elif navigator.relink():
            self.show_selection(scroll=False)
        self._first_so_far = navigator.selection

    def _select_first(self) -> None:
        """Something is always selected, so that no pane is empty: what went wrong, if it did."""
        index = self.navigator.index
        if index is None:
            return
        if self.navigator.first_alert_of_host():
            self.take_list_of_selection()
        elif len(index.host.executions):
            self.navigator.select_execution(0)
        elif len(index.host.traces):
            self.navigator.select_trace(0)
        self.show_selection()

    def follow_from_start(self) -> None:
        """Follow the newest events before the user asks for anything."""
        self.following = self.follows_unasked = True

    def select_newest(self) -> None:
        """Select the last event of the list that is followed."""
        index = self.navigator.index
        if index is None:
            return
        traces, executions = len(index.host.traces), len(index.host.executions)
        if traces and (self.event_list is EventKind.TRACE or not executions):
            self.navigator.select_trace(traces - 1)
        elif executions:
            self.navigator.select_execution(executions - 1)
        self.show_selection()
        self.lists.show_ends()

    def update_jobs(self) -> None:
        """Have the feed keep up to date what is looked at."""
        jobs = self.navigator.jobs()
        if self.details.history is not None:
            jobs.append(self.details.history)
        if jobs != self._jobs:
            self._jobs = jobs
            self.post_message(self.JobsChanged(tuple(jobs)))

    # Showing.

    def show_lists(self) -> None:
        """Show other rows: another run, host or filter."""
        self.lists.show()
        self.show_selection()

    def show_selection(self, scroll: bool = True) -> None:
        """Move every pane to the selection; lists need not scroll where only links have come."""
        chosen = self.navigator.selection
        if not self.lists.show_this_host:
            self.lists.show()
            self.show_status()
        self.details.show(None if chosen.is_empty else self.navigator.index, chosen)
        self.lists.put_cursors(scroll)
        self.update_jobs()
        self._show_titles()

    def show_first_bad(self) -> None:
        """Show the first bad tensor with its row, its health and its line."""
        self._wants_first_bad = self.waits_for_bad = self.following = False
        self.take_list_of_selection()
        self.show_selection()
        self.panes.reveal("source", focus=False)
        self.panes.reveal(LIST_OF[self.event_list])
        self.show_status()
        self._first_so_far = self.navigator.selection
        if self.snapshot is not None and self.snapshot.activity is Activity.LOADING:
            self.tell("The first of what is read so far.")

    def take_list_of_selection(self) -> None:
        """Let keys such as `n` move in the list that holds the selection."""
        self.event_list = self.navigator.selection.list_kind

    def take_list_with_events(self) -> None:
        """Let keys such as `f` move in a list that has something to move in."""
        if not self.panes.traces.unseen and not self.panes.traces.row_count:
            self.event_list = EventKind.EXECUTION

    def show_status(self) -> None:
        """Write the status line and the titles."""
        snapshot, state = self.snapshot, self.state
        if snapshot is None:
            return
        if state is not None and self.script is not None and self.script.exit_code is not None:
            state = state._replace(ended=True, events_per_second=0.0)
        glyphs = self.panes.alerts.glyphs
        start = status_text.identity(snapshot, state, self.navigator.selection.host, glyphs)
        alerts = self.navigator.run.alerts.count if self.navigator.run else 0
        end = status_text.activity(
            snapshot, state, alerts, self.paused, self.following, glyphs, self.script
        )
        end[-1:-1] = status_text.unseen(0 if self.following else self.lists.unseen)
        self._status.show(start, end)
        others = [finding for finding in self._found if finding != self._banner.told]
        self._announcer.remark((*remarks(others), *self._missing_run(snapshot)))
        self._show_titles()

    def _missing_run(self, snapshot: Snapshot) -> tuple[str, ...]:
        """What to say when the run that was asked for is not here."""
        wanted = self._wanted_run_id
        keys = [state.run.key for state in snapshot.runs]
        loading = snapshot.activity is Activity.LOADING
        if not wanted or loading or not keys or any(key.startswith(wanted) for key in keys):
            return ()
        return (f"There is no run {wanted} here; this is the newest. r lists all.",)

    def _show_titles(self) -> None:
        state, index = self.state, self.navigator.index
        if state is None or index is None or self.navigator.run is None:
            self._say_what_is_waited_for()
            return
        alerts = self.navigator.run.alerts.count
        self.panes.alerts.say_when_empty(status_text.healthy(state), "")
        self.panes.executions.say_when_empty(
            status_text.without_executions(state, self.navigator.filter)
        )
        self.panes.traces.say_when_empty(status_text.without_traces(state, self.navigator.filter))
        file = self.navigator.selection.file
        notes = {
            "alerts": f"{alerts:,}" if alerts else "",
            "executions": f"{self.panes.executions.row_count:,}",
            "traces": f"{self.panes.traces.row_count:,}",
            "source": self.details.file_name(index, file) if file is not None else "",
            "output": status_text.script_note(self.script),
        }
        alarms = frozenset({"alerts"} if alerts else ())
        self.panes.note(notes, alarms, status_text.finding(self.navigator, self.event_list))

    def _say_what_is_waited_for(self) -> None:
        """Fill the panes with a sentence while a script has not computed anything."""
        if self.script is None:
            return
        for pane in (self.panes.alerts, self.panes.executions, self.panes.traces):
            pane.say_when_empty(status_text.before_recording(self.script))
        note = {"output": status_text.script_note(self.script)}
        self.panes.note(note, frozenset(), "")
