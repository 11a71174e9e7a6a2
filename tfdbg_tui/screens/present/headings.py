"""What stands above the panes and on their borders: the status, the answer, the titles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.screens.pane_names import ALERTS, EXECUTIONS, OUTPUT, SOURCE, TRACES, WATCHED
from tfdbg_tui.screens.present import band_text, status_text
from tfdbg_tui.screens.present.answer import answer_of
from tfdbg_tui.screens.present.pane_titles import TitleNotes
from tfdbg_tui.screens.session.first_bad import healthy
from tfdbg_tui.widgets.bars import StatusBar
from tfdbg_tui.widgets.cause_band import CauseBand
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from textual.widget import Widget

    from tfdbg_tui.screens.present.detail_panes import DetailPanes
    from tfdbg_tui.screens.present.list_panes import ListPanes
    from tfdbg_tui.screens.present.pane_area import PaneArea
    from tfdbg_tui.screens.session.session import Session
    from tfdbg_tui.widgets.executions_pane import ExecutionsPane
    from tfdbg_tui.widgets.traces_pane import TracesPane


class Headings:
    """Writes them anew with every change; what says the same costs nothing."""

    def __init__(
        self, session: Session, panes: PaneArea, lists: ListPanes, details: DetailPanes
    ) -> None:
        self._session = session
        self._panes = panes
        self._lists = lists
        self._details = details
        self._status, self.band = StatusBar("status"), CauseBand("band")

    def widgets(self) -> tuple[Widget, ...]:
        """The rows above the panes."""
        return self._status, self.band

    def show(self) -> None:
        """Write the status line, the answer and the titles."""
        session, snapshot, state = self._session, self._session.snapshot, self._session.state
        if snapshot is None:
            return
        if state is not None and session.script_has_ended:
            state = state._replace(ended=True, events_per_second=0.0)
        navigator, follows = session.navigator, session.following.is_on
        glyphs = self._panes.alerts.glyphs
        start = status_text.identity(snapshot, state, navigator.selection.host, glyphs)
        muted = navigator.causes.muting.muted.tensors
        alerts = max(0, navigator.run.alerts.count - muted) if navigator.run else 0
        end = status_text.activity(
            snapshot, state, alerts, session.is_paused, follows, glyphs, session.script, muted
        )
        behind = 2 if muted and alerts else 1  # the numbers of alerts, which stay at the end
        end[-behind:-behind] = status_text.unseen(0 if follows else self._lists.unseen)
        self._status.show(start, end)
        self._show_answer()
        self._show_titles()

    def _show_answer(self) -> None:
        """Say what is chosen, or how the run goes, above the panes."""
        answer = answer_of(self._session, self._details)
        self.band.display = answer is not None and self._panes.display
        if answer is not None:
            self.band.show(band_text.writer(answer, self._panes.alerts.glyphs), answer.mood)

    def _show_titles(self) -> None:
        session, navigator = self._session, self._session.navigator
        state, index, panes = session.state, navigator.index, self._panes
        if state is None or index is None or navigator.run is None:
            self._say_what_is_waited_for()
            return
        alerts, filtered, file = (
            navigator.run.alerts.count - navigator.causes.muting.muted.tensors,
            navigator.filter,
            navigator.selection.file,
        )
        panes.alerts.say_when_empty(healthy(state), "")
        loading = session.snapshot is not None and session.snapshot.activity is Activity.LOADING
        panes.executions.say_when_empty(status_text.without_executions(state, filtered, loading))
        panes.traces.say_when_empty(status_text.without_traces(state, filtered, loading))
        panes.executions.tell_loading(loading)
        self._details.tell_loading(loading)
        counts = {
            ALERTS: self._alerts(alerts),
            EXECUTIONS: self._rows_of(panes.executions, len(index.host.executions)),
            TRACES: self._rows_of(panes.traces, len(index.host.traces)),
            SOURCE: self._details.file_name(index, file) if file is not None else "",
            WATCHED: f"{len(session.watching.names):,}",
            OUTPUT: status_text.script_note(session.script),
        }
        sought = status_text.search_note(navigator, session.event_list)
        trail = band_text.trail_text(navigator.selection, panes.source.glyphs)
        alarms = frozenset({ALERTS} if alerts > 0 else ())
        subject = panes.health.subject + panes.health.measure
        lists = (panes.alerts, panes.executions, panes.traces)
        empty = tuple(pane.empty_text for pane in lists)
        panes.note(TitleNotes(counts, alarms, sought, subject, empty, trail))

    def _alerts(self, alerts: int) -> str:
        """How many alerts there are, from how many causes where that is known, and what else."""
        causes = self._session.navigator.causes
        ranked, muted = len(causes.ranked), causes.muting.muted.tensors
        warnings = 0 if causes.alerts is None else len(causes.alerts.warnings)
        told = [f"{alerts:,}"] if alerts > 0 else []
        if alerts > 0 and ranked:
            told = [f"{alerts:,} from {counted(ranked, 'cause')}"]
        elif alerts > 0 and causes.meant:
            told = [f"{alerts:,} on purpose"]
        told += [f"{muted:,} muted"] if muted else []
        return ", ".join(told + ([counted(warnings, "warning")] if warnings else []))

    def _rows_of(self, pane: TracesPane | ExecutionsPane, events: int) -> str:
        """How many rows a list has, and of how many events where it is filtered."""
        of = f" of {events:,}" if self._session.navigator.filter is not None else ""
        return f"{pane.row_count:,}{of}"

    def _say_what_is_waited_for(self) -> None:
        """Fill the panes with a sentence while a script has not computed anything."""
        script, snapshot = self._session.script, self._session.snapshot
        if script is not None and snapshot is not None:
            for pane in (self._panes.alerts, self._panes.executions, self._panes.traces):
                pane.say_when_empty(status_text.before_recording(script, snapshot.program))
            self._panes.note(TitleNotes({OUTPUT: status_text.script_note(script)}))
