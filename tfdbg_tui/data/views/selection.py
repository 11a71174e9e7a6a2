"""What the user has chosen: one frozen value, from which every pane knows what to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.index.stacks import StackFrame


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
    """The one thing that all panes show, and the rows of the lists that belong to it.

    That is an event or, where the tensor of a graph was not recorded in the invocation looked
    at, the node alone; or nothing yet.
    """

    host: int = 0
    kind: EventKind | None = None
    """Of the chosen event; None if none is chosen."""
    trace: int | None = None
    """The trace itself, or the one next to which the node or call stands."""
    execution: int | None = None
    """The execution itself, or the call that the trace or node belongs to."""
    output: int = 0
    """Which recorded output of the execution."""
    node: Node | None = None
    """The graph tensor that the trace computes, or that is chosen without an event."""
    stack: tuple[StackFrame, ...] = ()
    """The frames that created what is chosen, innermost first, as far as they are on disk."""
    frame: str | None = None
    """Id of the chosen stack frame."""
    file: int | None = None
    line: int | None = None
    """The chosen line of a source file."""
    pinned: bool = False
    """Whether the user chose frame or line; then other ops show the same file if they can."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is chosen."""
        return self.kind is None and self.node is None

    @property
    def is_node(self) -> bool:
        """Whether a tensor of a graph is chosen that was not recorded in this invocation."""
        return self.kind is None and self.node is not None

    @property
    def list_kind(self) -> EventKind:
        """The kind of events whose list holds the selection, or what is next to it."""
        return self.kind or EventKind.TRACE

    def number_of(self, kind: EventKind) -> int | None:
        """The event of a kind that is chosen or belongs to what is chosen."""
        return self.trace if kind is EventKind.TRACE else self.execution

    @property
    def event(self) -> EventRef | None:
        """The chosen event with its output; None if none is chosen."""
        return None if self.kind is None else self.nearest_event

    @property
    def nearest_event(self) -> EventRef | None:
        """The chosen event or, for a node, the trace next to which it stands."""
        number = None if self.is_empty else self.number_of(self.list_kind)
        if number is None:
            return None
        return EventRef(self.host, self.list_kind, number, self.output)
