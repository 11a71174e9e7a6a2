"""Alerts added up per site and tensor, as they come in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class SiteAlert:
    """All alerts of one tensor of one site."""

    site: int
    position: int
    count: int
    first_event: int
    """The earliest in time."""
    last_event: int
    first_time: float
    last_time: float


class SiteAlerts:
    """How often, when first and when last each tensor of each site was bad."""

    def __init__(self) -> None:
        self._first_tensor: list[int] = []
        self._tensors: list[tuple[int, int]] = []
        self._counts = np.zeros(0, np.int64)
        self._first_events = np.zeros(0, np.int64)
        self._last_events = np.zeros(0, np.int64)
        self._first_times = np.zeros(0)
        self._last_times = np.zeros(0)

    def add_site(self, tensors: int) -> None:
        """Make room for the next site."""
        site = len(self._first_tensor)
        self._first_tensor.append(len(self._tensors))
        self._tensors.extend((site, position) for position in range(tensors))

    def extend(
        self,
        sites: npt.NDArray[np.int32],
        positions: npt.NDArray[Any],
        events: npt.NDArray[np.int64],
        wall_times: npt.NDArray[np.float64],
    ) -> None:
        """Add alerts."""
        self._make_room()
        if (wall_times[1:] < wall_times[:-1]).any():
            order = np.argsort(wall_times, kind="stable")
            sites, positions, events = sites[order], positions[order], events[order]
            wall_times = wall_times[order]
        tensors = np.array(self._first_tensor)[sites] + positions
        counts = np.bincount(tensors, minlength=len(self._counts))
        touched = np.flatnonzero(counts)
        # Of several values for one place numpy keeps the last, so one array does for both ends.
        place = np.empty(len(self._counts), np.int64)
        rows = np.arange(len(tensors))
        place[tensors] = rows
        last = place[touched]
        place[tensors[::-1]] = rows[::-1]
        first = place[touched]
        new = self._counts[touched] == 0
        earlier = new | (wall_times[first] < self._first_times[touched])
        self._first_times[touched[earlier]] = wall_times[first[earlier]]
        self._first_events[touched[earlier]] = events[first[earlier]]
        later = new | (wall_times[last] >= self._last_times[touched])
        self._last_times[touched[later]] = wall_times[last[later]]
        self._last_events[touched[later]] = events[last[later]]
        self._counts += counts

    def _make_room(self) -> None:
        missing = len(self._tensors) - len(self._counts)
        if missing:
            self._first_events = np.append(self._first_events, np.zeros(missing, np.int64))
            self._last_events = np.append(self._last_events, np.zeros(missing, np.int64))
            self._first_times = np.append(self._first_times, np.zeros(missing))
            self._last_times = np.append(self._last_times, np.zeros(missing))
            # The last to grow: readers find tensors by their counts.
            self._counts = np.append(self._counts, np.zeros(missing, np.int64))

    def all(self) -> list[SiteAlert]:
        """Every tensor of every site that was ever bad, earliest first."""
        found = [self.get(tensor) for tensor in self.bad_tensors().tolist()]
        return sorted(found, key=lambda alert: (alert.first_time, alert.first_event))

    def bad_tensors(self) -> npt.NDArray[np.int64]:
        """Numbers of the tensors that were ever bad."""
        return np.flatnonzero(self._counts)

    def tensor_of(self, site: int, position: int) -> int:
        """The number of a tensor of a site."""
        return self._first_tensor[site] + position

    def first_times(self, tensors: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """When each of these was bad for the first time."""
        return self._first_times[tensors]

    def first_events(self, tensors: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The event in which each of these was bad for the first time."""
        return self._first_events[tensors]

    def get(self, tensor: int) -> SiteAlert:
        """The alerts of one tensor by its number."""
        return SiteAlert(
            *self._tensors[tensor],
            count=int(self._counts[tensor]),
            first_event=int(self._first_events[tensor]),
            last_event=int(self._last_events[tensor]),
            first_time=float(self._first_times[tensor]),
            last_time=float(self._last_times[tensor]),
        )
