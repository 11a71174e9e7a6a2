"""What a computation holds, for the words about what a cursor is on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.records.value_facts import LARGEST
from tfdbg_tui.data.stores.executions import ExecutionStore

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.records.health import Health
    from tfdbg_tui.data.stores.event_kind import EventRef


def health_of(index: HostIndex, tensor: EventRef) -> Health | None:
    """Read back from disk, unless it is very large; of an execution the worst output."""
    store = index.host.store_of(tensor.kind)
    if store.record_size(tensor.event) > LARGEST:
        return None
    if isinstance(store, ExecutionStore):
        return store.worst_health(tensor.event)
    return store.health(tensor.event)
