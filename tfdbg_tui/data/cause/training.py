"""Whether numbers may have grown in training: then an overflow is an explosion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.tf_names import is_setup, takes_stored, writes_variable

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.origin_op import OriginOp
    from tfdbg_tui.data.flow.graph_nodes import Vertex
    from tfdbg_tui.data.index.host_index import HostIndex

MAX_WALKED = 500
"""Vertices before an op among which a variable is sought."""


def has_trained(op: OriginOp) -> bool:
    """Whether an op was clean in an earlier step, and is computed from variables that change."""
    tensor, joins = op.tensor, op.index.joins
    site = op.host.store_of(tensor.kind).site_number(tensor.event)
    nearest = joins.nearest if tensor.kind is EventKind.TRACE else joins.nearest_execution
    before = nearest(site, tensor.event - 1)
    return before is not None and before < tensor.event and _depends_on_variable(op)


def _depends_on_variable(op: OriginOp) -> bool:
    """Whether an op is computed from a variable that is updated in this run."""
    pending: list[Vertex] = [op.taken.subject]
    seen = set(pending)
    for vertex in pending:
        if takes_stored(op.named(vertex)[0]):
            return _updates_variables(op.index)
        new = [given for given in op.taken.edges.inputs(vertex) if given not in seen]
        if len(pending) > MAX_WALKED:
            return False
        pending += new
        seen.update(new)
    return False


def _updates_variables(index: HostIndex) -> bool:
    if any(_updates(site.op_type) for site in tuple(index.host.executions.sites)):
        return True
    graphs = tuple(index.host.graphs.by_id.values())
    return any(_updates(op.type) for graph in graphs for op in tuple(graph.ops.values()))


def _updates(op_type: str) -> bool:
    """Whether an op changes a variable by what was computed, rather than setting it up."""
    return writes_variable(op_type) and not is_setup(op_type)
