"""Choosing in one pane moves the others: what each pane reports, turned into a selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on

from tfdbg_tui.data.index.alert_rows import AlertSiteRow
from tfdbg_tui.data.index.stacks import Fold
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.views.selection import Node
from tfdbg_tui.screens.dialogs.choices import Choices
from tfdbg_tui.screens.live import LiveScreen
from tfdbg_tui.screens.present.arrangement import LIST_OF
from tfdbg_tui.widgets.bars import TabBar
from tfdbg_tui.widgets.executions_pane import ExecutionsPane
from tfdbg_tui.widgets.health_pane import HealthPane
from tfdbg_tui.widgets.row_list import RowList
from tfdbg_tui.widgets.source_pane import SourcePane
from tfdbg_tui.widgets.traces_pane import TracesPane

if TYPE_CHECKING:
    from textual import events

    from tfdbg_tui.data.index.line_index import LineOp
    from tfdbg_tui.data.views.graph_nodes import GraphNode


class LinkedScreen(LiveScreen):
    """Panes over one selection, by keys that move cursors and by the mouse."""

    def __init__(
        self, first_bad: bool = False, run_id: str | None = None, with_script: bool = False
    ) -> None:
        super().__init__(first_bad, run_id, with_script)
        self.choices = Choices(self)

    def select_event(self, kind: EventKind, event: int, coalesce: bool = False) -> None:
        """Select an event of the host that is looked at, and show it."""
        self.event_list = kind
        self.navigator.select_at(EventRef(self.navigator.selection.host, kind, event), coalesce)
        self.show_selection()

    def show_line(self, file: int, line: int) -> None:
        """Show a source file at a line."""
        self.navigator.select_line(file, line)
        self.show_selection()
        self.panes.reveal("source")

    def show_op(self, op: LineOp) -> None:
        """Show a computation of an op that a line created."""
        self.navigator.select_op(op)
        self._show_chosen()

    def tell_if_hidden(self) -> None:
        """Say that what was gone to is in no list, where that is so."""
        if self.navigator.is_filtered_out:
            self.tell("The filter hides this row; escape shows all.")

    def _show_chosen(self) -> None:
        """Show what a detail pane led to, in the list that it is in."""
        self.take_list_of_selection()
        self.show_selection()
        if self.panes.shown_list in LIST_OF.values():
            self.panes.reveal(LIST_OF[self.event_list], focus=False)
        self.tell_if_hidden()

    # Events and alerts.

    @on(RowList.Chosen, "#traces")
    def _trace_chosen(self, event: RowList.Chosen) -> None:
        self._stop_following(event)
        self.select_event(EventKind.TRACE, event.row.index, coalesce=not event.by_mouse)

    @on(RowList.Chosen, "#executions")
    def _execution_chosen(self, event: RowList.Chosen) -> None:
        self._stop_following(event)
        self.select_event(EventKind.EXECUTION, event.row.index, coalesce=not event.by_mouse)

    @on(RowList.Chosen, "#alerts")
    def _alert_chosen(self, event: RowList.Chosen) -> None:
        row = event.row
        self._stop_following(event)
        if isinstance(row, AlertSiteRow):
            self.event_list = row.kind
            self.navigator.jump_to(row.first, coalesce=not event.by_mouse)
            self.show_selection()

    @on(RowList.Opened, "#alerts")
    @on(RowList.Opened, "#traces")
    def _event_opened(self) -> None:
        self.panes.reveal("source")

    @on(RowList.Opened, "#executions")
    def _execution_opened(self, event: RowList.Opened) -> None:
        """A call leads to the first bad tensor inside it, or to its first; an op to its line."""
        inside = self.navigator.inside(event.row.index)
        if inside is None:
            self.panes.reveal("source")
        else:
            self.select_event(EventKind.TRACE, inside)
            self.panes.reveal(LIST_OF[EventKind.TRACE])

    def _stop_following(self, event: RowList.Chosen) -> None:
        """Whoever leaves the end wants to stay where they go."""
        if self.following and event.number != event.pane.row_count - 1:
            self.following = False
            self.show_status()

    @on(ExecutionsPane.StripClicked)
    def _strip_clicked(self, event: ExecutionsPane.StripClicked) -> None:
        index = self.navigator.index
        if index is not None and len(index.host.executions):
            execution = min(event.execution, len(index.host.executions) - 1)
            self.select_event(EventKind.EXECUTION, execution)

    @on(HealthPane.InvocationClicked)
    def _invocation_clicked(self, event: HealthPane.InvocationClicked) -> None:
        kind = self.navigator.selection.kind
        if kind is not None:
            self.select_event(kind, event.event)

    # Graph, stack and source.

    @on(RowList.Chosen, "#graph")
    def _node_chosen(self, event: RowList.Chosen) -> None:
        """The keys look around before they go somewhere; a click means to go."""
        if event.by_mouse:
            self._walk_to(event.row)

    @on(RowList.Opened, "#graph")
    def _node_opened(self, event: RowList.Opened) -> None:
        self._walk_to(event.row)

    def _walk_to(self, node: GraphNode) -> None:
        navigator = self.navigator
        if node.trace is not None:
            navigator.select_trace(node.trace)
        elif node.op_name is not None and node.graph_id is not None:
            navigator.select_node(Node(node.graph_id, node.op_name, node.slot or 0))
        elif node.execution is not None:
            navigator.select_execution(node.execution, node.position)
        else:
            self.tell(f"{node.name} is {node.note or 'no tensor'}.")
            return
        self._show_chosen()

    @on(RowList.Chosen, "#stack")
    def _frame_chosen(self, event: RowList.Chosen) -> None:
        if isinstance(event.row, Fold):
            if event.by_mouse:
                self.unfold()
        elif event.row.file is not None:
            self.navigator.select_frame(event.row)
            self.show_selection()

    @on(RowList.Opened, "#stack")
    def _frame_opened(self, event: RowList.Opened) -> None:
        if isinstance(event.row, Fold):
            self.unfold()
        else:
            self.panes.reveal("source")

    def unfold(self) -> None:
        """Show library frames, or fold them."""
        self.details.unfolded = not self.details.unfolded
        self.show_selection()

    @on(RowList.Chosen, "#source")
    def _line_chosen(self, event: RowList.Chosen) -> None:
        file = self.navigator.selection.file
        if file is None:
            return
        self.navigator.select_line(file, event.row.number, coalesce=not event.by_mouse)
        self._show_chosen()

    @on(SourcePane.CountClicked)
    def _count_clicked(self, event: SourcePane.CountClicked) -> None:
        self.choices.ops_of_line(event.line)

    @on(RowList.Opened, "#source")
    def _line_opened(self, event: RowList.Opened) -> None:
        self.choices.ops_of_line(event.row.number)

    # Panes.

    @on(TabBar.Clicked)
    def _tab_clicked(self, event: TabBar.Clicked) -> None:
        self.panes.reveal(event.pane)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The titles show which pane has the keys; the last list of events is remembered."""
        if self.prompt.display and event.widget is not self.prompt:
            self.prompt.display, self.keys.display = False, True
        if isinstance(event.widget, (TracesPane, ExecutionsPane)):
            self.event_list = event.widget.kind
        self.panes.label()
