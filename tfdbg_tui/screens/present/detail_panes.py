"""Hands the selection down to the panes that show one thing: health, graph, stack, source."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tfdbg_tui.data.flow.graph_nodes import GraphNode, Relation
from tfdbg_tui.data.index.stacks import Fold, FrameKind, StackFrame, folded
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.health_facts import health_facts
from tfdbg_tui.data.views.neighbourhood import (
    ExecutionSubject,
    NodeSubject,
    nearest_inputs,
    neighbourhood,
    recorded_inputs,
)
from tfdbg_tui.screens.pane_names import GRAPH, HEALTH
from tfdbg_tui.screens.present.band_text import under_line
from tfdbg_tui.screens.present.histories import Histories, Tensor
from tfdbg_tui.screens.session.change import MOVED, Change, say
from tfdbg_tui.widgets.fixed_rows import FixedRows
from tfdbg_tui.widgets.pieces import base_name
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.line_index import LineFacts
    from tfdbg_tui.data.views.found_causes import FoundCauses
    from tfdbg_tui.data.views.health_facts import HealthFacts
    from tfdbg_tui.data.views.selection import Selection
    from tfdbg_tui.data.views.tensor_history import TensorHistory
    from tfdbg_tui.screens.present.pane_area import PaneArea
    from tfdbg_tui.screens.present.source_texts import SourceTexts

DEEPEST = 6
"""Steps of inputs and consumers that are shown at the most."""

NOTED_INPUTS = 2
"""Inputs that are told below the chosen line of source."""

NOT_ON_DISK = "The source is not on disk: not written yet, or not recorded."

NOT_READ = "The source is not read yet."

NO_LINE = "TensorFlow notes no line of a session's run; `record` of tfdbg_tui does."

EMPTY = "Nothing chosen yet: press ! for the first NaN, or choose a row."


class DetailPanes:
    """What the four detail panes show of the selection."""

    def __init__(self, panes: PaneArea, causes: FoundCauses, texts: SourceTexts) -> None:
        self._panes = panes
        self._causes = causes
        self._tensor: Tensor | None = None
        self._facts: tuple[HealthFacts | None, int | None] = (None, None)
        """What the tensor holds, and in which event."""
        self._unfolded = False
        self._depth = 2
        self.history: TensorHistory | None = None
        """Of the chosen tensor; a job for the feed while it is looked at."""
        self._histories = Histories()
        self._texts = texts
        self._graph: tuple[GraphNode, ...] = ()
        self._chosen: tuple[HostIndex, Selection] | None = None
        self._is_graph_whole = True
        """Whether it has more than the inputs, which are all that other panes tell."""
        self._stack: tuple[tuple[StackFrame | Fold, ...], dict[str, str]] = ((), {})
        self._made_by_lines: tuple[HostIndex, int, dict[int, LineFacts]] | None = None
        """What the lines of a file made: it is asked for with every key."""
        self._missing = NOT_ON_DISK
        """What to say of a source that is not there."""
        self.name = ""
        """Of what is selected, for the clipboard."""

    def show(self, index: HostIndex | None, selection: Selection) -> None:
        """Show a selection everywhere; what has not changed is not drawn again."""
        if index is None:
            self.history = self._tensor = self._chosen = None
            self._facts = (None, None)
            self._panes.health.show(None, empty=EMPTY)
            self._show_graph(())
            self._show_stack((), None, {})
            self._panes.source.show_source(None, {}, None, EMPTY)
            return
        self._show_health(index, selection)
        self._chosen = (index, selection)
        self._is_graph_whole = self._panes.is_shown(GRAPH)
        self._walk_graph()
        rows = folded(selection.stack, self._unfolded)
        self._show_stack(rows, selection.frame, self._code_of(index, rows))
        self._show_source(index, selection)

    # What the band tells.

    @property
    def facts(self) -> HealthFacts | None:
        """What is known of the chosen tensor."""
        return self._facts[0]

    @property
    def nodes(self) -> tuple[GraphNode, ...]:
        """What is around it."""
        return self._graph

    def code_of(self, index: HostIndex, frame: StackFrame | None) -> str | None:
        """The line of a frame, without its indentation; None if it is not there."""
        if frame is None or frame.file is None or frame.line is None:
            return None
        if frame.kind is FrameKind.OPEN:
            return None
        return self._texts.code(index.host.sources, frame.file, frame.line)

    def why_no_code(self, index: HostIndex, selection: Selection) -> str:
        """What to say in place of the source."""
        if _is_open(selection):
            return self._missing
        if selection.file is not None and index.host.sources.get(selection.file) is not None:
            return f"{self.file_name(index, selection.file)} was not recorded."
        is_found = selection.kind is EventKind.EXECUTION and index.session_runs is not None
        return NO_LINE if is_found else self._missing

    def tell_loading(self, is_loading: bool) -> None:
        """What is missing may be on disk all the same while that is read."""
        self._panes.stack.tell_loading(is_loading)
        before, self._missing = self._missing, NOT_READ if is_loading else NOT_ON_DISK
        if before != self._missing and self._panes.source.empty_text == before:
            self._panes.source.say_when_empty(self._missing)

    # Health.

    def reload_health(self, index: HostIndex | None, selection: Selection) -> None:
        """Say again what the chosen tensor is: its step and its history become known later."""
        if index is not None and not selection.is_empty:
            self._show_health(index, selection)

    def _show_health(self, index: HostIndex, selection: Selection) -> None:
        facts, event = health_facts(index, selection), selection.event
        if facts is not None and facts.bad and event is not None:
            is_muted = self._causes.muting.is_muted(event)
            facts = replace(facts, follows=self._causes.follows(event), is_muted=is_muted)
        self.name = facts.name if facts else ""
        self._tensor = _tensor_of(index, selection)
        self._facts = (facts, None if event is None else event.event)
        self.begin_history()

    def jobs(self) -> tuple[TensorHistory, ...]:
        """What the feed has to keep up to date for these panes."""
        return () if self.history is None else (self.history,)

    def unfold(self) -> Change:
        """Show library frames of the stack, or fold them."""
        self._unfolded = not self._unfolded
        frames = [
            row for row in self._stack[0] if isinstance(row, Fold) or row.kind is not FrameKind.USER
        ]
        shown = "shown" if self._unfolded else "folded"
        return MOVED | say(
            f"Stack: library frames are {shown}{'' if frames else '; this has none'}."
        )

    def scale_graph(self, steps: int) -> Change:
        """Walk deeper in the graph, or less deep."""
        before, self._depth = self._depth, max(1, min(DEEPEST, self._depth + steps))
        limit = " at the most" if self._depth == before > 1 else " at the least"
        shown = f"Graph: {counted(self._depth, 'step')} up and down"
        return MOVED | say(f"{shown}{limit if self._depth == before else ''}.")

    def begin_history(self) -> None:
        """Show the history of the chosen tensor too, where the pane is on the screen."""
        self.history = None
        if self._tensor is not None and self._panes.is_shown(HEALTH):
            self.history = self._histories.of(self._tensor)
        cells = None if self.history is None else self.history.cells
        self._panes.health.show(*self._facts, cells, EMPTY)

    # Graph and stack.

    def complete_graph(self) -> None:
        """Show all of the graph, which has come to the screen."""
        if not self._is_graph_whole:
            self._is_graph_whole = True
            self._walk_graph()

    def _walk_graph(self) -> None:
        if self._chosen is not None:
            index, selection = self._chosen
            nodes = _neighbours(index, selection, self._depth, not self._is_graph_whole)
            calls = self._causes.of_calls(selection.host)
            marked = nodes if calls is None else calls.marked(nodes)
            self._show_graph(self._causes.muting.marked(selection.host, marked))

    def _show_graph(self, nodes: tuple[GraphNode, ...]) -> None:
        if nodes == self._graph and self._panes.graph.source is not None:
            return
        self._graph = nodes
        own = (row for row, node in enumerate(nodes) if node.relation is Relation.SELF)
        self._panes.graph.show(FixedRows(nodes), next(own, None))
        self._panes.traces.mark_inputs(recorded_inputs(nodes))

    def _show_stack(
        self, rows: tuple[StackFrame | Fold, ...], chosen: str | None, code: dict[str, str]
    ) -> None:
        frames = [row.id if isinstance(row, StackFrame) else None for row in rows]
        cursor = frames.index(chosen) if chosen is not None and chosen in frames else None
        if (rows, code) != self._stack:
            self._stack = (rows, code)
            self._panes.stack.show_frames(rows, code, cursor)
        else:
            self._panes.stack.put_cursor(cursor)

    def _code_of(self, index: HostIndex, rows: tuple[StackFrame | Fold, ...]) -> dict[str, str]:
        """The lines of the user's frames by their ids."""
        found = {}
        for row in rows:
            if isinstance(row, StackFrame) and row.kind is FrameKind.USER and row.file is not None:
                code = self._texts.code(index.host.sources, row.file, row.line or 0)
                if code is not None:
                    found[row.id] = code
        return found

    # Source.

    def _show_source(self, index: HostIndex, selection: Selection) -> None:
        empty = self.why_no_code(index, selection)
        if selection.file is None or index.host.sources.get(selection.file) is None:
            self._panes.source.show_source(None, {}, None, empty)
            return
        text = self._texts.text(index.host.sources, selection.file)
        self._mark_causes(index, selection.file)
        facts = self._facts_of_lines(index, selection.file)
        inputs = nearest_inputs(self._graph)[:NOTED_INPUTS]
        own = not selection.pinned  # a line that the user chose need not be that of the tensor
        follows = any(node.follows for node in self._graph if node.relation is Relation.SELF)
        note = under_line(self.facts, follows, inputs, self._panes.source.glyphs) if own else []
        self._panes.source.show_source(text, facts, selection.line, empty, note)

    def update_source(self, index: HostIndex, file: int) -> None:
        """Say anew what the lines of a file made: the recording has grown."""
        self._made_by_lines = None
        self._mark_causes(index, file)
        self._panes.source.update_facts(self._facts_of_lines(index, file))

    def _facts_of_lines(self, index: HostIndex, file: int) -> dict[int, LineFacts]:
        """What the lines of a file made, as it was when a snapshot came last."""
        known = self._made_by_lines
        if known is None or known[:2] != (index, file):
            known = self._made_by_lines = (index, file, index.lines.lines(file))
        return known[2]

    def _mark_causes(self, index: HostIndex, file: int) -> None:
        """Tell the lines of a file that something went wrong in from those that only follow."""
        source, tree = index.host.sources.get(file), self._causes.tree
        if source is not None and tree is not None:
            self._panes.source.mark_causes(tree.lines_of_causes(source.path))

    def file_name(self, index: HostIndex, file: int | None) -> str:
        """The base name of a source file."""
        source = None if file is None else index.host.sources.get(file)
        return base_name(source.path) if source else "the source"


def _neighbours(
    index: HostIndex, selection: Selection, depth: int, inputs_only: bool
) -> tuple[GraphNode, ...]:
    subject: NodeSubject | ExecutionSubject
    if selection.kind is EventKind.EXECUTION and selection.execution is not None:
        subject = ExecutionSubject(selection.execution, selection.output)
    elif selection.node is not None:
        subject = NodeSubject(*selection.node, selection.trace, selection.execution)
    else:
        return ()
    return neighbourhood(index.host, index.sites, index.joins, subject, depth, inputs_only)


def _is_open(selection: Selection) -> bool:
    """Whether it is not known whose code the chosen frame is in: it may be the library's."""
    frames = (frame for frame in selection.stack if frame.id == selection.frame)
    return any(frame.kind is FrameKind.OPEN for frame in frames)


def _tensor_of(index: HostIndex, selection: Selection) -> Tensor | None:
    """The chosen tensor, whenever it is computed."""
    chosen = selection.event
    if chosen is None:
        return None
    store = index.host.store_of(chosen.kind)
    return Tensor(store, store.site_number(chosen.event), selection.output)
