"""The alerts of a run as a list: by kind, then by site, earliest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.stores.alert_log import stores_of
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef, host_and_kind, store_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.records.health import Bad
    from tfdbg_tui.data.stores.host import AnyEventStore
    from tfdbg_tui.data.stores.site_alerts import SiteAlert


@dataclass(frozen=True, slots=True)
class AlertKindRow:
    """The head of one kind of alerts."""

    title: str
    alerts: int
    sites: int


@dataclass(frozen=True, slots=True)
class AlertSiteRow:
    """All alerts of one tensor of one site."""

    host: int
    kind: EventKind
    site: int
    position: int
    facts: SiteFacts
    name: str
    bad: Bad
    """Of its first alert."""
    count: int
    first_event: int
    first_step: int | None
    last_step: int | None

    @property
    def first(self) -> EventRef:
        """The tensor of its first alert."""
        return EventRef(self.host, self.kind, self.first_event, self.position)


class AlertRows:
    """The rows of the alerts pane, for the screen's thread.

    `refresh` looks for new ones among what the feed's thread has published; rows are made when
    they are shown.
    """

    def __init__(self, indexes: Sequence[HostIndex]) -> None:
        self._indexes = tuple(indexes)
        self._stores: list[AnyEventStore] = stores_of([index.host for index in indexes])
        # Which store, and which of the tensors of its sites.
        self._order: tuple[npt.NDArray[Any], npt.NDArray[Any]] = (np.empty(0), np.empty(0))
        self._alerts = 0

    def __len__(self) -> int:
        sites = len(self._order[0])
        return sites + 1 if sites else 0

    @property
    def count(self) -> int:
        """Alerts in all, whether they are in time order yet or not."""
        return self._alerts

    def refresh(self) -> bool:
        """Put the sites in the order of their first alert; False if nothing is new."""
        alerts = sum(len(store.alerts) for store in self._stores)
        if alerts == self._alerts:
            return False
        firsts = [store.site_alerts.firsts() for store in self._stores]
        numbers = np.repeat(np.arange(len(firsts)), [len(own.tensors) for own in firsts])
        tensors, events, times = map(np.concatenate, zip(*firsts, strict=True))
        # At equal times in the order of the alert log: parallel ops often end together.
        order = np.lexsort((tensors, events, numbers, times))
        self._order = (numbers[order], tensors[order])
        self._alerts = alerts
        return True

    def rows(self, start: int, stop: int) -> list[AlertKindRow | AlertSiteRow]:
        """Some rows of the list."""
        shown = range(start, min(stop, len(self)))
        return [self.site(row - 1) if row else self._head() for row in shown]

    def _head(self) -> AlertKindRow:
        return AlertKindRow("NaN/Inf", self._alerts, len(self._order[0]))

    def site(self, rank: int) -> AlertSiteRow:
        """The row of a site, by its rank in the order of first alerts."""
        number, tensor = int(self._order[0][rank]), int(self._order[1][rank])
        host, kind = host_and_kind(number)
        index, store = self._indexes[host], self._stores[number]
        found = store.site_alerts.get(tensor)
        facts = index.sites.of(kind, found.site)
        if kind is EventKind.TRACE:
            name, bad = facts.tensor, store.bad(found.first_event)
        else:
            site = index.host.executions.sites[found.site]
            name = site.tensor_name(found.position)
            bad = _bad_of(store, found, several=site.tensors > 1)
        return AlertSiteRow(
            host,
            kind,
            found.site,
            found.position,
            facts,
            name,
            bad,
            found.alerts,
            found.first_event,
            index.steps.step_of(found.first_time),
            index.steps.step_of(found.last_time),
        )

    def row_of(self, tensor: EventRef) -> int | None:
        """The row of the site of a tensor, if its event is bad."""
        number = store_number(tensor.host, tensor.kind)
        if not len(self) or number >= len(self._stores):
            return None
        store = self._stores[number]
        if not store.is_bad(tensor.event):
            return None
        return self._row_of_site(number, store.site_number(tensor.event), tensor.output or 0)

    def _row_of_site(self, number: int, site: int, position: int) -> int | None:
        """The row of a tensor of a site of a store, if it was ever bad."""
        numbers, tensors = self._order
        counted = self._stores[number].site_alerts
        tensor = counted.tensor_of(site, position)
        found = np.flatnonzero((numbers == number) & (tensors == tensor))
        # Tensors are numbered through all sites: one that a site does not have is another's.
        if not len(found) or counted.get(tensor).site != site:
            return None
        return int(found[0]) + 1


def _bad_of(store: AnyEventStore, found: SiteAlert, several: bool) -> Bad:
    """The bad numbers of a tensor when it was bad for the first time."""
    outputs = store.bad_outputs(found.first_event) if several else {}
    return outputs.get(found.position) or store.bad(found.first_event)
