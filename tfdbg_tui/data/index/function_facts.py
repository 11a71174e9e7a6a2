"""Which functions of a program ran as graphs, and why nothing is recorded of some.

Worked out for each host as it grows, in the thread that reads: a site or a graph is looked at
once, and nothing depends on the number of events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.index.xla_lines import SourceLine, compiled_lines
from tfdbg_tui.data.stores.tf_names import (
    differentiated_function,
    is_dataset_function,
    is_gradient_graph,
    is_keras_step,
    is_scratch_graph,
    read_call,
    writes_variable,
)
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tfdbg_tui.data.stores.graph import Graph
    from tfdbg_tui.data.stores.host import Host

STALLED_AFTER = 10.0
"""Seconds of other work after which a call that is still not recorded did not come back."""

MAX_NAMES = 20
"""Functions that are named; damaged files may hold any number."""

FUNCTION_FILE = "/polymorphic_function.py"
"""TensorFlow's file in which a `tf.function` is called."""


class Called(NamedTuple):
    """A function of the user's, and the line that called it where that is on disk."""

    name: str
    line: SourceLine | None = None


class FunctionFacts(NamedTuple):
    """What there is to say about the functions of a run."""

    in_graphs: bool = False
    """Whether any function but those of `tf.data` was traced, or any graph was run."""
    run_eagerly: bool = False
    """Whether the bodies of functions ran op by op, as `run_functions_eagerly` wants it."""
    gradients: tuple[Called, ...] = ()
    """Functions whose gradients were called, and of whose tensors none was recorded."""
    unfinished: tuple[Called, ...] = ()
    """Functions that were called, and no call came back."""
    compiled: tuple[SourceLine, ...] = ()
    """Lines of the program that ask for XLA; looked for only where calls did not come back."""
    by_keras: bool = False
    """Whether Keras called what did not come back."""
    uncalled: tuple[str, ...] = ()
    """Functions that were traced to be kept or exported, and never called."""
    traced_early: tuple[Called, ...] = ()
    """Functions that were called, and traced where the recorder was not: earlier, or elsewhere."""
    foreign_graphs: int = 0
    """Graphs whose tensors are recorded and that no record describes."""
    session_updates: tuple[str, ...] = ()
    """Types of the ops with which sessions of TensorFlow 1 write variables."""


class Functions:
    """The functions of one host; for the thread that reads."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._facts = FunctionFacts()
        self._version: tuple[object, ...] = ()
        self._sites = self._traced_sites = 0
        self._called_ids: dict[str, tuple[str, ...]] = {}
        """Graphs that were called, with a stack that called them."""
        self._called_names: set[str] = set()
        self._gradients: dict[str, tuple[str, ...]] = {}
        """Graphs of gradients that were called, with a stack that called them."""
        self._without_graph: dict[str, tuple[str, ...]] = {}
        """Functions that were called and whose graph the recorder did not know."""
        self._forward: dict[str, tuple[str, ...]] = {}
        """Functions that were called under a tape: the recorder never names their graph."""
        self._eager_frames: set[str] = set()
        """Ids of all frames from which eager ops were run."""
        self._traced: set[str] = set()
        self._outstanding: tuple[str, ...] = ()
        """Graphs of functions that were called and of which no call is recorded."""
        self._waiting = 0
        self._function_frames: frozenset[str] = frozenset()
        """Ids of the frames in which a `tf.function` is called."""

    def facts(self, ended: bool) -> FunctionFacts:
        """What can be said now."""
        host = self._host
        graphs, now = host.graphs, self._newest_execution()
        version = (
            graphs, host.executions, host.traces, graphs.counts,
            len(host.executions.sites), len(host.traces.sites), host.frames.records,
            host.sources.records, ended,
        )  # fmt: skip
        if version != self._version or self._count_waiting(now) != self._waiting:
            if version[:3] != self._version[:3]:
                self._begin_anew()
            self._version = version
            self._learn()
            self._facts = self._work_out(ended, now)
            self._waiting = self._count_waiting(now)
        return self._facts

    def _begin_anew(self) -> None:
        """Forget what was learnt from files that have been replaced."""
        self._sites = self._traced_sites = 0
        for known in (self._called_names, self._eager_frames, self._traced):
            known.clear()
        for stacks in (self._called_ids, self._gradients, self._without_graph, self._forward):
            stacks.clear()

    def _newest_execution(self) -> float:
        executions = self._host.executions
        return float(executions.wall_times[-1]) if len(executions) else 0.0

    def _count_waiting(self, now: float) -> int:
        """Functions whose calls may yet come back."""
        known = self._host.graphs.by_id
        called = (known[graph_id] for graph_id in self._outstanding if graph_id in known)
        return sum(now < graph.newest + STALLED_AFTER for graph in called)

    # ------------------------------------------------------------------ learning

    def _learn(self) -> None:
        """Learn from the sites that have come."""
        host = self._host
        sites = host.executions.sites
        for site in sites[self._sites :]:
            named = read_call(site.op_type)
            if named is None and not site.graph_id:
                self._eager_frames.update(site.stack)
                continue
            self._called_ids.setdefault(site.graph_id, site.stack)
            name = named.graph if named else ""
            self._called_names.add(name)
            if is_gradient_graph(name):
                self._gradients.setdefault(name, site.stack)
            elif named and not site.graph_id:
                calls = self._forward if named.is_forward else self._without_graph
                calls.setdefault(name, site.stack)
        self._sites = len(sites)
        traced = host.traces.sites
        self._traced.update(site.graph_id for site in traced[self._traced_sites :])
        self._traced_sites = len(traced)

    def _work_out(self, ended: bool, now: float) -> FunctionFacts:
        graphs = self._host.graphs
        self._function_frames = self._find_function_frames()
        own = [graph for graph in tuple(graphs.by_id.values()) if self._is_at_top(graph)]
        silent = [graph for graph in own if not self._was_called(graph)]
        called = [graph for graph in silent if self._is_traced_by_a_call(graph)]
        kept = [g for g in silent if self._is_traced_by_a_call(g) is False and not self._ran(g)]
        self._outstanding = tuple(graph.id for graph in called)
        stuck = [g for g in called if ended or now >= g.newest + STALLED_AFTER]
        keras = any(map(self._is_of_keras, stuck))
        return FunctionFacts(
            in_graphs=bool(own or self._called_names)
            or any(map(self._is_no_dataset, self._traced)),
            run_eagerly=not own and not self._function_frames.isdisjoint(self._eager_frames),
            gradients=_distinct(self._silent_gradients()),
            unfinished=_distinct(Called(g.name or "", self._line_of(g)) for g in stuck),
            compiled=self._compiled_lines(stuck, keras),
            by_keras=keras,
            uncalled=tuple(dict.fromkeys(graph.name or "" for graph in kept))[:MAX_NAMES],
            traced_early=_distinct(self._traced_early(ended)),
            foreign_graphs=sum(graphs.name_of(graph_id) is None for graph_id in self._traced),
            session_updates=self._session_updates(),
        )

    def _is_at_top(self, graph: Graph) -> bool:
        """Whether a graph is that of a function that a program calls at top level, eagerly."""
        name = graph.name
        if not name or not graph.ops or is_scratch_graph(name):
            return False
        if is_dataset_function(name) or is_gradient_graph(name):
            return False
        outer = self._host.graphs.by_id.get(graph.outer_id)
        # Above it stands the default graph, in which an eager program makes no op.
        return outer is not None and outer.name == "" and not outer.ops

    def _is_no_dataset(self, graph_id: str) -> bool:
        function = self._host.graphs.function_of(graph_id)
        return function is None or not is_dataset_function(function)

    def _was_called(self, graph: Graph) -> bool:
        return graph.id in self._called_ids or graph.name in self._called_names

    def _ran(self, graph: Graph) -> bool:
        return graph.id in self._traced

    def _is_traced_by_a_call(self, graph: Graph) -> bool | None:
        """Whether calling it traced a function, or asking for its graph; None if not known."""
        stack = next(iter(graph.ops.values())).stack
        if not self._function_frames.isdisjoint(stack):
            return True
        return False if self._host.has_whole_stack(stack) else None

    def _find_function_frames(self) -> frozenset[str]:
        host = self._host
        frames = [f for f in tuple(host.frames.by_id.values()) if f.function == "__call__"]
        files = {frame.id: host.sources.get(frame.file_index) for frame in frames}
        return frozenset(
            frame_id
            for frame_id, file in files.items()
            if file is not None and file.path.replace("\\", "/").endswith(FUNCTION_FILE)
        )

    def _silent_gradients(self) -> Iterator[Called]:
        graphs = self._host.graphs
        traced = {graphs.name_of(graph_id) for graph_id in self._traced}
        for name, stack in self._gradients.items():
            if name not in traced:
                yield Called(differentiated_function(name), self._line(stack))

    def _traced_early(self, ended: bool) -> Iterator[Called]:
        """Whatever is not on disk may yet come: only at the end is a graph known to be missing."""
        graphs = self._host.graphs
        names = {graph.name for graph in tuple(graphs.by_id.values())} if ended else None
        for name, stack in self._without_graph.items():
            yield Called(name, self._line(stack))
        for name, stack in self._forward.items():
            if names is not None and name not in names:
                yield Called(name, self._line(stack))
        # One that another thread has called first has a graph, and no op in it is recorded. Ops
        # are missing, too, where the program was killed before it wrote them.
        all_told = ended and not graphs.file.cut_bytes
        for graph_id, stack in self._called_ids.items() if all_told else ():
            graph = graphs.by_id.get(graph_id)
            if graph is not None and graph.name and not graph.ops:
                yield Called(graph.name, self._line(stack))

    def _session_updates(self) -> tuple[str, ...]:
        """Only a session runs ops of a graph without a name."""
        graphs = self._host.graphs
        run = [graph_id for graph_id in self._traced if graphs.name_of(graph_id) == ""]
        types = {op.type for graph_id in run for op in tuple(graphs.by_id[graph_id].ops.values())}
        return tuple(sorted(filter(writes_variable, types)))[:MAX_NAMES]

    def _is_of_keras(self, graph: Graph) -> bool:
        by_id = self._host.graphs.by_id
        inner = (by_id[graph_id].name for graph_id in graph.inner_ids if graph_id in by_id)
        return any(is_keras_step(name or "") for name in (graph.name, *inner))

    # ------------------------------------------------------------------ the user's lines

    def _compiled_lines(self, stuck: list[Graph], keras: bool) -> tuple[SourceLine, ...]:
        names = {graph.name or "" for graph in stuck}
        return compiled_lines(self._host.sources, names, keras) if stuck else ()

    def _line_of(self, graph: Graph) -> SourceLine | None:
        """The line that a function's ops were made from: its call, or a line of its own."""
        return self._line(next(iter(graph.ops.values())).stack)

    def _line(self, stack: tuple[str, ...]) -> SourceLine | None:
        line = self._host.line_of(stack)
        return None if line is None else SourceLine(line.path, line.line)


def joined(parts: Iterable[FunctionFacts]) -> FunctionFacts:
    """What the hosts of a run say together."""
    facts = list(parts)
    if len(facts) == 1:
        return facts[0]
    return FunctionFacts(
        in_graphs=any(part.in_graphs for part in facts),
        run_eagerly=any(part.run_eagerly for part in facts),
        gradients=_distinct(called for part in facts for called in part.gradients),
        unfinished=_distinct(called for part in facts for called in part.unfinished),
        compiled=tuple(dict.fromkeys(line for part in facts for line in part.compiled)),
        by_keras=any(part.by_keras for part in facts),
        uncalled=tuple(dict.fromkeys(name for part in facts for name in part.uncalled)),
        traced_early=_distinct(called for part in facts for called in part.traced_early),
        foreign_graphs=sum(part.foreign_graphs for part in facts),
        session_updates=tuple(dict.fromkeys(name for p in facts for name in p.session_updates)),
    )


def _distinct(found: Iterable[Called]) -> tuple[Called, ...]:
    """Each name once, with the first line that is known."""
    by_name: dict[str, Called] = {}
    for called in found:
        known = by_name.get(called.name)
        if known is None or known.line is None:
            by_name[called.name] = called
    return tuple(by_name.values())[:MAX_NAMES]
