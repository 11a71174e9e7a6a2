"""The op of a recorded graph that an error of TensorFlow blames.

The message has the name of the op and what was called. Many graphs may hold an op of that name:
only where all that is known leads to one is it told. A wrong op is worse than none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.graphs import MAX_NESTING
from tfdbg_tui.data.stores.tf_names import (
    is_branch,
    is_call_op,
    is_dataset_function,
    is_scratch_graph,
    read_call,
)
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tfdbg_tui.data.stores.graph import Graph, Op
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.program_notes import Failure
    from tfdbg_tui.data.stores.tf_errors import Blamed


class FailingOp(NamedTuple):
    """An op, and the number of its host in the run."""

    host: int
    op: Op


def failing_op(hosts: Sequence[Host], failure: Failure) -> FailingOp | None:
    """The op that an error came from, if it is recorded and no other can be meant."""
    blamed = failure.blamed
    if not blamed.nodes:
        return None
    found = [
        FailingOp(number, op)
        for number, host in enumerate(hosts)
        for op in _Search(host, blamed).ops()
    ]
    return found[0] if len(found) == 1 else None


class _Search:
    """The search for the blamed op among the graphs of one host."""

    def __init__(self, host: Host, blamed: Blamed) -> None:
        self._host = host
        self._blamed = blamed
        self._graphs = tuple(host.graphs.by_id.values())

    def ops(self) -> list[Op]:
        """The ops that can be meant; those that are the same line traced again count as one."""
        called = self._called()
        for graphs in self._scopes(called):
            found = [op for graph in graphs for op in self._ops_of(graph, called)]
            found = self._on_told_lines(found)
            if found:
                return self._newest_of_one_line(found)
        return []

    def _ops_of(self, graph: Graph, called: set[str]) -> list[Op]:
        """The op of a graph that runs under the blamed name.

        When TensorFlow replaces a call by what it calls, names get that of the call before them.
        """
        node = self._blamed.nodes[0]
        op = graph.ops.get(node)
        if op is None and self._function_of(graph) not in called:
            inner = (graph.ops[name] for name in _names_inside(node) if name in graph.ops)
            op = next(inner, None)
        return [] if op is None else [op]

    def _function_of(self, graph: Graph) -> str:
        """The graph of the function that a graph is a branch of, or its own."""
        return next((g.id for g in self._around(graph) if not is_branch(g.name or "")), graph.id)

    def _scopes(self, called: set[str]) -> Iterator[list[Graph]]:
        """Where to look, the most likely first: each holds only graphs that may have run."""
        graphs = [graph for graph in self._graphs if not is_scratch_graph(graph.name or "")]
        if tags := [call.graph for call in map(read_call, self._blamed.functions) if call]:
            yield [graph for graph in graphs if graph.name == tags[-1]]
        call = read_call(self._blamed.call or "")
        if call is not None:
            yield [graph for graph in graphs if self._is_inside(graph, called)]
        elif self._blamed.call is None:
            yield [graph for graph in graphs if graph.name == ""]  # a session runs it
        # What feeds a function or an iterator runs in functions of its own.
        yield [graph for graph in graphs if self._is_of_dataset(graph)]
        if call is not None:
            # A function that another one called first has its graph inside that one.
            yield [graph for graph in graphs if graph.name and not self._is_of_dataset(graph)]

    def _called(self) -> set[str]:
        """The graphs that the call may be of: the one that it was known to be of before, if any.

        Otherwise it was its first call, and it is of one that no other call is of.
        """
        call = read_call(self._blamed.call or "")
        if call is None:
            return set()
        sites = tuple(self._host.executions.sites)
        known = {s.graph_id for s in sites if s.op_type == self._blamed.call and s.graph_id}
        if known:
            return known
        taken = {site.graph_id for site in sites}
        named = {graph.id for graph in self._graphs if graph.name == call.graph}
        return (named - taken) or named

    def _is_inside(self, graph: Graph, called: set[str]) -> bool:
        return any(outer.id in called for outer in self._around(graph))

    def _is_of_dataset(self, graph: Graph) -> bool:
        return any(is_dataset_function(outer.name or "") for outer in self._around(graph))

    def _around(self, graph: Graph) -> Iterator[Graph]:
        """A graph and those that it was traced in, innermost first."""
        found: Graph | None = graph
        for _ in range(MAX_NESTING):
            if found is None:
                return
            yield found
            found = self._host.graphs.by_id.get(found.outer_id) if found.outer_id else None

    def _on_told_lines(self, ops: list[Op]) -> list[Op]:
        """Those whose stack the message tells, where it tells any; else all."""
        lines = self._blamed.lines
        if not lines or len(ops) < 2:
            return ops
        return [op for op in ops if self._lines_of(op) <= lines] or ops

    def _lines_of(self, op: Op) -> set[tuple[str, int]]:
        """The user's line of an op, in a set; empty if it is not on disk."""
        line = self._host.line_of(op.stack)
        return set() if line is None else {(line.path, line.line)}

    def _newest_of_one_line(self, ops: list[Op]) -> list[Op]:
        """A function that is traced again has the same op again: the last one was run."""
        kinds = {(op.name, op.type, tuple(self._lines_of(op))) for op in ops}
        functions = {self._host.graphs.name_of(op.graph_id) for op in ops}
        if len(kinds) > 1 or len(functions) > 1:
            return ops
        newest = max(ops, key=lambda op: self._host.graphs.by_id[op.graph_id].newest)
        return [newest]


def _names_inside(node: str) -> Iterator[str]:
    """What a name was before calls were replaced by what they call."""
    parts = node.split("/")
    for start in range(1, len(parts)):
        if is_call_op(parts[start - 1]):
            yield "/".join(parts[start:])
