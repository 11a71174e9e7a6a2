"""Samples of what sites hold over time: a bounded number of each, spread over the whole recording.

The rows of a store are divided into windows of equal length, and of each window the last event of
each site that matters is read back, so what is read lies close together. As the store grows the
windows become longer and samples are dropped: none is read twice, and there are never more than
`MAX_WINDOWS` of a site.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.search.bulk_health import (
    DTYPE,
    NEGATIVE,
    POSITIVE,
    RANK,
    SIZE,
    ZERO,
    HealthReader,
)
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.traces import TraceStore

    Column = npt.NDArray[Any]

SHORTEST_WINDOW = 32
"""Rows of a window at first."""

MAX_WINDOWS = 64
"""Windows of a store; with one more, two and two become one."""

ROWS_AT_ONCE = 1 << 16
"""Rows looked through in one go: a millisecond."""

MAX_SITES = 4096
"""Sites of a store that are sampled; of a larger program those that came first."""

SITES_AT_ONCE = 256
"""Sites of which is found out in one go whether they matter."""

LARGEST_RECORD = 1 << 16
"""Bytes of a record that is read for a sample; whole tensors may be recorded."""

READ_SHARE = 0.1
"""Part of the bytes of a file that are read again at the most, so that sampling stays cheap."""

FREE_BYTES = 4 << 20
"""Bytes that are read whatever the size of the file."""

KEPT = (DTYPE, RANK, SIZE, NEGATIVE, ZERO, POSITIVE)
"""The numbers of a sample, of those that `HealthReader` tells."""


class SiteSamples(NamedTuple):
    """The samples of one site, in time; NaN is what is not told."""

    events: Column
    dtype: Column
    rank: Column
    size: Column
    negative: Column
    zero: Column
    positive: Column

    def __len__(self) -> int:
        return len(self.events)

    @property
    def zero_shares(self) -> Column:
        """Zeros among all elements."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.zero / self.size


class _Rows(NamedTuple):
    """All samples, in order of their events."""

    events: Column
    sites: Column
    numbers: Column


class _BySite(NamedTuple):
    """Where the samples of each site are."""

    sites: Column
    starts: Column
    """Where in `order` those of each site begin, and the end of the last."""
    order: Column


def _joined(parts: list[_Rows]) -> _Rows:
    return _Rows(*map(np.concatenate, zip(*parts, strict=True)))


class Samples:
    """The samples of one store; `steps` is for the feed's thread, and so is all else."""

    def __init__(
        self,
        store: TraceStore | ExecutionStore,
        wanted: Callable[[int], bool | None],
    ) -> None:
        self.store = store
        self._wanted = wanted
        """Whether a site matters; None while that is not known."""
        self._is_wanted: Column = np.zeros(0, np.int8)
        """1 for a site that matters, 0 for one that does not, -1 while it is not known."""
        self._reader = HealthReader(store)
        self._window = SHORTEST_WINDOW
        self._scanned = 0
        self._read_bytes = 0
        empty = np.empty(0, np.int64)
        self._rows = _Rows(empty, empty, np.empty((0, len(KEPT)), np.float32))
        self._by_site: _BySite | None = None
        """Where the samples of each site are; None while that has to be found out."""

    @property
    def is_behind(self) -> bool:
        """Whether there are rows that were not looked at."""
        return self._scanned < len(self.store)

    def steps(self) -> Iterator[None]:
        """Look at all rows that are there now; yields to pause."""
        end = len(self.store)
        while self._scanned < end:
            yield from self._settle_sites()
            self._lengthen(end)
            stop = min(end, self._scanned - self._scanned % ROWS_AT_ONCE + ROWS_AT_ONCE)
            yield from self._sample(self._scanned, stop)
            self._scanned = stop
            yield

    def of_site(self, site: int) -> SiteSamples:
        """The samples of one site."""
        sites, starts, order = self._grouped()
        place = int(np.searchsorted(sites, site))
        if place == len(sites) or sites[place] != site:
            return SiteSamples(*(np.empty(0) for _ in SiteSamples._fields))
        rows = order[starts[place] : starts[place + 1]]
        return SiteSamples(self._rows.events[rows], *self._rows.numbers[rows].T)

    def last_shares(self) -> tuple[Column, Column, Column]:
        """The sites with samples, and the shares of zeros and of the rarer sign in their last."""
        sites, starts, order = self._grouped()
        last = self._rows.numbers[order[starts[1:] - 1]]
        _, _, size, negative, zero, positive = last.T
        with np.errstate(invalid="ignore", divide="ignore"):
            return sites, zero / size, np.minimum(negative, positive) / size

    def sites(self) -> list[int]:
        """All sites with samples."""
        found: list[int] = self._grouped().sites.tolist()
        return found

    def _grouped(self) -> _BySite:
        if self._by_site is None:
            order = np.argsort(self._rows.sites, kind="stable")
            sites, starts = np.unique(self._rows.sites[order], return_index=True)
            self._by_site = _BySite(sites, np.append(starts, len(order)), order)
        return self._by_site

    # ------------------------------------------------------------------ looking

    def _settle_sites(self) -> Iterator[None]:
        """Find out which sites matter, of those that are new or were not known."""
        more = len(self.store.sites) - len(self._is_wanted)
        known = np.append(self._is_wanted, np.full(max(more, 0), -1, np.int8))
        left = MAX_SITES - int(np.count_nonzero(known > 0))
        for number, site in enumerate(np.flatnonzero(known < 0).tolist()):
            wanted = self._wanted(site) if left > 0 else False
            known[site] = -1 if wanted is None else wanted
            left -= bool(wanted)
            if number % SITES_AT_ONCE == SITES_AT_ONCE - 1:
                yield
        self._is_wanted = known

    def _lengthen(self, end: int) -> None:
        """Make windows so long that there are not too many, and keep one sample of each."""
        before = self._window
        while end > self._window * MAX_WINDOWS:
            self._window *= 2
        if self._window != before:
            self._publish(self._last_of_each(self._rows))

    def _publish(self, rows: _Rows) -> None:
        self._rows, self._by_site = rows, None

    def _last_of_each(self, rows: _Rows) -> _Rows:
        """The last of some samples of each site in each window."""
        order = np.lexsort((rows.events, rows.sites, rows.events // self._window))
        window, sites = rows.events[order] // self._window, rows.sites[order]
        is_last = np.ones(len(order), np.bool_)
        is_last[:-1] = (window[1:] != window[:-1]) | (sites[1:] != sites[:-1])
        kept = np.sort(order[is_last])
        return _Rows(rows.events[kept], rows.sites[kept], rows.numbers[kept])

    def _sample(self, start: int, stop: int) -> Iterator[None]:
        """Read the last event of each site of each window among some rows."""
        sites = self.store.site_numbers[start:stop]
        rows = start + np.flatnonzero((self._is_wanted == 1)[sites])
        if not len(rows):
            return
        chosen = self._affordable(self._last_of_windows(rows, sites[rows - start]))
        # What was sampled of a window that goes on may be replaced.
        first = int(np.searchsorted(self._rows.events, start - start % self._window))
        before = _Rows(*(column[:first] for column in self._rows))
        found = [_Rows(*(column[first:] for column in self._rows))]
        while len(chosen):
            count = self._reader.how_many(chosen)
            some, chosen = chosen[:count], chosen[count:]
            health = yield from self._reader.read(some)
            events = some[health.event]
            numbers = health.numbers[:, KEPT].astype(np.float32)
            by_event = np.argsort(events, kind="stable")
            events = events[by_event]
            own_sites = self.store.site_numbers[events].astype(np.int64)
            found.append(_Rows(events, own_sites, numbers[by_event]))
        added = self._last_of_each(_joined(found))
        self._publish(_joined([before, added]))

    def _last_of_windows(self, rows: Column, sites: Column) -> Column:
        """The last of some rows of each site in each window."""
        last = np.full(len(self._is_wanted), -1, np.int64)
        found = []
        begin = 0
        while begin < len(rows):
            next_window = (int(rows[begin]) // self._window + 1) * self._window
            end = int(np.searchsorted(rows, next_window))
            last[sites[begin:end]] = rows[begin:end]  # of several for one site the last stays
            found.append(np.sort(last[last >= rows[begin]]))
            begin = end
        return np.concatenate(found)

    def _affordable(self, rows: Column) -> Column:
        """Those of some rows whose records are small, as far as the bytes allow."""
        offsets = self.store.offsets
        last = len(offsets) - 1
        following = np.where(
            rows < last, offsets[np.minimum(rows + 1, last)], self.store.file.position
        )
        sizes = following.astype(np.int64) - offsets[rows]
        rows, sizes = rows[sizes <= LARGEST_RECORD], sizes[sizes <= LARGEST_RECORD]
        left = FREE_BYTES + READ_SHARE * self.store.file.position - self._read_bytes
        count = int(np.searchsorted(np.cumsum(sizes), left, side="right"))
        if count < len(rows):  # some of all of them rather than all of the first
            rows = rows[:: -(-len(rows) // max(count, 1))][:count]
        self._read_bytes += int(sizes[: len(rows)].sum())
        return rows
