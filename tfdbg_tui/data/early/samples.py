"""Samples of what sites hold over time: a bounded number of each, spread over the whole recording.

The rows of a store are divided into windows of equal length, and of each window the last event of
each site that matters is a sample. As the store grows the windows become longer and samples are
dropped: there are never more than `MAX_WINDOWS` of a site.

What a sample holds is read back from disk when somebody asks: of most sites the last one tells that
all is well. What was read is kept, so none is read twice.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.modes import tells_values
from tfdbg_tui.data.search.bulk_health import (
    DTYPE,
    NEGATIVE,
    POSITIVE,
    RANK,
    SIZE,
    ZERO,
    HealthReader,
    numbers_of,
)
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.traces import TraceStore

    Column = npt.NDArray[Any]

SHORTEST_WINDOW = 32
"""Rows of a window at first; a power of two, as all longer ones are."""

MAX_WINDOWS = 64
"""Windows of a store; with one more, two and two become one."""

ROWS_AT_ONCE = 1 << 16
"""Rows looked through in one go: a millisecond."""

MAX_SITES = 4096
"""Sites of a store that are sampled; of a larger program those that came first."""

SITES_AT_ONCE = 256
"""Sites of which is found out in one go whether they matter."""

ENDS_AT_ONCE = 64
"""Single samples that are read in one go: a millisecond."""

MAX_ENDS = 4 * MAX_SITES
"""Single samples that are kept: the first and the last of each site, and some that were."""

LARGEST_RECORD = 1 << 16
"""Bytes of a record that is read for a sample; whole tensors may be recorded."""

READ_SHARE = 0.1
"""Part of the bytes of a file that all samples together have at the most: all may be read."""

FREE_BYTES = 4 << 20
"""Bytes that they may have whatever the size of the file."""

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


class SampleNumbers(NamedTuple):
    """What one sample holds, as `KEPT` says; NaN is what is not told."""

    dtype: float
    rank: float
    size: float
    negative: float
    zero: float
    positive: float


NOT_TOLD = SampleNumbers(*(math.nan,) * len(KEPT))


class _Chosen(NamedTuple):
    """All samples, in order of their events."""

    events: Column
    sites: Column


class _Read(NamedTuple):
    """What samples hold that were read, in order of their events."""

    events: Column
    numbers: Column

    def are_in(self, events: Column) -> Column:
        """Which of some events were read."""
        return _are_among(events, self.events)


class _BySite(NamedTuple):
    """Where the samples of each site are."""

    sites: Column
    starts: Column
    """Where in `order` those of each site begin, and the end of the last."""
    order: Column


def _are_among(events: Column, others: Column) -> Column:
    """Which of some events are among others, both ascending."""
    places = np.searchsorted(others, events)
    are_among = places < len(others)
    are_among[are_among] = others[places[are_among]] == events[are_among]
    return are_among


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
        self._chosen_bytes = 0
        empty = np.empty(0, np.int64)
        self._chosen = _Chosen(empty, empty)
        self._read = _Read(empty, np.empty((0, len(KEPT)), np.float32))
        self._ends: dict[int, SampleNumbers] = {}
        """What was read of first and last samples, by event."""
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
            self._choose(self._scanned, stop)
            self._scanned = stop
            yield

    def sites(self) -> list[int]:
        """All sites with samples."""
        found: list[int] = self._grouped().sites.tolist()
        return found

    def events_of(self, site: int) -> Column:
        """The events that are the samples of one site."""
        sites, starts, order = self._grouped()
        place = int(np.searchsorted(sites, site))
        if place == len(sites) or sites[place] != site:
            return self._chosen.events[:0]
        return self._chosen.events[order[starts[place] : starts[place + 1]]]

    def of_site(self, site: int) -> SiteSamples:
        """All samples of one site; what was not read before is read now."""
        for _ in self.read([site]):
            pass
        events = self.events_of(site)
        events = events[self._read.are_in(events)]
        places = np.searchsorted(self._read.events, events)
        return SiteSamples(events, *self._read.numbers[places].T)

    def ends(self, site: int) -> tuple[SampleNumbers, SampleNumbers]:
        """The first sample of a site and its last, read by themselves."""
        events = self.events_of(site)
        return self._end(site, events, 0), self._end(site, events, -1)

    def last_shares(self, sites: Sequence[int]) -> tuple[Column, Column, Column]:
        """Some sites, and the shares of zeros and of the rarer sign in their last samples."""
        last = [self._end(site, self.events_of(site), -1) for site in sites]
        rows = np.array(last, np.float32).reshape(-1, len(KEPT))
        _, _, size, negative, zero, positive = rows.T
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.array(sites, np.int64), zero / size, np.minimum(negative, positive) / size

    # ------------------------------------------------------------------ reading

    def read(self, sites: Iterable[int]) -> Iterator[None]:
        """Read all samples of some sites together; yields to pause."""
        wanted = np.sort(np.concatenate([self._chosen.events[:0], *map(self.events_of, sites)]))
        wanted = wanted[~self._read.are_in(wanted)]
        while len(wanted):
            count = self._reader.how_many(wanted)
            some, wanted = wanted[:count], wanted[count:]
            health = yield from self._reader.read(some)
            self._keep(some[health.event], health.numbers[:, KEPT])

    def read_last(self, sites: Sequence[int]) -> Iterator[None]:
        """Read the last sample of each of some sites; yields to pause."""
        for number, site in enumerate(sites):
            self._end(site, self.events_of(site), -1)
            if number % ENDS_AT_ONCE == ENDS_AT_ONCE - 1:
                yield

    def _end(self, site: int, events: Column, place: int) -> SampleNumbers:
        """The first sample of a site or its last; of those that can be read, if it cannot."""
        if not len(events):
            return NOT_TOLD
        event = int(events[place])
        known = self._ends.get(event)
        if known is None:
            health, known = self.store.health(event, 0), NOT_TOLD
            if health is None and self._tells_later(event):
                own = self.of_site(site)
                if len(own):
                    known = SampleNumbers(*(float(column[place]) for column in own[1:]))
            elif health is not None:
                known = SampleNumbers(*map(numbers_of(health).__getitem__, KEPT))
            if len(self._ends) >= MAX_ENDS:
                self._ends.clear()
            self._ends[event] = known
        return known

    def _tells_later(self, event: int) -> bool:
        """Whether another sample may tell more than one that tells nothing: it may be gone."""
        mode = self.store.site_of(event).mode
        return tells_values(mode) or self.store.read(event) is None

    def _keep(self, events: Column, numbers: Column) -> None:
        """Note what was read; what is no sample any more is forgotten."""
        is_sample = _are_among(self._read.events, self._chosen.events)
        events = np.append(self._read.events[is_sample], events)
        numbers = np.concatenate((self._read.numbers[is_sample], numbers.astype(np.float32)))
        order = np.argsort(events, kind="stable")
        self._read = _Read(events[order], numbers[order])

    def _grouped(self) -> _BySite:
        if self._by_site is None:
            order = np.argsort(self._chosen.sites, kind="stable")
            sites = self._chosen.sites[order]
            is_first = np.ones(len(sites), np.bool_)
            is_first[1:] = sites[1:] != sites[:-1]
            starts = np.flatnonzero(is_first)
            self._by_site = _BySite(sites[starts], np.append(starts, len(order)), order)
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
            self._publish(self._last_of_each(self._chosen))

    def _publish(self, chosen: _Chosen) -> None:
        self._chosen, self._by_site = chosen, None

    def _last_of_each(self, chosen: _Chosen) -> _Chosen:
        """The last of some samples of each site in each window."""
        windows = chosen.events // self._window
        order = np.lexsort((chosen.events, chosen.sites, windows))
        windows, sites = windows[order], chosen.sites[order]
        is_last = np.ones(len(order), np.bool_)
        is_last[:-1] = (windows[1:] != windows[:-1]) | (sites[1:] != sites[:-1])
        kept = np.sort(order[is_last])
        return _Chosen(chosen.events[kept], chosen.sites[kept])

    def _choose(self, start: int, stop: int) -> None:
        """Make samples of the last event of each site of each window among some rows."""
        sites = self.store.site_numbers[start:stop]
        rows = start + np.flatnonzero((self._is_wanted == 1)[sites])
        if not len(rows):
            return
        events = self._affordable(self._last_of_windows(rows, sites[rows - start]))
        # What is a sample of a window that goes on may be replaced.
        first = int(np.searchsorted(self._chosen.events, start - start % self._window))
        events = np.append(self._chosen.events[first:], events)
        own_sites = self.store.site_numbers[events].astype(np.int64)
        added = self._last_of_each(_Chosen(events, own_sites))
        before = (column[:first] for column in self._chosen)
        self._publish(_Chosen(*map(np.append, before, added)))

    def _last_of_windows(self, rows: Column, sites: Column) -> Column:
        """The last of some rows of each site in each window."""
        shift = self._window.bit_length() - 1  # to divide takes several times as long
        windows = rows >> shift
        windows -= windows[0]
        last = np.full((int(windows[-1]) + 1, len(self._is_wanted)), -1, np.int64)
        last[windows, sites] = rows  # of several for one site the last stays
        found: Column = np.sort(last[last >= 0])
        return found

    def _affordable(self, rows: Column) -> Column:
        """Those of some rows whose records are small, as far as the bytes allow."""
        offsets = self.store.offsets
        last = len(offsets) - 1
        following = np.where(
            rows < last, offsets[np.minimum(rows + 1, last)], self.store.file.position
        )
        sizes = following.astype(np.int64) - offsets[rows]
        rows, sizes = rows[sizes <= LARGEST_RECORD], sizes[sizes <= LARGEST_RECORD]
        left = FREE_BYTES + READ_SHARE * self.store.file.position - self._chosen_bytes
        count = int(np.searchsorted(np.cumsum(sizes), left, side="right"))
        if count < len(rows):  # some of all of them rather than all of the first
            rows = rows[:: -(-len(rows) // max(count, 1))][:count]
        self._chosen_bytes += int(sizes[: len(rows)].sum())
        return rows
