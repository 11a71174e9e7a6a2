"""The graphs that TF1 sessions run, read for what tells one run from the next.

Each op of such a graph is computed once a run at the most, unless a loop inside the graph repeats
it: those of a `tf.while_loop` as TF1 made it lie between its ops Enter and Exit. And each op is
traced behind its inputs. Which ops train and which give variables their first values is told by
what they lead to: the ops that write variables put nothing out, so that nothing of them is traced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.modes import Mode
from tfdbg_tui.data.stores.graphs import MAX_NESTING
from tfdbg_tui.data.stores.tf_names import (
    ARGUMENT,
    computes_gradient,
    is_dataset_function,
    is_enqueue,
    is_optimizer,
    is_read,
    is_setup,
    is_update,
)
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.stores.graph import Graph, Op
    from tfdbg_tui.data.stores.graphs import GraphCounts
    from tfdbg_tui.data.stores.host import Host

    Column = npt.NDArray[Any]
    Mask = npt.NDArray[np.bool_]

NO_GRAPH = -1

ENTERS, EXITS = frozenset({"Enter", "RefEnter"}), frozenset({"Exit", "RefExit"})
MERGES = frozenset({"Merge", "RefMerge"})

PASSED = frozenset(
    {"Identity", "Switch", "RefSwitch", "NextIteration", "RefNextIteration"}
    | ENTERS
    | EXITS
    | MERGES
)
"""Op types that hand on what they are given, and are never traced."""

CALLS = frozenset(
    {"While", "StatelessWhile", "If", "StatelessIf", "Case", "StatelessCase"}
    | {"PartitionedCall", "StatefulPartitionedCall", "RemoteCall"}
)
"""Op types that TensorFlow may take apart: an output need not wait for all inputs."""

FED = frozenset({"Placeholder", "PlaceholderWithDefault"})
READY = frozenset(
    {"Shape", "ShapeN", "Size", "Rank", "ZerosLike", "OnesLike", "BroadcastGradientArgs"}
)
"""Op types that TensorFlow computes before their inputs, where it knows their shapes."""

GIVEN = FED | {"Const", "VarHandleOp"}
"""Op types of what is there before anything is computed."""

MAX_PRODUCERS = 32
"""Traced tensors behind untraced ops that are considered; fewer are no mistake."""

MAX_PASSED = 100
"""Ops that hand on one and the same tensor."""


class Roles(NamedTuple):
    """What the sites of the trace store are to the runs of sessions, each a column by site."""

    graph: Column
    """The number of the graph that a session runs; NO_GRAPH for what no session runs."""
    counts: Mask
    """Whether it is computed once a run at the most."""
    trains: Mask
    """Whether it is computed to update a variable."""
    is_initial: Mask
    """Whether it is computed for the first value of a variable only."""
    is_fed: Mask
    """Whether it is given to each run that takes it."""


class SessionGraphs:
    """The graphs that sessions run, as far as they are on disk; for the feed's thread."""

    def __init__(self, host: Host) -> None:
        self._graphs = host.graphs
        self._traces = host.traces
        self._version: tuple[GraphCounts, int] | None = None
        self._shapes: dict[str, _Shape] = {}
        self.ids: list[str] = []
        """The graphs by number."""
        self.roles = _no_roles(0)
        self._edges: list[tuple[Column, Column]] = []

    def refresh(self) -> None:
        """Look at what has come of graphs and sites."""
        sites = self._traces.sites
        version = (self._graphs.counts, len(sites))
        if version == self._version:
            return
        self._version = version
        roles = _no_roles(len(sites))
        by_graph: dict[str, dict[str, list[int]]] = {}
        for number, site in enumerate(sites[: len(sites)]):
            by_graph.setdefault(site.graph_id, {}).setdefault(site.op_name, []).append(number)
        families = {graph_id: self._session_graph(graph_id) for graph_id in by_graph}
        shapes = {graph_id: self._shape(graph_id) for graph_id, top in families.items() if top}
        has_optimizer = any(shape.has_optimizer for shape in shapes.values())
        for graph_id, shape in shapes.items():
            top = self._number(families[graph_id])
            updated = shape.optimized if has_optimizer else shape.assigned
            if has_optimizer and computes_gradient(self._graphs.name_of(graph_id) or ""):
                updated = updated | shape.from_arguments()
            for op_name, numbers in by_graph[graph_id].items():
                roles.graph[numbers] = top
                roles.trains[numbers] = op_name in updated
                if graph_id == families[graph_id]:
                    roles.counts[numbers] = op_name in shape.once
                    roles.is_initial[numbers] = op_name in shape.initial
                    roles.is_fed[numbers] = op_name in shape.fed
        self.roles = roles
        self._edges = [self._edges_of(top, by_graph.get(top, {}), roles) for top in self.ids]

    def edges(self, number: int) -> tuple[Column, Column]:
        """Sites of a graph that are traced one behind the other in each run that has both."""
        return self._edges[number]

    def _number(self, graph_id: str) -> int:
        if graph_id not in self.ids:
            self.ids.append(graph_id)
        return self.ids.index(graph_id)

    def _session_graph(self, graph_id: str) -> str:
        """The graph around all others, if a session may run it; else an empty text."""
        for _ in range(MAX_NESTING):
            graph = self._graphs.by_id.get(graph_id)
            described = None if graph is None else graph.description
            if described is None or is_dataset_function(described.name):
                return ""
            if not described.outer_id:
                return "" if described.name else graph_id
            graph_id = described.outer_id
        return ""

    def _shape(self, graph_id: str) -> _Shape:
        graph = self._graphs.by_id[graph_id]
        known = self._shapes.get(graph_id)
        if known is None or known.ops != len(graph.ops):
            known = self._shapes[graph_id] = _Shape(graph)
        return known

    def _edges_of(
        self, graph_id: str, sites: dict[str, list[int]], roles: Roles
    ) -> tuple[Column, Column]:
        shape = self._shapes.get(graph_id)
        traced: dict[str, list[int]] = {}
        for numbers in sites.values():
            for number in numbers:
                # Without a tensor to look at, a trace waits for nothing.
                is_bound = self._traces.sites[number].mode != Mode.NO_TENSOR
                if roles.counts[number] and is_bound:
                    traced.setdefault(self._traces.sites[number].tensor_name, []).append(number)
        pairs = [
            (producer, consumer)
            for op_name, tensors in (shape.producers(traced) if shape else ())
            for consumer in sites.get(op_name, ())
            if roles.counts[consumer]
            for tensor in tensors
            for producer in traced[tensor]
        ]
        columns = np.array(pairs, np.int64).reshape(-1, 2)
        return columns[:, 0], columns[:, 1]


def has_session_traces(host: Host) -> bool:
    """Whether a tensor is traced that only a session can have computed: in a graph of no name.

    The screen asks at every snapshot, so no site is looked at.
    """
    names = host.graphs.name_of
    return any(names(graph_id) == "" for graph_id in tuple(host.traces.graph_ids))


class _Shape:
    """What the ops of one graph are to a run of it."""

    def __init__(self, graph: Graph) -> None:
        self._all = {op.name: op for op in tuple(graph.ops.values())}
        self.ops = len(self._all)
        self._born = {name: number for number, name in enumerate(self._all)}
        self._loops = _loops(self._all)
        """The names of all ops of a loop, by the name of each of them."""
        self.once = self._all.keys() - self._loops.keys() - self._leading_to(is_enqueue)
        """Names of the ops that are in no loop, and not run by threads that fill queues."""
        self.has_optimizer = any(is_optimizer(op.type) for op in self._all.values())
        self.optimized = {*self._updated_by(self._optimizers())}
        """Names of the ops that compute gradients as optimizers take them."""
        self.assigned = {*self._updated_by(self._learned_updates())}
        """Names of the ops that compute from variables what variables are set to."""
        self.fed = {op.name for op in self._all.values() if op.type in FED}
        """Names of the ops that stand for what is given to a run."""
        self.initial = self._leading_to(is_setup)
        """Names of the ops that are computed for the first values of variables and the like."""

    # What is traced one behind the other.

    def producers(self, traced: dict[str, list[int]]) -> Iterator[tuple[str, frozenset[str]]]:
        """For each op the traced tensors that it waits for, past whatever is not traced."""
        behind: dict[str, frozenset[str]] = {}
        for op in self._all.values():
            inputs = [_waited_for(tensor, traced, behind) for tensor in op.inputs]
            if op.type in CALLS | READY or not inputs:
                found: frozenset[str] = frozenset()
            elif op.type in MERGES:
                # The other branch may be late: it is waited for by nobody.
                found = inputs[0].intersection(*inputs)
            else:
                found = inputs[0].union(*inputs)
            behind[op.name] = frozenset(sorted(found)[:MAX_PRODUCERS])
            if behind[op.name]:
                yield op.name, behind[op.name]

    # What is written to variables.

    def _optimizers(self) -> Iterator[Op]:
        return (op for op in self._all.values() if is_optimizer(op.type))

    def _learned_updates(self) -> Iterator[Op]:
        """Assignments of what is computed from variables; the first values are not."""
        from_variables: set[str] = set()
        for op in self._all.values():
            names = [tensor.rpartition(":")[0] for tensor in op.inputs]
            if is_read(op.type) or not from_variables.isdisjoint(names):
                from_variables.add(op.name)
            if is_update(op.type) and not from_variables.isdisjoint(names[1:]):
                yield op

    def _updated_by(self, updates: Iterable[Op]) -> Iterator[str]:
        """The ops that compute what each update takes."""
        for update in updates:
            maker = self._youngest_maker(update.inputs[1:])
            if maker is not None:
                names = self._loops.get(maker.name, (maker.name,))
                yield from (name for name in names if _is_computed(self._all[name].type))

    def _youngest_maker(self, tensors: Sequence[str]) -> Op | None:
        """The op that computes one of some tensors, of several the one that was made last.

        Gradients are made when all else is there. Where one comes out of a call, which is never
        traced, this is what the call was given.
        """
        for _ in range(MAX_PASSED):
            made = [self._maker(tensor) for tensor in tensors]
            computed = [op for op in made if op and _is_computed(op.type)]
            youngest = max(computed, key=lambda op: self._born[op.name], default=None)
            if youngest is None or youngest.type not in CALLS:
                return youngest
            tensors = youngest.inputs
        return None

    def _maker(self, tensor: str) -> Op | None:
        """The op that makes a tensor, past those that only hand it on; the end of a loop is one."""
        op = self._all.get(tensor.rpartition(":")[0])
        for _ in range(MAX_PASSED):
            if op is None or op.type not in PASSED - EXITS or not op.inputs:
                break
            op = self._all.get(op.inputs[0].rpartition(":")[0])
        return op

    def from_arguments(self) -> set[str]:
        """Names of the ops that are computed from what a function is given."""
        found: set[str] = set()
        for op in self._all.values():
            names = [tensor.rpartition(":")[0] for tensor in op.inputs]
            if any(name in found or self._is_argument(name) for name in names):
                found.add(op.name)
        return found

    def _is_argument(self, name: str) -> bool:
        return name in self._all and self._all[name].type == ARGUMENT

    def _leading_to(self, is_end: Callable[[str], bool]) -> set[str]:
        """Names of the ops that lead to nothing but ops of some types."""
        leads_elsewhere: set[str] = set()
        leads_there: set[str] = set()
        for op in reversed(self._all.values()):
            is_part = op.name in leads_there and op.name not in leads_elsewhere
            inputs = {tensor.rpartition(":")[0] for tensor in op.inputs}
            leads = is_end(op.type) or (is_part and not is_read(op.type))
            (leads_there if leads else leads_elsewhere).update(inputs)
        found = (leads_there - leads_elsewhere) & self._all.keys()
        return {name for name in found if not is_read(self._all[name].type)}


def _is_computed(op_type: str) -> bool:
    """Whether an op makes something out of other tensors."""
    return op_type not in GIVEN and not is_read(op_type)


def _waited_for(
    tensor: str, traced: dict[str, list[int]], behind: dict[str, frozenset[str]]
) -> frozenset[str]:
    if tensor in traced:
        return frozenset((tensor,))
    return behind.get(tensor.rpartition(":")[0], frozenset())


def _loops(ops: dict[str, Op]) -> dict[str, tuple[str, ...]]:
    """The ops of each loop: all that is joined with an Enter, up to what is outside.

    An op in a loop takes nothing from outside but through Enter, and gives nothing but through
    Exit: so whatever else an op of a loop is joined with is in the loop as well, constants too.
    """
    joined: dict[str, list[str]] = {}
    for op in ops.values():
        for tensor in () if op.type in ENTERS else op.inputs:
            other = tensor.rpartition(":")[0]
            if other in ops and ops[other].type not in EXITS:
                joined.setdefault(op.name, []).append(other)
                joined.setdefault(other, []).append(op.name)
    loops: dict[str, tuple[str, ...]] = {}
    for op in ops.values():
        if op.type in ENTERS and op.name not in loops:
            found = {op.name: None}
            pending = [op.name]
            while pending:
                new = [name for name in joined.get(pending.pop(), ()) if name not in found]
                found.update(dict.fromkeys(new))
                pending += new
            loops.update(dict.fromkeys(found, tuple(found)))
    return loops


def _no_roles(sites: int) -> Roles:
    return Roles(
        np.full(sites, NO_GRAPH, np.int32),
        *(np.zeros(sites, np.bool_) for _ in range(4)),
    )
