"""`li` and `lo`: what a tensor was computed from and what takes it, as a tree with health."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.naming import tensor_named
from tfdbg_tui.command_line.node_rows import event_cell, health_cell, name_cell
from tfdbg_tui.command_line.result import Cell, FixedRows, Head, Result
from tfdbg_tui.data.flow.graph_nodes import Relation
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.neighbourhood import ExecutionSubject, NodeSubject, flow
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.naming import NamedTensor
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer, Row
    from tfdbg_tui.data.flow.graph_nodes import GraphNode

USUAL_DEPTH, MAX_DEPTH = 20, 100
"""Levels of a tree: as tfdbg had them, and at most."""

MAX_NODES = 400
"""Tensors of a tree; those left out are counted."""

NAME, TYPE = Head("tensor", "tensor"), Head("op", "op type")
OTHERS = (Head("health", "health"), Head("event", "event"), Head("level", ""))


def run(context: Context, command: ParsedCommand) -> Answer:
    """The tree of inputs or consumers of a tensor."""
    yield from context.with_steps()
    tensor = tensor_named(context, command.arguments["TENSOR"])
    is_whole = command.has("-r")
    depth = command.number("-d", USUAL_DEPTH if is_whole else 1, least=1, most=MAX_DEPTH)
    inputs = command.definition.name == "li"
    relation = Relation.INPUT if inputs else Relation.CONSUMER
    nodes = flow_of(context, tensor, relation, depth if is_whole or command.has("-d") else 1)
    yield
    heads = (NAME, *((TYPE,) if command.has("-t") else ()), *OTHERS)
    rows = tuple(_rows(tensor.host, nodes, command.has("-t")))
    many = sum(node.more or 1 for node in nodes[1:])
    title = f"{counted(many, 'input' if inputs else 'consumer')} of {tensor.name}"
    if is_whole:
        title += f", up to {counted(depth, 'level')}"
    return Result(
        title,
        heads=heads,
        rows=FixedRows(rows, heads),
        notes=(*command.unanswered, *filter(None, [tensor.note])),
        is_empty=not many,
        is_sortable=False,
    )


def flow_of(
    context: Context, tensor: NamedTensor, relation: Relation, depth: int
) -> tuple[GraphNode, ...]:
    """A tensor and then what it was computed from, or what takes it."""
    index, ref = context.run.hosts[tensor.host], tensor.ref
    subject: NodeSubject | ExecutionSubject
    if tensor.kind is EventKind.TRACE:
        near = None if ref is None else ref.event
        subject = NodeSubject(tensor.graph_id, tensor.op_name, tensor.slot, near)
    else:
        subject = ExecutionSubject(0 if ref is None else ref.event, tensor.slot)
    return flow(index.host, index.sites, index.joins, subject, relation, depth, MAX_NODES)


def _rows(host: int, nodes: tuple[GraphNode, ...], has_types: bool) -> Iterator[Row]:
    for node, lead in zip(nodes, _leads(nodes), strict=True):
        level = Cell("", node.depth)
        types = (Cell(node.op_type or "", node.op_type),) if has_types else ()
        if node.more:
            left_out = Cell(f"{lead}… {node.more:,} more", role="dim")
            yield (left_out, *(Cell("") for _ in types), Cell(""), Cell(""), level)
        else:
            yield (name_cell(host, node, lead), *types, health_cell(node), event_cell(node), level)


def _leads(nodes: tuple[GraphNode, ...]) -> list[str]:
    """The branches before each name: whether another follows on its level is seen from below."""
    leads: list[str] = []
    open_levels: set[int] = set()
    for node in reversed(nodes):
        depth = node.depth
        bars = "".join("│ " if level in open_levels else "  " for level in range(1, depth))
        own = ("├ " if depth in open_levels else "└ ") if depth else ""
        leads.append(bars + own)
        open_levels = {level for level in open_levels if level < depth} | {depth}
    return leads[::-1]
