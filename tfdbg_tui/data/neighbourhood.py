"""What is around a tensor or an execution: inputs above it, consumers below, graphs outside and in.

The walk goes along the edges that are recorded, and from the argument of a called function on to
the call or the eager op that made it. It is made anew at every key press, so it is bounded in
every direction; loops and damaged data cannot hold it up.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.data.graph_edges import Edges
from tfdbg_tui.data.graph_nodes import GraphNode, GraphTensor, NodeMaker, Relation, WholeGraph
from tfdbg_tui.data.graphs import MAX_NESTING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tfdbg_tui.data.graph_nodes import Place
    from tfdbg_tui.data.host import Host
    from tfdbg_tui.data.joins import Joins
    from tfdbg_tui.data.site_facts import SiteBook

    Step = Callable[[Place], list[Place]]

MAX_INPUTS = 24
MAX_CONSUMERS = 20
MAX_OUTER = 8
MAX_INNER = 6
"""Nodes of each kind; of inner graphs their tensors."""

FREE_STEPS = 8
"""Steps through ops without recordings on the way to one with, which cost no depth."""

MAX_LOOKED_AT = 64
"""Places looked at to learn whether there is such a way."""

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
    book: SiteBook,
    joins: Joins,
    subject: NodeSubject | ExecutionSubject,
    depth: int = 2,
) -> tuple[GraphNode, ...]:
    """The nodes around a subject, in the order in which they are drawn from top to bottom."""
    if isinstance(subject, ExecutionSubject):
        return _Around(host, book, joins, None, subject.execution).execution(subject, depth)
    near, execution = subject.near, subject.execution
    if near is not None:
        execution = joins.execution_of(near)
    return _Around(host, book, joins, near, execution).tensor(subject, depth)


@dataclass(slots=True)
class _Branch:
    """A place in the tree of inputs, or of consumers."""

    place: Place
    level: int
    depth_left: int
    """Levels that may still follow."""
    free_steps: int = FREE_STEPS
    children: list[_Branch] = field(default_factory=list)


class _Around:
    """The neighbourhood of one subject."""

    def __init__(
        self, host: Host, book: SiteBook, joins: Joins, near: int | None, execution: int | None
    ) -> None:
        self._host = host
        self._joins = joins
        self._execution = execution
        self._maker = NodeMaker(host, book, joins, near)
        self._edges = Edges(host, joins, self._maker, execution)

    def tensor(self, subject: NodeSubject, depth: int) -> tuple[GraphNode, ...]:
        """Around a tensor of a graph."""
        place = GraphTensor(subject.graph_id, subject.op_name, subject.slot)
        return (
            *self._outer(subject.graph_id),
            *self._inputs(place, depth),
            self._maker.node(place, Relation.SELF, 0),
            *self._consumers(place, depth),
            *self._inner(self._edges.inner_graphs(place)),
        )

    def execution(self, subject: ExecutionSubject, depth: int) -> tuple[GraphNode, ...]:
        """Around an execution."""
        place = self._maker.output_of(*subject)
        called = self._joins.graph_of(subject.execution)
        return (
            *self._inputs(place, depth),
            self._maker.output_node(place, Relation.SELF, 0, subject.position),
            *self._consumers(place, depth),
            *self._inner([] if called is None else [called]),
        )

    def _inputs(self, subject: Place, depth: int) -> list[GraphNode]:
        root = _Branch(subject, 0, depth)
        left_out = _grow(root, self._edges.inputs, self._edges.is_recorded, MAX_INPUTS)
        return _more(Relation.INPUT, left_out) + [
            self._maker.node(branch.place, Relation.INPUT, branch.level)
            for branch in _children_first(root)
        ]

    def _consumers(self, subject: Place, depth: int) -> list[GraphNode]:
        def consumers(place: Place) -> list[Place]:
            return self._edges.consumers(place, is_subject=place is subject)

        root = _Branch(subject, 0, depth)
        left_out = _grow(root, consumers, self._edges.is_recorded, MAX_CONSUMERS)
        nodes = [
            self._maker.node(branch.place, Relation.CONSUMER, branch.level)
            for branch in _parents_first(root)
        ]
        return nodes + _more(Relation.CONSUMER, left_out)

    def _outer(self, graph_id: str) -> list[GraphNode]:
        """The graphs around a tensor, outermost first; the outermost is the one that is called."""
        chain = self._chain(graph_id)
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
            nodes.append(self._maker.node(WholeGraph(graph_id), Relation.INNER, 1))
            traces = self._traces_inside(graph_id)
            nodes += [
                self._maker.trace_node(trace, Relation.INNER, 2) for trace in traces[:MAX_INNER]
            ]
            nodes += _more(Relation.INNER, len(traces) - MAX_INNER, depth=2)
        return nodes

    def _traces_inside(self, graph_id: str) -> list[int]:
        """The first trace of each bad tensor of a graph in this call; of any if none is bad."""
        if self._execution is None:
            return []
        events, sites = self._host.traces.events, self._host.traces.sites
        traces = self._joins.traces_of(self._execution, MAX_TRACES)
        first: dict[int, int] = {}
        first_bad: dict[int, int] = {}
        inside: dict[str, bool] = {}
        for trace, site, bad in zip(
            traces.tolist(),
            events["site"][traces].tolist(),
            events["bad"][traces].tolist(),
            strict=True,
        ):
            own = sites[site].graph_id
            if own not in inside:
                inside[own] = graph_id in self._chain(own)
            if inside[own]:
                first.setdefault(site, trace)
                if bad:
                    first_bad.setdefault(site, trace)
        return list((first_bad or first).values())

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


def _grow(root: _Branch, step: Step, is_recorded: Callable[[Place], bool], limit: int) -> int:
    """Grow a tree level by level up to a number of places; how many more were in sight.

    A place that is met again is shown again but not followed again, so that loops end.
    """
    reach = _Reach(step, is_recorded)
    seen = {root.place}
    queue = deque([root])
    grown = left_out = 0
    while queue:
        branch = queue.popleft()
        for child in _next(branch, step, reach):
            if grown == limit:
                left_out += 1
                continue
            grown += 1
            branch.children.append(child)
            if child.place not in seen:
                seen.add(child.place)
                queue.append(child)
    return left_out


def _next(branch: _Branch, step: Step, reach: _Reach) -> list[_Branch]:
    """The places that follow one, as far as its depth goes or a recording is in reach."""
    level, left, free = branch.level + 1, branch.depth_left, branch.free_steps
    is_free = level > 1 and free > 0 and reach.leads_on(branch.place)
    if left <= 0 and not is_free:
        return []
    places = step(branch.place)
    if left <= 0:
        places = [place for place in places if reach.leads_to_recording(place)]
    if is_free:
        return [_Branch(place, level, left, free - 1) for place in places]
    return [_Branch(place, level, left - 1, free) for place in places]


class _Reach:
    """Where there are recordings within a few steps through ops that have none."""

    def __init__(self, step: Step, is_recorded: Callable[[Place], bool]) -> None:
        self._step = step
        self._is_recorded = is_recorded
        self._known: dict[Place, bool] = {}

    def leads_on(self, place: Place) -> bool:
        """Whether a place has no recordings itself but leads to one that has."""
        return not self._is_recorded(place) and self.leads_to_recording(place)

    def leads_to_recording(self, place: Place) -> bool:
        """Whether a place, or one in reach of it, has recordings."""
        if place not in self._known:
            self._known[place] = self._search(place)
        return self._known[place]

    def _search(self, place: Place) -> bool:
        seen, frontier = {place}, [place]
        for _ in range(FREE_STEPS):
            if any(map(self._is_recorded, frontier)):
                return True
            following = (following for found in frontier for following in self._step(found))
            frontier = [found for found in dict.fromkeys(following) if found not in seen]
            frontier = frontier[: MAX_LOOKED_AT - len(seen)]
            seen.update(frontier)
        return any(map(self._is_recorded, frontier))


def _children_first(branch: _Branch) -> Iterator[_Branch]:
    for child in branch.children:
        yield from _children_first(child)
        yield child


def _parents_first(branch: _Branch) -> Iterator[_Branch]:
    for child in branch.children:
        yield child
        yield from _parents_first(child)


def _more(relation: Relation, left_out: int, depth: int = 1) -> list[GraphNode]:
    return [GraphNode(relation, depth, "", more=left_out)] if left_out > 0 else []
