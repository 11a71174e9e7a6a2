"""A recording that has stalled: its program is there, and has written nothing for long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.early.warning import EarlyWarning, WarningKind
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef

if TYPE_CHECKING:
    from tfdbg_tui.data.index.run_index import RunIndex

MEANS = (
    "The program is still there: it waits, hangs, or computes what is not recorded; "
    "py-spy dump --pid tells where it is."
)


def stalled(run: RunIndex, seconds: float) -> EarlyWarning | None:
    """The warning about a run that has been silent for longer than so many seconds."""
    last: tuple[float, EventRef] | None = None
    for number, index in enumerate(run.hosts):
        for kind in EventKind:
            store = index.host.store_of(kind)
            if len(store):
                event = EventRef(number, kind, len(store) - 1, 0)
                found = (store.wall_time(event.event), event)
                last = found if last is None else max(last, found, key=lambda one: one[0])
    if last is None:
        return None
    time, event = last
    index = run.hosts[event.host]
    site = index.host.store_of(event.kind).site_number(event.event)
    facts = index.sites.of(event.kind, site)
    return EarlyWarning(
        WarningKind.STALLED,
        event,
        (WarningKind.STALLED,),
        facts.name,
        facts.op_type or "",
        facts.function or "",
        facts.line,
        time,
        index.steps.step_of(time) or None,
        f"the last that was recorded, more than {seconds:,.0f} s ago",
        MEANS,
        {"seconds": seconds},
        is_call=facts.is_call,
    )
