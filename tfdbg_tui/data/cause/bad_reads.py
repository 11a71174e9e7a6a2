"""Whether a variable was bad before it was written last, as far as its reads tell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.tf_names import takes_stored

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.evidence import Evidence
    from tfdbg_tui.data.index.host_index import HostIndex

MAX_SITES_BEFORE = 2_000
"""Sites among which the first read of a bad variable is sought."""


def was_stored_bad(index: HostIndex, told: Evidence, kind: EventKind, event: int) -> bool:
    """Whether what a tensor reads was bad before it was written last, as far as is known."""
    if not told.is_stored:
        return False
    if not told.writer_is_told:
        return True
    time = index.host.store_of(kind).wall_time(event)
    return any(first_bad_read(index, each) < time for each in EventKind)


def first_bad_read(index: HostIndex, kind: EventKind) -> float:
    """When a variable that was bad was read first, among the first sites that were bad."""
    store = index.host.store_of(kind)
    firsts = store.site_alerts.firsts()
    for place in np.argsort(firsts.times, kind="stable")[:MAX_SITES_BEFORE].tolist():
        site = store.site_number(int(firsts.events[place]))
        if takes_stored(index.sites.of(kind, site).op_type or ""):
            return float(firsts.times[place])
    return math.inf
