"""What is known about each site of a host: the names and the user's line, for rows and search.

A site's facts name things of other files that may not be on disk yet. Facts with such a gap are
looked up again each time; whole ones are kept, for there are thousands of sites and millions of
events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.index.phases import FoundPhase, Phase, Phases
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.tf_names import (
    SESSION_RUN,
    is_keras_call,
    is_session_run,
    purpose_of_run,
    read_call,
    short_tensor_name,
)
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.sources import Line


class SiteFacts(NamedTuple):
    """What rows show of a site; None is what is not on disk yet or was not recorded."""

    tensor: str
    """`op:slot` inside a graph; the op type or the function's name for an execution."""
    op_type: str | None
    function: str | None
    """The function that was called: for a trace the one around all its graphs."""
    graph: str | None
    """The name of the graph the tensor is computed in."""
    line: Line | None
    device: str
    is_call: bool
    """Whether it is a call of a function rather than an eager op; False inside graphs."""
    is_backward: bool = False
    line_is_open: bool = False
    """Whether the line is not known because it is not on disk yet."""
    phase: Phase | None = None
    """What it is for, where Keras or the recorder tells; for a trace, as its op was made."""
    phase_is_open: bool = False
    """Whether that may become known with more of the files."""
    is_session_run: bool = False
    """Whether it is a run of a TF1 session."""
    is_step: bool = False
    """Whether it is a step of training by itself: a call of Keras's train function, or a run of
    a TF1 session that trains. With Keras's `steps_per_execution` one call trains on several
    batches; it counts as one step all the same, for nothing that is recorded divides it."""
    short_name: str = ""
    """The tensor of a trace without a slot that tells nothing."""

    @property
    def name(self) -> str:
        """The tensor as rows show it."""
        return self.short_name or self.tensor


_PURPOSES: dict[str | None, Phase] = {phase.value: phase for phase in (Phase.TRAIN, Phase.INIT)}


class SiteIndex:
    """The facts of every site of one host; any thread may ask."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._traces: dict[int, SiteFacts] = {}
        self._executions: dict[int, SiteFacts] = {}
        self._lines: dict[tuple[str, ...], Line] = {}
        self._phases = Phases(host)

    def of(self, kind: EventKind, site: int) -> SiteFacts:
        """The facts of a site of the store of a kind of events."""
        return self.trace(site) if kind is EventKind.TRACE else self.execution(site)

    def trace(self, site: int) -> SiteFacts:
        """The facts of a site of the trace store."""
        known = self._traces.get(site)
        if known is not None:
            return known
        host = self._host
        described = host.traces.sites[site]
        op = host.op_of(described)
        function = host.graphs.function_of(described.graph_id)
        found = self._phases.of(op.stack) if op else FoundPhase(None, is_open=True)
        facts = SiteFacts(
            described.tensor_name,
            op.type if op else None,
            function,
            host.graphs.name_of(described.graph_id) or None,
            self.line_of(host.graphs.stack_of(op)) if op else None,
            described.device,
            is_call=False,
            phase=found.phase,
            phase_is_open=found.is_open,
            short_name=short_tensor_name(
                described.op_name, described.slot, op.num_outputs if op else None
            ),
        )
        is_named = op is not None and function is not None
        if is_named and facts.line is not None and not found.is_open:
            self._traces[site] = facts
        return facts

    def execution(self, site: int) -> SiteFacts:
        """The facts of a site of the execution store."""
        known = self._executions.get(site)
        if known is not None:
            return known
        host = self._host
        described = host.executions.sites[site]
        call = read_call(described.op_type)
        graph = host.graphs.name_of(described.graph_id) if described.graph_id else None
        is_run = is_session_run(described.op_type)
        name = SESSION_RUN if is_run else call.function if call else described.op_type
        name = graph or name
        found = self.phase_of(site)
        facts = SiteFacts(
            name,
            described.op_type,
            name if call or described.graph_id else None,
            graph,
            self.line_of(described.stack),
            _device(host, described.device_ids),
            is_call=bool(call or described.graph_id),
            is_backward=call is not None and call.is_gradient,
            phase=found.phase,
            phase_is_open=found.is_open,
            is_session_run=is_run,
            is_step=found.phase is Phase.TRAIN
            and (is_run or (call is not None and is_keras_call(call.graph))),
        )
        if facts.line is None:
            facts = facts._replace(line_is_open=not host.has_whole_stack(described.stack))
        whole = facts.line is not None and (graph is not None or not described.graph_id)
        if whole and not found.is_open and (facts.device or not described.device_ids):
            self._executions[site] = facts
        return facts

    def phase_of(self, site: int) -> FoundPhase:
        """What a site of the execution store is for; cheaper than all of its facts."""
        described = self._host.executions.sites[site]
        if is_session_run(described.op_type):
            return FoundPhase(_PURPOSES.get(purpose_of_run(described.op_type)), is_open=False)
        return self._phases.of(described.stack)

    def line_of(self, stack: tuple[str, ...]) -> Line | None:
        """The user's line in a stack; None while or where it is not known."""
        known = self._lines.get(stack)
        if known is not None:
            return known
        line = self._host.line_of(stack)
        return None if line is None else self._lines.setdefault(stack, line)


def _device(host: Host, device_ids: tuple[int, ...]) -> str:
    return host.graphs.devices.get(device_ids[0], "") if device_ids else ""
