"""Whether bad numbers went no further: a softmax, a `where` or a minimum took them and was clean.

That is told only where it is seen: every way from the tensor on ends at a recorded tensor that is
clean. What is written to a variable, or whose consumers are not recorded, may have gone on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.flow.graph_edges import Edges
from tfdbg_tui.data.flow.graph_nodes import GraphTensor, NodeMaker, Relation
from tfdbg_tui.data.stores.event_kind import EventKind

if TYPE_CHECKING:
    from tfdbg_tui.data.flow.graph_nodes import GraphNode, Vertex
    from tfdbg_tui.data.index.host_index import HostIndex

MAX_TAKERS = 64
"""Vertices behind a tensor that are looked at."""


def is_absorbed(index: HostIndex, kind: EventKind, event: int) -> bool:
    """Whether nothing that was computed from a bad tensor is bad."""
    host, joins = index.host, index.joins
    subject: Vertex
    if kind is EventKind.TRACE:
        site, call = host.traces.site_of(event), joins.execution_of(event)
        maker = NodeMaker(host, index.sites, joins, event, call, reads_traces=False)
        subject = GraphTensor(site.graph_id, site.op_name, site.slot, call)
    else:
        maker = NodeMaker(host, index.sites, joins, None, None, reads_traces=False)
        subject = maker.output_of(event)
    edges = Edges(host, joins, maker, subject)
    takers = edges.consumers(subject)
    seen = set(takers)
    for taker in takers:
        if maker.bad_of(taker, Relation.CONSUMER) or len(takers) > MAX_TAKERS:
            return False
        if _is_recorded(maker.node(taker, Relation.CONSUMER, 1)):
            continue
        behind = edges.consumers(taker)
        if not behind:
            return False
        takers += [vertex for vertex in behind if vertex not in seen]
        seen.update(behind)
    return bool(takers)


def _is_recorded(node: GraphNode) -> bool:
    """Whether it is known what a node held."""
    return node.trace is not None or node.health is not None
