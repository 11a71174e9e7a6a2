"""Everything there is to say about one bad tensor of a run."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from tfdbg_tui.data.records.health import Bad, Health
from tfdbg_tui.data.stores.data_ops import is_data
from tfdbg_tui.data.stores.traces import TraceStore
from tfdbg_tui.verdict.bad_tensor import BadTensor

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.alert_log import Alert
    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.run import RunView


def bad_tensor(view: RunView, alert: Alert) -> BadTensor:
    """Everything there is to say about one bad tensor."""
    host, store = view.hosts[alert.host], view.alerts.store_of(alert)
    if isinstance(store, TraceStore):
        return _bad_trace(host, store, alert)
    return _bad_execution(host, cast("ExecutionStore", store), alert)


def _bad_trace(host: Host, traces: TraceStore, alert: Alert) -> BadTensor:
    site = traces.site_of(alert.event)
    op = host.op_of(site)
    location = host.location_of(host.graphs.stack_of(op)) if op else None
    is_of_forward = op is not None and host.graphs.forward_of(op) is not None
    return BadTensor(
        host=host.name,
        wall_time=finite(alert.wall_time),
        source="graph_execution",
        event=alert.event,
        op_type=op.type if op else None,
        tensor=site.tensor_name,
        slot=site.slot,
        graph=host.graphs.name_of(site.graph_id) or None,
        function=host.graphs.function_of(site.graph_id),
        device=site.device or None,
        health=traces.health(alert.event) or Health(bad=Bad(alert.bad)),
        location=location,
        via="gradient_of" if location is not None and is_of_forward else None,
        came_with_data=op is not None and host.graphs.came_with_data(op),
    )


def _bad_execution(host: Host, executions: ExecutionStore, alert: Alert) -> BadTensor:
    site = executions.site_of(alert.event)
    slot = site.slot_of(alert.position)
    device = None
    if slot is not None and slot < len(site.device_ids):
        device = host.graphs.devices.get(site.device_ids[slot])
    return BadTensor(
        host=host.name,
        wall_time=finite(alert.wall_time),
        source="execution",
        event=alert.event,
        op_type=site.op_type,
        tensor=site.tensor_name(alert.position),
        slot=slot,
        graph=None,
        function=None,
        device=device,
        health=executions.health(alert.event, alert.position) or Health(bad=Bad(alert.bad)),
        location=host.location_of(site.stack),
        came_with_data=is_data(site.op_type),
    )


def finite(number: float | None) -> float | None:
    """A number that JSON can hold: damaged records may state any bits as a time."""
    return number if number is not None and math.isfinite(number) else None
