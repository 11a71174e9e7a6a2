"""What is known about the health of the chosen tensor, and what its mode leaves out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tfdbg_tui.data.records.health import Bad, Health
from tfdbg_tui.data.records.modes import Mode, mode_name, records_tensors, tells_values
from tfdbg_tui.data.records.tensor_spans import MAX_TENSORS
from tfdbg_tui.data.records.value_facts import LARGEST, ValueFacts, value_facts
from tfdbg_tui.data.stores.data_ops import is_data
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.tf_names import short_tensor_name
from tfdbg_tui.data.values.value_error import GONE, UNDECODABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.traces import TraceStore
    from tfdbg_tui.data.views.selection import Node, Selection

LEAVES_OUT = {
    Mode.UNSPECIFIED: "This mode records no tensors; FULL_HEALTH would.",
    Mode.NO_TENSOR: "NO_TENSOR records no numbers; FULL_HEALTH tells NaN, inf and counts.",
    Mode.CURT_HEALTH: "CURT_HEALTH tells only whether there is NaN or inf; FULL_HEALTH counts.",
    Mode.CONCISE_HEALTH: "CONCISE_HEALTH tells no dtype, shape or signs; FULL_HEALTH does.",
    Mode.FULL_HEALTH: "FULL_HEALTH tells no shape and no values; FULL_TENSOR does.",
    Mode.SHAPE: "SHAPE tells nothing about NaN or inf; FULL_HEALTH does.",
}
"""What each mode does not record, with the mode that would."""

UNTOLD = {
    Mode.CURT_HEALTH: "Nothing is recorded of this tensor: CURT_HEALTH looks at floats only.",
    Mode.CONCISE_HEALTH: "Nothing is recorded of this tensor: CONCISE_HEALTH looks at floats only.",
    Mode.FULL_HEALTH: "Nothing is recorded of this tensor: FULL_HEALTH looks at floats only.",
    Mode.SHAPE: "Nothing is recorded of this tensor: SHAPE looks at numbers and booleans only.",
    Mode.FULL_TENSOR: UNDECODABLE,
}
"""Why nothing is recorded of a tensor in a mode that records most tensors."""

LARGEST_COUNTED = 1 << 26
"""Bytes of a record whose numbers are counted when it is chosen: 64 MB take a quarter second."""

TOO_LARGE = "A record of {:,.0f} MB: its numbers are not counted here. NaN and inf were looked for."

NOT_ALL_READ = "Only {:,} of {:,} elements were read: they are written one by one."

NOT_JUDGED = "Of one record {:,} tensors are judged, and this one has {:,}."

UNKNOWN = "{} is not a mode that this program knows."


@dataclass(frozen=True, slots=True)
class HealthFacts:
    """One tensor, as the health pane tells it."""

    name: str
    label: str
    """Which computation: `#52`, with its step where known."""
    op_type: str | None
    function: str | None
    device: str
    mode: int
    bad: Bad
    health: Health | None
    note: str
    """Why there is no health, or what the mode leaves out."""
    output: tuple[int, int] | None = None
    """Which of how many recorded outputs of an execution, from 0."""
    values: ValueFacts | None = None
    """What it holds, where whole tensors are recorded."""
    gradient_of: str | None = None
    """The forward op whose gradient this is: its line is the one shown."""
    came_with_data: bool = False
    """Whether it was read, not computed."""
    number: str = ""
    """The computation alone, without its step: `#52`; empty for what was not recorded."""
    step: int | None = None
    """The step that it was computed in; None while none is known."""
    follows: bool = False
    """Where it is bad: whether it follows from something bad, as `causes` tells."""
    is_muted: bool = False
    """Where it is bad: whether the user has muted that."""
    short_name: str = ""
    """Without a slot that tells nothing, where it has one."""
    step_of: Callable[[int], int | None] | None = field(default=None, compare=False, repr=False)
    """The step of any computation of this kind, for the axis of a history."""

    @property
    def shown(self) -> str:
        """The name for people."""
        return self.short_name or self.name


def health_facts(index: HostIndex, selection: Selection) -> HealthFacts | None:
    """The health of what is chosen; None if nothing is."""
    chosen = selection.event
    if chosen is not None and chosen.kind is EventKind.TRACE:
        return _of_trace(index, chosen.event)
    if chosen is not None:
        return _of_execution(index, chosen.event, selection.output)
    if selection.is_node and selection.node is not None:
        return _of_node(index, selection.node)
    return None


def _of_node(index: HostIndex, node: Node) -> HealthFacts:
    graphs = index.host.graphs
    op, failure = graphs.op(node.graph_id, node.op_name), index.failure_of(*node[:2])
    return HealthFacts(
        node.tensor_name,
        "not recorded" if failure is None else "failed",
        op.type if op else None,
        graphs.function_of(node.graph_id),
        "",
        Mode.UNSPECIFIED,
        Bad.NONE,
        None,
        "TensorFlow did not record this tensor in this call."
        if failure is None
        else f"This op ended the program with {failure.name}: {failure.reason}",
        gradient_of=_forward_name(index, node.graph_id, node.op_name),
        short_name=short_tensor_name(node.op_name, node.slot, op.num_outputs if op else None),
    )


def _of_trace(index: HostIndex, trace: int) -> HealthFacts:
    traces = index.host.traces
    number = traces.site_number(trace)
    facts, mode = index.sites.trace(number), traces.sites[number].mode
    read = traces.read(trace) if traces.record_size(trace) <= LARGEST_COUNTED else None
    health = read.health if read else None
    return HealthFacts(
        facts.tensor,
        _label(index, trace, traces.wall_time(trace)),
        facts.op_type,
        facts.function,
        facts.device,
        mode,
        traces.bad(trace),
        health,
        _note(traces, trace, mode, health, is_there=read is not None),
        values=_values(mode, traces, trace),
        gradient_of=_forward_name(index, *traces.sites[number][:2]),
        came_with_data=_came_with_data(index, *traces.sites[number][:2]),
        number=f"#{trace:,}",
        step=index.steps.step_of(traces.wall_time(trace)),
        step_of=_steps_of(index, traces),
        short_name=facts.short_name,
    )


def _of_execution(index: HostIndex, execution: int, output: int) -> HealthFacts:
    executions = index.host.executions
    number = executions.site_number(execution)
    facts, site = index.sites.execution(number), executions.sites[number]
    is_small = executions.record_size(execution) <= LARGEST_COUNTED
    read = executions.read(execution) if is_small else None
    health = read.health[output] if read and output < len(read.health) else None
    many = len(read.health) if read else 0
    note = _note(executions, execution, site.mode, health, is_there=read is not None)
    if facts.is_session_run:
        note = "A run of a session puts nothing out; enter shows what it computed."
    elif not site.num_outputs:
        note = "This execution has no output."
    elif read and not many and records_tensors(site.mode):
        note = "This execution has no output that the mode records."
    elif output >= MAX_TENSORS:
        note = NOT_JUDGED.format(MAX_TENSORS, site.tensors)
    return HealthFacts(
        facts.tensor,
        _label(index, execution, executions.wall_time(execution)),
        facts.op_type,
        facts.function,
        facts.device,
        site.mode,
        executions.bad_outputs(execution).get(output, Bad.NONE),
        health,
        note,
        (output, many) if many > 1 else None,
        _values(site.mode, executions, execution, output),
        came_with_data=is_data(site.op_type),
        number=f"#{execution:,}",
        step=index.steps.step_of(executions.wall_time(execution)),
        step_of=_steps_of(index, executions),
    )


def _steps_of(index: HostIndex, store: TraceStore | ExecutionStore) -> Callable[[int], int | None]:
    return lambda event: index.steps.step_of(store.wall_time(event))


def _forward_name(index: HostIndex, graph_id: str, op_name: str) -> str | None:
    graphs = index.host.graphs
    op = graphs.op(graph_id, op_name)
    forward = None if op is None else graphs.forward_of(op)
    return None if forward is None else forward.name


def _came_with_data(index: HostIndex, graph_id: str, op_name: str) -> bool:
    op = index.host.graphs.op(graph_id, op_name)
    return op is not None and index.host.graphs.came_with_data(op)


def _values(
    mode: int, store: TraceStore | ExecutionStore, event: int, *output: int
) -> ValueFacts | None:
    """The values of a tensor that was recorded whole, unless they are very many."""
    if not tells_values(mode) or store.record_size(event) > LARGEST:
        return None
    return value_facts(store.written(event, *output))


def _label(index: HostIndex, event: int, wall_time: float) -> str:
    step = index.steps.step_of(wall_time)
    return f"#{event:,} step {step:,}" if step else f"#{event:,}"


def _note(
    store: TraceStore | ExecutionStore,
    event: int,
    mode: int,
    health: Health | None,
    is_there: bool,
) -> str:
    """What to say about what is not told of an event."""
    size = store.record_size(event)
    if size > LARGEST_COUNTED:
        return TOO_LARGE.format(size / 1e6)
    if not is_there:
        return GONE
    if health is not None and health.unread and health.size is not None:
        return NOT_ALL_READ.format(health.size - health.unread, health.size)
    return note_of(mode, told=health is not None)


def note_of(mode: int, told: bool = True) -> str:
    """What to say about what is not told."""
    try:
        known = Mode(mode)
    except ValueError:
        return UNKNOWN.format(mode_name(mode))
    if known in LEAVES_OUT or known is Mode.FULL_TENSOR:
        left_out = LEAVES_OUT.get(known, "")
        return left_out if told else UNTOLD.get(known, left_out)
    return UNKNOWN.format(known.name)
