"""Where the user is in a recording: run, selection, search and filter, and how keys move them.

Knows nothing of panes: it answers what to show, the screen shows it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tfdbg_tui.data.index.run_index import RunIndex
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.views import links
from tfdbg_tui.data.views.event_rows import (
    AllEvents,
    ExecutionRows,
    GroupedEvents,
    SomeEvents,
    TraceRows,
)
from tfdbg_tui.data.views.found_causes import FoundCauses
from tfdbg_tui.data.views.searching import Searching
from tfdbg_tui.data.views.selection import Node, Selection
from tfdbg_tui.data.views.selection_history import SelectionHistory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.early.thresholds import Thresholds
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.line_index import LineOp
    from tfdbg_tui.data.index.stacks import StackFrame
    from tfdbg_tui.data.live.jobs import Job
    from tfdbg_tui.data.search.search import Search
    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.data.views.event_rows import Positions

ALERTS_LOOKED_AT = 2_000
"""Alerts of all hosts among which the first of one is sought."""


class Navigator:
    """The state behind the screen; all of it belongs to the screen's thread."""

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        self.run: RunIndex | None = None
        self.causes = FoundCauses(thresholds)
        self.selection = Selection()
        self.collapsed = False
        self._past = SelectionHistory()
        self.searching = Searching()

    def open_run(self, run: Run) -> bool:
        """Look at a run; True if that is another one or it has to be indexed anew."""
        if self.run is not None and self.run.is_current(run):
            return False
        before, self.run = self.run, RunIndex(run)
        self.causes.open(self.run)
        if before is not None and before.run is run:
            self._carry_over(before, self.run)
        else:
            self.selection, self._past = Selection(), SelectionHistory()
        self.searching.move_to(self.index)
        return True

    def _carry_over(self, before: RunIndex, now: RunIndex) -> None:
        """Keep what is still there of what was selected; hosts may have other numbers."""
        numbers = [now.number_of(index) for index in before.hosts]
        kept = partial(_renumbered, numbers, now)
        self.selection = kept(self.selection) or Selection()
        self._past = self._past.kept(kept)

    @property
    def index(self) -> HostIndex | None:
        """The host that is looked at."""
        if self.run is None or self.selection.host >= len(self.run.hosts):
            return None
        return self.run.hosts[self.selection.host]

    def look_at_host(self, host: int) -> None:
        """Look at another host of the run, with nothing selected."""
        if self.run is not None and self.selection.host != host < len(self.run.hosts):
            self.selection = Selection(host=host)
            self.searching.move_to(self.index)

    # Lists.

    def trace_rows(self) -> TraceRows | None:
        """The rows of graph tensors, filtered or all."""
        index = self.index
        if index is None:
            return None
        events = SomeEvents(self.filter.traces) if self.filter else AllEvents(index.host.traces)
        host = self.selection.host
        is_muted = partial(self.causes.muting.is_row_muted, host)
        return TraceRows(index, events, self.causes.of_host(host), is_muted)

    def execution_rows(self) -> ExecutionRows | None:
        """The rows of executions, filtered, collapsed or all."""
        index = self.index
        if index is None:
            return None
        positions: Positions = AllEvents(index.host.executions)
        if self.filter is not None:
            positions = SomeEvents(self.filter.executions)
        elif self.collapsed:
            positions = GroupedEvents(index.groups)
        host = self.selection.host
        is_muted = partial(self.causes.muting.is_row_muted, host)
        return ExecutionRows(index, positions, self.causes.of_calls(host), is_muted)

    def jobs(self) -> list[Job]:
        """What has to be kept up to date while events come."""
        causes = self.causes.job, self.causes.muting.job
        parts: tuple[Job | None, ...] = (self.run, self.search, self.filter, *causes)
        return [part for part in parts if part is not None]

    # Selecting.

    def select(self, selection: Selection, coalesce: bool = False) -> None:
        """Choose what is put together already."""
        self.selection = selection
        if self.causes.alerts is not None:
            self.causes.alerts.choose(None)
        self.searching.move_to(self.index)
        self._past.add(selection, coalesce)

    def select_trace(self, event: int) -> None:
        """Choose a computation of a graph tensor."""
        self.select_at(EventRef(self.selection.host, EventKind.TRACE, event))

    def select_execution(self, event: int, output: int | None = None) -> None:
        """Choose an execution."""
        self.select_at(EventRef(self.selection.host, EventKind.EXECUTION, event, output))

    def select_node(self, node: Node) -> None:
        """Choose a tensor of a graph, in the invocation looked at."""
        if self.index is not None:
            self.select(links.select_node(self.index, node, self.selection))

    def select_frame(self, frame: StackFrame) -> None:
        """Choose a frame of the stack."""
        self.select(links.select_frame(self.selection, frame))

    def select_line(self, file: int, line: int) -> None:
        """Choose a line of a source file."""
        if self.index is not None:
            self.select(links.select_line(self.index, self.selection, file, line))

    def select_op(self, op: LineOp) -> None:
        """Choose an op that a line created; the line stays."""
        if self.index is not None:
            self.select(links.select_op(self.index, op, self.selection))

    def select_at(self, wanted: EventRef, coalesce: bool = False) -> None:
        """Choose an event of any host, by a jump or on a walk; one that is not there is left."""
        if self.run is None or not 0 <= wanted.host < len(self.run.hosts):
            return
        index = self.run.hosts[wanted.host]
        if 0 <= wanted.event < len(index.host.store_of(wanted.kind)):
            self.select(links.select_event(index, wanted, self.selection), coalesce)

    def inside(self, execution: int) -> int | None:
        """The first bad tensor inside a call, else its first; None for what is no call."""
        return None if self.index is None else self.index.first_inside(execution)

    def jump_to(self, wanted: EventRef, coalesce: bool = False) -> None:
        """Choose an event with its own line, whatever file was looked at before."""
        self.selection = replace(self.selection, pinned=False)
        self.select_at(wanted, coalesce)

    def back(self) -> bool:
        """Go back to what was selected before."""
        return self._return_to(self._past.back())

    def forward(self) -> bool:
        """Go forward again."""
        return self._return_to(self._past.forward())

    def _return_to(self, selection: Selection | None) -> bool:
        if selection is None:
            return False
        self.selection = selection
        self.searching.move_to(self.index)
        return True

    def next_output(self) -> bool:
        """Choose the next output of an execution that has several; False if there is none."""
        chosen, index = self.selection, self.index
        if index is None or chosen.execution is None or chosen.kind is not EventKind.EXECUTION:
            return False
        outputs = index.host.executions.site_of(chosen.execution).tensors
        if outputs > 1:
            self.select(replace(chosen, output=(chosen.output + 1) % outputs))
        return outputs > 1

    def relink(self) -> bool:
        """Look again for what was not on disk when this was selected; True if that has come."""
        chosen, index = self.selection, self.index
        if index is None:
            return False
        self.selection = links.relinked(index, chosen)
        self._past.amend(chosen, self.selection)
        return self.selection != chosen

    # Alerts, in time.

    def first_alert(self) -> bool:
        """Choose the first NaN or ∞ in time, with its own line; False if there is none."""
        self.selection = replace(self.selection, pinned=False)
        return self.run is not None and self._select_alert(self.run.log.first_rank)

    def step_alert(self, steps: int) -> bool:
        """Choose a later or earlier alert; False if there is none."""
        rank, exact = self._rank()
        if steps > 0 and not exact:
            steps -= 1
        return self._select_alert(self.causes.muting.past(rank + steps, steps))

    def _rank(self) -> tuple[int, bool]:
        """Where the selection stands among the alerts, and whether it is one."""
        chosen, index = self.selection.nearest_event, self.index
        if self.run is None or index is None or chosen is None:
            return 0, False
        wall_time = index.host.store_of(chosen.kind).wall_time(chosen.event)
        return self.run.log.rank_of(wall_time, chosen)

    def _select_alert(self, rank: int) -> bool:
        if self.run is None or not 0 <= rank < len(self.run.log):
            return False
        self.select_at(self.run.log[rank].ref)
        return True

    # Search and filter.

    @property
    def search(self) -> Search | None:
        """What is searched for, if anything."""
        return self.searching.search

    @property
    def filter(self) -> Search | None:
        """What the lists show only, if not all."""
        return self.searching.filter

    def search_for(self, text: str) -> None:
        """Search for a query, or no more; raises QueryError."""
        self.searching.search_for(self.index, text)

    def show_only(self, text: str) -> None:
        """Filter by a query, or no more; raises QueryError."""
        self.searching.show_only(self.index, text)

    def step_match(self, kind: EventKind, steps: int) -> bool:
        """Choose the next or previous match in a list; without a search, the next bad tensor."""
        host, muting = self.selection.host, self.causes.muting
        skips = partial(muting.leaves_out, host) if muting.muted.stores else None
        here = self._last_passed(kind)
        event = self.searching.neighbour(self.index, kind, here, steps, skips)
        if event is None:
            return False
        self.select_at(EventRef(self.selection.host, kind, event))
        return True

    def first_match(self, kind: EventKind) -> bool:
        """Choose the first match of a list."""
        found = self.searching.matches(self.index, kind)
        if len(found):
            self.jump_to(EventRef(self.selection.host, kind, int(found[0])))
        return bool(len(found))

    def match_rank(self, kind: EventKind) -> tuple[int, int]:
        """Which match of a list is chosen or was passed last, from 1; and how many there are."""
        rank, count = self.searching.rank(self.index, kind, self._last_passed(kind))
        if self.search is None:
            count -= self.causes.muting.count_in(self.selection.host, kind)
        return rank, count

    def _last_passed(self, kind: EventKind) -> int | None:
        """The event of a list that is chosen, or the last one before the selection in time."""
        chosen, index = self.selection, self.index
        number = chosen.number_of(kind)
        if number is None and chosen.execution is not None and index is not None:
            return index.joins.window_of(chosen.execution)[1] - 1
        return number

    @property
    def is_filtered_out(self) -> bool:
        """Whether the filter leaves out what is chosen."""
        chosen = self.selection.nearest_event
        return chosen is not None and self.searching.leaves_out(chosen)


def _renumbered(
    numbers: Sequence[int | None], now: RunIndex, selection: Selection
) -> Selection | None:
    """A selection with the number that its host has now; None if it is not there any more."""
    number = numbers[selection.host] if selection.host < len(numbers) else None
    if number is None or not _is_there(selection, now.hosts[number]):
        return None
    return replace(selection, host=number)


def _is_there(selection: Selection, index: HostIndex) -> bool:
    """Whether the events of a selection are in the stores of a host."""
    trace, execution = selection.trace, selection.execution
    has_trace = trace is None or trace < len(index.host.traces)
    return has_trace and (execution is None or execution < len(index.host.executions))
