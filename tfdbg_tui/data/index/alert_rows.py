"""The alerts of a run as a list of sites, earliest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.stores.alert_log import stores_of
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef, host_and_kind, store_number
from tfdbg_tui.frozen.frozen import Frozen
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.records.health import Bad
    from tfdbg_tui.data.stores.host import AnyEventStore
    from tfdbg_tui.data.stores.site_alerts import SiteAlert


class TensorAlerts(NamedTuple):
    """How often a tensor of a site was bad, and when first and last."""

    host: int
    site: int
    alerts: int
    first: EventRef
    last: EventRef


class AlertSiteRow(Frozen):
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
    is_only_output: bool = True
    """Whether its op has no other output than this tensor."""

    @property
    def first(self) -> EventRef:
        """The tensor of its first alert."""
        return EventRef(self.host, self.kind, self.first_event, self.position)


class AlertRows:
    """The sites with alerts, for one thread.

    `refresh` looks for new ones among what the feed's thread has published; rows are made when
    they are asked for.
    """

    def __init__(self, indexes: Sequence[HostIndex]) -> None:
        self._indexes = tuple(indexes)
        self._stores: list[AnyEventStore] = stores_of([index.host for index in indexes])
        # Which store, and which of the tensors of its sites.
        self._order: tuple[npt.NDArray[Any], npt.NDArray[Any]] = (np.empty(0), np.empty(0))
        self._alerts = 0

    def __len__(self) -> int:
        return len(self._order[0])

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

    @property
    def keys(self) -> npt.NDArray[np.int64]:
        """A number for each site, in the order of the list, that stays while others come."""
        numbers, tensors = self._order
        keys: npt.NDArray[np.int64] = tensors.astype(np.int64) * max(1, len(self._stores))
        return keys + numbers.astype(np.int64)

    def key_of(self, tensor: EventRef) -> int:
        """The same number for the site of a tensor."""
        number = store_number(tensor.host, tensor.kind)
        store = self._stores[number]
        site = store.site_number(tensor.event)
        return store.site_alerts.tensor_of(site, tensor.output or 0) * len(self._stores) + number

    def alert(self, rank: int) -> TensorAlerts:
        """The alerts of a tensor of a site, by its rank; cheaper than its row."""
        number, tensor = int(self._order[0][rank]), int(self._order[1][rank])
        host, kind = host_and_kind(number)
        found = self._stores[number].site_alerts.get(tensor)
        first, last = (
            EventRef(host, kind, event, found.position)
            for event in (found.first_event, found.last_event)
        )
        return TensorAlerts(host, found.site, found.alerts, first, last)

    def rows(self, start: int, stop: int) -> list[AlertSiteRow]:
        """Some rows of the list."""
        return [self.site(rank) for rank in range(start, min(stop, len(self)))]

    def site(self, rank: int) -> AlertSiteRow:
        """The row of a site, by its rank in the order of first alerts."""
        number, tensor = int(self._order[0][rank]), int(self._order[1][rank])
        host, kind = host_and_kind(number)
        index, store = self._indexes[host], self._stores[number]
        found = store.site_alerts.get(tensor)
        facts = index.sites.of(kind, found.site)
        if kind is EventKind.TRACE:
            name, bad = facts.tensor, store.bad(found.first_event)
            op = index.host.op_of(index.host.traces.sites[found.site])
            is_only = op is not None and op.num_outputs == 1
        else:
            site = index.host.executions.sites[found.site]
            name = site.tensor_name(found.position)
            bad = _bad_of(store, found, several=site.tensors > 1)
            is_only = site.num_outputs == 1
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
            is_only,
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
        return int(found[0])


def _bad_of(store: AnyEventStore, found: SiteAlert, several: bool) -> Bad:
    """The bad numbers of a tensor when it was bad for the first time."""
    outputs = store.bad_outputs(found.first_event) if several else {}
    return outputs.get(found.position) or store.bad(found.first_event)
