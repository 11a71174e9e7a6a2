"""From one thing to all that belongs to it: how a choice in one pane moves the others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tfdbg_tui.data.index.stacks import chosen_frame
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.views.selection import Node, Selection

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.line_index import LineOp
    from tfdbg_tui.data.index.stacks import StackFrame


def select_event(index: HostIndex, wanted: EventRef, before: Selection) -> Selection:
    """An event of either kind, which must be there."""
    if wanted.kind is EventKind.TRACE:
        return select_trace(index, wanted.host, wanted.event, before)
    return select_execution(index, wanted.host, wanted.event, before, wanted.output)


def select_trace(index: HostIndex, host: int, trace: int, before: Selection) -> Selection:
    """A computation of a graph tensor, with its call and its line."""
    site = index.host.traces.site_of(trace)
    chosen = Selection(
        host,
        EventKind.TRACE,
        trace=trace,
        execution=index.joins.execution_of(trace),
        node=Node(site.graph_id, site.op_name, site.slot),
    )
    return _with_line(index, chosen, before)


def select_execution(
    index: HostIndex, host: int, execution: int, before: Selection, output: int | None = None
) -> Selection:
    """An execution, with the tensors of its graphs and its line."""
    inside = None
    if index.sites.execution(index.host.executions.site_number(execution)).is_call:
        traces = index.joins.traces_of(execution, limit=1)
        inside = int(traces[0]) if len(traces) else None
    chosen = Selection(
        host,
        EventKind.EXECUTION,
        trace=inside,
        execution=execution,
        output=_first_bad_output(index, execution) if output is None else output,
    )
    return _with_line(index, chosen, before)


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
    chosen = Selection(before.host, trace=near, execution=before.execution, node=node)
    return _with_line(index, chosen, before)


def relinked(index: HostIndex, chosen: Selection) -> Selection:
    """The same choice with what has come to disk since; a line that the user chose stays."""
    fresh = replace(chosen, frame=None, file=None, line=None, pinned=False)
    if chosen.event is not None:
        fresh = select_event(index, chosen.event, Selection())
    elif chosen.is_node:
        fresh = _with_line(index, fresh, Selection())
    if not chosen.pinned:
        return fresh
    return replace(fresh, frame=chosen.frame, file=chosen.file, line=chosen.line, pinned=True)


def select_frame(selection: Selection, frame: StackFrame) -> Selection:
    """Another frame of the same stack."""
    return replace(selection, frame=frame.id, file=frame.file, line=frame.line, pinned=True)


def select_line(index: HostIndex, selection: Selection, file: int, line: int) -> Selection:
    """A line of a source file, and an op that it created if it did not create the subject."""
    frame = _frame_at(selection, file, line)
    if frame is None:
        op = index.lines.best_op(file, line)
        if op is not None:
            selection = select_op(index, op, selection)
            frame = _frame_at(selection, file, line)
    return replace(selection, frame=frame.id if frame else None, file=file, line=line, pinned=True)


def _frame_at(selection: Selection, file: int, line: int) -> StackFrame | None:
    """The innermost frame of the subject's stack that is at a line."""
    stack = selection.stack
    return next((frame for frame in stack if (frame.file, frame.line) == (file, line)), None)


def select_op(index: HostIndex, op: LineOp, before: Selection) -> Selection:
    """An op: its first bad computation, else the one next to what was chosen before."""
    event = op.first_bad_event
    if event is None and op.sites:
        site = op.sites[0]
        if op.kind is EventKind.TRACE:
            here = before.trace if before.trace is not None else len(index.host.traces) - 1
            event = index.joins.nearest(site, here)
        else:
            here = before.execution if before.execution is not None else 0
            event = index.joins.nearest_execution(site, here)
    if event is not None:
        return select_event(index, EventRef(before.host, op.kind, event), before)
    if op.kind is EventKind.TRACE:
        return select_node(index, Node(op.graph_id, op.name, 0), before)
    return before


def stack_of(index: HostIndex, selection: Selection) -> tuple[StackFrame, ...]:
    """The stack that created the subject, innermost first."""
    stack: tuple[str, ...] = ()
    if selection.kind is EventKind.EXECUTION and selection.execution is not None:
        stack = index.host.executions.site_of(selection.execution).stack
    elif selection.kind is not EventKind.EXECUTION and selection.node is not None:
        op = index.host.graphs.op(selection.node.graph_id, selection.node.op_name)
        stack = index.host.graphs.stack_of(op) if op else ()
    return index.stacks.frames(stack)


def _with_line(index: HostIndex, selection: Selection, before: Selection) -> Selection:
    """The selection with its stack and a frame of it.

    The file the user looks at is kept if the stack has it.
    """
    stack = stack_of(index, selection)
    keep = before.pinned and before.host == selection.host
    number = chosen_frame(stack, before.file if keep else None)
    if number is None:
        return replace(selection, stack=stack)
    frame = stack[number]
    return replace(
        selection,
        stack=stack,
        frame=frame.id,
        file=frame.file,
        line=frame.line,
        pinned=keep and frame.file == before.file,
    )


def _first_bad_output(index: HostIndex, execution: int) -> int:
    return next(iter(index.host.executions.bad_outputs(execution)), 0)
