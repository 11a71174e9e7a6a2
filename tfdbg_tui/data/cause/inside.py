"""The bad tensors inside a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.data_ops import is_data_in
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import ARGUMENT

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex

MAX_IN_CALL = 500
"""Bad tensors of one call that are looked at for its causes."""


def bad_inside(index: HostIndex, execution: int, most: int) -> list[int]:
    """The first bad tensors inside a call; none inside an eager op."""
    site = index.host.executions.site_number(execution)
    is_call = index.sites.execution(site).is_call
    return index.bad_inside(execution, most).tolist() if is_call else []


def data_of_call(index: HostIndex, host_number: int, call: int) -> tuple[EventRef, ...]:
    """Bad data that a call took out of a dataset, which may be recorded behind what took it."""
    for trace in bad_inside(index, call, MAX_IN_CALL):
        op = index.host.op_of(index.host.traces.site_of(trace))
        if op is not None and op.type != ARGUMENT and is_data_in("", op.type):
            return (EventRef(host_number, EventKind.TRACE, trace, 0),)
    return ()
