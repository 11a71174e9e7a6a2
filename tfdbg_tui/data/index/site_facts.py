"""What is known about each site of a host: the names and the user's line, for rows and search.

A site's facts name things of other files that may not be on disk yet. Facts with such a gap are
looked up again each time; whole ones are kept, for there are thousands of sites and millions of
events.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.sources import user_frame

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.host import Host

# TensorFlow calls a traced function by names of its own making: `__inference_loss_205`, and
# `__inference___backward_loss_161_206` for the gradient of one.
_CALL = re.compile(
    r"__(?:forward|inference)_(?:(?P<gradient>__backward_)(?P<of>.+)_\d+|(?P<name>.+))_\d+"
)


class Line(NamedTuple):
    """A line of a recorded source file."""

    file: int
    """Number of the file among the sources of its host."""
    path: str
    line: int
    function: str


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


def called_function(op_type: str) -> tuple[str, bool] | None:
    """The user's name of a called function and whether it is its gradient; None for an op."""
    match = _CALL.fullmatch(op_type)
    if match is None:
        return None
    return (match["of"], True) if match["gradient"] else (match["name"], False)


class SiteIndex:
    """The facts of every site of one host; any thread may ask."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._traces: dict[int, SiteFacts] = {}
        self._executions: dict[int, SiteFacts] = {}
        self._lines: dict[tuple[str, ...], Line] = {}

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
        facts = SiteFacts(
            described.tensor_name,
            op.type if op else None,
            function,
            host.graphs.name_of(described.graph_id) or None,
            self.line_of(host.graphs.stack_of(op)) if op else None,
            described.device,
            is_call=False,
        )
        if op is not None and function is not None and facts.line is not None:
            self._traces[site] = facts
        return facts

    def execution(self, site: int) -> SiteFacts:
        """The facts of a site of the execution store."""
        known = self._executions.get(site)
        if known is not None:
            return known
        host = self._host
        described = host.executions.sites[site]
        call = called_function(described.op_type)
        graph = host.graphs.name_of(described.graph_id) if described.graph_id else None
        name = graph or (call[0] if call else described.op_type)
        facts = SiteFacts(
            name,
            described.op_type,
            name if call or described.graph_id else None,
            graph,
            self.line_of(described.stack),
            _device(host, described.device_ids),
            is_call=bool(call or described.graph_id),
            is_backward=bool(call and call[1]),
        )
        if facts.line is None:
            facts = facts._replace(line_is_open=self._is_open(described.stack))
        whole = facts.line is not None and (graph is not None or not described.graph_id)
        if whole and (facts.device or not described.device_ids):
            self._executions[site] = facts
        return facts

    def _is_open(self, stack: tuple[str, ...]) -> bool:
        """Whether something of a stack is not on disk."""
        host = self._host
        frames = host.frames.resolve(stack)
        return any(f is None or host.sources.get(f.file_index) is None for f in frames)

    def line_of(self, stack: tuple[str, ...]) -> Line | None:
        """The user's line in a stack; None while or where it is not known."""
        known = self._lines.get(stack)
        if known is not None:
            return known
        host = self._host
        frame = user_frame(host.frames.resolve(stack), host.sources)
        source = None if frame is None else host.sources.get(frame.file_index)
        if frame is None or source is None:
            return None
        line = Line(frame.file_index, source.path, frame.line, frame.function)
        return self._lines.setdefault(stack, line)


def _device(host: Host, device_ids: tuple[int, ...]) -> str:
    return host.graphs.devices.get(device_ids[0], "") if device_ids else ""
