"""Alerts added up per site and tensor, as they come in."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.stores.time_order import by_time
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt


class SiteAlert(NamedTuple):
    """All alerts of one tensor of one site."""

    site: int
    position: int
    alerts: int
    first_event: int
    """The earliest in time."""
    last_event: int
    first_time: float
    last_time: float


class _Counts(NamedTuple):
    """The alerts of every tensor of every site at one moment, by the number of the tensor."""

    alerts: npt.NDArray[np.int64]
    first_events: npt.NDArray[np.int64]
    last_events: npt.NDArray[np.int64]
    first_times: npt.NDArray[np.float64]
    last_times: npt.NDArray[np.float64]
    first_tensors: npt.NDArray[np.int64]
    """The number of the first tensor of every site that was known at that moment."""

    def enlarged(self, tensors: int, first_tensors: npt.NDArray[np.int64]) -> _Counts:
        """A copy with room for so many tensors, and for the sites that begin with these."""
        missing = tensors - len(self.alerts)
        columns = [np.append(column, np.zeros(missing, column.dtype)) for column in self[:-1]]
        return _Counts._make((*columns, first_tensors))

    def tensors_of(self, site: int) -> range:
        """The numbers of a site's tensors; none if the site was not known yet."""
        start, end = [*self.first_tensors[site : site + 2].tolist(), *[len(self.alerts)] * 2][:2]
        return range(start, end)


def _no_counts() -> _Counts:
    whole, real = np.zeros(0, np.int64), np.zeros(0)
    return _Counts(whole, whole, whole, real, real, whole)


class SiteTally(NamedTuple):
    """The alerts of all tensors of a site."""

    alerts: int
    first_time: float
    first_event: int


class FirstAlerts(NamedTuple):
    """The tensors that were ever bad at one moment, and when each was so for the first time."""

    tensors: npt.NDArray[np.int64]
    events: npt.NDArray[np.int64]
    times: npt.NDArray[np.float64]


class SiteAlerts:
    """How often, when first and when last each tensor of each site was bad.

    The feed's thread adds, any thread reads. The counts are one frozen value, published in one
    assignment for each block with alerts; sites and tensors are only ever added, before them, and
    perhaps by another thread.
    """

    def __init__(self) -> None:
        self._first_tensor = array("q")
        """The number of the first tensor of every site; no list: numpy takes a copy as it is."""
        self._tensors = 0
        self._counts = _no_counts()

    def add_site(self, tensors: int) -> None:
        """Make room for the next site."""
        self._first_tensor.append(self._tensors)
        self._tensors += tensors

    def extend(
        self,
        sites: npt.NDArray[np.int16 | np.int32],
        positions: npt.NDArray[Any],
        events: npt.NDArray[np.int64],
        wall_times: npt.NDArray[np.float64],
    ) -> None:
        """Add alerts."""
        # First: sites may come meanwhile, which is why numpy sees a copy. While it looks at an
        # array, other threads run and cannot append to it.
        first_tensors = np.frombuffer(self._first_tensor[:], np.int64)
        known = self._counts.enlarged(self._tensors, first_tensors)
        tensors = known.first_tensors[sites] + positions
        added = np.bincount(tensors, minlength=len(known.alerts))
        touched = np.flatnonzero(added)
        rows = np.arange(len(tensors))
        if (wall_times[1:] < wall_times[:-1]).any():
            rows = by_time(wall_times.copy(), rows, len(rows))
            tensors = tensors[rows]
        # Of several values for one index numpy keeps the last, so one array does for both ends.
        row_of = np.empty(len(added), np.int64)
        row_of[tensors] = rows
        last = row_of[touched]
        row_of[tensors[::-1]] = rows[::-1]
        first = row_of[touched]
        new = known.alerts[touched] == 0
        earlier = new | (wall_times[first] < known.first_times[touched])
        known.first_times[touched[earlier]] = wall_times[first[earlier]]
        known.first_events[touched[earlier]] = events[first[earlier]]
        later = new | (wall_times[last] >= known.last_times[touched])
        known.last_times[touched[later]] = wall_times[last[later]]
        known.last_events[touched[later]] = events[last[later]]
        known.alerts[touched] += added[touched]
        self._counts = known

    def all(self) -> list[SiteAlert]:
        """Every tensor of every site that was ever bad, earliest first."""
        counts = self._counts
        found = [self._alert(counts, tensor) for tensor in np.flatnonzero(counts.alerts).tolist()]
        return sorted(found, key=lambda alert: (alert.first_time, alert.first_event))

    def firsts(self) -> FirstAlerts:
        """The first alert of every tensor that was ever bad."""
        counts = self._counts
        bad = np.flatnonzero(counts.alerts)
        return FirstAlerts(bad, counts.first_events[bad], counts.first_times[bad])

    def sites_of(self, tensors: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """The sites that tensors are of, by their numbers."""
        # Sites without tensors begin where the one behind them does.
        sites: npt.NDArray[np.int64] = (
            np.searchsorted(self._counts.first_tensors, tensors, side="right") - 1
        )
        return sites

    def by_site(self) -> npt.NDArray[np.int64]:
        """How many alerts each site has; sites that came behind the last alert are left out."""
        counts = self._counts
        before = np.append(0, np.cumsum(counts.alerts))
        ends = np.append(counts.first_tensors[1:], len(counts.alerts))
        alerts: npt.NDArray[np.int64] = before[ends] - before[counts.first_tensors]
        return alerts[: len(counts.first_tensors)]

    def of_site(self, site: int) -> SiteTally | None:
        """The alerts of one site, if it has any."""
        counts = self._counts
        bad = [tensor for tensor in counts.tensors_of(site) if counts.alerts[tensor]]
        if not bad:
            return None
        first = min(
            bad, key=lambda tensor: (counts.first_times[tensor], counts.first_events[tensor])
        )
        return SiteTally(
            int(counts.alerts[bad].sum()),
            float(counts.first_times[first]),
            int(counts.first_events[first]),
        )

    def tensor_of(self, site: int, position: int) -> int:
        """The number of a tensor of a site."""
        return self._first_tensor[site] + position

    def get(self, tensor: int) -> SiteAlert:
        """The alerts of one tensor by its number."""
        return self._alert(self._counts, tensor)

    def _alert(self, counts: _Counts, tensor: int) -> SiteAlert:
        # Sites without tensors begin where the one behind them does.
        site = bisect_right(self._first_tensor, tensor) - 1
        return SiteAlert(
            site,
            tensor - self._first_tensor[site],
            alerts=int(counts.alerts[tensor]),
            first_event=int(counts.first_events[tensor]),
            last_event=int(counts.last_events[tensor]),
            first_time=float(counts.first_times[tensor]),
            last_time=float(counts.last_times[tensor]),
        )
