"""Where a program failed: the selection that shows the op, or the line, that its error names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.index.failing_op import failing_op
from tfdbg_tui.data.stores.tf_names import is_session_run, read_tensor
from tfdbg_tui.data.views import links
from tfdbg_tui.data.views.selection import Node, Selection

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.graph import Op
    from tfdbg_tui.data.stores.program_notes import Failure

MAX_INPUTS = 100
"""Inputs of the failed op that are looked for."""

MAX_ROWS_BACK = 10_000
"""Traces from the end among which one of the failed call is sought."""


def failing_selection(run: RunIndex, failure: Failure) -> Selection | None:
    """The op that failed, in the call that did not come back, or the line of the error.

    None if neither is recorded.
    """
    found = failing_op([index.host for index in run.hosts], failure)
    if found is None:
        lines = (_line(index, host, failure) for host, index in enumerate(run.hosts))
        return next((line for line in lines if line is not None), None)
    index = run.hosts[found.host]
    node = Node(found.op.graph_id, found.op.name, 0)
    chosen = Selection(found.host, trace=_computed_near(index, found.op), node=node)
    return links.relinked(index, chosen)


def _computed_near(index: HostIndex, op: Op) -> int | None:
    """A tensor that the failed call computed, an input of the op if it can be; None if none is.

    What was computed before is no input of this call: a call that did not come back left no
    execution, unless it is a run of a session, and since the op's inputs were computed it was not
    computed itself.
    """
    names = list(dict.fromkeys(op.inputs))[:MAX_INPUTS]
    tensors = [tensor for tensor in map(read_tensor, names) if tensor is not None]
    inputs = [row for tensor in tensors for row in _last_rows(index, op.graph_id, *tensor)]
    computed = _last_rows(index, op.graph_id, op.name, 0)
    newest = max(inputs, default=-1)
    if inputs:
        found = newest if newest > max(computed, default=-1) else None
    else:
        found = _last_of_function(index, op)
    return None if found is None or _came_back(index, found) else found


def _came_back(index: HostIndex, trace: int) -> bool:
    """Whether the call that computed a tensor has ended well, as far as its record tells."""
    call = index.joins.execution_of(trace)
    return call is not None and not is_session_run(index.host.executions.site_of(call).op_type)


def _last_rows(index: HostIndex, graph_id: str, op_name: str, slot: int) -> list[int]:
    """When a tensor of a graph was last computed, on each device."""
    end = len(index.host.traces) - 1
    sites = index.joins.sites_of(graph_id, op_name, slot)
    rows = (index.joins.nearest(site, end) for site in sites)
    return [row for row in rows if row is not None]


def _last_of_function(index: HostIndex, op: Op) -> int | None:
    """The last tensor that the function of an op computed; None for what a session runs."""
    traces, graphs = index.host.traces, index.host.graphs
    function, end = graphs.function_of(op.graph_id), len(traces)
    rows = range(end - 1, max(-1, end - 1 - MAX_ROWS_BACK), -1)
    own = (row for row in rows if graphs.function_of(traces.site_of(row).graph_id) == function)
    return None if function is None else next(own, None)


def _line(index: HostIndex, host: int, failure: Failure) -> Selection | None:
    """The line of an error that no recorded op raised, beside what was computed last."""
    frame, recorded = failure.line, index.host.sources
    if frame is None:
        return None
    numbers = range(len(recorded.files))
    sources = ((number, recorded.get(number)) for number in numbers)
    file = next((n for n, source in sources if source and source.path == frame.file), None)
    executions, traces = len(index.host.executions), len(index.host.traces)
    if file is None or not (executions or traces):
        return None
    last = (
        links.select_execution(index, host, executions - 1, Selection(host))
        if executions
        else links.select_trace(index, host, traces - 1, Selection(host))
    )
    return links.select_line(index, last, file, frame.line)
