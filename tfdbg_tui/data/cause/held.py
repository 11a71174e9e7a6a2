"""What is recorded of the numbers of an event: its health and, where values are, their range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.records.bad_rows import bad_rows
from tfdbg_tui.data.records.modes import tells_values
from tfdbg_tui.data.records.value_facts import LARGEST, value_facts
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.records.bad_rows import BadRows
    from tfdbg_tui.data.records.health import Bad, Health
    from tfdbg_tui.data.records.tensors import WrittenTensor


def health_of(index: HostIndex, tensor: EventRef) -> Health | None:
    """The health of a tensor, read back from disk; None if it is gone or not told."""
    if tensor.kind is EventKind.TRACE:
        return index.host.traces.health(tensor.event)
    return index.host.executions.health(tensor.event, tensor.output or 0)


def bad_of(index: HostIndex, tensor: EventRef) -> Bad:
    """The bad numbers of a tensor; those of all outputs where it is not told which it is."""
    store = index.host.store_of(tensor.kind)
    bad = store.bad(tensor.event)
    if tensor.kind is EventKind.TRACE:
        return bad
    return store.bad_outputs(tensor.event).get(tensor.output or 0, bad)


def range_of(index: HostIndex, tensor: EventRef) -> tuple[float | None, float | None]:
    """The range of the finite numbers of a tensor, where they were recorded."""
    facts = value_facts(_written(index, tensor))
    return (None, None) if facts is None else (facts.lowest, facts.highest)


def bad_rows_of(index: HostIndex, tensor: EventRef) -> BadRows | None:
    """The rows of a tensor that are bad, where its numbers were recorded."""
    return bad_rows(_written(index, tensor))


def _written(index: HostIndex, tensor: EventRef) -> WrittenTensor | None:
    """A tensor as it was recorded; None in a mode without values, and if it is very large."""
    store = index.host.store_of(tensor.kind)
    mode = store.sites[store.site_number(tensor.event)].mode
    if not tells_values(mode) or store.record_size(tensor.event) > LARGEST:
        return None
    if tensor.kind is EventKind.TRACE:
        return index.host.traces.written(tensor.event)
    return index.host.executions.written(tensor.event, tensor.output or 0)
