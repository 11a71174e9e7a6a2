"""The ops of a host as a tree by device, function and scope, with what became of them.

Whatever grows with the recording is done by the feed, in slices: hanging the ops up, adding up what
is bad below each node, reading how much of some tensors is zeros, putting lines in order. What is
asked here costs as much as the rows on the screen.
"""

from __future__ import annotations

from itertools import islice
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.records.modes import told_by
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.op_tree_nodes import OpTreeNodes
from tfdbg_tui.data.views.op_tree_order import (
    Looked,
    OpTreeOrder,
    Shape,
    Sums,
    add_up,
    empty_sums,
    put_in_order,
    shape_of,
)
from tfdbg_tui.data.views.zero_shares import UNTOLD, ZeroShares

if TYPE_CHECKING:
    from array import array
    from collections.abc import Generator

    import numpy.typing as npt

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.search.text_patterns import Pattern
    from tfdbg_tui.data.stores.host import AnyEventStore

    Numbers = npt.NDArray[np.int64]

SLICE_SECONDS = 0.004
"""How long ops are hung up, or searched through, in one go."""

AT_ONCE = 64
"""Ops between two looks at the clock."""

EVENTS_AT_ONCE = 1 << 18
"""Events looked through in one go for the last of each site."""

AGAIN = 2
"""A site is read again when so many times as many events have come."""

MAX_SAMPLED = 4096
"""Sites of a kind one of whose records is read to tell how much of them is zeros."""


class OpTree:
    """The tree of one host; a job for the feed, the screen's thread asks."""

    def __init__(self, index: HostIndex) -> None:
        self.index = index
        self.nodes = OpTreeNodes(index)
        self.zeros = ZeroShares(index.host)
        self.order = OpTreeOrder()
        """As of the last time that all was looked at."""
        self.looked = Looked()
        self.last: dict[EventKind, Numbers] = dict.fromkeys(EventKind, np.empty(0, np.int64))
        """The last event of each site; -1 where there is none."""
        self._seen_ops: dict[str, int] = {}
        self._seen_events = dict.fromkeys(EventKind, 0)
        self._seen_graphs: object = None
        self._sampled: dict[tuple[EventKind, int], int] = {}
        """The event that tells how much of a site is zeros."""
        self._sampled_at = -1
        """How many events there were when sites were chosen to be read."""
        self._found: list[int] = []
        """Ops that fit what is searched for, as far as they were looked at."""
        self._sought = (0, "")
        """How many were looked at, and for what."""
        self._stems: list[str] = []
        """In the order of the alphabet."""
        self._shape: tuple[object, Shape] | None = None
        self._sums: tuple[object, Shape, Sums, Numbers] | None = None
        """What is known, what is below each node then, and the ops that are bad."""
        self._arranged: tuple[object, ...] = ()
        """What the order was made from."""
        self._arranging: Generator[None, None, OpTreeOrder] | None = None
        self._one_at_a_time = Lock()

    # For the feed.

    def extend(self) -> bool:
        """Do a slice of what there is to do; True while there is more."""
        with self._one_at_a_time:
            until = perf_counter() + SLICE_SECONDS
            if self._hang_up(until) or self._note_last() or self._search(until):
                return True
            is_reading = self.zeros.extend()
            return self._arrange(is_reading) or is_reading

    def _hang_up(self, until: float) -> bool:
        """Add what is new; True while there is more."""
        nodes, host = self.nodes, self.index.host
        for number in range(len(nodes.node_of_site[EventKind.TRACE]), len(host.traces.sites)):
            nodes.add_trace_site(number)
            if not number % AT_ONCE and perf_counter() > until:
                return True
        if host.graphs.counts != self._seen_graphs:
            counts = host.graphs.counts
            if self._hang_up_untraced(until):
                return True
            nodes.hang_open_ones()
            self._seen_graphs = counts
        if not host.executions.is_recorded:
            return False
        sites = len(host.executions.sites)
        for number in range(len(nodes.node_of_site[EventKind.EXECUTION]), sites):
            nodes.add_execution_site(number)
            if perf_counter() > until:
                return True
        return False

    def _hang_up_untraced(self, until: float) -> bool:
        """Add the ops of graphs that no trace has told of."""
        for graph_id, graph in tuple(self.index.host.graphs.by_id.items()):
            seen = self._seen_ops.get(graph_id, 0)
            if seen == len(graph.ops):
                continue
            for number, op in enumerate(islice(graph.ops.values(), seen, None), seen + 1):
                self.nodes.add_op(graph_id, op.name, op.device)
                if not number % AT_ONCE and perf_counter() > until:
                    self._seen_ops[graph_id] = number
                    return True
            self._seen_ops[graph_id] = len(graph.ops)
        return False

    def _note_last(self) -> bool:
        """Find the last event of each site among some events; True while there are more."""
        has_more = False
        for kind, start in self._seen_events.items():
            store = self.index.host.store_of(kind)
            stop = min(len(store), start + EVENTS_AT_ONCE)
            missing = len(self.nodes.node_of_site[kind]) - len(self.last[kind])
            if missing:
                self.last[kind] = np.append(self.last[kind], np.full(missing, -1))
            sites = store.site_numbers[start:stop].astype(np.int64)
            if int(sites.max(initial=-1)) < len(self.last[kind]):  # runs of sessions are no ops
                self.last[kind][sites] = np.arange(start, stop)
                self._seen_events[kind] = stop
                has_more |= stop < len(store)
        return has_more

    def _search(self, until: float) -> bool:
        """Look at the names of some ops for what is searched for; True while there are more."""
        pattern, text = self.looked.pattern, self.looked.text
        start, before = self._sought
        if text != before or pattern is None:
            start, self._found = 0, []
        if pattern is None:
            self._sought = (0, "")
            return False
        for node in range(start, len(self.nodes)):
            if self.fits(pattern, node):
                self._found.append(node)
            if not node % AT_ONCE and perf_counter() > until:
                self._sought = (node + 1, text)
                return True
        self._sought = (len(self.nodes), text)
        return False

    def fits(self, pattern: Pattern, node: int) -> bool:
        """Whether a node is an op whose name or type has what is searched for."""
        named = self.nodes.ops[node]
        if named is None:
            return False
        return pattern.fits(named.name) or pattern.fits(self.op_type(node) or "")

    def op_type(self, node: int) -> str | None:
        """The type of an op; None of what is none, or while it is not on disk."""
        named = self.nodes.ops[node]
        if named is None or not named.graph_id:
            return None
        op = self.index.host.graphs.op(named.graph_id, named.name)
        return None if op is None else op.type

    # The order.

    def _arrange(self, is_reading: bool) -> bool:
        """Put the lines in order, in parts; True while there is more to do for it."""
        if self._arranging is None:
            wants = self._sample()
            state = self._state(is_reading or wants)
            if state == self._arranged:
                return wants
            self._arranged = state
            self._arranging = self._put_in_order(self.looked, state[1:])
        arranging, self._arranging = self._arranging, None
        try:
            next(arranging)
        except StopIteration as done:
            self.order = done.value
        else:
            self._arranging = arranging  # but for one that has failed
        return True

    def _state(self, is_reading: bool) -> tuple[object, ...]:
        """What an order is made from; while records are read, those read before count."""
        looked = self.looked
        alerts = tuple(len(self.index.host.store_of(kind).alerts) for kind in EventKind)
        nodes = len(self.nodes), self.nodes.moves, self._sought
        reads: object = self.zeros.reads
        if is_reading and self._arranged:
            reads = self._arranged[-1]
        return (looked, alerts, nodes, reads)

    def _sample(self) -> bool:
        """Have a record of some sites read, lately; True if any are to be."""
        wants, events = False, sum(self._seen_events.values())
        if events == self._sampled_at:
            return False
        self._sampled_at = events
        for kind in EventKind:
            store, last = self.index.host.store_of(kind), self.last[kind]
            for site in np.flatnonzero(last[:MAX_SAMPLED] >= 0).tolist():
                known, event = self._sampled.get((kind, site)), int(last[site])
                if known is not None and event < AGAIN * (known + 1):
                    continue
                if "zero" in told_by(store.sites[site].mode):
                    self._sampled[kind, site] = event
                    wants |= self.zeros.want(kind, [event])
        return wants

    def _put_in_order(
        self, looked: Looked, known: tuple[object, ...]
    ) -> Generator[None, None, OpTreeOrder]:
        """The lines as they are looked at; each pause is the end of a slice.

        What is below each node is added up anew only where more is known: most often another part
        is folded.
        """
        shape = yield from self._shape_now()
        if self._sums is None or self._sums[0] != known or self._sums[1] is not shape:
            sums = self._own_sums(shape)
            leaves = np.flatnonzero(sums.bad)
            yield from add_up(sums, shape)
            self._sums = known, shape, sums, leaves
        _, _, sums, leaves = self._sums
        found = np.array(self._found, np.int64)
        return (
            yield from put_in_order(sums, leaves, shape, looked, found[found < len(shape.parents)])
        )

    def _shape_now(self) -> Generator[None, None, Shape]:
        """How the nodes hang together now."""
        nodes = self.nodes
        state = len(nodes), nodes.moves
        if self._shape is None or self._shape[0] != state:
            count = len(nodes)  # at a pause more may come, and ops may come to hang there
            columns = (nodes.parents, nodes.depths, nodes.stems, nodes.numbers, nodes.is_op)
            parents, depths, stems, numbers, is_op = (_column(own, count) for own in columns)
            new = list(islice(nodes.all_stems, len(self._stems), None))
            self._stems = sorted(self._stems + new, key=str.casefold)
            ranks = np.empty(len(self._stems), np.int64)
            ranks[[nodes.all_stems[stem] for stem in self._stems]] = np.arange(len(ranks))
            yield
            by_name = np.empty(count, np.int64)
            by_name[np.lexsort((numbers, ranks[stems]))] = np.arange(count)
            yield
            self._shape = state, shape_of(parents, depths, by_name, is_op > 0)
        return self._shape[1]

    def _own_sums(self, shape: Shape) -> Sums:
        """What each op is itself; groups have nothing of their own.

        Ops may have been hung up since the shape was made: what is beyond it waits for the next.
        """
        sums, count = empty_sums(shape), len(shape.parents)
        sums.matches[[node for node in self._found if node < len(shape.parents)]] = 1
        for kind in EventKind:
            of_site = self.nodes.node_of_site[kind]
            nodes = _column(of_site, len(of_site))
            nodes = nodes[: np.searchsorted(np.maximum.accumulate(nodes), count)]
            np.add.at(sums.tensors, nodes, self._tensors_of_sites(kind, len(nodes)))
            _note_bad(self.index.host.store_of(kind), nodes, sums)
        for (kind, site), event in self._sampled.items():
            share = self.zeros.of(kind, event)
            if share is not None and share != UNTOLD:
                node = self.nodes.node_of_site[kind][site]
                if node < count:
                    sums.zeros[node] += share
                    sums.sampled[node] += 1
        return sums

    def _tensors_of_sites(self, kind: EventKind, count: int) -> Numbers:
        if kind is EventKind.TRACE:
            return np.ones(count, np.int64)
        sites = self.index.host.executions.sites[:count]
        return np.array([site.tensors for site in sites], np.int64)


def _note_bad(store: AnyEventStore, of_site: Numbers, sums: Sums) -> None:
    """Count the bad tensors of each op, and find the first computation of any."""
    bad, first_bad, first_event = sums.bad, sums.first_bad, sums.first_event
    counted = store.site_alerts
    tensors, events, times = counted.firsts()
    sites = counted.sites_of(tensors)
    known = np.flatnonzero(sites < len(of_site))
    nodes, events, times = of_site[sites[known]], events[known], times[known]
    np.add.at(bad, nodes, 1)
    np.minimum.at(first_bad, nodes, times)
    latest_first = np.argsort(times, kind="stable")[::-1]
    first_event[nodes[latest_first]] = events[latest_first]  # of several the last one counts


def _column(numbers: array[int], count: int) -> Numbers:
    """The first so many of a column, as numpy counts with them."""
    column = np.frombuffer(numbers[:count], f"i{numbers.itemsize}")
    return column.astype(np.int64)
