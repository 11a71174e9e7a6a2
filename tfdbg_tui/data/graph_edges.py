"""Who made the inputs of a tensor or an execution, and who takes its outputs: one step of a walk.

Inside a graph the recorder writes the edges down. Between executions the ids of tensors join
producer and consumer, and the argument of a called function leads to what its call was given.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tfdbg_tui.data.graph_nodes import ExecutionOutput, GraphTensor, UnknownInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.graph_nodes import NodeMaker, Place
    from tfdbg_tui.data.graphs import Consumer
    from tfdbg_tui.data.host import Host
    from tfdbg_tui.data.joins import Joins

MAX_SLOTS = 16
"""Outputs of an op or an execution whose consumers are looked for."""

MAX_EXECUTIONS = 32
"""Producers, or consumers, of one execution that are looked for."""

PASS_THROUGH = frozenset({"IdentityN", "While", "StatelessWhile"})
"""Op types each output of which is, or replaces, the input of the same number."""

ARGUMENT = "Placeholder"
"""The op type of a function's arguments."""

# TensorFlow names the graphs of a loop or a branch after the op that runs them.
_BRANCH = re.compile(r"(?P<op>.+)_(body|cond|true|false|branch\d+)_\d+(?P<grad>_grad_\d+)?")


class Edges:
    """The steps from place to place in one invocation."""

    def __init__(self, host: Host, joins: Joins, maker: NodeMaker, execution: int | None) -> None:
        self._host = host
        self._joins = joins
        self._maker = maker
        self._execution = execution

    def is_recorded(self, place: Place) -> bool:
        """Whether there are recordings of a place, in whatever invocation."""
        return not isinstance(place, GraphTensor) or bool(self._maker.sites_of(place))

    def inputs(self, place: Place) -> list[Place]:
        """What a place is computed from, each once."""
        if isinstance(place, GraphTensor):
            return list(dict.fromkeys(self._tensor_inputs(place)))
        if isinstance(place, ExecutionOutput):
            return list(dict.fromkeys(self._execution_inputs(place.execution)))
        return []

    def consumers(self, place: Place, is_subject: bool = False) -> list[Place]:
        """What is computed from a place, each once.

        Of a subject in a graph only from that very output; of an execution from that one first.
        """
        if isinstance(place, GraphTensor):
            return list(dict.fromkeys(self._tensor_consumers(place, is_subject)))
        if isinstance(place, ExecutionOutput):
            return list(dict.fromkeys(self._execution_consumers(place)))
        return []

    def inner_graphs(self, place: GraphTensor) -> list[str]:
        """The graphs that an op runs, as far as names tell."""
        graph = self._host.graphs.by_id.get(place.graph_id)
        if graph is None:
            return []
        names = {inner: self._host.graphs.name_of(inner) or "" for inner in tuple(graph.inner_ids)}
        branches = {inner: _BRANCH.fullmatch(name) for inner, name in names.items()}
        if place.op_name not in graph.ops:
            # A call of a function: it is not written which, so it must be the only one.
            called = [inner for inner, branch in branches.items() if branch is None]
            return called if len(called) == 1 else []
        flat_name = place.op_name.replace("/", "_")
        return [inner for inner, branch in branches.items() if branch and _runs(flat_name, branch)]

    def _tensor_inputs(self, place: GraphTensor) -> list[Place]:
        op = self._host.graphs.op(place.graph_id, place.op_name)
        if op is None:
            return []
        if op.type == ARGUMENT and not op.inputs:
            return self._argument(place)
        names: Sequence[str] = op.inputs
        if op.type in PASS_THROUGH and place.slot is not None and place.slot < len(names):
            names = names[place.slot : place.slot + 1]
        return [_tensor(place.graph_id, name) for name in names]

    def _argument(self, place: GraphTensor) -> list[Place]:
        if self._execution is None:
            return []
        source = self._joins.placeholder_source(place.graph_id, place.op_name, self._execution)
        return [] if source is None else [ExecutionOutput(*source)]

    def _execution_inputs(self, execution: int) -> list[Place]:
        record = self._maker.record(execution)
        ids = () if record is None else record.input_tensor_ids[:MAX_EXECUTIONS]
        found: list[Place] = []
        for index, tensor_id in enumerate(ids):
            producer = self._joins.producer_of(tensor_id, execution)
            found.append(ExecutionOutput(*producer) if producer else UnknownInput(execution, index))
        return found

    def _tensor_consumers(self, place: GraphTensor, is_subject: bool) -> list[Place]:
        graph = self._host.graphs.by_id.get(place.graph_id)
        op = None if graph is None else graph.ops.get(place.op_name)
        if graph is None or place.slot is None:
            return []
        slots: Sequence[int] = (place.slot,)
        if not is_subject and op is not None and op.type not in PASS_THROUGH:
            slots = range(min(op.num_outputs, MAX_SLOTS))
        return [
            self._consumer(user) for slot in slots for user in graph.consumers(place.op_name, slot)
        ]

    def _consumer(self, user: Consumer) -> GraphTensor:
        """A consumer, by the output that says most of it."""
        op, index = user
        if op.num_outputs <= 0:
            return GraphTensor(op.graph_id, op.name, None)
        if op.type in PASS_THROUGH and index < op.num_outputs:
            return GraphTensor(op.graph_id, op.name, index)
        outputs = [
            GraphTensor(op.graph_id, op.name, slot)
            for slot in range(min(op.num_outputs, MAX_SLOTS))
        ]
        return next(filter(self.is_recorded, outputs), outputs[0])

    def _execution_consumers(self, place: ExecutionOutput) -> list[Place]:
        record = self._maker.record(place.execution)
        ids = [] if record is None else list(record.output_tensor_ids)
        first = ids[place.slot : place.slot + 1] if place.slot is not None else []
        found: list[Place] = []
        for tensor_id in list(dict.fromkeys(first + ids))[:MAX_SLOTS]:
            users = self._joins.consumers_of(tensor_id, place.execution, MAX_EXECUTIONS)
            found += [self._maker.output_of(execution) for execution, _ in users]
        return found


def _tensor(graph_id: str, name: str) -> GraphTensor:
    """The tensor that an input names as `op:slot`."""
    op_name, _, slot = name.rpartition(":")
    if op_name and slot.isdecimal():
        return GraphTensor(graph_id, op_name, int(slot))
    return GraphTensor(graph_id, name, 0)


def _runs(flat_name: str, branch: re.Match[str]) -> bool:
    """Whether an op of that name, written without slashes, runs a graph named like that."""
    if not branch["grad"]:
        return flat_name == branch["op"]
    # The gradient of a loop is named after the loop, inside a scope of its own.
    return f"_{flat_name}".endswith(f"_{branch['op']}_grad")
