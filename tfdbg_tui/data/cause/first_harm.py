"""The bad tensor by which a site is judged: its first, or the first that tells more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.first_nans import FirstNans
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.event_kind import EventKind

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.causes import Causes
    from tfdbg_tui.data.cause.judged import Judged
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.event_kind import EventRef


class FirstHarm:
    """Finds it for the sites of one run."""

    def __init__(self, run: RunIndex, causes: Causes) -> None:
        self._run = run
        self._causes = causes
        self._first_nans = {
            (number, kind): FirstNans(index.host.store_of(kind))
            for number, index in enumerate(run.hosts)
            for kind in EventKind
        }

    def of(self, first: EventRef) -> tuple[EventRef, Judged]:
        """The first bad tensor of a site; its first NaN where that is made of ∞ that is meant.

        A sum may hold ∞ of a mask for many steps, before ∞ - ∞ makes a NaN in the same place.
        """
        judged = self._causes.judge(first)
        host = self._causes.hosts[first.host]
        store = self._run.hosts[first.host].host.store_of(first.kind)
        if not judged.follows or store.bad(first.event) & (Bad.NAN | Bad.UNTOLD):
            return first, judged
        roots = host.roots(judged.sources)
        if not roots or not all(map(host.may_be_meant, roots)):
            return first, judged
        nan = self._first_nans[first.host, first.kind].of(store.site_number(first.event))
        if nan is None:
            return first, judged
        event = first._replace(event=nan)
        found = self._causes.judge(event)
        return (first, judged) if found.follows else (event, found)
