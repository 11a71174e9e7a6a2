"""How far bad numbers came: into a variable, into the loss, out of a call; or they were absorbed.

The walk goes on from a bad tensor to whatever took it, through what is not recorded, out of calls
and into those that took what they put out. It ends where a recorded tensor is clean, where an op
only tests numbers, and at what writes a variable; whether that was poisoned is told by its next
read. The walk is bounded.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.beyond import Beyond
from tfdbg_tui.data.cause.gradients import in_metric, in_optimizer
from tfdbg_tui.data.cause.held import bad_of
from tfdbg_tui.data.cause.operations import (
    CHOOSERS,
    FINITE_TESTS,
    LIMITS,
    SHOWS,
    only_hands_on,
    plain,
    tests_only,
)
from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput, GraphTensor
from tfdbg_tui.data.flow.op_inputs import OpInputs
from tfdbg_tui.data.flow.takers import Taker, Takers
from tfdbg_tui.data.flow.variable_reads import VariableReads
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import read_call
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.loss_test import LossTest
    from tfdbg_tui.data.flow.graph_nodes import Vertex
    from tfdbg_tui.data.index.host_index import HostIndex

MAX_VISITED = 1_500
"""Vertices behind a bad tensor that are looked at."""

MAX_LOSSES = 64
"""Bad tensors behind one among which the loss is sought."""

MAX_VARIABLES = 200
"""Variables that are told one by one."""


class Reach(Enum):
    """What bad numbers came to, the worst first; by the names that the JSON has."""

    VARIABLE = "variable"
    LOSS = "loss"
    OUTPUT = "output"
    ABSORBED = "absorbed"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return _RANKS[self]


_RANKS = {reach: rank for rank, reach in enumerate(Reach)}


class Reached(NamedTuple):
    """What became of the numbers of one bad tensor."""

    reach: Reach
    tensors: int = 0
    """Bad tensors that were computed from it, as far as the walk went."""
    writes: tuple[Vertex, ...] = ()
    """What wrote bad numbers to variables."""
    end: EventRef | None = None
    """The loss, or what was put out."""
    was_chosen_out: bool = False
    """Whether it was taken out rightly: by `where`, a minimum, a function that is finite at ∞, or a
    test that skips a step."""
    is_tested: bool = False
    """Whether the program asks whether the numbers are finite."""
    is_whole: bool = True
    """Whether the walk came to all its ends."""
    chain: tuple[EventRef, ...] = ()
    """The bad tensors from the one that was asked about to the worst that it came to."""


def reached_from(
    index: HostIndex, tensor: EventRef, is_loss: LossTest, is_written_down: bool = False
) -> Reached:
    """How far the numbers of a bad tensor came.

    What was written down ends where something else is made of it, for that is a cause by itself;
    and to write it to a variable, as it is, does no harm: its reads may.
    """
    return _Walk(index, tensor, is_loss, is_written_down).result()


class _Walk:
    """From one bad tensor to the ends of all ways."""

    def __init__(
        self, index: HostIndex, tensor: EventRef, is_loss: LossTest, is_written_down: bool
    ) -> None:
        self._index = index
        self._is_written_down = is_written_down
        self._began_with = bad_of(index, tensor)
        self._is_loss = is_loss
        inputs = OpInputs(index, tensor)
        self._subject: Vertex = inputs.subject
        self._recorded = inputs.later_event
        self._takers = Takers(index, inputs.edges)
        self._reads = VariableReads(index.host, index.joins)
        time = index.host.store_of(tensor.kind).wall_time(tensor.event)
        self._beyond = Beyond(index, inputs, time)
        self._writes: dict[Vertex, None] = {}
        self._ends: dict[EventRef, Vertex] = {}
        self._computed: set[Vertex] = set()
        """What more was done to on the way than to hand it on."""
        self._before: dict[Vertex, Vertex] = {}
        """What the walk came from."""
        self._bad: dict[EventRef, Vertex] = {}
        self._chosen_out = self._tested = self._absorbed_otherwise = False
        self._is_shown = False

    def result(self) -> Reached:
        """Walk to all ends."""
        queue: list[tuple[Vertex, bool]] = [(self._subject, False)]
        seen = {self._subject}
        for vertex, in_branch in queue:
            takers = self._takers.of(vertex)
            if not any(taker.op_type for taker in takers):  # no op is known to have taken it
                takers = [*self._beyond.of(vertex), *takers]
            takers = [*takers, *self._beyond.built_in(vertex)]
            if not takers and self._is_bad(vertex):
                self._note_end(vertex)
            for taker in takers:
                beyond = self._taken(taker, vertex, in_branch)
                self._before.setdefault(taker.vertex, vertex)
                if taker.op_type and not only_hands_on(taker.op_type) and not taker.writes:
                    self._computed.add(taker.vertex)
                if vertex in self._computed:
                    self._computed.add(taker.vertex)
                for onward in beyond:
                    if onward not in seen and len(queue) < MAX_VISITED:
                        self._before.setdefault(onward, vertex)
                        seen.add(onward)
                        queue.append((onward, in_branch or taker.enters_branch))
        return self._reached(len(queue) < MAX_VISITED)

    def _taken(self, taker: Taker, taker_of: Vertex, in_branch: bool) -> list[Vertex]:
        """What a taker leads on to; nothing where the way ends."""
        if taker.writes:
            reads = self._reads_as_it_is(taker.vertex, taker_of)
            if reads:
                return reads
            self._note_write(taker.vertex, in_branch)
            return self._reads_in_update(taker.vertex)
        if tests_only(taker.op_type):
            self._tested |= plain(taker.op_type) in FINITE_TESTS
            return []
        if taker.op_type in SHOWS:
            self._is_shown = True
            return []
        event, is_recorded = self._recorded(taker.vertex)
        if event is not None and self._is_bad_event(event):
            if self._turns_into_nan(event):
                return []
            self._bad.setdefault(event, taker.vertex)
            return [taker.vertex]
        if is_recorded:
            chooses = plain(taker.op_type) in CHOOSERS | LIMITS
            self._chosen_out |= chooses
            # How a call came to put out clean numbers is told by what it did with its argument.
            self._absorbed_otherwise |= not chooses and read_call(taker.op_type) is None
            return []
        return [taker.vertex]

    def _turns_into_nan(self, event: EventRef) -> bool:
        """Whether a NaN is made of ∞ that was written down."""
        kinds = self._began_with & (Bad.NAN | Bad.UNTOLD)
        return self._is_written_down and not kinds and bool(bad_of(self._index, event) & Bad.NAN)

    def _reads_as_it_is(self, write: Vertex, taken: Vertex) -> list[Vertex]:
        """The reads of a variable to which a number was written as it was written down."""
        if not self._is_written_down or taken in self._computed:
            return []
        return self._bad_reads(write)

    def _reads_in_update(self, write: Vertex) -> list[Vertex]:
        """The reads by which an optimizer updates a variable by numbers that it keeps itself."""
        if write not in self._writes or not in_optimizer(self._index, self._stack_of(write)):
            return []
        reads = self._bad_reads(write)
        return [read for read in reads if in_optimizer(self._index, self._stack_of(read))]

    def _bad_reads(self, write: Vertex) -> list[Vertex]:
        vertices: list[Vertex] = []
        for read in filter(self._reads.is_bad, self._reads.next_reads(write)):
            if isinstance(read, ExecutionOutput):
                vertices.append(read)
            else:
                site = self._index.host.traces.site_of(read)
                vertices.append(GraphTensor(*site[:3], self._index.joins.execution_of(read)))
        return vertices

    def _note_write(self, write: Vertex, in_branch: bool) -> None:
        if in_metric(self._index, self._stack_of(write)):
            self._is_shown = True  # which is all that metrics are for
            return
        is_bad = self._reads.is_bad_next(write)
        if is_bad is None:
            # Not read again: a step that a test may skip is not known to have been taken.
            is_bad = not (in_branch and self._tested)
        if is_bad and len(self._writes) < MAX_VARIABLES:
            self._writes[write] = None

    def _stack_of(self, write: Vertex) -> tuple[str, ...]:
        host = self._index.host
        if isinstance(write, ExecutionOutput):
            return host.executions.site_of(write.execution).stack
        op = host.graphs.op(*write[:2]) if isinstance(write, GraphTensor) else None
        return () if op is None else op.stack

    def _note_end(self, vertex: Vertex) -> None:
        event, _ = self._recorded(vertex)
        if event is not None:
            self._ends[event] = vertex

    def _is_bad(self, vertex: Vertex) -> bool:
        event, _ = self._recorded(vertex)
        return event is not None and self._is_bad_event(event)

    def _is_bad_event(self, event: EventRef) -> bool:
        store = self._index.host.store_of(event.kind)
        if event.kind is EventKind.EXECUTION and event.output is not None:
            return event.output in store.bad_outputs(event.event)
        return store.is_bad(event.event)

    def _reached(self, is_whole: bool) -> Reached:
        ends = list(self._ends)
        losses = list(filter(self._is_loss, ends))
        if ends or self._is_shown or self._writes:
            losses += filter(self._is_loss, list(self._bad)[:MAX_LOSSES])
        if self._writes:
            reach = Reach.VARIABLE
        elif losses:
            reach = Reach.LOSS
        else:
            reach = Reach.OUTPUT if ends or self._is_shown else Reach.ABSORBED
        end = next(iter([*losses, *ends]), None)
        vertices = {**self._ends, **self._bad}
        worst = [*self._writes, *([] if end is None else [vertices[end]])]
        return Reached(
            reach,
            len(self._bad),
            tuple(self._writes),
            end,
            not self._absorbed_otherwise and (self._chosen_out or self._tested),
            self._tested,
            is_whole,
            self._chain(worst[0] if worst else None),
        )

    def _chain(self, last: Vertex | None) -> tuple[EventRef, ...]:
        """The bad tensors on the way to a vertex."""
        vertices: list[Vertex] = []
        while last is not None and last not in vertices:
            vertices.append(last)
            last = self._before.get(last)
        events = (self._recorded(vertex)[0] for vertex in reversed(vertices))
        bad = (event for event in events if event is not None and self._is_bad_event(event))
        return tuple(dict.fromkeys(bad))
