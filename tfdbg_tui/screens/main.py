"""The main screen: seven panes over one selection.

Wires keys and clicks to the browser, and what the browser says to the panes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.message import Message
from textual.screen import Screen

from tfdbg_tui.data.browser import EXECUTIONS, TRACES, Browser
from tfdbg_tui.data.density import density
from tfdbg_tui.data.query import QueryError
from tfdbg_tui.data.selection import Node, Subject
from tfdbg_tui.data.snapshot import Activity
from tfdbg_tui.data.stacks import Fold
from tfdbg_tui.notices import notice_of, remarks
from tfdbg_tui.screens import status
from tfdbg_tui.screens.arrangement import PANES, Shape
from tfdbg_tui.screens.choices import Choices
from tfdbg_tui.screens.desk import Desk
from tfdbg_tui.screens.details import DEEPEST, Details
from tfdbg_tui.screens.keys import BINDINGS as KEYS
from tfdbg_tui.screens.places import go_to
from tfdbg_tui.widgets.bars import KeyBar, KeyHint, StatusBar, TabBar
from tfdbg_tui.widgets.executions_pane import ExecutionsPane
from tfdbg_tui.widgets.health_pane import HealthPane
from tfdbg_tui.widgets.notice_pane import NoticePane
from tfdbg_tui.widgets.prompt import Prompt
from tfdbg_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from tfdbg_tui.data.density import Density
    from tfdbg_tui.data.snapshot import RunState, Snapshot
    from tfdbg_tui.feed import Follower
    from tfdbg_tui.widgets.line_pane import LinePane

CLOSEST = 1 << 20
"""How far the strip of the timeline zooms in."""


class MainScreen(Screen[None]):
    """Linked panes over a live logdir."""

    BINDINGS: ClassVar[list[BindingType]] = list(KEYS)

    class FollowersChanged(Message):
        """Other indexes and searches are to be kept up to date."""

        def __init__(self, followers: Sequence[Follower]) -> None:
            super().__init__()
            self.followers = followers

    class PauseToggled(Message):
        """The user wants reading to stop, or to go on."""

    class EditorWanted(Message):
        """The user wants a recorded line in an editor."""

        def __init__(self, path: str, line: int, recorded: tuple[str, ...] | None) -> None:
            super().__init__()
            self.path = path
            self.line = line
            self.recorded = recorded

    def __init__(self, first_bad: bool = False, run_id: str | None = None) -> None:
        super().__init__()
        self._run_id = run_id
        self.browser = Browser()
        self.desk = Desk()
        self.details = Details(self.desk)
        self.choices = Choices(self)
        self.snapshot: Snapshot | None = None
        self.paused = False
        self.following = False
        self._wants_first_bad = first_bad
        self._wanted_run: object = None
        self._followed: list[Follower] = []
        self._strip_zoom = 1
        self._event_list = TRACES
        self._notice = NoticePane("notice")
        self._status, self._keys, self._prompt = StatusBar("status"), KeyBar("keys"), Prompt()

    def compose(self) -> ComposeResult:
        """Status above, panes or a notice, and the line of keys below."""
        yield self._status
        yield self._notice
        yield self.desk
        yield self._keys
        yield self._prompt

    def on_mount(self) -> None:
        """Begin with the alerts."""
        self.desk.display = False
        self.details.show(None, self.browser.selection)
        for name in PANES:
            self.desk.pane(name).marks_from(self._marks)
        self._show_keys()

    # What the feed tells.

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Take in what has come; nothing moves under the user unless following."""
        before, self.snapshot = self.snapshot, snapshot
        state = self._state
        if state is not None and self.browser.take(state.run):
            self._show_lists()
        self._show_notice(snapshot, state)
        self._take_in(before, snapshot)
        if state is not None and self.browser.run is not None:
            self._extend_selection(snapshot)
        self._follow_up()
        self._show_status()

    @property
    def _state(self) -> RunState | None:
        """The run that is looked at: the one chosen, or the newest."""
        if self.snapshot is None or not self.snapshot.runs:
            return None
        for state in self.snapshot.runs:
            if state.run is self._wanted_run:
                return state
            if self._wanted_run is None and self._run_id and state.run.key.startswith(self._run_id):
                return state
        return self.snapshot.runs[-1]

    def _show_notice(self, snapshot: Snapshot, state: RunState | None) -> None:
        notice = notice_of(snapshot, state)
        if notice is not None:
            self._notice.show(*notice)
        if self.desk.display is (notice is not None):
            self._notice.display = notice is not None
            self.desk.display = notice is None
            if notice is None:
                self.call_after_refresh(self.desk.reveal, self.desk.shown_list)

    def _take_in(self, before: Snapshot | None, now: Snapshot) -> None:
        """Let the lists take what has come, as far as that moves nothing."""
        run, filtered = self.browser.run, self.browser.filter
        if run is not None and run.alerts.refresh():
            self.desk.alerts.take_in()
        loading = now.activity is Activity.LOADING or (
            before is not None and before.activity is Activity.LOADING
        )
        searching = filtered is not None and (now.working or not filtered.is_done)
        lists = (self.desk.traces, self.desk.executions)
        empty = any(not pane.line_count() for pane in lists)
        if self.following or loading or searching or empty:
            for pane in lists:
                if pane.waiting:
                    pane.take_in()
        if self.following:
            self._select_newest()
        grown = before is None or _executions(before) != _executions(now)
        if grown or now.extended != (before.extended if before else -1):
            self.desk.executions.renew_strip()
            self.desk.health.renew()

    def _extend_selection(self, snapshot: Snapshot) -> None:
        browser = self.browser
        if self._wants_first_bad and browser.first_alert():
            self._wants_first_bad = False
            self._show_first_bad()
        elif browser.selection.subject is Subject.NOTHING:
            self._select_first()
        elif browser.relink():
            self.show_selection()
        self._update_source_facts()

    def _select_first(self) -> None:
        """Something is always selected, so that no pane is empty."""
        index = self.browser.index
        if index is None:
            return
        if len(index.host.executions):
            self.browser.select_execution(0)
        elif len(index.host.traces):
            self.browser.select_trace(0)
        self.show_selection()

    def _select_newest(self) -> None:
        index = self.browser.index
        if index is None:
            return
        traces, executions = len(index.host.traces), len(index.host.executions)
        if self._event_list == TRACES and traces:
            self.browser.select_trace(traces - 1)
        elif executions:
            self.browser.select_execution(executions - 1)
        self.show_selection()

    def _follow_up(self) -> None:
        """Have the feed keep up to date what is looked at."""
        followers = [*self.browser.followers()]
        if self.details.history is not None:
            followers.append(self.details.history)
        if followers != self._followed:
            self._followed = followers
            self.post_message(self.FollowersChanged(tuple(followers)))

    # Showing.

    def _show_lists(self) -> None:
        """Show other rows: another run, host or filter."""
        browser = self.browser
        self.desk.alerts.show(browser.run.alerts if browser.run else None)
        self.desk.traces.show(browser.trace_rows())
        self.desk.executions.show(browser.execution_rows())
        self.desk.executions.measure_with(self._measure)
        self.show_selection()

    def _measure(self, columns: int) -> Density:
        index = self.browser.index
        assert index is not None
        return density(index, columns, self.browser.selection.execution, self._strip_zoom)

    def show_selection(self) -> None:
        """Move every pane to the selection."""
        browser = self.browser
        chosen = browser.selection
        index = browser.index if chosen.subject is not Subject.NOTHING else None
        self.details.show(index, chosen)
        for pane, event in (
            (self.desk.traces, chosen.trace),
            (self.desk.executions, chosen.execution),
        ):
            self._put_on_event(pane, event)
        self.desk.executions.choose_execution(chosen.execution)
        self._put_on_alert()
        self._follow_up()
        self._show_titles()

    def _put_on_event(self, pane: RowList[Any], event: int | None) -> None:
        source: Any = pane.source
        if event is None or source is None or not len(source):
            pane.put_cursor(None)
            return
        place = source.positions.position_of(event)
        if place >= pane.line_count():
            pane.take_in()
        pane.put_cursor(place)

    def _put_on_alert(self) -> None:
        browser = self.browser
        chosen, index = browser.selection, browser.index
        place = None
        if browser.run is not None and index is not None:
            if chosen.subject is Subject.TRACE and chosen.trace is not None:
                site = int(index.host.traces.events["site"][chosen.trace])
                place = browser.run.alerts.place_of(chosen.host, True, site, 0)
            elif chosen.subject is Subject.EXECUTION and chosen.execution is not None:
                site = int(index.host.executions.events["site"][chosen.execution])
                place = browser.run.alerts.place_of(chosen.host, False, site, chosen.output)
        self.desk.alerts.put_cursor(place)

    def _update_source_facts(self) -> None:
        chosen, index = self.browser.selection, self.browser.index
        if index is not None and chosen.file is not None:
            self.desk.source.update_facts(index.lines.lines(chosen.file))

    def _show_status(self) -> None:
        snapshot, state = self.snapshot, self._state
        if snapshot is None:
            return
        glyphs = self.desk.alerts.glyphs
        lists = (self.desk.traces, self.desk.executions)
        start = status.identity(snapshot, state, self.browser.selection.host, glyphs)
        end = status.activity(snapshot, state, self.paused, self.following, glyphs)
        end[-1:-1] = status.waiting(sum(pane.waiting for pane in lists))
        self._status.show(start, end)
        told = remarks(snapshot, state)
        if told and self._keys.told is None:
            self._keys.tell(told[0], "warn")
        self._show_titles()

    def _show_titles(self) -> None:
        state, browser = self._state, self.browser
        index = browser.index
        notes = {}
        if state is not None and index is not None:
            self.desk.alerts.empty_text = status.healthy(state)
            notes = {
                "alerts": f"{state.alerts:,}" if state.alerts else "",
                "executions": self._counted(self.desk.executions),
                "traces": self._counted(self.desk.traces),
                "source": self.details.file_name(index, browser.selection.file)
                if browser.selection.file is not None
                else "",
            }
        alarms = frozenset({"alerts"} if state is not None and state.alerts else ())
        self.desk.note(notes, alarms)

    def _counted(self, pane: RowList[Any]) -> str:
        count = f"{pane.line_count():,}"
        filtered = self.browser.filter
        return f"{count} & {filtered.query.text}" if filtered is not None else count

    def _show_keys(self) -> None:
        shown = [binding for binding in KEYS if binding.show]
        displays = {binding.id: self.app.get_key_display(binding) for binding in shown}
        keymap = getattr(self.app, "keymap_displays", {})
        hints = [
            KeyHint(keymap.get(b.id, displays[b.id]), b.description, f"screen.{b.action}")
            for b in shown
        ]
        hints.append(KeyHint("^p", "Palette", "app.command_palette"))
        self._keys.show(tuple(hints))

    def _marks(self, pane: LinePane, height: int) -> Sequence[str]:
        """Roles of the margin of a list: where bad tensors and matches are."""
        index = self.browser.index
        source: Any = getattr(pane, "source", None)
        if index is None or pane.id not in (TRACES, EXECUTIONS) or not hasattr(source, "positions"):
            return ()
        from tfdbg_tui.data.marks import marks

        store = getattr(index.host, pane.id)
        search = self.browser.search
        hits = None if search is None else getattr(search, pane.id).rows
        return marks(source.positions, pane.line_count(), height, store.alerts["event"], hits)

    def tell(self, text: str, role: str = "") -> None:
        """Say a sentence in place of the keys, until the next key."""
        self._keys.tell(text, role)

    # Choosing in panes.

    @on(RowList.Chosen, "#traces")
    def _trace_chosen(self, event: RowList.Chosen) -> None:
        self._event_list = TRACES
        self._stop_following(event.pane)
        self.browser.select_trace(event.row.index)
        self.show_selection()

    @on(RowList.Chosen, "#executions")
    def _execution_chosen(self, event: RowList.Chosen) -> None:
        self._event_list = EXECUTIONS
        self._stop_following(event.pane)
        self.browser.select_execution(event.row.index)
        self.show_selection()

    @on(RowList.Chosen, "#alerts")
    def _alert_chosen(self, event: RowList.Chosen) -> None:
        row = event.row
        self._stop_following(event.pane)
        if hasattr(row, "first_event"):
            self._event_list = TRACES if row.graph else EXECUTIONS
            self.select_at(row.host, row.graph, row.first_event, row.position)

    @on(RowList.Chosen, "#graph")
    def _node_chosen(self, event: RowList.Chosen) -> None:
        """The cursor walks freely; enter or a click goes there."""

    @on(RowList.Opened, "#graph")
    def _node_opened(self, event: RowList.Chosen) -> None:
        node = event.row
        host = self.browser.selection.host
        if node.trace is not None:
            self.select_at(host, True, node.trace)
        elif node.op_name is not None and node.graph_id is not None:
            self.browser.select_node(Node(node.graph_id, node.op_name, node.slot or 0))
            self.show_selection()
        elif node.execution is not None:
            self.select_at(host, False, node.execution, node.position)

    @on(RowList.Chosen, "#stack")
    def _frame_chosen(self, event: RowList.Chosen) -> None:
        if not isinstance(event.row, Fold) and event.row.file is not None:
            self.browser.select_frame(event.row)
            self.show_selection()

    @on(RowList.Opened, "#stack")
    def _frame_opened(self, event: RowList.Chosen) -> None:
        if isinstance(event.row, Fold):
            self.action_unfold()
        else:
            self.desk.reveal("source")

    @on(RowList.Opened, "#source")
    def _line_opened(self, event: RowList.Chosen) -> None:
        self.choices.ops_of_line(event.row.number)

    @on(RowList.Opened, "#alerts")
    @on(RowList.Opened, "#traces")
    @on(RowList.Opened, "#executions")
    def _event_opened(self, event: RowList.Chosen) -> None:
        self.desk.reveal("source")

    @on(ExecutionsPane.StripClicked)
    def _strip_clicked(self, event: ExecutionsPane.StripClicked) -> None:
        index = self.browser.index
        if index is not None and len(index.host.executions):
            self._event_list = EXECUTIONS
            last = len(index.host.executions) - 1
            self.browser.select_execution(min(event.execution, last))
            self.show_selection()

    @on(HealthPane.InvocationClicked)
    def _invocation_clicked(self, event: HealthPane.InvocationClicked) -> None:
        graph = self.browser.selection.subject is Subject.TRACE
        self.select_at(self.browser.selection.host, graph, event.event)

    @on(TabBar.Clicked)
    def _tab_clicked(self, event: TabBar.Clicked) -> None:
        self.desk.reveal(event.pane)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The titles show which pane has the keys; the last list of events is remembered."""
        if event.widget.id in (TRACES, EXECUTIONS):
            self._event_list = event.widget.id
        self.desk.label()

    def select_at(self, host: int, graph: bool, event: int, output: int | None = None) -> None:
        """Select an event of any host, and show it."""
        other_host = host != self.browser.selection.host
        self.browser.select_at(host, graph, event, output)
        if other_host:
            self._show_lists()
        else:
            self.show_selection()

    def show_line(self, file: int, line: int | None) -> None:
        """Show a source file at a line."""
        self.browser.select_line(file, line or 1)
        self.show_selection()
        self.desk.reveal("source")

    def _stop_following(self, pane: RowList[Any]) -> None:
        if self.following and pane.cursor != pane.line_count() - 1:
            self.following = False
            self._show_status()

    # Actions: going somewhere.

    def action_first_bad(self) -> None:
        """Go to the first NaN or Inf in time."""
        if self.browser.first_alert():
            self._show_first_bad()
        else:
            self._wants_first_bad = False
            self.tell(status.healthy(self._state) if self._state else "Nothing is recorded yet.")

    def _show_first_bad(self) -> None:
        self.following = False
        graph = self.browser.selection.subject is Subject.TRACE
        self._event_list = TRACES if graph else EXECUTIONS
        self._show_lists_if_host_changed()
        if self.desk.shape is Shape.STACKED:
            self.desk.reveal("source", focus=False)
        self.desk.reveal(self._event_list)

    def _show_lists_if_host_changed(self) -> None:
        rows, fresh = self.desk.traces.source, self.browser.trace_rows()
        if rows is None or fresh is None or getattr(rows, "index", None) is not fresh.index:
            self._show_lists()
        else:
            self.show_selection()

    def action_next_match(self, steps: int) -> None:
        """Go to the next or previous match."""
        if self.browser.step_match(self._event_list, steps):
            self.show_selection()
            self.desk.reveal(self._event_list)
        else:
            what = "match" if self.browser.search else "bad tensor"
            self.tell(f"No {'later' if steps > 0 else 'earlier'} {what} in this list.")

    def action_next_alert(self, steps: int) -> None:
        """Go to the next or previous alert in time."""
        if self.browser.step_alert(steps):
            graph = self.browser.selection.subject is Subject.TRACE
            self._event_list = TRACES if graph else EXECUTIONS
            self._show_lists_if_host_changed()
        else:
            self.tell(f"No {'later' if steps > 0 else 'earlier'} alert.")

    def action_back(self) -> None:
        """Back through what was selected."""
        if self.browser.back():
            self._show_lists_if_host_changed()
        else:
            self.tell("Nothing was selected before.")

    def action_forward(self) -> None:
        """Forward through what was selected."""
        if self.browser.forward():
            self._show_lists_if_host_changed()
        else:
            self.tell("Nothing was selected after.")

    def action_next_output(self) -> None:
        """Show the next output of an execution."""
        if self.browser.next_output():
            self.show_selection()
        else:
            self.tell("This has no other recorded output.")

    # Actions: finding.

    def action_ask(self, purpose: str) -> None:
        """Open the prompt."""
        self._keys.display = False
        self._prompt.ask(purpose)

    @on(Prompt.Left)
    def _prompt_left(self) -> None:
        self._keys.display = True
        self.desk.reveal(self.desk.shown_list)

    @on(Prompt.Answered)
    def _prompt_answered(self, event: Prompt.Answered) -> None:
        self._prompt_left()
        try:
            if event.purpose == "/":
                self._search(event.text)
            elif event.purpose == "&":
                self._show_only(event.text)
            else:
                self._go_to(event.text)
        except QueryError as error:
            self.tell(str(error), "warn")

    def _search(self, text: str) -> None:
        self.browser.search_for(text)
        search = self.browser.search
        spans = None if search is None else search.query.highlights
        for name in PANES:
            self.desk.pane(name).highlight(spans)
        self._follow_up()
        if search is not None:
            while search.extend():
                if self.browser.step_match(self._event_list, 1):
                    break
            self.action_next_match(1)

    def _show_only(self, text: str) -> None:
        self.browser.show_only(text)
        self._follow_up()
        self._show_lists()
        self._show_titles()

    def _go_to(self, text: str) -> None:
        answer = go_to(self.browser, self._event_list, text)
        if answer is None:
            self.show_selection()
        elif answer.command is not None:
            self.run_worker(self.run_action(answer.command), exit_on_error=False)
        else:
            self.tell(answer.sentence, "warn")

    # Actions: the view.

    def action_follow(self) -> None:
        """Follow the newest events, or stop."""
        self.following = not self.following
        if self.following:
            for pane in (self.desk.traces, self.desk.executions):
                pane.take_in()
            self._select_newest()
            self.desk.reveal(self._event_list)
        self._show_status()

    def action_pause(self) -> None:
        """Stop reading, or go on."""
        self.paused = not self.paused
        self.post_message(self.PauseToggled())
        self._show_status()

    def action_zoom(self) -> None:
        """Give the focused pane the screen, or all of them again."""
        self.desk.zoom(None if self.desk.zoomed else self.desk.focused_pane)

    def action_pane(self, name: str) -> None:
        """Go to a pane."""
        self.desk.reveal(name)

    def action_next_pane(self, steps: int) -> None:
        """Go to the pane beside this one."""
        place = PANES.index(self.desk.focused_pane)
        self.desk.reveal(PANES[(place + steps) % len(PANES)])

    def action_unfold(self) -> None:
        """Show library frames, or fold them."""
        self.details.unfolded = not self.details.unfolded
        self.show_selection()

    def action_collapse(self) -> None:
        """Show eager ops of one line as one row, or each."""
        self.browser.collapsed = not self.browser.collapsed
        self._show_lists()
        self.tell(
            "Eager ops of one line are one row."
            if self.browser.collapsed
            else "Every op has its row."
        )

    def action_scale(self, steps: int) -> None:
        """Zoom the strip of the timeline, or walk deeper in the graph."""
        if self.desk.focused_pane == "graph":
            self.details.depth = max(1, min(DEEPEST, self.details.depth + steps))
            self.show_selection()
            return
        factor = 4 if steps > 0 else 0.25
        self._strip_zoom = int(max(1, min(CLOSEST, self._strip_zoom * factor)))
        self.desk.executions.renew_strip()

    def action_runs(self) -> None:
        """Choose a run and host."""
        self.choices.runs()

    def action_files(self) -> None:
        """Choose a source file."""
        self.choices.files()

    def look_at(self, run: object, host: int) -> None:
        """Look at another run or host."""
        self._wanted_run = run
        if self.snapshot is not None:
            self.show_snapshot(self.snapshot)
        if host != self.browser.selection.host:
            self.browser.look_at_host(host)
            self._show_lists()
            self._select_first()

    def action_edit(self) -> None:
        """Open the source line in an editor."""
        chosen, index = self.browser.selection, self.browser.index
        source = None
        if index is not None and chosen.file is not None:
            source = index.host.sources.get(chosen.file)
        if index is None or source is None or chosen.file is None:
            self.tell("There is no source line to open.")
            return
        recorded = index.host.sources.lines(chosen.file)
        self.post_message(self.EditorWanted(source.path, self._source_line(), recorded))

    def _source_line(self) -> int:
        """The line of the cursor in the source, else the chosen one."""
        cursor = self.desk.source.cursor
        return cursor + 1 if cursor is not None else self.browser.selection.line or 1

    def action_copy(self) -> None:
        """Copy the name of what is selected."""
        name = self.details.name
        if name:
            self.app.copy_to_clipboard(name)
            self.tell(f"Copied {name}")
        else:
            self.tell("Nothing is selected.")

    def action_mouse(self) -> None:
        """Switch the mouse off or on."""
        self.run_worker(self.run_action("app.toggle_mouse"))

    def action_help(self) -> None:
        """Say what the focused pane shows, and all keys."""
        from tfdbg_tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(self.desk.focused_pane))

    def action_leave(self) -> bool:
        """Leave one layer: zoom, filter, search; False when there is none left."""
        if self.desk.zoomed is not None:
            self.desk.zoom(None)
        elif self.browser.filter is not None:
            self._show_only("")
        elif self.browser.search is not None:
            self._search("")
        elif self.following:
            self.action_follow()
        else:
            return False
        return True

    def action_quit_layer(self) -> None:
        """Leave one layer, or the program."""
        if not self.action_leave():
            self.app.exit()

    def on_key(self, event: events.Key) -> None:
        """A sentence stands until the next key."""
        self._keys.tell(None)


def _executions(snapshot: Snapshot) -> int:
    return sum(state.executions for state in snapshot.runs)
