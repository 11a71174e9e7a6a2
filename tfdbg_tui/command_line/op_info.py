"""`ni`: an op with its type, graph, device, inputs, consumers, computations and traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.data_flow import flow_of
from tfdbg_tui.command_line.naming import op_name_of, tensor_named
from tfdbg_tui.command_line.node_rows import health_cell, name_cell
from tfdbg_tui.command_line.result import Cell, Result, SourceLink, line
from tfdbg_tui.command_line.tensor_rows import health_words
from tfdbg_tui.data.flow.graph_nodes import Relation
from tfdbg_tui.data.index.stacks import FrameKind
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.naming import NamedTensor
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer, Line
    from tfdbg_tui.data.index.stacks import StackFrame
    from tfdbg_tui.data.stores.graph import Op

MAX_DUMPS = 100
"""Computations that are listed."""


def run(context: Context, command: ParsedCommand) -> Answer:
    """All that is known of an op."""
    yield from context.with_steps()
    tensor = tensor_named(context, command.arguments["OP"])
    lines = [*_head(context, tensor)]
    for relation, word in ((Relation.INPUT, "input"), (Relation.CONSUMER, "consumer")):
        lines += _around(context, tensor, relation, word)
        yield
    if command.has("-d"):
        lines += _dumps(context, tensor)
    if command.has("-t"):
        lines += _traceback(context, tensor)
    notes = (*command.unanswered, *filter(None, [tensor.note]))
    return Result(f"op {tensor.op_name}", tuple(lines), notes=notes, facts=_facts(context, tensor))


def _op(context: Context, tensor: NamedTensor) -> Op | None:
    if tensor.kind is EventKind.EXECUTION:
        return None
    return context.run.hosts[tensor.host].host.graphs.op(tensor.graph_id, tensor.op_name)


def _facts(context: Context, tensor: NamedTensor) -> dict[str, object]:
    index, op = context.run.hosts[tensor.host], _op(context, tensor)
    facts: dict[str, object] = {"op": op_name_of(tensor.name)[0], "host": index.host.name}
    if op is not None:
        location = index.host.location_of(index.host.graphs.stack_of(op))
        facts |= {
            "type": op.type,
            "graph": index.host.graphs.name_of(op.graph_id) or None,
            "function": index.host.graphs.function_of(op.graph_id),
            "device": op.device or None,
            "outputs": op.num_outputs,
            "inputs": list(op.inputs),
        }
    else:
        described = index.host.executions.site_of(int(tensor.events[0]))
        site = index.sites.execution(index.host.executions.site_number(int(tensor.events[0])))
        location = index.host.location_of(described.stack)
        facts |= {"type": site.op_type, "graph": None, "function": site.function}
        facts |= {"device": site.device or None, "outputs": described.num_outputs}
    facts["line"] = None if location is None else f"{location.file}:{location.line}"
    return {**facts, "dumps": len(tensor.events)}


def _head(context: Context, tensor: NamedTensor) -> Iterator[Line]:
    facts = _facts(context, tensor)
    for name in ("type", "graph", "function", "device", "outputs", "line"):
        if facts.get(name):
            yield (Cell(f"  {name + ':':10}", role="dim"), Cell(str(facts[name])))
    many = counted(len(tensor.events), "computation")
    bad = _bad_count(context, tensor)
    yield (
        Cell(f"  {'recorded:':10}", role="dim"),
        Cell(many),
        *([Cell(f", {bad:,} bad", role="bad")] if bad else []),
    )


def _bad_count(context: Context, tensor: NamedTensor) -> int:
    store = context.run.hosts[tensor.host].host.store_of(tensor.kind)
    return int((store.bad_flags[tensor.events] != 0).sum())


def _around(context: Context, tensor: NamedTensor, relation: Relation, word: str) -> Iterator[Line]:
    nodes = [node for node in flow_of(context, tensor, relation, 1) if node.depth == 1]
    yield line("")
    yield line(f"{counted(sum(node.more or 1 for node in nodes), word)}:", "head")
    for node in nodes:
        if node.more:
            yield line(f"  … {node.more:,} more", "dim")
        else:
            kind = f" ({node.op_type})" if node.op_type and node.op_type != node.shown else ""
            yield (
                Cell("  "),
                name_cell(tensor.host, node),
                Cell(f"{kind}  ", role="dim"),
                health_cell(node),
            )


def _dumps(context: Context, tensor: NamedTensor) -> Iterator[Line]:
    index = context.run.hosts[tensor.host]
    store = index.host.store_of(tensor.kind)
    yield line("")
    yield line(f"{counted(len(tensor.events), 'computation')}:", "head")
    for number, event in enumerate(tensor.events[:MAX_DUMPS].tolist()):
        step = index.steps.step_of(store.wall_time(event))
        bad = store.bad(event)
        if tensor.kind is EventKind.TRACE:
            health = index.host.traces.health(event)
        else:
            health = index.host.executions.worst_health(event)
        yield (
            Cell(f"  {number:>4}  "),
            Cell(f"#{event:,}", event, EventRef(tensor.host, tensor.kind, event, 0)),
            Cell(f"  step {step:,}  " if step else "  "),
            Cell(health_words(health, bad), role="bad" if bad else ""),
        )
    if len(tensor.events) > MAX_DUMPS:
        yield line(f"  … {len(tensor.events) - MAX_DUMPS:,} more", "dim")


def _traceback(context: Context, tensor: NamedTensor) -> Iterator[Line]:
    """The stack that created an op, the innermost frame last, as Python has it."""
    index, op = context.run.hosts[tensor.host], _op(context, tensor)
    if op is not None:
        stack = op.stack
    elif len(tensor.events):
        stack = index.host.executions.site_of(int(tensor.events[0])).stack
    else:
        stack = ()
    yield line("")
    yield line("Traceback of its construction:", "head")
    for frame in index.stacks.frames(stack)[::-1]:
        yield from _frame(context, tensor.host, frame)


def _frame(context: Context, host: int, frame: StackFrame) -> Iterator[Line]:
    if frame.path is None or frame.file is None or frame.line is None:
        yield line("  a frame that is not on disk", "dim")
        return
    role = "" if frame.kind is FrameKind.USER else "dim"
    link = SourceLink(host, frame.file, frame.line)
    yield (Cell("  "), Cell(f"{frame.path}:{frame.line}", link=link, role=role),
           Cell(f" in {frame.function}", role=role))  # fmt: skip
    source = context.run.hosts[host].host.sources.lines(frame.file) if not role else None
    if source and 1 <= frame.line <= len(source):
        yield line(f"    {source[frame.line - 1].strip()}")
