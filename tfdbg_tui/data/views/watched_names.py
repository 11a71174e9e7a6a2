"""What is watched, by names that stay the same when the program is recorded again.

One is a line of JSON where it is kept: names hold whatever a program calls its tensors.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex

MAX_WATCHED = 32
"""Tensors that are watched at the most: more do not fit on a screen."""

COMMENT = "#"

_KINDS = {"graph": EventKind.TRACE, "top level": EventKind.EXECUTION}


class WatchError(ValueError):
    """A text that is no list of what is watched; the message begins with the line."""


class WatchedName(NamedTuple):
    """One tensor, whichever graph or call of a run computes it."""

    kind: EventKind
    name: str
    """The op inside a graph; the op type or the function of an execution."""
    slot: int
    """Which output: of an execution, which of those that are recorded."""
    function: str = ""
    """The function around all graphs, of a graph tensor."""
    graph: str = ""
    """The graph itself, where it has another name."""
    place: str = ""
    """The user's line of an execution: `train.py:22`."""

    @property
    def shown(self) -> str:
        """The name for people."""
        slot = f":{self.slot}" if self.slot else ""
        return f"{self.name}{slot}"


def trace_name(index: HostIndex, graph_id: str, op_name: str, slot: int) -> WatchedName:
    """The name of a graph tensor."""
    graphs = index.host.graphs
    function, graph = graphs.function_of(graph_id) or "", graphs.name_of(graph_id) or ""
    return WatchedName(EventKind.TRACE, op_name, slot, function, graph if graph != function else "")


def execution_name(index: HostIndex, site: int, output: int) -> WatchedName:
    """The name of an output of a site of executions."""
    facts = index.sites.execution(site)
    line = facts.line
    place = "" if line is None else f"{line.path.rpartition('/')[2]}:{line.line}"
    return WatchedName(EventKind.EXECUTION, facts.tensor, output, place=place)


def to_text(names: tuple[WatchedName, ...]) -> str:
    """What is kept of them."""
    words = {kind: word for word, kind in _KINDS.items()}
    told = ([words[name.kind], *name[1:]] for name in names)
    return "".join(f"{json.dumps(line)}\n" for line in told)


def read_names(text: str) -> tuple[WatchedName, ...]:
    """What was kept; raises WatchError."""
    names = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith(COMMENT):
            names.append(_read_name(line, number))
    return tuple(dict.fromkeys(names))[:MAX_WATCHED]


def _read_name(line: str, number: int) -> WatchedName:
    try:
        kind, name, slot, *rest = json.loads(line)
        found = WatchedName(_KINDS[kind], name, slot, *rest)
    except (KeyError, RecursionError, TypeError, ValueError):
        found = None
    if found is None or type(found.slot) is not int or not 0 <= found.slot < 1 << 31:
        raise WatchError(f"line {number}: this is no watched tensor.")
    if not all(isinstance(text, str) for text in (found.name, *found[3:])):
        raise WatchError(f"line {number}: this is no watched tensor.")
    return found
