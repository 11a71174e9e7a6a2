"""Finds what tells of a bad tensor: its inputs or, of what a variable held, what wrote it last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.evidence import Evidence
from tfdbg_tui.data.cause.evidence_walk import EvidenceWalk
from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput, GraphTensor, UnknownInput
from tfdbg_tui.data.flow.variable_writers import VariableWriters
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import (
    is_optimizer,
    is_setup,
    read_tensor,
    takes_stored,
    writes_variable,
)

if TYPE_CHECKING:
    from tfdbg_tui.data.flow.graph_nodes import NodeMaker, Vertex
    from tfdbg_tui.data.index.host_index import HostIndex

MAX_STEPS = 64
"""Vertices without recordings that are walked through on the way to the inputs of a tensor."""

HANDS_ON = frozenset({"If", "StatelessIf", "While", "StatelessWhile", "Case"})
"""Types of ops that may hand a variable on to a branch, or to a loop."""

MAX_RETURNED = 16
"""Outputs of a call that are followed into it."""


def evidence_of(
    index: HostIndex, host_number: int, maker: NodeMaker, subject: Vertex, trace: int | None
) -> Evidence:
    """What the inputs of a tensor tell, which a trace computed if it is of a graph."""
    walk = EvidenceWalk(index, host_number, maker, subject, trace)
    stored = walk.leaf(subject)
    if stored is not None and stored.is_stored:
        return _StoredEvidence(walk).of(stored)
    return walk.walk(subject, Evidence())


def returned_sources(
    index: HostIndex, host_number: int, maker: NodeMaker, execution: int
) -> tuple[EventRef, ...]:
    """The bad tensors inside a call that it puts out, as far as it is told which those are."""
    found: dict[EventRef, None] = {}
    for slot in list(index.host.executions.bad_outputs(execution))[:MAX_RETURNED]:
        source = index.joins.output_source(execution, slot)
        if source is not None:
            returned = GraphTensor(*source, execution)
            walk = EvidenceWalk(index, host_number, maker, ExecutionOutput(execution, slot), None)
            found.update(dict.fromkeys(walk.sources_of(returned)))
    return tuple(found)


class _StoredEvidence:
    """What was written to the variable that a tensor reads."""

    def __init__(self, walk: EvidenceWalk) -> None:
        self._walk = walk

    def of(self, stored: Evidence) -> Evidence:
        """What was stored is what was written last: what that was computed from tells."""
        writer = self._assigned_since_clean() or self._writer()
        if writer is None:
            return stored
        written_before = self._written_in_this_call(writer)
        if written_before:
            return stored._replace(sources=written_before)
        found = self._walk.walk(writer, stored)
        if found.sources:
            return found
        given = self._walk.edges.inputs(writer)
        is_told = bool(given) and all(self._is_told(vertex) for vertex in given)
        is_told = is_told and self._is_only_writer(writer)
        return found._replace(writer=writer, writer_is_told=is_told)

    def _assigned_since_clean(self) -> Vertex | None:
        """An eager assignment since the same read was clean: what adds to that later tells less."""
        subject = self._walk.subject
        if not isinstance(subject, ExecutionOutput):
            return None
        executions, joins = self._walk.index.host.executions, self._walk.index.joins
        site = executions.site_number(subject.execution)
        before = joins.nearest_execution(site, subject.execution - 1)
        if before is None or before >= subject.execution or executions.is_bad(before):
            return None
        handles = joins.inputs_of(subject.execution)[:1]
        writers = VariableWriters(self._walk.index.host, joins)
        return next(
            (writers.assigned_between(handle, before, subject.execution) for handle in handles),
            None,
        )

    def _written_in_this_call(self, writer: Vertex) -> tuple[EventRef, ...]:
        """What was written in the call of the subject before that read it, if that is bad."""
        trace, subject = self._walk.trace, self._walk.subject
        if trace is None or not (
            isinstance(writer, GraphTensor) and isinstance(subject, GraphTensor)
        ):
            return ()
        here = writer._replace(execution=subject.execution)
        sources = self._walk.walk(here, Evidence()).sources
        return tuple(s for s in sources if s.kind is EventKind.TRACE and s.event < trace)

    def _writer(self) -> Vertex | None:
        """What wrote the variable that the subject reads: itself, or behind its handle."""
        for vertex in self._walk.edges.inputs(self._walk.subject)[:1]:
            for candidate in (vertex, *self._walk.edges.inputs(vertex)[:1]):
                if self._walk.edges.is_write(candidate):
                    return candidate
        return None

    def _is_only_writer(self, writer: Vertex) -> bool:
        """Whether nothing else in its graph may have written to the variable of a write."""
        if not isinstance(writer, GraphTensor):
            return True
        graph = self._walk.index.host.graphs.by_id[writer.graph_id]
        handle = graph.ops[writer.op_name].inputs[0]
        users = graph.consumers(*(read_tensor(handle) or (handle, 0)))
        others = [user.op for user in users if user.op.name != writer.op_name]
        if not graph.name:  # in TF1, variables are set up in the same graph, by a run of its own
            others = [op for op in others if not is_setup(op.type)]
        return not any(writes_variable(op.type) or op.type in HANDS_ON for op in others)

    def _is_told(self, vertex: Vertex) -> bool:
        """Whether a tensor is recorded, or leads to recorded ones alone, none of them bad."""
        pending, seen = [vertex], {vertex}
        for reached in pending:
            source, is_recorded = self._walk.recorded(reached)
            if source is not None:
                return False
            if is_recorded:
                continue
            inputs = [given for given in self._walk.edges.inputs(reached) if given not in seen]
            if self._is_number_of_update(reached):
                continue
            if not inputs or len(pending) > MAX_STEPS:
                return False
            pending += inputs
            seen.update(inputs)
        return True

    def _is_number_of_update(self, vertex: Vertex) -> bool:
        """Whether a vertex is a constant or a number kept by an optimizer, such as its rate."""
        if isinstance(vertex, UnknownInput):
            op_type = self._walk.index.host.executions.site_of(vertex.execution).op_type
            return is_optimizer(op_type)
        if not isinstance(vertex, GraphTensor):
            return False
        op = self._walk.index.host.graphs.op(vertex.graph_id, vertex.op_name)
        return op is not None and (not op.inputs or takes_stored(op.type))
