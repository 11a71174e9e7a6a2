"""What the arguments of loops and branches are: nothing records it, but names and order tell.

The graph of a branch takes what its op was given, in order. The body of a loop takes that in the
first round, and in each later one what it put out in the round before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.flow.graph_edges import tensor_named
from tfdbg_tui.data.flow.graph_nodes import GraphTensor
from tfdbg_tui.data.stores.tf_names import ARGUMENT, is_body, is_branch, runs_branch, those_that_run

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.graph import Graph, Op
    from tfdbg_tui.data.stores.host import Host

LOOPS = frozenset({"While", "StatelessWhile"})


class LoopArguments:
    """The arguments of the loops and branches of one host."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def given(self, vertex: GraphTensor) -> list[GraphTensor]:
        """What an argument may be: what the round before handed on, then what was given."""
        graph = self._host.graphs.by_id.get(vertex.graph_id)
        place = None if graph is None else self.place_of(graph, vertex.op_name)
        if graph is None or place is None:
            return []
        op, number = place
        outside = GraphTensor(op.graph_id, op.name, None, vertex.execution)
        found = [tensor_named(outside, op.inputs[number])]
        if op.type in LOOPS:
            body = self._body(graph, op)
            returned = [] if body is None else _returned(body)
            if body is not None and number < len(returned):
                found.insert(0, GraphTensor(body.id, returned[number], 0, vertex.execution))
        return found

    def place_of(self, graph: Graph, argument: str) -> tuple[Op, int] | None:
        """The op that runs a branch or a loop, and the number of the input that an argument is."""
        outer = self._host.graphs.by_id.get(graph.outer_id)
        if outer is None or not is_branch(graph.name or ""):
            return None
        names = argument_names(graph)
        if argument not in names:
            return None
        for op_name in those_that_run(graph.name or "", tuple(outer.ops)):
            op = outer.ops[op_name]
            number = names.index(argument) + first_input(op, names)
            return (op, number) if 0 <= number < len(op.inputs) else None
        return None

    def _body(self, graph: Graph, op: Op) -> Graph | None:
        """The body of a loop, by its condition or by itself."""
        outer = self._host.graphs.by_id[op.graph_id]
        graphs = (self._host.graphs.by_id.get(inner) for inner in tuple(outer.inner_ids))
        bodies = (g for g in graphs if g is not None and is_body(g.name or ""))
        return next((g for g in bodies if runs_branch(op.name, g.name or "")), None)


def argument_names(graph: Graph) -> list[str]:
    """The arguments of a graph, in order."""
    return [op.name for op in tuple(graph.ops.values()) if op.type == ARGUMENT]


def first_input(op: Op, arguments: list[str]) -> int:
    """The number of the input that the first argument is: a branch takes its condition before.

    A loop takes its arguments first; what its gradient needs is added to its graphs later.
    """
    return 0 if op.type in LOOPS else len(op.inputs) - len(arguments)


def _returned(graph: Graph) -> list[str]:
    """The ops whose tensors a body hands on: the Identity that nobody takes, in order."""
    ops = tuple(graph.ops.values())
    return [op.name for op in ops if op.type == "Identity" and not graph.consumers(op.name, 0)]
