"""What the user has chosen: one frozen value, from which every pane knows what to show."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class Subject(Enum):
    """What kind of thing is chosen."""

    NOTHING = "nothing"
    TRACE = "trace"
    """One computation of a graph tensor."""
    EXECUTION = "execution"
    """One eager op or call of a function."""
    NODE = "node"
    """A tensor of a graph that was not recorded in this invocation."""


class Node(NamedTuple):
    """An output of an op of a graph."""

    graph_id: str
    op_name: str
    slot: int

    @property
    def tensor_name(self) -> str:
        """The usual `op:slot`."""
        return f"{self.op_name}:{self.slot}"


@dataclass(frozen=True, slots=True)
class Selection:
    """The one thing that all panes show, and the places in the lists that belong to it."""

    host: int = 0
    subject: Subject = Subject.NOTHING
    trace: int | None = None
    """The trace itself, or the one next to which the subject stands."""
    execution: int | None = None
    """The execution itself, or the call that the trace or node belongs to."""
    output: int = 0
    """Which recorded output of the execution."""
    node: Node | None = None
    frame: str | None = None
    """Id of the chosen stack frame."""
    file: int | None = None
    line: int | None = None
    """The chosen line of a source file."""
    pinned: bool = False
    """Whether the user chose frame or line; then other ops show the same file if they can."""
