"""What is around a tensor or an execution: inputs above it, consumers below, graphs outside and in.

The walk goes along the edges that are recorded, and from the argument of a called function on to
the call or the eager op that made it. It is made anew at every key press, so it is bounded in
every direction; loops and damaged data cannot hold it up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfdbg_tui.data.flow.graph_edges import Edges
from tfdbg_tui.data.flow.graph_nodes import GraphNode, GraphTensor, NodeMaker, Relation, WholeGraph
from tfdbg_tui.data.stores.columns import sorted_positions
from tfdbg_tui.data.stores.graphs import MAX_NESTING
from tfdbg_tui.data.stores.tf_names import is_session_run
from tfdbg_tui.data.views.branches import Branch, children_first, grow, parents_first
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput
    from tfdbg_tui.data.index.joins import Joins
    from tfdbg_tui.data.index.site_facts import SiteIndex
    from tfdbg_tui.data.stores.host import Host

MAX_INPUTS = 28
MAX_CONSUMERS = 20
MAX_OUTER = 8
MAX_INNER = 6
"""Nodes of each kind; of inner graphs their tensors."""

MAX_TRACES = 2_000
"""Traces of a call that are looked at for its bad tensors."""


class NodeSubject(NamedTuple):
    """A tensor of a graph, in the invocation that an event or, without one, a call fixes."""

    graph_id: str
    op_name: str
    slot: int
    near: int | None = None
    """A trace of the same invocation: the tensor's own or another."""
    execution: int | None = None
    """The call; needed only where there is no such trace."""


class ExecutionSubject(NamedTuple):
    """One output of an execution."""

    execution: int
    position: int = 0


def neighbourhood(
    host: Host,
    site_index: SiteIndex,
    joins: Joins,
    subject: NodeSubject | ExecutionSubject,
    depth: int = 2,
    inputs_only: bool = False,
) -> tuple[GraphNode, ...]:
    """The nodes around a subject, in the order in which they are drawn from top to bottom.

    Outer graphs come first, then inputs as a tree, each below its own inputs, then the subject,
    its consumers, each above its own, and the graphs inside it. With `inputs_only` there are no
    others than itself and what leads to its `nearest_inputs`.
    """
    walk = _begun(host, site_index, joins, subject)
    if walk is None:
        return ()
    if inputs_only:
        return (*walk.nearest_inputs(depth), walk.own)
    return walk.all_nodes(depth)


def flow(
    host: Host,
    site_index: SiteIndex,
    joins: Joins,
    subject: NodeSubject | ExecutionSubject,
    relation: Relation,
    depth: int,
    most: int,
) -> tuple[GraphNode, ...]:
    """A subject and then its inputs, or its consumers, each before its own: at most so many."""
    walk = _begun(host, site_index, joins, subject)
    if walk is None:
        return ()
    return (walk.own, *walk.tree(relation, depth, most))


def _begun(
    host: Host, site_index: SiteIndex, joins: Joins, subject: NodeSubject | ExecutionSubject
) -> _Neighbourhood | None:
    """A walk that is about to begin at a subject; None if that is not there."""
    if isinstance(subject, ExecutionSubject):
        if not 0 <= subject.execution < len(host.executions):
            return None
        maker = NodeMaker(host, site_index, joins, None, None)
        output = maker.output_of(*subject)
        own = maker.output_node(output, Relation.SELF, 0, subject.position)
        return _Neighbourhood(host, joins, maker, output, subject.execution, own)
    near, execution = subject.near, subject.execution
    if near is not None and not 0 <= near < len(host.traces):
        near = None
    if near is not None:
        execution = joins.execution_of(near)
    maker = NodeMaker(host, site_index, joins, near, execution)
    vertex = GraphTensor(subject.graph_id, subject.op_name, subject.slot, execution)
    own = maker.node(vertex, Relation.SELF, 0)
    return _Neighbourhood(host, joins, maker, vertex, execution, own)


def nearest_inputs(nodes: tuple[GraphNode, ...]) -> list[GraphNode]:
    """The recorded tensors that a subject was computed from, past whatever lies between.

    What a call put out is passed where the tensor inside it is known that it put out.
    """
    found: list[GraphNode] = []
    is_passed = {0: True}
    for node in reversed(nodes):  # each input before those that it was computed from
        if node.relation is Relation.INPUT:
            is_reached = is_passed.get(node.depth - 1, False)
            is_passed[node.depth] = is_reached and _is_passed(node)
            if is_reached and _is_told(node):
                if found and found[-1].is_call and found[-1].depth < node.depth:
                    found.pop()
                found.append(node)
    return found


def _is_told(node: GraphNode) -> bool:
    """Whether it is known what a node held."""
    return node.trace is not None or node.health is not None


def _is_passed(node: GraphNode) -> bool:
    """Whether what an input was computed from is looked at in its place, or besides it."""
    return node.is_call or not _is_told(node)


def recorded_inputs(nodes: tuple[GraphNode, ...]) -> list[int]:
    """The traces that a subject was computed from, past whatever was not recorded between."""
    return [node.trace for node in nearest_inputs(nodes) if node.trace is not None]


class _Neighbourhood:
    """The neighbourhood of one subject."""

    def __init__(
        self,
        host: Host,
        joins: Joins,
        maker: NodeMaker,
        vertex: GraphTensor | ExecutionOutput,
        execution: int | None,
        own: GraphNode,
    ) -> None:
        self._host = host
        self._joins = joins
        self._maker = maker
        self._subject = vertex
        self._execution = execution
        """The subject itself, or the call that it belongs to."""
        self.own = own
        """The node of the subject."""
        self._edges = Edges(host, joins, maker, vertex)

    def all_nodes(self, depth: int) -> tuple[GraphNode, ...]:
        """All of it."""
        vertex = self._subject
        if isinstance(vertex, GraphTensor):
            outer, inner = self._outer(vertex.graph_id), self._edges.inner_graphs(vertex)
        else:
            called = self._joins.graph_of(vertex.execution)
            outer, inner = [], [] if called is None else [called]
        inputs, consumers = self.inputs(depth), self._consumers(depth)
        return (*outer, *inputs, self.own, *consumers, *self._inner(inner))

    def tree(self, relation: Relation, depth: int, most: int) -> list[GraphNode]:
        """The inputs or the consumers, each before its own, at most so many."""
        root = Branch(self._subject, 0, depth)
        step = self._edges.inputs if relation is Relation.INPUT else self._edges.consumers
        left_out = grow(root, step, self._edges, most)
        branches = parents_first(root)
        nodes = [self._maker.node(branch.vertex, relation, branch.level) for branch in branches]
        return nodes + _more(relation, left_out)

    def inputs(self, depth: int) -> list[GraphNode]:
        """What the subject was computed from, each below its own inputs."""
        root = Branch(self._subject, 0, depth)
        left_out = grow(root, self._edges.inputs, self._edges, MAX_INPUTS)
        return _more(Relation.INPUT, left_out) + [
            self._maker.node(branch.vertex, Relation.INPUT, branch.level)
            for branch in children_first(root)
        ]

    def nearest_inputs(self, depth: int) -> list[GraphNode]:
        """The same as far as it leads to the nearest recorded inputs: of others nothing is read."""
        root = Branch(self._subject, 0, depth)
        grow(root, self._edges.inputs, self._edges, MAX_INPUTS)
        return list(self._passing(root))

    def _passing(self, branch: Branch) -> Iterator[GraphNode]:
        for child in branch.children:
            node = self._maker.node(child.vertex, Relation.INPUT, child.level)
            if _is_passed(node):
                yield from self._passing(child)
            yield node

    def _consumers(self, depth: int) -> list[GraphNode]:
        return self.tree(Relation.CONSUMER, depth, MAX_CONSUMERS)

    def _outer(self, graph_id: str) -> list[GraphNode]:
        """The graphs around a tensor, outermost first; the outermost is the one that is called."""
        chain = [*self._chain(graph_id), *self._session_graph()]
        levels = list(enumerate(chain, 1))
        if len(levels) > MAX_OUTER:
            levels = levels[: MAX_OUTER - 1] + levels[-1:]
        nodes = [
            self._maker.node(
                WholeGraph(outer, self._execution if level == len(chain) else None),
                Relation.OUTER,
                level,
            )
            for level, outer in levels
        ]
        return nodes[::-1]

    def _inner(self, graph_ids: list[str]) -> list[GraphNode]:
        """Graphs inside the subject, each with its first bad tensors of this call."""
        nodes = []
        for graph_id in graph_ids:
            if graph_id not in self._session_graph():  # which has no name
                nodes.append(self._maker.node(WholeGraph(graph_id), Relation.INNER, 1))
            traces = self._traces_inside(graph_id)
            nodes += [
                self._maker.trace_node(trace, Relation.INNER, 2) for trace in traces[:MAX_INNER]
            ]
            nodes += _more(Relation.INNER, len(traces) - MAX_INNER, depth=2)
        return nodes

    def _session_graph(self) -> list[str]:
        """The graph that a run of a session runs, if the subject is one or in one."""
        if self._execution is None:
            return []
        site = self._host.executions.site_of(self._execution)
        return [site.graph_id] if is_session_run(site.op_type) else []

    def _traces_inside(self, graph_id: str) -> list[int]:
        """The first trace of each bad tensor of a graph in this call; of any if none is bad."""
        if self._execution is None:
            return []
        alerts = self._host.traces.bad_events
        low, high = sorted_positions(alerts, self._joins.window_of(self._execution)).tolist()
        bad = self._first_of_each_site(graph_id, alerts[low : min(high, low + MAX_TRACES)])
        return bad or self._first_of_each_site(
            graph_id, self._joins.traces_of(self._execution, MAX_TRACES)
        )

    def _first_of_each_site(self, graph_id: str, traces: npt.NDArray[Any]) -> list[int]:
        """The first of some traces of each site that belongs to a graph and to this call."""
        sites = self._host.traces.site_numbers[traces].tolist()
        first = dict(reversed(list(zip(sites, traces.tolist(), strict=True))))
        return sorted(trace for trace in first.values() if self._is_inside(graph_id, trace))

    def _is_inside(self, graph_id: str, trace: int) -> bool:
        if self._joins.execution_of(trace) != self._execution:
            return False
        # Functions that are shared count for the call, though they were traced inside others.
        is_call = not isinstance(self._subject, GraphTensor)
        return is_call or graph_id in self._chain(self._host.traces.site_of(trace).graph_id)

    def _chain(self, graph_id: str) -> list[str]:
        """A graph and those around it, innermost first; without the default graph, unnamed."""
        chain: dict[str, None] = {}
        default = ""
        while graph_id and graph_id not in chain and len(chain) < MAX_NESTING:
            graph = self._host.graphs.by_id.get(graph_id)
            chain[graph_id] = None
            if graph is not None and graph.name == "":
                default = graph_id
            graph_id = "" if graph is None else graph.outer_id
        return [outer for outer in chain if outer != default]


def _more(relation: Relation, left_out: int, depth: int = 1) -> list[GraphNode]:
    return [GraphNode(relation, depth, "", more=left_out)] if left_out > 0 else []
