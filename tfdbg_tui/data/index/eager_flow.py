"""Where eager tensors come from and go to, and how they enter and leave a called function.

Ids of eager tensors are unique within a run and grow as it goes on, so the producer of one is
found by bisection. The arguments of a function and what it returns are not written down; they are
told by the order in which their ops were created, and left open where that does not prove it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.stores.tf_names import ARGUMENT, is_gradient_graph, is_unnamed_argument
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.graph import Graph

    Ids = npt.NDArray[np.int32 | np.int64]

NEAREST, NEAR = 1 << 7, 1 << 12
"""Executions looked through before bisection: most inputs were made just before."""

LEAF = 64
"""Executions looked at together in a bisection: some have no outputs, hence no id to go by."""

LOOKAHEAD = 100
"""Executions read to find who takes a tensor, or took it."""

KEPT_RECORDS = 1 << 12
"""Executions of which the ids are kept: what takes one tensor is read for the next one, too."""

KEPT_TENSORS = 1 << 16
"""Tensors that those may take and put out: some ops have thousands."""


class _TensorIds(NamedTuple):
    """The eager tensors that an execution takes, and those that it puts out."""

    inputs: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()


NO_IDS = _TensorIds()


class _Known:
    """What was read of executions."""

    def __init__(self) -> None:
        self.ids: dict[int, _TensorIds] = {}
        """By execution."""
        self.users: dict[int, list[tuple[int, int]]] = {}
        """Tensor id → (execution, input)."""
        self._tensors = 0

    def is_full(self, more: int) -> bool:
        """Whether so many executions more are too many, or those here have very many tensors."""
        return len(self.ids) + more > KEPT_RECORDS or self._tensors > KEPT_TENSORS

    def note(self, execution: int, record: Any) -> None:
        """Add what the record of an execution says."""
        inputs, outputs = tuple(record.input_tensor_ids), tuple(record.output_tensor_ids)
        for number, tensor_id in enumerate(inputs):
            self.users.setdefault(tensor_id, []).append((execution, number))
        self.ids[execution] = _TensorIds(inputs, outputs)
        self._tensors += len(inputs) + len(outputs)


class EagerFlow:
    """The producers and consumers of the tensors of one store's executions."""

    def __init__(self, executions: ExecutionStore) -> None:
        self.executions = executions
        self._known = _Known()

    def producer_of(self, tensor_id: int, before: int) -> tuple[int, int] | None:
        """The execution before another that put out a tensor, and the output slot."""
        ids: Ids = self.executions.first_output_ids[: max(before, 0)]
        if tensor_id < 0 or not len(ids):
            return None
        for rows in (NEAREST, NEAR):
            near = max(0, len(ids) - rows)
            (hits,) = (ids[near:] == tensor_id).nonzero()
            if len(hits):
                return near + int(hits[-1]), 0
        candidate = _last_up_to(ids, tensor_id)
        if candidate is None:
            return None
        if int(ids[candidate]) == tensor_id:
            return candidate, 0
        outputs = self.outputs_of(candidate)
        return (candidate, outputs.index(tensor_id)) if tensor_id in outputs else None

    def consumers_of(self, tensor_id: int, after: int, limit: int) -> list[tuple[int, int]]:
        """The next executions that take a tensor, each with the number of the input."""
        first = max(after + 1, 0)
        last = min(first + LOOKAHEAD, len(self.executions))
        users = sorted(set(self._read(first, last).users.get(tensor_id, ())))
        return [user for user in users if first <= user[0] < last][: max(limit, 0)]

    def users_before(self, tensor_id: int, before: int) -> Iterator[int]:
        """The executions that took a tensor, the last one before another first."""
        last = min(before, len(self.executions))
        first = max(0, last - LOOKAHEAD)
        ids = self._read(first, last).ids
        for execution in range(last - 1, first - 1, -1):
            if execution in ids and tensor_id in ids[execution].inputs:
                yield execution

    def inputs_of(self, execution: int) -> tuple[int, ...]:
        """The ids of the tensors an execution takes; none if its record is gone."""
        return self._ids_of(execution).inputs

    def outputs_of(self, execution: int) -> tuple[int, ...]:
        """The ids of the tensors an execution puts out; none if its record is gone."""
        return self._ids_of(execution).outputs

    def _ids_of(self, execution: int) -> _TensorIds:
        known = self._known.ids.get(execution)
        if known is None:
            known = self._read(execution, execution + 1).ids.get(execution, NO_IDS)
        return known

    def _read(self, first: int, end: int) -> _Known:
        """Read those of some executions that are not known yet, those that follow together."""
        known = self._known
        missing = [row for row in range(first, end) if row not in known.ids]
        if missing and known.is_full(len(missing)):
            known = self._known = _Known()
            missing = list(range(first, end))
        for rows in _in_a_row(missing):
            events = self.executions.events_between(rows[0], rows[-1] + 1)
            for row, event in zip(rows, events, strict=False):
                if event is not None:
                    known.note(row, event.execution)
        return known


def _in_a_row(numbers: list[int]) -> list[list[int]]:
    """Ascending numbers in parts that follow each other without a gap."""
    breaks = [n for n in range(1, len(numbers)) if numbers[n] != numbers[n - 1] + 1]
    bounds = [0, *breaks, len(numbers)]
    return [numbers[begin:end] for begin, end in pairwise(bounds) if end > begin]


def _last_up_to(ids: Ids, tensor_id: int) -> int | None:
    """The row with the largest id that is not above another; rows without an id count for none."""
    low, high = 0, len(ids)
    while high - low > LEAF:
        middle = (low + high) // 2
        known = _first_known(ids, middle, high)
        if known is None or known > tensor_id:
            high = middle
        else:
            low = middle
    first = max(0, low - LEAF)
    nearby = ids[first : high + LEAF]
    rows = np.flatnonzero((nearby >= 0) & (nearby <= tensor_id))
    return None if not len(rows) else first + int(rows[np.argmax(nearby[rows])])


def _first_known(ids: Ids, first: int, end: int) -> int | None:
    """The first id of some rows."""
    stride = LEAF
    while first < end:
        leaf = ids[first : min(first + stride, end)]
        row = int((leaf >= 0).argmax())
        known = int(leaf[row])
        if known >= 0:
            return known
        first += stride
        stride *= 2
    return None


def argument_number(graph: Graph, op_name: str, inputs: Sequence[int]) -> int | None:
    """Which input of a call becomes an argument of the function; None where it is not certain.

    The arguments proper come first and in order, before any op of the body. What a function takes
    from outside follows in the order in which it was taken. But small values are built into the
    graph as constants and are handed over all the same, so the numbers of both must agree.
    """
    arguments = arguments_of(graph)
    if op_name not in arguments:
        return None
    number = arguments.index(op_name)
    return number if _is_certain(graph, arguments, number, inputs) else None


def argument_name(graph: Graph, number: int, inputs: Sequence[int]) -> str | None:
    """The argument of a function that an input of its call becomes, where that is certain."""
    arguments = arguments_of(graph)
    if not 0 <= number < len(arguments) or not _is_certain(graph, arguments, number, inputs):
        return None
    return arguments[number]


def arguments_of(graph: Graph) -> list[str]:
    """The names of the arguments of a function, in their order."""
    arguments = [op.name for op in tuple(graph.ops.values()) if op.type == ARGUMENT]
    if not is_gradient_graph(graph.name or ""):
        arguments.sort(key=is_unnamed_argument)
    return arguments


def _is_certain(graph: Graph, arguments: list[str], number: int, inputs: Sequence[int]) -> bool:
    if len(arguments) == len(inputs):
        return True
    ops = tuple(graph.ops.values())
    leads = all(op.type == ARGUMENT for op in ops[: number + 1])
    return leads and not is_unnamed_argument(arguments[number]) and number < len(inputs)


def returned_op(graph: Graph, slot: int, returned: int) -> str | None:
    """The op whose tensor is an output of a function; None where it is not certain.

    A function ends by passing each tensor it returns through an Identity that nobody else takes,
    and closes with a NoOp: without that its end is not on disk yet.
    """
    ops = tuple(graph.ops.values())
    if not ops or ops[-1].type != "NoOp" or not 0 <= slot < returned:
        return None
    ends = [op.name for op in ops if op.type == "Identity" and not graph.consumers(op.name, 0)]
    return ends[len(ends) - returned + slot] if returned <= len(ends) else None


def outputs_for_gradient(backward: Graph) -> int:
    """How many outputs of a forward call are there for its gradient only."""
    arguments = [op.name for op in tuple(backward.ops.values()) if op.type == ARGUMENT]
    return sum(not is_unnamed_argument(name) for name in arguments)
