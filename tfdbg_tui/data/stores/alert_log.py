"""All alerts of a run in true time order, over eager and graph tensors and over all hosts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.files.buffers import allocated
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef, host_and_kind, store_number
from tfdbg_tui.data.stores.tf_names import forward_names
from tfdbg_tui.data.stores.time_order import by_time
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.stores.host import AnyEventStore, Host

    Column = npt.NDArray[Any]


FORWARD_WITHIN = 8
"""Alerts among which the forward op of the very first, a gradient op, is sought."""

PIECE = 1 << 15
"""Alerts that are put in their places at once."""


class Alert(NamedTuple):
    """One output tensor with any ∞ or NaN."""

    host: int
    """Number of the host in its run."""
    kind: EventKind
    event: int
    position: int
    """Which of the record's tensors; always 0 for a trace."""
    bad: int
    wall_time: float

    @property
    def ref(self) -> EventRef:
        """The tensor that it is about."""
        return EventRef(*self[:4])


class AlertLog:
    """Merges the alerts of several stores by time.

    The feed's thread merges, any thread reads: the order is one frozen value, published in one
    assignment. An alert that comes late changes the ranks of later ones.

    Files lag behind each other, so an alert may arrive after a later one: it is sorted in.
    Equal times are told apart by host, then graph before eager (a call's record is written
    when its graph has run), then by the order in the file.
    """

    def __init__(self, stores: Sequence[AnyEventStore] = ()) -> None:
        self._stores = list(stores)
        self._merged = [0] * len(self._stores)
        self._order: Column = np.empty(0, np.uint32)
        """Alerts in time order: which of the alerts of its store each is, times the number of
        stores, plus the number of its store."""
        self._first: tuple[Column, int] = (self._order, 0)
        """For which order the rank of the first alert is known, and that rank."""
        self._first_alert: tuple[Column, Alert | None] = (self._order, None)
        """The same with the alert itself, which is asked for by every judgement."""

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, rank: int) -> Alert:
        return self._alert(self._order, rank)

    def _alert(self, order: Column, rank: int) -> Alert:
        row, number = divmod(int(order[rank]), len(self._stores))
        store = self._stores[number]
        event = int(store.bad_events[row])
        host, kind = host_and_kind(number)
        return Alert(
            host=host,
            kind=kind,
            event=event,
            position=int(store.alerts["position"][row]),
            bad=int(store.alerts["bad"][row]),
            wall_time=store.wall_time(event),
        )

    def sites(self, start: int, stop: int) -> tuple[Column, Column]:
        """The numbers of the stores and of the sites of some alerts, by their ranks."""
        rows, numbers = np.divmod(self._order[start:stop].astype(np.int64), len(self._stores))
        sites = np.zeros(len(rows), np.int64)
        for number, store in enumerate(self._stores):
            own = numbers == number
            sites[own] = store.site_numbers[store.bad_events[rows[own]]]
        return numbers, sites

    def store_of(self, alert: Alert) -> AnyEventStore:
        """Where the event of an alert is; its host may have begun another store since."""
        return self._stores[store_number(alert.host, alert.kind)]

    @property
    def unseen(self) -> int:
        """Alerts that have arrived and are not in order yet."""
        return sum(len(store.alerts) for store in self._stores) - sum(self._merged)

    def first(self) -> Alert | None:
        """The first in time, but for a gradient op that overtook its own forward op."""
        order, alert = self._first_alert
        if order is not self._order:
            order, alert = self._order, None
        if alert is None and len(order):
            alert = self._alert(order, self.first_rank)
            if self._first[0] is order:  # else it may still turn out to be another one
                self._first_alert = (order, alert)
        return alert

    @property
    def first_rank(self) -> int:
        """The rank of the first alert.

        What does not wait for each other runs in any order: a gradient that divides by the same
        zero as its forward op may end before it. In one call the forward op counts as the first.
        """
        known_for, rank = self._first
        order = self._order
        if known_for is not order:
            rank, is_final = self._forward_rank(order)
            if is_final:
                self._first = (order, rank)
        return rank

    def _forward_rank(self, order: Column) -> tuple[int, bool]:
        """The rank of the forward op right behind the gradient op that comes first, else 0.

        And whether that stays: the end of their call may be still to come.
        """
        gradient = self._alert(order, 0) if len(order) else None
        if gradient is None or gradient.kind is not EventKind.TRACE:
            return 0, True
        store = self.store_of(gradient)
        graph_id, op_name = map(str, store.site_of(gradient.event)[:2])
        ends = self._stores[store_number(gradient.host, EventKind.EXECUTION)].wall_times
        call = int(np.searchsorted(ends, gradient.wall_time))
        wanted = {(graph_id, name) for name in forward_names(op_name)}
        if not wanted or call == len(ends):
            return 0, not wanted
        for rank in range(1, min(len(order), FORWARD_WITHIN)):
            alert = self._alert(order, rank)
            is_near = alert[:2] == gradient[:2] and alert.wall_time <= ends[call]
            if is_near and store.site_of(alert.event)[:2] in wanted:
                return rank, True
        return 0, True

    def first_of_host(self, host: int, looked_at: int) -> int | None:
        """The rank of the first alert of a host, if it is among so many."""
        ranks = range(min(len(self), looked_at))
        found = next((rank for rank in ranks if self[rank].host == host), None)
        return self.first_rank if found == 0 else found

    def rank_of(self, wall_time: float, tensor: EventRef) -> tuple[int, bool]:
        """The rank of a tensor's alert and True; or where it would stand, and False.

        Without an output, that of the event's first alert.
        """
        order = self._order
        event = (*_in_time(wall_time), store_number(tensor.host, tensor.kind), tensor.event)
        wanted = (*event, -1 if tensor.output is None else tensor.output)
        low, high = 0, len(order)
        while low < high:
            middle = (low + high) // 2
            if self._sort_key(order, middle) < wanted:
                low = middle + 1
            else:
                high = middle
        if low == len(order):
            return low, False
        compared = len(event if tensor.output is None else wanted)
        return low, self._sort_key(order, low)[:compared] == wanted[:compared]

    def _sort_key(self, order: Column, rank: int) -> tuple[bool, float, int, int, int]:
        """What the order of alerts goes by: time, store, event, and position in its record."""
        row, number = divmod(int(order[rank]), len(self._stores))
        store = self._stores[number]
        event = int(store.bad_events[row])
        position = int(store.alerts["position"][row])
        return (*_in_time(store.wall_time(event)), number, event, position)

    def reads(self, stores: Sequence[AnyEventStore]) -> bool:
        """Whether these are the stores it merges: a file read anew has a new store."""
        return len(stores) == len(self._stores) and all(map(_same, stores, self._stores))

    def merge(self) -> None:
        """Sort in what has arrived."""
        arrived = [len(store.alerts) for store in self._stores]
        # Alerts are numbered store by store: that tells equal times apart.
        firsts = np.cumsum(arrived) - arrived
        numbers, times = self._arrived(firsts, arrived)
        start = self._first_not_before(times.min())
        if start < len(self):
            rows, stores = np.divmod(self._order[start:].astype(np.int64), len(arrived))
            numbers = np.append(firsts[stores] + rows, numbers)
            times = np.append(self._times(stores, rows), times)
        numbers = by_time(times, numbers, sum(arrived))
        order = _copied(self._order, start, len(numbers), max(arrived) * len(arrived))
        for piece in _pieces(0, len(numbers)):
            of_store = np.searchsorted(firsts, numbers[piece], "right") - 1
            rows = numbers[piece] - firsts[of_store]
            order[start:][piece] = rows * len(arrived) + of_store
        self._order = order
        self._merged = arrived

    def _arrived(self, firsts: Column, arrived: list[int]) -> tuple[Column, Column]:
        """The numbers and the times of what is not in order yet."""
        count = sum(arrived) - sum(self._merged)
        numbers, times = np.empty(count, _fitting(sum(arrived))), np.empty(count)
        place = 0
        for number, store in enumerate(self._stores):
            begin, end = self._merged[number], arrived[number]
            events, of_event = store.bad_events, store.wall_times
            for piece in _pieces(begin, end):
                target = slice(place, place + piece.stop - piece.start)
                numbers[target] = np.arange(piece.start, piece.stop) + firsts[number]
                times[target] = of_event[events[piece]]
                place = target.stop
        return numbers, times

    def _first_not_before(self, time: float) -> int:
        """The lowest rank whose alert is not earlier than a time."""
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self[middle].wall_time < time:
                low = middle + 1
            else:
                high = middle
        return low

    def _times(self, stores: Column, rows: Column) -> Column:
        times = np.empty(len(rows))
        for number, store in enumerate(self._stores):
            chosen = stores == number
            times[chosen] = store.wall_times[store.bad_events[rows[chosen]]]
        return times


def stores_of(hosts: Sequence[Host]) -> list[AnyEventStore]:
    """The stores of a run in the order in which `Alert` numbers hosts and kinds."""
    return [host.store_of(kind) for host in hosts for kind in EventKind]


def _copied(column: Column, kept: int, more: int, largest: int) -> Column:
    """A copy of a column up to an index, with room for more behind it."""
    copy = allocated(kept + more, _fitting(largest))
    copy[:kept] = column[:kept]
    return copy


def _fitting(largest: int) -> type[np.uint32 | np.int64]:
    return np.uint32 if largest <= np.iinfo(np.uint32).max else np.int64


def _pieces(start: int, end: int) -> Iterator[slice]:
    """A long column in pieces: new memory takes longer to touch than what is in it to work out."""
    for begin in range(start, end, PIECE):
        yield slice(begin, min(begin + PIECE, end))


def _in_time(wall_time: float) -> tuple[bool, float]:
    """A time to compare by: one that is no number comes last, as numpy sorts it."""
    return (True, 0.0) if math.isnan(wall_time) else (False, wall_time)


def _same(one: object, other: object) -> bool:
    return one is other
