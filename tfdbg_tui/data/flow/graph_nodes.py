"""The tensors, calls and graphs around a selection, as frozen nodes with their health.

A node shows one vertex of the graph in one invocation. What it says is read back from disk when
the node is made; large records are not read, for many nodes are made at every key press.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from tfdbg_tui.data.records.health import Bad, Health, read_health
from tfdbg_tui.data.stores.tf_names import is_call_op, short_tensor_name
from tfdbg_tui.frozen.frozen import Frozen
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.index.joins import Joins
    from tfdbg_tui.data.index.site_facts import SiteIndex
    from tfdbg_tui.data.stores.executions import ExecutionSite
    from tfdbg_tui.data.stores.graph import Op
    from tfdbg_tui.data.stores.host import Host

LARGE_RECORD = 1 << 16
"""Bytes from which on a neighbour's health is not read; whether it is bad is known anyway."""

NOT_RECORDED = "not recorded"
NOT_ON_DISK = "not on disk yet"
OUTSIDE = "outside the recorded graph"


class Relation(Enum):
    """What a node is to the subject."""

    OUTER = "outer"
    INPUT = "input"
    SELF = "self"
    CONSUMER = "consumer"
    INNER = "inner"


class GraphTensor(NamedTuple):
    """An output of an op of a graph, in one invocation."""

    graph_id: str
    op_name: str
    slot: int | None
    """None for an op without outputs."""
    execution: int | None
    """The call that runs the graph, where it is known."""


class ExecutionOutput(NamedTuple):
    """An output of an execution."""

    execution: int
    slot: int | None
    """None for all of them."""


class UnknownInput(Frozen):
    """An input of an execution that no recorded execution put out: a constant, as a rule."""

    execution: int
    number: int


class WholeGraph(NamedTuple):
    """A graph, with the execution that called it where that is known."""

    graph_id: str
    execution: int | None = None


Vertex = GraphTensor | ExecutionOutput | UnknownInput | WholeGraph
"""What edges lead to and from: the walk around a selection goes from vertex to vertex."""


class GraphNode(NamedTuple):
    """One line of the graph pane; None is what is not known or does not apply."""

    relation: Relation
    depth: int
    """Steps away from the subject, shown or not recorded alike; 1 is direct."""
    name: str
    op_type: str | None = None
    graph_id: str | None = None
    graph: str | None = None
    """The name of the graph."""
    op_name: str | None = None
    slot: int | None = None
    trace: int | None = None
    """Its event in the invocation of the subject."""
    execution: int | None = None
    position: int | None = None
    """Which recorded tensor of the execution `health` is about."""
    is_call: bool = False
    bad: Bad = Bad.NONE
    """Of the tensor; of all outputs of an execution where it is not told which."""
    health: Health | None = None
    note: str = ""
    """Why there is no health: empty, or one of the constants of this module."""
    more: int = 0
    """If not 0, the node only says that at least so many others are left out."""
    follows: bool = False
    """Where it is bad: whether it follows from something bad, as `causes` tells."""
    is_muted: bool = False
    """Where it is bad: whether the user has muted that."""
    short_name: str = ""
    """Without a slot that tells nothing, where it has one."""

    @property
    def shown(self) -> str:
        """The name for people."""
        return self.short_name or self.name


class NodeMaker:
    """Makes nodes of the subject's invocation, which is known by one of its traces, if at all."""

    def __init__(
        self,
        host: Host,
        site_index: SiteIndex,
        joins: Joins,
        near: int | None,
        execution: int | None,
        reads_traces: bool = True,
    ) -> None:
        self._host = host
        self._reads_traces = reads_traces
        """Whether anybody wants to know more of a trace than which bad numbers it holds."""
        self._site_index = site_index
        self._joins = joins
        self._near_in_call: dict[int | None, int | None] = {}
        if near is not None:
            self._near_in_call[execution] = near
        self._records: dict[int, Any] = {}
        self._events: dict[tuple[GraphTensor, bool], int | None] = {}
        """By tensor, and whether later ones count first; walks come to the same ones again."""

    def node(self, vertex: Vertex, relation: Relation, depth: int) -> GraphNode:
        """What is known of a vertex."""
        if isinstance(vertex, GraphTensor):
            return self._tensor(vertex, relation, depth)
        if isinstance(vertex, ExecutionOutput):
            return self.output_node(vertex, relation, depth)
        if isinstance(vertex, WholeGraph):
            return self._graph(vertex, relation, depth)
        return GraphNode(relation, depth, f"input {vertex.number}", note=NOT_RECORDED)

    def bad_of(self, vertex: Vertex, relation: Relation) -> Bad:
        """What a node says of bad numbers, of which nothing is read back from disk."""
        if isinstance(vertex, GraphTensor):
            trace = self._event(vertex, relation)
            return Bad.NONE if trace is None else self._host.traces.bad(trace)
        if isinstance(vertex, ExecutionOutput):
            site = self._host.executions.site_of(vertex.execution)
            position = None if vertex.slot is None else self._position(vertex, site)
            return self._bad_of(vertex.execution, position)
        return self.node(vertex, relation, 0).bad

    def trace_node(self, trace: int, relation: Relation, depth: int) -> GraphNode:
        """What is known of one computation of a graph tensor."""
        site = self._host.traces.site_of(trace)
        vertex = GraphTensor(site.graph_id, site.op_name, site.slot, None)
        return self._tensor(vertex, relation, depth, trace)

    def sites_of(self, vertex: GraphTensor) -> tuple[int, ...]:
        """The sites that record a tensor of a graph."""
        graph_id, op_name, slot, _ = vertex
        return () if slot is None else self._joins.sites_of(graph_id, op_name, slot)

    def event_of(self, vertex: GraphTensor) -> int | None:
        """The event of a tensor that the subject may be computed from, in its invocation."""
        return self._event(vertex, Relation.INPUT)

    def later_event_of(self, vertex: GraphTensor) -> int | None:
        """The event of a tensor that may be computed from the subject, in its invocation."""
        return self._event(vertex, Relation.CONSUMER)

    def bad_output(self, vertex: ExecutionOutput) -> Bad | None:
        """The bad numbers of an output of an execution; None if it is not recorded."""
        site = self._host.executions.site_of(vertex.execution)
        if not site.tensors:
            return None
        position = None if vertex.slot is None else self._position(vertex, site)
        return self._bad_of(vertex.execution, position)

    def output_of(self, execution: int, position: int | None = None) -> ExecutionOutput:
        """An output of an execution, by its position in the record if that is told."""
        site = self._host.executions.site_of(execution)
        if site.num_outputs == 1:
            return ExecutionOutput(execution, 0)
        if position is None or position >= site.num_outputs:
            return ExecutionOutput(execution, None)
        return ExecutionOutput(execution, site.slot_of(position))

    def record(self, execution: int) -> Any | None:
        """The Execution message of an execution; None if it is gone."""
        if execution not in self._records:
            event = self._host.executions.event(execution)
            self._records[execution] = None if event is None else event.execution
        return self._records[execution]

    def _tensor(
        self, vertex: GraphTensor, relation: Relation, depth: int, trace: int | None = None
    ) -> GraphNode:
        graphs = self._host.graphs
        op = graphs.op(vertex.graph_id, vertex.op_name)
        if trace is None:
            trace = self._event(vertex, relation)
        node = GraphNode(
            relation,
            depth,
            vertex.op_name if vertex.slot is None else f"{vertex.op_name}:{vertex.slot}",
            op.type if op else None,
            vertex.graph_id,
            graphs.name_of(vertex.graph_id) or None,
            vertex.op_name,
            vertex.slot,
            trace=trace,
            short_name=short_tensor_name(
                vertex.op_name, vertex.slot, op.num_outputs if op else None
            ),
        )
        if trace is None:
            return node._replace(note=self._why_no_event(vertex, op))
        bad = self._host.traces.bad(trace)
        health, note = self._trace_health(trace)
        return node._replace(bad=bad, health=health, note=note)

    def _why_no_event(self, vertex: GraphTensor, op: Op | None) -> str:
        if op is None:
            return OUTSIDE if is_call_op(vertex.op_name) else NOT_ON_DISK
        if vertex.slot is None:
            return ""
        # Without an invocation no event can be named, though there are some.
        unfixed = self._near(vertex.execution) is None and self.sites_of(vertex)
        return "" if unfixed else NOT_RECORDED

    def _event(self, vertex: GraphTensor, relation: Relation) -> int | None:
        """The event of a tensor in its invocation."""
        question = (vertex, relation is Relation.CONSUMER)
        if question not in self._events:
            self._events[question] = self._event_in_call(*question)
        return self._events[question]

    def _event_in_call(self, vertex: GraphTensor, later: bool) -> int | None:
        near, sites = self._near(vertex.execution), self.sites_of(vertex)
        if near is None:
            return None
        if self._host.traces.site_number(near) in sites:
            return near
        events = (self._joins.event_in_same_call(near, site, later=later) for site in sites)
        return next((event for event in events if event is not None), None)

    def _near(self, execution: int | None) -> int | None:
        """A trace of a call: the one told of the subject if it is its call, else the first."""
        if execution not in self._near_in_call:
            traces = [] if execution is None else self._joins.traces_of(execution, 1).tolist()
            self._near_in_call[execution] = traces[0] if traces else None
        return self._near_in_call[execution]

    def _trace_health(self, trace: int) -> tuple[Health | None, str]:
        traces = self._host.traces
        if not self._reads_traces or traces.record_size(trace) > LARGE_RECORD:
            return None, ""
        found = traces.read(trace)
        if found is None:
            return None, ""
        return found.health, "" if found.health else NOT_RECORDED

    def output_node(
        self,
        vertex: ExecutionOutput,
        relation: Relation,
        depth: int,
        position: int | None = None,
    ) -> GraphNode:
        """What is known of an output of an execution; the position of its tensor may be told."""
        executions = self._host.executions
        number = executions.site_number(vertex.execution)
        site, facts = executions.sites[number], self._site_index.execution(number)
        is_told = position is not None and position < site.tensors
        if not is_told:
            position = self._position(vertex, site)
        health, note = None, NOT_RECORDED if site.num_outputs and not site.tensors else ""
        if position is not None:
            health, note = self._output_health(vertex.execution, position)
        is_certain = is_told or vertex.slot is not None
        return GraphNode(
            relation,
            depth,
            facts.tensor if vertex.slot is None else f"{facts.tensor}:{vertex.slot}",
            site.op_type,
            site.graph_id or None,
            facts.graph,
            slot=vertex.slot,
            execution=vertex.execution,
            position=position,
            short_name=short_tensor_name(facts.tensor, vertex.slot, site.num_outputs),
            is_call=facts.is_call,
            bad=self._bad_of(vertex.execution, position if is_certain else None),
            health=health,
            note=note,
        )

    def _position(self, vertex: ExecutionOutput, site: ExecutionSite) -> int | None:
        """Which recorded tensor an output is; of all outputs the first bad one, or the first."""
        if vertex.slot is not None:
            return vertex.slot if site.tensors == site.num_outputs else None
        if not site.tensors:
            return None
        return min(self._host.executions.bad_outputs(vertex.execution), default=0)

    def _bad_of(self, execution: int, position: int | None) -> Bad:
        """The bad numbers of one recorded tensor of an execution, or of all of them."""
        if position is None:
            return self._host.executions.bad(execution)
        return self._host.executions.bad_outputs(execution).get(position, Bad.NONE)

    def _output_health(self, execution: int, position: int) -> tuple[Health | None, str]:
        if self._host.executions.record_size(execution) > LARGE_RECORD:
            return None, ""
        record = self.record(execution)
        if record is None or not 0 <= position < len(record.tensor_protos):
            return None, ""
        health = read_health(record.tensor_debug_mode, record.tensor_protos[position])
        return health, "" if health else NOT_RECORDED

    def _graph(self, vertex: WholeGraph, relation: Relation, depth: int) -> GraphNode:
        name = self._host.graphs.name_of(vertex.graph_id)
        bad = Bad.NONE
        shown = vertex.graph_id if name is None else name
        if vertex.execution is not None:
            executions = self._host.executions
            bad = executions.bad(vertex.execution)
            site = executions.site_number(vertex.execution)
            shown = shown or self._site_index.execution(site).tensor
        return GraphNode(
            relation,
            depth,
            shown,
            graph_id=vertex.graph_id,
            graph=name,
            execution=vertex.execution,
            is_call=vertex.execution is not None,
            bad=bad,
            note=NOT_ON_DISK if name is None else "",
        )
