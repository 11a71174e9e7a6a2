"""The nodes of a tree of ops: device, function, graphs inside it, scopes, and the op.

Nodes are only ever added, so that a number means the same for as long as somebody looks; an op
hangs elsewhere when more is known of it, such as the device that it runs on. Columns are arrays of
machine numbers, of which numpy takes a copy as they are while more are appended.
"""

from __future__ import annotations

import re
from array import array
from functools import lru_cache
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.graphs import MAX_NESTING
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex

MAX_PARTS = 32
"""Scopes of a name that are levels of their own; hostile names have any number of them."""

ROOT = -1

NO_DEVICE = "device not recorded"
NO_FUNCTION = "graph"
TOP_LEVEL = "top level"
NO_FILE = "line not recorded"
OPEN = "?"
"""In place of a name that is not on disk yet."""

_NUMBERED = re.compile(r"(.*?)_?(\d{1,18})", re.DOTALL)


class OpName(NamedTuple):
    """What a leaf stands for."""

    graph_id: str
    """Empty for what ran at top level."""
    name: str
    site: int = -1
    """Of the executions, at top level."""
    is_call: bool = False


class OpTreeNodes:
    """All nodes by number; the feed's thread adds, any thread reads."""

    def __init__(self, index: HostIndex) -> None:
        self._index = index
        self.labels: list[str] = []
        self.parents, self.depths = array("i"), array("i")
        self.stems, self.numbers = array("i"), array("q")
        """Of each label: what stands before the number at its end, and that number."""
        self.all_stems: dict[str, int] = {}
        self.is_op = array("b")
        self.ops: list[OpName | None] = []
        """What a node stands for; None for a group."""
        self.node_of_site = {kind: array("i") for kind in EventKind}
        self.moves = 0
        """How often an op came to hang elsewhere."""
        self._groups: dict[tuple[int, str], int] = {}
        self._leaves: dict[tuple[str, str], int] = {}
        self._devices: dict[tuple[str, str], str] = {}
        """The devices of ops, as far as they are known."""
        self._of_graph: dict[tuple[str, str], int] = {}
        """Where the ops of a graph hang that run on a device."""
        self._open: list[tuple[str, str]] = []
        """Ops whose graphs were not all on disk."""
        self._open_graphs: set[str] = set()

    def __len__(self) -> int:
        return len(self.depths)

    # Adding.

    def add_trace_site(self, number: int) -> None:
        """Add the op of the next site of traces, or note the device of one that is there."""
        site = self._index.host.traces.sites[number]
        key = site.graph_id, site.op_name
        if not self._devices.get(key):
            self._devices[key] = site.device
            self._hang(key)
        self.node_of_site[EventKind.TRACE].append(self._leaves[key])

    def add_op(self, graph_id: str, name: str, device: str) -> None:
        """Add an op of a graph, unless it is there."""
        key = graph_id, name
        if key not in self._leaves:
            self._devices[key] = device
            self._hang(key)

    def add_execution_site(self, number: int) -> None:
        """Add what the next site of executions ran."""
        facts = self._index.sites.execution(number)
        group = self._group(ROOT, short_device(facts.device))
        group = self._group(group, TOP_LEVEL)
        line = facts.line
        file = NO_FILE if line is None else line.path.replace("\\", "/").rpartition("/")[2]
        label = facts.tensor if line is None else f"{facts.tensor} :{line.line}"
        leaf = self._add(self._group(group, file), label, OpName("", label, number, facts.is_call))
        self.node_of_site[EventKind.EXECUTION].append(leaf)

    def hang_open_ones(self) -> None:
        """Look again for the functions of ops whose graphs were not on disk."""
        again, self._open, self._open_graphs = self._open, [], set()
        for key in again:
            self._of_graph.pop((short_device(self._devices[key]), key[0]), None)
        for key in again:
            self._hang(key)

    # Where they hang.

    def _hang(self, key: tuple[str, str]) -> None:
        """Hang an op below the last scope of its name, wherever it hung before."""
        graph_id, name = key
        group = self._group_of_graph(short_device(self._devices[key]), graph_id)
        scopes = name.split("/", MAX_PARTS)
        for scope in scopes[:-1]:
            group = self._group(group, scope)
        known = self._leaves.get(key)
        if known is None:
            self._leaves[key] = self._add(group, scopes[-1], OpName(graph_id, name))
        elif self.parents[known] != group:
            self.parents[known], self.depths[known] = group, self.depths[group] + 1
            self.moves += 1
        if graph_id in self._open_graphs:
            self._open.append(key)

    def _group_of_graph(self, device: str, graph_id: str) -> int:
        known = self._of_graph.get((device, graph_id))
        if known is not None:
            return known
        group, chain = self._group(ROOT, device), self._chain(graph_id)
        if OPEN in chain:
            self._open_graphs.add(graph_id)
        for name in chain:
            group = self._group(group, name)
        self._of_graph[device, graph_id] = group
        return group

    def _chain(self, graph_id: str) -> list[str]:
        """The names of the graphs around an op, the function first."""
        by_id, names = self._index.host.graphs.by_id, []
        for _ in range(MAX_NESTING):
            graph = by_id.get(graph_id)
            if graph is None or graph.description is None:
                names.append(OPEN)
                break
            names += [graph.name] if graph.name else []
            graph_id = graph.outer_id
            if not graph_id:
                break
        return names[::-1][:MAX_PARTS] or [NO_FUNCTION]

    def _group(self, parent: int, label: str) -> int:
        known = self._groups.get((parent, label))
        if known is None:
            known = self._groups[parent, label] = self._add(parent, label, None)
        return known

    def _add(self, parent: int, label: str, op: OpName | None) -> int:
        number, numbered = len(self.depths), _NUMBERED.fullmatch(label)
        stem, end = (label, -1) if numbered is None else (numbered[1], int(numbered[2]))
        self.labels.append(label)
        self.ops.append(op)
        self.is_op.append(op is not None)
        self.parents.append(parent)
        self.stems.append(self.all_stems.setdefault(stem, len(self.all_stems)))
        self.numbers.append(end)
        self.depths.append(0 if parent == ROOT else self.depths[parent] + 1)  # the last: it counts
        return number

    def leaf_of(self, graph_id: str, name: str) -> int | None:
        """The node of an op."""
        return self._leaves.get((graph_id, name))


@lru_cache(maxsize=1024)
def short_device(device: str) -> str:
    """`GPU:0` of the name of a device; of another task than the first, which one."""
    if not device:
        return NO_DEVICE
    short = device.rpartition("device:")[2] or device
    job = re.search(r"/job:([^/]*)", device)
    task = re.search(r"/task:(\d+)", device)
    told = [job[1]] if job and job[1] not in ("localhost", "") else []
    told += [f"task {task[1]}"] if task and (told or task[1] != "0") else []
    return f"{short} ({' '.join(told)})" if told else short
