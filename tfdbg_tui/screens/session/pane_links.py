"""Choosing in one pane moves the others: what a row that was chosen or opened means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.views.alert_list import WarningRow
from tfdbg_tui.data.views.selection import Node
from tfdbg_tui.data.views.warning_walk import go_to_warning
from tfdbg_tui.screens.pane_names import LIST_OF, SOURCE
from tfdbg_tui.screens.session.change import MOVED, UNCHANGED, Change, Reveal, say
from tfdbg_tui.screens.session.naming import short

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.flow.graph_nodes import GraphNode
    from tfdbg_tui.data.index.line_index import LineOp
    from tfdbg_tui.data.index.stacks import StackFrame
    from tfdbg_tui.data.views.alert_tree import AlertTreeRow
    from tfdbg_tui.data.views.navigator import Navigator
    from tfdbg_tui.data.views.watch_list import WatchRow
    from tfdbg_tui.screens.session.following import Following

TO_SOURCE = Change(reveal=(Reveal(SOURCE),))


class PaneLinks:
    """Turns what panes report into a selection.

    `in_its_list` takes note of the list that holds what was gone to; `hidden` says where it is
    in none.
    """

    def __init__(
        self,
        navigator: Navigator,
        following: Following,
        in_its_list: Callable[[Change], Change],
        hidden: Callable[[], Change],
    ) -> None:
        self._navigator = navigator
        self._following = following
        self._in_its_list = in_its_list
        self._hidden = hidden

    # Events and alerts.

    def choose_event(
        self, kind: EventKind, event: int, by_keys: bool = False, is_last: bool = True
    ) -> Change:
        """An event of the host that is looked at; any but the last stops following."""
        if not is_last:
            self._following.stop()
        host = self._navigator.selection.host
        self._navigator.select_at(EventRef(host, kind, event), coalesce=by_keys)
        return self._in_its_list(MOVED)

    def go_to_tensor(self, tensor: EventRef) -> Change:
        """A tensor that was chosen on a page over the panes."""
        self._following.stop()
        self._navigator.jump_to(tensor)
        change = self._in_its_list(MOVED)
        list_of = LIST_OF[self._navigator.selection.list_kind]
        return change | Change(reveal=(Reveal(list_of),)) | self._hidden()

    def choose_alert(self, row: AlertTreeRow | WarningRow, by_keys: bool, is_last: bool) -> Change:
        """The first bad tensor of a site, or the first event of a warning."""
        if not is_last:
            self._following.stop()
        if isinstance(row, WarningRow):
            go_to_warning(self._navigator, row.warning, coalesce=by_keys)
            return self._in_its_list(MOVED)
        self._navigator.jump_to(row.site.first, coalesce=by_keys)
        return self._in_its_list(MOVED)

    def choose_watched(self, row: WatchRow, by_keys: bool) -> Change:
        """The latest computation of a watched tensor; what is not there is chosen by no pane."""
        if row.event is None:
            return say(f"{short(row.name.shown)} is {row.note or 'being looked for'}.")
        self._following.stop()
        self._navigator.jump_to(row.event, coalesce=by_keys)
        return self._in_its_list(MOVED) | self._hidden()

    def open_execution(self, event: int) -> Change:
        """A call leads to the first bad tensor inside it, or to its first; an op to its line."""
        inside = self._navigator.inside(event)
        if inside is None:
            return TO_SOURCE
        change = self.choose_event(EventKind.TRACE, inside)
        return change | Change(reveal=(Reveal(LIST_OF[EventKind.TRACE]),))

    def choose_time(self, execution: int) -> Change:
        """The first execution of a cell of the timeline, as far as there are executions."""
        index = self._navigator.index
        if index is None or not len(index.host.executions):
            return UNCHANGED
        last = len(index.host.executions) - 1
        return self.choose_event(EventKind.EXECUTION, min(execution, last))

    def choose_invocation(self, event: int) -> Change:
        """Another computation of the chosen tensor."""
        kind = self._navigator.selection.kind
        return UNCHANGED if kind is None else self.choose_event(kind, event)

    # Graph, stack and source.

    def go_to_node(self, node: GraphNode) -> Change:
        """An input, a consumer, a call: whatever of it was recorded."""
        navigator = self._navigator
        if node.trace is not None:
            navigator.select_trace(node.trace)
        elif node.op_name is not None and node.graph_id is not None:
            navigator.select_node(Node(node.graph_id, node.op_name, node.slot or 0))
        elif node.execution is not None:
            navigator.select_execution(node.execution, node.position)
        else:
            return say(f"{node.shown} is {node.note or 'no tensor'}.")
        return self._led_to()

    def go_to_op(self, node: Node) -> Change:
        """An op of a graph, whether it was recorded or not."""
        self._navigator.select_node(node)
        return self._led_to()

    def choose_frame(self, frame: StackFrame) -> Change:
        """Another frame of the stack, with its line."""
        if frame.file is None:
            return UNCHANGED
        self._navigator.select_frame(frame)
        return MOVED

    def open_frame(self, frame: StackFrame) -> Change:
        """Another frame of the stack, to be read on from its line."""
        return self.choose_frame(frame) | TO_SOURCE

    def choose_line(self, line: int) -> Change:
        """A line of the file that is shown, with an op that it created, a bad one if there is."""
        file = self._navigator.selection.file
        if file is None:
            return UNCHANGED
        self._navigator.select_line(file, line)
        return self._led_to()

    def choose_file(self, file: int, line: int) -> Change:
        """A source file at a line."""
        self._navigator.select_line(file, line)
        return MOVED | TO_SOURCE

    def choose_op(self, op: LineOp) -> Change:
        """A computation of an op that a line created."""
        self._navigator.select_op(op)
        return self._led_to()

    def _led_to(self) -> Change:
        """Show what a detail pane led to, in the list that it is in."""
        return self._in_its_list(MOVED) | Change(in_front=True) | self._hidden()
