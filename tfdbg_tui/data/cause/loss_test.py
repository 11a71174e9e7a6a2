"""Whether a bad tensor is the loss of a training step: names, tapes and gradients tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.gradients import eager_type, is_gradient
from tfdbg_tui.data.cause.held import health_of
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import is_forward_call, is_of_gradient, without_version

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex

PLAYED_BACK_WITHIN = 8
"""Executions behind a loss within which its gradient begins."""

MAX_NESTING = 16
"""Graphs inside graphs that are looked into."""


class LossTest:
    """Whether a bad tensor is the loss of a training step."""

    def __init__(self, index: HostIndex) -> None:
        self._index = index
        self._differentiates: dict[str, bool] = {}
        """Graphs in which something is differentiated."""

    def __call__(self, tensor: EventRef) -> bool:
        """Whether it is a single number that is differentiated, or is called a loss."""
        index = self._index
        store = index.host.store_of(tensor.kind)
        health = health_of(index, tensor)
        if health is not None and health.size not in (None, 1):
            return False
        if is_gradient(index, tensor):
            return False
        facts = index.sites.of(tensor.kind, store.site_number(tensor.event))
        words = f"{facts.function or ''} {facts.tensor} {facts.line.function if facts.line else ''}"
        if any(word in words.lower() for word in ("loss", "cost", "objective")):
            return True
        if tensor.kind is EventKind.TRACE:
            return self._is_differentiated(tensor)
        if not facts.is_call:
            return self._is_played_back(tensor)
        return facts.is_step or is_forward_call(facts.op_type or "") or self._trains(tensor.event)

    def _is_played_back(self, tensor: EventRef) -> bool:
        """Whether a tape is played back right behind an eager tensor, from its own op on."""
        last = min(tensor.event + 1 + PLAYED_BACK_WITHIN, len(self._index.host.executions))
        following = range(tensor.event + 1, last)
        events = (tensor._replace(event=event) for event in following)
        first = next((event for event in events if is_gradient(self._index, event)), None)
        if first is None:
            return False
        differentiated = eager_type(self._index, first)
        own = self._index.host.executions.site_of(tensor.event).op_type
        return differentiated is None or differentiated == without_version(own)

    def _is_differentiated(self, tensor: EventRef) -> bool:
        """Whether the graph of a TF1 session holds the gradient of an op."""
        site = self._index.host.traces.site_of(tensor.event)
        graph = self._index.host.graphs.by_id.get(site.graph_id)
        if graph is None or graph.name:
            return False
        scope = f"/{site.op_name}_grad/"
        return any(is_of_gradient(name) and scope in name for name in tuple(graph.ops))

    def _trains(self, call: int) -> bool:
        """Whether a call differentiates something."""
        graph_id = self._index.joins.graph_of(call)
        return graph_id is not None and self._in_graph(graph_id, MAX_NESTING)

    def _in_graph(self, graph_id: str, depth: int) -> bool:
        known = self._differentiates.get(graph_id)
        if known is None:
            graph = self._index.host.graphs.by_id.get(graph_id)
            ops = () if graph is None else tuple(graph.ops.values())
            inner = () if graph is None or not depth else tuple(graph.inner_ids)
            known = any(is_of_gradient(op.name) for op in ops)
            known = known or any(self._in_graph(inside, depth - 1) for inside in inner)
            self._differentiates[graph_id] = known
        return known
