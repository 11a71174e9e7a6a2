"""One graph: its ops, what they take as inputs, and the graphs inside it."""

from __future__ import annotations

from itertools import islice

from tfdbg_tui.frozen.named_tuple import NamedTuple


class Op(NamedTuple):
    """One op of a graph."""

    graph_id: str
    name: str
    type: str
    inputs: tuple[str, ...]
    """Tensor names `op:slot`; control inputs are not recorded."""
    num_outputs: int
    device: str
    host: str
    stack: tuple[str, ...]
    """Ids of the frames that created it, outermost first."""
    output_tensor_ids: tuple[int, ...]


class Consumer(NamedTuple):
    """An op that takes a tensor as one of its inputs."""

    op: Op
    input_index: int


class Description(NamedTuple):
    """What the record of a graph says about it."""

    name: str
    outer_id: str


class Graph:
    """One graph, as far as it is on disk.

    The feed's thread adds to it, any thread reads. What its own record says is published in one
    assignment, so that no reader takes a graph inside another for an outermost one. Ops are
    frozen and come one by one; one that is seen may not be among the consumers yet.
    """

    __slots__ = ("_consumers", "_outdated", "description", "id", "inner_ids", "newest", "ops")

    def __init__(self, graph_id: str) -> None:
        self.id = graph_id
        self.description: Description | None = None
        """None until its own record is on disk."""
        self.newest = 0.0
        """When its newest op was created, in seconds since 1970."""
        self.inner_ids: dict[str, None] = {}
        """Graphs inside this one, in the order in which they were read."""
        self.ops: dict[str, Op] = {}
        self._consumers: dict[str, list[Consumer]] = {}
        """By tensor; among them may be ops that were replaced."""
        self._outdated: dict[str, int] = {}
        """How many these are at most, for tensors that have such."""

    @property
    def name(self) -> str | None:
        """Its name; None until its own record is on disk."""
        described = self.description
        return None if described is None else described.name

    @property
    def outer_id(self) -> str:
        """The graph around it; empty for an outermost one, or until its record is on disk."""
        described = self.description
        return "" if described is None else described.outer_id

    def add(self, op: Op) -> None:
        """Add an op and note what it consumes; one recorded again replaces the first."""
        known = self.ops.get(op.name)
        self.ops[op.name] = op
        for index, tensor in enumerate(op.inputs):
            self._consumers.setdefault(tensor, []).append(Consumer(op, index))
        for tensor in known.inputs if known else ():
            self._outdate_one(tensor)

    def _outdate_one(self, tensor: str) -> None:
        """Note that a consumer was replaced; they are removed when there are many of them."""
        outdated = self._outdated.get(tensor, 0) + 1
        if 2 * outdated >= len(self._consumers[tensor]):
            self._consumers[tensor] = list(filter(self._is_current, self._consumers[tensor]))
            outdated = 0
        self._outdated[tensor] = outdated

    def _is_current(self, consumer: Consumer) -> bool:
        return self.ops.get(consumer.op.name) is consumer.op

    def consumers(self, op_name: str, slot: int, limit: int | None = None) -> tuple[Consumer, ...]:
        """The ops that take an output of an op; `limit` is how many are looked at."""
        known = self._consumers.get(f"{op_name}:{slot}", ())
        return tuple(filter(self._is_current, islice(known, limit)))
