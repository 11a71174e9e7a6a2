"""Whether something was bad before, where it is not told what a tensor was computed from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import is_dataset_function

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.stores.alert_log import AlertLog


class BadBefore:
    """Asks what went bad first, in all the run or in one call."""

    def __init__(self, number: int, index: HostIndex, log: AlertLog) -> None:
        self._number = number
        self._index = index
        self._log = log

    def time(self, time: float) -> bool:
        """Whether something was bad before a time."""
        first = self._log.first()
        return first is not None and first.wall_time < time

    def call(self, trace: int, call: int | None) -> bool:
        """Whether something was bad before the call that computed a tensor."""
        host = self._index.host
        if call is None:
            return self.time(host.traces.wall_time(trace))
        return call > 0 and self.time(host.executions.wall_time(call - 1))

    def read(self, trace: int, call: int | None) -> bool:
        """Whether something was bad before a variable was read, and not for that reason."""
        was_bad = self.call(trace, call)
        return was_bad or (call is not None and self.in_call(trace, call, is_inside=False))

    def in_call(self, trace: int, call: int | None, is_inside: bool) -> bool:
        """Whether something in the call of a tensor was bad that may have led to it."""
        if call is None:
            return self.time(self._index.host.traces.wall_time(trace))
        from tfdbg_tui.data.cause.same_call import SameCall  # few tensors are asked for this

        return SameCall(self._index, self._number, trace, call).was_bad_before(is_inside)

    def first_of_dataset(self) -> tuple[EventRef, ...]:
        """The first bad tensor of all, if a function of a dataset made it."""
        first = self._log.first()
        if first is None or first.kind is EventKind.EXECUTION or first.host != self._number:
            return ()
        graph_id = self._index.host.traces.site_of(first.event).graph_id
        name = self._index.host.graphs.name_of(graph_id) or ""
        return (first.ref,) if is_dataset_function(name) else ()
