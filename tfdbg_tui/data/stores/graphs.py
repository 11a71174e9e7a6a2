"""All graphs of one host, with the devices that ran them.

Nothing here relies on the order of records: an op may be read before its graph, a graph before
the one around it, an input before the op that makes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfdbg_tui.data.records.debug_event_schema import parse, text
from tfdbg_tui.data.stores.data_ops import hands_on, is_data_in
from tfdbg_tui.data.stores.gradients import forward_by_name, forward_op
from tfdbg_tui.data.stores.graph import Description, Graph, Op
from tfdbg_tui.data.stores.tf_names import ARGUMENT, is_gradient_graph
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.files.tfrecord import Block, RecordFile

MAX_NESTING = 256
"""Graphs inside graphs; a longer chain is a loop in damaged data."""


class GraphCounts(NamedTuple):
    """How many records of each kind are read."""

    graphs: int = 0
    ops: int = 0
    devices: int = 0


class Graphs:
    """The graphs, ops and devices of one host.

    The feed's thread adds, any thread reads. Graphs and devices are only ever added. The counts
    are published in one assignment when a block is read: an answer that is cached until they
    change was worked out from everything that they count.
    """

    def __init__(self, file: RecordFile) -> None:
        self.file = file
        self.counts = GraphCounts()
        self.by_id: dict[str, Graph] = {}
        self.devices: dict[int, str] = {}
        self._stacks: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._frame_ids: dict[bytes, str] = {}
        self._forward: dict[tuple[str, str], tuple[Op, Op | None]] = {}

    def extend(self, block: Block) -> None:
        """Add the graphs, ops and devices of a block."""
        graphs, ops, devices = self.counts
        for payload in block.payloads():
            event = parse(payload)
            if event is None:
                self.file.count_unparsable()
            elif event.HasField("graph_op_creation"):
                self._add_op(event.graph_op_creation, event.wall_time)
                ops += 1
            elif event.HasField("debugged_graph"):
                self._add_graph(event.debugged_graph)
                graphs += 1
            elif event.HasField("debugged_device"):
                device = event.debugged_device
                self.devices[device.device_id] = text(device.device_name)
                devices += 1
            else:
                self.file.count_unparsable()
        self.counts = GraphCounts(graphs, ops, devices)

    def _add_op(self, record: Any, wall_time: float) -> None:
        graph = self._graph(text(record.graph_id))
        op = Op(
            graph.id,
            text(record.op_name),
            text(record.op_type),
            tuple(text(name) for name in record.input_names),
            record.num_outputs,
            text(record.device_name),
            text(record.code_location.host_name),
            self._stack(record.code_location.stack_frame_ids),
            tuple(record.output_tensor_ids),
        )
        graph.add(op)
        graph.newest = max(graph.newest, wall_time)

    def _add_graph(self, record: Any) -> None:
        graph = self._graph(text(record.graph_id))
        described = Description(text(record.graph_name), text(record.outer_context_id))
        graph.description = described
        if described.outer_id:
            self._graph(described.outer_id).inner_ids[graph.id] = None

    def _graph(self, graph_id: str) -> Graph:
        graph = self.by_id.get(graph_id)
        if graph is None:
            graph = self.by_id[graph_id] = Graph(graph_id)
        return graph

    def _stack(self, frame_ids: Any) -> tuple[str, ...]:
        """A stack, shared between the many ops that were created from it."""
        known = self._frame_ids
        stack = tuple(known.get(raw) or known.setdefault(raw, text(raw)) for raw in frame_ids)
        return self._stacks.setdefault(stack, stack)

    def stacks(self) -> list[tuple[str, ...]]:
        """All distinct stacks that created ops."""
        return list(self._stacks)

    def op(self, graph_id: str, op_name: str) -> Op | None:
        """An op, if it is on disk."""
        graph = self.by_id.get(graph_id)
        return None if graph is None else graph.ops.get(op_name)

    def forward_of(self, op: Op) -> Op | None:
        """The op whose gradient this one computes, if it is one and that can be told.

        A forward op is always recorded before its gradient, in the same file.
        """
        key = (op.graph_id, op.name)
        known = self._forward.get(key)
        if known is None or known[0] is not op:
            graph = self.by_id[op.graph_id]
            found = forward_op(graph, op) or self._forward_in_function(graph, op)
            known = self._forward[key] = (op, found)
        return known[1]

    def _forward_in_function(self, graph: Graph, op: Op) -> Op | None:
        """The same for an op of a graph of its own, which stands within that of the function."""
        function = self.by_id.get(graph.outer_id) if is_gradient_graph(graph.name or "") else None
        return None if function is None else forward_by_name(function, op.name)

    def stack_of(self, op: Op) -> tuple[str, ...]:
        """The frames that lead to the user's line of an op; for a gradient, of its forward op."""
        forward = self.forward_of(op)
        return op.stack if forward is None else forward.stack

    def came_with_data(self, op: Op) -> bool:
        """Whether what an op puts out came from outside: a dataset, a file, or a feed of TF1."""
        source: Op | None = op
        for _ in range(MAX_NESTING):
            if source is None or not (hands_on(source.type) and source.inputs):
                break
            source = self.op(op.graph_id, source.inputs[0].rpartition(":")[0])
        graph = self.by_id[op.graph_id]
        if source is None or graph.name is None:
            return False
        if source.type == ARGUMENT and graph.name:
            graph = self._handing_on(graph)
        return is_data_in(graph.name or "", source.type)

    def _handing_on(self, graph: Graph) -> Graph:
        """The outermost graph whose arguments are those of an inner one: no op is in between."""
        for _ in range(MAX_NESTING):
            outer = self.by_id.get(graph.outer_id)
            if outer is None or not outer.name or _computes(outer):
                break
            graph = outer
        return graph

    def name_of(self, graph_id: str) -> str | None:
        """The name of a graph, if it is on disk."""
        graph = self.by_id.get(graph_id)
        return None if graph is None else graph.name

    def function_of(self, graph_id: str) -> str | None:
        """The function a graph was called through: the outermost named graph around it.

        None while the graphs around it are not all on disk.
        """
        function = None
        for _ in range(MAX_NESTING):
            graph = self.by_id.get(graph_id)
            described = None if graph is None else graph.description
            if described is None:
                return None
            function = described.name or function
            graph_id = described.outer_id
            if not graph_id:
                return function
        return None

    def undescribed_graphs(self) -> set[str]:
        """Ids of graphs that are named by others but whose own record is not on disk."""
        return {graph.id for graph in tuple(self.by_id.values()) if graph.name is None and graph.id}


def _computes(graph: Graph) -> bool:
    """Whether a graph does more than to hand its arguments on."""
    return any(
        op.num_outputs and not (op.type == ARGUMENT or hands_on(op.type))
        for op in tuple(graph.ops.values())
    )
