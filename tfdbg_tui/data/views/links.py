"""From one thing to all that belongs to it: how a choice in one pane moves the others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tfdbg_tui.data.index.stacks import chosen_frame, frames_of
from tfdbg_tui.data.stores.columns import places
from tfdbg_tui.data.views.selection import Node, Selection, Subject

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.line_index import LineOp
    from tfdbg_tui.data.index.stacks import StackFrame


def select_trace(index: HostIndex, host: int, trace: int, before: Selection) -> Selection:
    """A computation of a graph tensor, with its call and its line."""
    site = index.host.traces.site_of(trace)
    chosen = Selection(
        host,
        Subject.TRACE,
        trace=trace,
        execution=index.joins.execution_of(trace),
        node=Node(site.graph_id, site.op_name, site.slot),
    )
    return _with_place(index, chosen, before)


def select_execution(
    index: HostIndex, host: int, execution: int, before: Selection, output: int | None = None
) -> Selection:
    """An execution, with the tensors of its graphs and its line."""
    inside = None
    if index.sites.execution(int(index.host.executions.events["site"][execution])).is_call:
        traces = index.joins.traces_of(execution, limit=1)
        inside = int(traces[0]) if len(traces) else None
    chosen = Selection(
        host,
        Subject.EXECUTION,
        trace=inside,
        execution=execution,
        output=_first_bad_output(index, execution) if output is None else output,
    )
    return _with_place(index, chosen, before)


def select_node(index: HostIndex, node: Node, before: Selection) -> Selection:
    """A tensor of a graph: its computation in the invocation chosen before, if there was one."""
    traces, near = index.host.traces, before.trace
    sites = index.joins.sites_of(*node)
    found = None
    if near is not None and near < len(traces):
        device = traces.site_of(near).device
        nearest_first = sorted(sites, key=lambda site: traces.sites[site].device != device)
        events = (index.joins.event_in_same_call(near, site) for site in nearest_first)
        found = next((event for event in events if event is not None), None)
    elif sites:
        found = index.joins.nearest(sites[0], len(traces) - 1)
    if found is not None:
        return select_trace(index, before.host, found, before)
    chosen = Selection(before.host, Subject.NODE, trace=near, execution=before.execution, node=node)
    return _with_place(index, chosen, before)


def relinked(index: HostIndex, chosen: Selection) -> Selection:
    """The same choice with what has come to disk since; a place that the user chose stays."""
    fresh = replace(chosen, frame=None, file=None, line=None, pinned=False)
    if chosen.subject is Subject.TRACE and chosen.trace is not None:
        fresh = select_trace(index, chosen.host, chosen.trace, Selection())
    elif chosen.subject is Subject.EXECUTION and chosen.execution is not None:
        fresh = select_execution(index, chosen.host, chosen.execution, Selection(), chosen.output)
    elif chosen.subject is Subject.NODE:
        fresh = _with_place(index, fresh, Selection())
    if not chosen.pinned:
        return fresh
    return replace(fresh, frame=chosen.frame, file=chosen.file, line=chosen.line, pinned=True)


def select_frame(selection: Selection, frame: StackFrame) -> Selection:
    """Another frame of the same stack."""
    return replace(selection, frame=frame.id, file=frame.file, line=frame.line, pinned=True)


def select_line(index: HostIndex, selection: Selection, file: int, line: int) -> Selection:
    """A line of a source file, and an op that it created if it did not create the subject."""
    frame = _frame_at(index, selection, file, line)
    if frame is None:
        op = index.lines.best_op(file, line)
        if op is not None:
            selection = select_op(index, op, selection)
            frame = _frame_at(index, selection, file, line)
    return replace(selection, frame=frame.id if frame else None, file=file, line=line, pinned=True)


def _frame_at(index: HostIndex, selection: Selection, file: int, line: int) -> StackFrame | None:
    """The innermost frame of the subject's stack that is at a line."""
    frames = stack_of(index, selection)
    return next((frame for frame in frames if (frame.file, frame.line) == (file, line)), None)


def select_op(index: HostIndex, op: LineOp, before: Selection) -> Selection:
    """An op: its first bad computation, else the one next to what was chosen before."""
    event = op.first_bad_event
    if event is None and op.sites:
        site = op.sites[0]
        if op.graph:
            here = before.trace if before.trace is not None else len(index.host.traces) - 1
            event = index.joins.nearest(site, here)
        else:
            here = before.execution if before.execution is not None else 0
            event = index.joins.nearest_execution(site, here)
    if event is None:
        return select_node(index, Node(op.graph_id, op.name, 0), before) if op.graph else before
    select = select_trace if op.graph else select_execution
    return select(index, before.host, event, before)


def stack_of(index: HostIndex, selection: Selection) -> tuple[StackFrame, ...]:
    """The stack that created the subject, innermost first."""
    stack: tuple[str, ...] = ()
    if selection.subject in (Subject.TRACE, Subject.NODE) and selection.node is not None:
        op = index.host.graphs.op(selection.node.graph_id, selection.node.op_name)
        stack = index.host.graphs.stack_of(op) if op else ()
    elif selection.subject is Subject.EXECUTION and selection.execution is not None:
        stack = index.host.executions.site_of(selection.execution).stack
    return frames_of(index.host, stack)


def _with_place(index: HostIndex, selection: Selection, before: Selection) -> Selection:
    """The selection with its frame; the file the user looks at is kept if the stack has it."""
    frames = stack_of(index, selection)
    keep = before.pinned and before.host == selection.host
    number = chosen_frame(frames, before.file if keep else None)
    if number is None:
        return selection
    frame = frames[number]
    pinned = keep and frame.file == before.file
    return replace(selection, frame=frame.id, file=frame.file, line=frame.line, pinned=pinned)


def _first_bad_output(index: HostIndex, execution: int) -> int:
    alerts = index.host.executions.alerts
    place = int(places(alerts["event"], execution))
    if place < len(alerts) and int(alerts["event"][place]) == execution:
        return int(alerts["position"][place])
    return 0
