"""Other values to look at or to subtract: of the same tensor at another time, or of another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.event_kind import EventKind

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.views.tensor_history import TensorHistory

NO_OTHER = {1: "This is its last computation.", -1: "This is its first computation."}
LOOKING = "Looking for its computations; press the key again."
EXPECTED = "What is subtracted is named as #52, or as a tensor of the same graph: add:0."

MAX_DIGITS = 12
"""Of an event's number: there are fewer than so many."""


def event_beside(history: TensorHistory, event: int, steps: int) -> int | str:
    """The next computation of a tensor, or the one before; or why there is none."""
    number = history.invocation_of(event) + steps
    if 0 <= number < history.count:
        return history.event_of(number)
    return NO_OTHER[steps] if history.is_complete else LOOKING


def event_named(index: HostIndex, event: EventRef, text: str) -> int | str:
    """An event of the same kind by its number, or a tensor of the graph in the same call."""
    typed = text.strip()
    store = index.host.store_of(event.kind)
    digits = typed.removeprefix("#").replace(",", "")
    if digits.isdecimal() and digits.isascii() and len(digits) <= MAX_DIGITS:
        number = int(digits)
        return number if number < len(store) else f"There is no #{number:,}."
    name, _, slot = typed.rpartition(":")
    if event.kind is not EventKind.TRACE or not name or not (slot.isdecimal() and slot.isascii()):
        return EXPECTED
    graph = index.host.traces.site_of(event.event).graph_id
    sites = index.joins.sites_of(graph, name, int(slot[:MAX_DIGITS]))
    found = index.joins.event_in_same_call(event.event, sites[0]) if sites else None
    return f"{typed} was not recorded in this call. {EXPECTED}" if found is None else found
