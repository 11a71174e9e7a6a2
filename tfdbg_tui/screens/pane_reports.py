"""What panes report, handed to the session: a row chosen or opened, a cell or a count clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.index.stacks import Fold
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.screens.pane_names import ALERTS, EXECUTIONS, GRAPH, SOURCE, STACK, TRACES, WATCHED
from tfdbg_tui.screens.session.change import UNCHANGED, Change
from tfdbg_tui.screens.session.pane_links import TO_SOURCE
from tfdbg_tui.widgets.health_pane import HealthPane
from tfdbg_tui.widgets.row_list import RowList
from tfdbg_tui.widgets.timeline_strip import StripClicked

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.screens.session.pane_links import PaneLinks

Report = RowList.Chosen | RowList.Opened | StripClicked | HealthPane.InvocationClicked
"""What a pane says that was done in it."""


class PaneReports:
    """Knows what a row of each pane stands for; the session knows what choosing it means."""

    def __init__(self, links: PaneLinks, unfold: Callable[[], Change]) -> None:
        self._links = links
        self._unfold = unfold

    def change(self, event: Report) -> Change:
        """What comes of a report."""
        if isinstance(event, StripClicked):
            return self._links.choose_time(event.execution)
        if isinstance(event, HealthPane.InvocationClicked):
            return self._links.choose_invocation(event.event)
        return self._chosen(event) if isinstance(event, RowList.Chosen) else self._opened(event)

    def _chosen(self, event: RowList.Chosen) -> Change:
        """The cursor was put on a row, by keys or by the mouse."""
        choose = {
            ALERTS: self._alert_chosen,
            EXECUTIONS: self._execution_chosen,
            TRACES: self._trace_chosen,
            GRAPH: self._node_chosen,
            STACK: self._frame_chosen,
            SOURCE: self._line_chosen,
            WATCHED: self._watched_chosen,
        }
        return choose[event.pane.id or ""](event)

    def _opened(self, event: RowList.Opened) -> Change:
        """Enter was pressed on a row, or it was clicked twice."""
        name, row = event.pane.id, event.row
        if name == EXECUTIONS:
            return self._links.open_execution(row.index)
        if name == GRAPH:
            return self._links.go_to_node(row)
        if name == SOURCE:
            return self._links.choose_line(row.number)
        if name == WATCHED and row.event is None:
            return self._links.choose_watched(row, by_keys=True)
        if name == STACK:
            return self._unfold() if isinstance(row, Fold) else self._links.open_frame(row)
        return TO_SOURCE

    def _alert_chosen(self, event: RowList.Chosen) -> Change:
        return self._links.choose_alert(event.row, not event.by_mouse, _is_last(event))

    def _watched_chosen(self, event: RowList.Chosen) -> Change:
        return self._links.choose_watched(event.row, not event.by_mouse)

    def _execution_chosen(self, event: RowList.Chosen) -> Change:
        return self._event_chosen(EventKind.EXECUTION, event)

    def _trace_chosen(self, event: RowList.Chosen) -> Change:
        return self._event_chosen(EventKind.TRACE, event)

    def _event_chosen(self, kind: EventKind, event: RowList.Chosen) -> Change:
        number, by_keys = event.row.index, not event.by_mouse
        return self._links.choose_event(kind, number, by_keys, _is_last(event))

    def _node_chosen(self, event: RowList.Chosen) -> Change:
        """The keys look at rows before enter goes to one; a click means to go. So in all three."""
        return self._links.go_to_node(event.row) if event.by_mouse else UNCHANGED

    def _frame_chosen(self, event: RowList.Chosen) -> Change:
        if isinstance(event.row, Fold):
            return self._unfold() if event.by_mouse else UNCHANGED
        return self._links.choose_frame(event.row) if event.by_mouse else UNCHANGED

    def _line_chosen(self, event: RowList.Chosen) -> Change:
        return self._links.choose_line(event.row.number) if event.by_mouse else UNCHANGED


def _is_last(event: RowList.Chosen) -> bool:
    """Whether the newest row was chosen: that does not stop following."""
    return event.number == event.pane.row_count - 1
