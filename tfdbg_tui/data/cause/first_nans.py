"""When each site held its first NaN, which may be long after its first ∞."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.records.health import Bad

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.host import AnyEventStore

_NONE = np.iinfo(np.int64).max


class FirstNans:
    """The first event with a NaN of each site of a store; looks at each bad event once."""

    def __init__(self, store: AnyEventStore) -> None:
        self._store = store
        self._scanned = 0
        self._first = np.empty(0, np.int64)

    def of(self, site: int) -> int | None:
        """The first event of a site that held a NaN, as far as is read."""
        self._extend()
        first = int(self._first[site]) if site < len(self._first) else _NONE
        return None if first == _NONE else first

    def _extend(self) -> None:
        events = self._store.bad_events
        new = events[self._scanned :]
        self._scanned = len(events)
        new = new[(self._store.bad_flags[new] & int(Bad.NAN)) != 0]
        if not len(new):
            return
        sites = self._store.site_numbers[new]
        lacking = int(sites.max()) + 1 - len(self._first)
        if lacking > 0:
            self._first = np.append(self._first, np.full(lacking, _NONE))
        np.minimum.at(self._first, sites, new.astype(np.int64))
