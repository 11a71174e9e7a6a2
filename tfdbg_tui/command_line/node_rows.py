"""Tensors around another as pieces of lines: name, type, health, and where the name leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.result import Cell, OpLink
from tfdbg_tui.command_line.tensor_rows import health_words
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef

if TYPE_CHECKING:
    from tfdbg_tui.command_line.result import Link
    from tfdbg_tui.data.flow.graph_nodes import GraphNode


def link_of(host: int, node: GraphNode) -> Link | None:
    """Where a node leads: to its event or, without one, to its op."""
    if node.trace is not None:
        return EventRef(host, EventKind.TRACE, node.trace, 0)
    if node.op_name is not None and node.graph_id is not None:
        return OpLink(host, node.graph_id, node.op_name, node.slot or 0)
    if node.execution is not None:
        return EventRef(host, EventKind.EXECUTION, node.execution, node.position)
    return None


def name_cell(host: int, node: GraphNode, lead: str = "") -> Cell:
    """The name of a node, maybe behind the branches of a tree."""
    return Cell(f"{lead}{node.shown}", node.name, link_of(host, node), "bad" if node.bad else "")


def health_cell(node: GraphNode) -> Cell:
    """What is known of its numbers."""
    words = health_words(node.health, node.bad) or node.note
    return Cell(words, words or None, role="bad" if node.bad else "")


def event_cell(node: GraphNode) -> Cell:
    """The number of its event."""
    event = node.trace if node.trace is not None else node.execution
    return Cell("" if event is None else f"#{event:,}", event, role="dim")
