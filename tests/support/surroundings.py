"""A recording with what a walk around its tensors needs, and short ways to name them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.support.reading import hosts_of, load
from tfdbg_tui.data.index.joins import Joins
from tfdbg_tui.data.index.site_facts import SiteIndex
from tfdbg_tui.data.views.neighbourhood import ExecutionSubject, NodeSubject, neighbourhood

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tfdbg_tui.data.flow.graph_nodes import GraphNode, Relation
    from tfdbg_tui.data.stores.host import Host

    AnySubject = NodeSubject | ExecutionSubject


@dataclass
class Recorded:
    """A loaded recording with what the walk needs."""

    host: Host

    def __post_init__(self) -> None:
        self.sites = SiteIndex(self.host)
        self.joins = Joins(self.host, self.sites)

    def neighbours(self, subject: AnySubject, depth: int = 2) -> tuple[GraphNode, ...]:
        return neighbourhood(self.host, self.sites, self.joins, subject, depth)

    def trace(self, graph: str, tensor: str, number: int = 0) -> NodeSubject:
        """The n-th computation of a tensor."""
        events = [event for event, found in self.computed() if found == (graph, tensor)]
        return self.at(events[number])

    def computed(self) -> Iterator[tuple[int, tuple[str | None, str]]]:
        for event in range(len(self.host.traces)):
            site = self.host.traces.site_of(event)
            yield event, (self.host.graphs.name_of(site.graph_id), site.tensor_name)

    def at(self, trace: int) -> NodeSubject:
        site = self.host.traces.site_of(trace)
        return NodeSubject(site.graph_id, site.op_name, site.slot, trace)

    def graph_id(self, name: str) -> str:
        (found,) = (graph.id for graph in self.host.graphs.by_id.values() if graph.name == name)
        return found

    def calls(self, op_type: str) -> list[int]:
        """The executions whose op type begins like that."""
        executions = self.host.executions
        return [
            e for e in range(len(executions)) if executions.site_of(e).op_type.startswith(op_type)
        ]


def read(path: Path) -> Recorded:
    (host,) = hosts_of(load(path))
    return Recorded(host)


def drawn(nodes: Sequence[GraphNode]) -> list[tuple[Relation, int, str]]:
    return [(node.relation, node.depth, node.name) for node in nodes]


def of(nodes: Sequence[GraphNode], relation: Relation, depth: int | None = None) -> list[GraphNode]:
    found = [node for node in nodes if node.relation is relation]
    return [node for node in found if depth in (None, node.depth)]
