"""Hands the navigator's rows to the three lists: alerts, executions, graph tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.alert_list import WarningRow
from tfdbg_tui.data.views.scroll_marks import marks
from tfdbg_tui.data.views.timeline import density
from tfdbg_tui.screens.session.change import say
from tfdbg_tui.widgets.executions_pane import ExecutionsPane
from tfdbg_tui.widgets.traces_pane import TracesPane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.views.alert_tree import AlertTreeRow
    from tfdbg_tui.data.views.event_rows import ExecutionRows, TraceRows
    from tfdbg_tui.data.views.navigator import Navigator
    from tfdbg_tui.data.views.timeline import Density
    from tfdbg_tui.screens.present.pane_area import PaneArea
    from tfdbg_tui.screens.present.source_texts import SourceTexts
    from tfdbg_tui.screens.session.change import Change
    from tfdbg_tui.widgets.line_pane import LinePane

    EventPane = TracesPane | ExecutionsPane

CLOSEST = 1 << 20
"""How far the strip of the timeline zooms in."""


class ListPanes:
    """What the lists show of the run, and where their cursors are."""

    def __init__(self, panes: PaneArea, navigator: Navigator, texts: SourceTexts) -> None:
        self._panes = panes
        self._navigator = navigator
        self._rows: dict[EventKind, TraceRows | ExecutionRows | None] = {}
        """What the lists of events show, by kind."""
        self._strip_zoom = 1
        self._texts = texts

    @property
    def of_events(self) -> tuple[EventPane, EventPane]:
        """The two lists that grow with every event."""
        return self._panes.traces, self._panes.executions

    def show(self) -> None:
        """Show other rows: of another run or host, or filtered."""
        navigator, panes = self._navigator, self._panes
        panes.alerts.show(navigator.causes.alerts)
        panes.alerts.fold_with(self._fold_alerts)
        panes.alerts.code_with(self._code_of)
        traces, executions = navigator.trace_rows(), navigator.execution_rows()
        self._rows = {EventKind.TRACE: traces, EventKind.EXECUTION: executions}
        panes.traces.show(traces)
        panes.executions.show(executions)
        panes.executions.measure_with(self._measure)
        panes.timeline.measure_with(self._measure)
        for pane in self.of_events:
            pane.marks_from(self._marks)

    @property
    def show_this_host(self) -> bool:
        """Whether the rows are those of the host that is looked at."""
        rows = self._rows.get(EventKind.TRACE)
        return rows is not None and rows.index is self._navigator.index

    @property
    def has_empty_one(self) -> bool:
        """Whether a list of events shows none."""
        return any(not pane.row_count for pane in self.of_events)

    @property
    def unseen(self) -> int:
        """Events that have come and are not shown yet."""
        return sum(pane.unseen for pane in self.of_events)

    def append_rows(self) -> None:
        """Let the lists of events have what has come."""
        for pane in self.of_events:
            if pane.unseen:
                pane.append_rows()
        self._panes.timeline.reload()
        self.put_cursors(scroll=False)

    def append_alerts(self) -> None:
        """Let the list of alerts have what has come; its cursor stays on its site."""
        alerts = self._navigator.causes.alerts
        if alerts is not None and alerts.refresh():
            if len(alerts) < self._panes.alerts.row_count:  # some are muted
                self._panes.alerts.show(alerts)
            self._panes.alerts.append_rows()
            self._put_on_alert(scroll=False)

    def reload_rows(self) -> None:
        """Say again what is in view: names, lines and steps become known later than events."""
        for pane in (self._panes.alerts, *self.of_events):
            pane.reload_rows()
        self._panes.timeline.reload()

    def _fold_alerts(self, is_folded: bool) -> None:
        """Fold the alerts that follow below their causes, or list them again."""
        alerts = self._navigator.causes.alerts
        if alerts is not None and alerts.is_folded is not is_folded:
            alerts.fold(is_folded)
            self._panes.alerts.show(alerts)
            self._put_on_alert(scroll=True)

    def _code_of(self, row: AlertTreeRow | WarningRow) -> str:
        """The user's line of an alert, without its indentation; empty where it is not there.

        Of a warning what it goes by, which tells more.
        """
        if isinstance(row, WarningRow):
            return row.warning.told
        run, line = self._navigator.run, row.site.facts.line
        if run is None or line is None:
            return ""
        sources = run.run.hosts[row.site.host].sources
        return self._texts.code(sources, line.file, line.line) or ""

    def put_cursors(self, scroll: bool = True) -> None:
        """Put the cursors on what is selected, and scroll there unless rows only came.

        A list that nobody is in, and that had nothing of the selection so far, scrolls then too.
        """
        chosen = self._navigator.selection
        self._put_on_event(self._panes.traces, chosen.trace, scroll)
        self._panes.executions.choose_execution(chosen.execution)
        self._panes.timeline.choose_execution(chosen.execution)
        self._put_on_event(self._panes.executions, chosen.execution, scroll)
        self._put_on_alert(scroll)

    def show_ends(self) -> None:
        """Let lists without a cursor show their newest rows: the call of a tensor comes later."""
        for pane in self.of_events:
            if pane.cursor is None and pane.row_count:
                pane.bring_into_view(pane.row_count - 1)

    def _put_on_event(self, pane: EventPane, event: int | None, scroll: bool) -> None:
        rows = self._rows.get(pane.kind)
        if event is None or rows is None or not len(rows):
            pane.put_cursor(None)
            return
        positions = rows.positions
        row = positions.position_of(event)
        if row >= pane.row_count:
            pane.append_rows()
        first = positions.event_at(row)
        if first <= event < first + positions.size_at(row):
            came = pane.cursor is None and not pane.has_focus
            pane.put_cursor(row, scroll or came)
            return
        pane.put_cursor(None)
        if scroll:  # filtered out: show where it would be
            pane.bring_into_view(row)

    def _put_on_alert(self, scroll: bool) -> None:
        alerts, chosen = self._navigator.causes.alerts, self._navigator.selection.event
        row = None if alerts is None or chosen is None else alerts.row_of(chosen)
        self._panes.alerts.put_cursor(row, scroll)

    # The strip and the margins.

    def scale_strip(self, steps: int) -> Change:
        """Zoom the strip of the timeline around the selection."""
        executions = self._panes.executions
        if not executions.row_count:
            return say(f"There is no timeline. {executions.empty_text}")
        factor = 4 if steps > 0 else 0.25
        zoom = self._strip_zoom = int(max(1, min(CLOSEST, self._strip_zoom * factor)))
        executions.reload_strip()
        self._panes.timeline.reload()
        part = "the whole run" if zoom == 1 else f"1/{zoom:,} of the run"
        return say(f"The timeline shows {part}.")

    def _measure(self, columns: int) -> Density:
        navigator, index = self._navigator, self._navigator.index
        assert index is not None
        causes = navigator.causes.times_of_host(navigator.selection.host)
        return density(index, columns, navigator.selection.execution, self._strip_zoom, causes)

    def _marks(self, pane: LinePane, height: int) -> Sequence[str]:
        """Roles of a list's margin: where bad tensors and matches are."""
        index, search = self._navigator.index, self._navigator.search
        if index is None or not isinstance(pane, (TracesPane, ExecutionsPane)):
            return ()
        rows = self._rows.get(pane.kind)
        if rows is None:
            return ()
        hits = None if search is None else search.of(pane.kind).rows
        bad = index.host.store_of(pane.kind).bad_events
        return marks(rows.positions, min(len(rows), pane.line_count()), height, bad, hits)
