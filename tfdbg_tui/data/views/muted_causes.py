"""What is muted in the run that is looked at, for the screen's thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.cause.muted import Muted
from tfdbg_tui.data.cause.mutes import Mutes, read_mute
from tfdbg_tui.data.cause.muting import Muting
from tfdbg_tui.data.index.alert_rows import AlertRows
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef, store_number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    from tfdbg_tui.data.cause.causes import Causes
    from tfdbg_tui.data.cause.found_cause import FoundCause
    from tfdbg_tui.data.cause.mutes import Mute
    from tfdbg_tui.data.cause.run_causes import RunCauses
    from tfdbg_tui.data.flow.graph_nodes import GraphNode
    from tfdbg_tui.data.index.alert_rows import AlertSiteRow
    from tfdbg_tui.data.index.run_index import RunIndex

MAX_TRIED = 1_000
"""Sites with alerts up to which it is worked out at once what a rule would mute."""

FIRST_LOOK = 1 << 10
"""Alerts of the first of the stretches in which one that is not muted is sought."""

MAX_IN_ROW = 1_000
"""Events of one row that are looked at."""


class MutedCauses:
    """The rules of a session, and what they mute in one run after another."""

    def __init__(self) -> None:
        self.mutes = Mutes()
        self._opened: tuple[RunIndex, Causes, RunCauses] | None = None
        self._job: Muting | None = None

    def open(self, run: RunIndex, causes: Causes, found: RunCauses) -> None:
        """Look at a run."""
        self._opened = run, causes, found
        self._job = Muting(run, causes, found, self.mutes)

    def change(self, mutes: Mutes) -> None:
        """Mute by other rules; what was known stays until that is."""
        self.mutes = mutes
        if self._opened is not None:
            self._job = Muting(*self._opened, mutes, self.muted)

    @property
    def job(self) -> Muting | None:
        """Finds what is muted; for the feed. None where there is nothing to find."""
        has_begun = self._opened is not None and bool(self._opened[2].begun)
        return self._job if self.mutes.rules or self.muted.by or has_begun else None

    @property
    def muted(self) -> Muted:
        """What is muted, as far as that is known."""
        return Muted() if self._job is None else self._job.muted

    @property
    def version(self) -> tuple[int, int]:
        """Changes when something else is muted."""
        return id(self._job), 0 if self._job is None else self._job.version

    @property
    def is_known(self) -> bool:
        """Whether it was found out what is muted."""
        return self._job is None or self._job.is_done

    def sort_out(self, causes: Sequence[FoundCause]) -> tuple[FoundCause, ...]:
        """The causes that are not muted."""
        by = self.muted.by
        return tuple(cause for cause in causes if cause.key not in by)

    # One tensor.

    def rule_of(self, tensor: EventRef) -> Mute | None:
        """The rule that mutes a bad tensor; None if none does."""
        if self._opened is None or not self.muted.by:
            return None
        run = self._opened[0]
        if not run.hosts[tensor.host].host.store_of(tensor.kind).is_bad(tensor.event):
            return None
        return self.muted.rule_of(run.alerts.key_of(tensor))

    def is_row_muted(self, host: int, kind: EventKind, event: int, count: int = 1) -> bool:
        """Whether all that is bad of an event, of several or inside a call, is muted."""
        stores = self.muted.stores
        if self._opened is None or not stores:
            return False
        index = self._opened[0].hosts[host]
        store = index.host.store_of(kind)
        events = range(event, event + count)
        bad = [one for one in events[:MAX_IN_ROW] if store.is_bad(one)]
        own = self.leaves_out(host, kind, np.array(bad, np.int64))
        inside: npt.NDArray[Any] = np.empty(0, np.int64)
        if kind is EventKind.EXECUTION and count == 1:
            inside = index.bad_inside(event)
        is_muted = own.all() and self.leaves_out(host, EventKind.TRACE, inside).all()
        return bool(len(bad) + len(inside)) and bool(is_muted)

    def leaves_out(
        self, host: int, kind: EventKind, events: npt.NDArray[Any]
    ) -> npt.NDArray[np.bool_]:
        """Which of some bad events are muted."""
        muted = self.muted.stores.get(store_number(host, kind))
        if muted is None or self._opened is None:
            return np.zeros(len(events), np.bool_)
        return muted.hold(self._opened[0].hosts[host].host.store_of(kind).site_numbers[events])

    def past(self, rank: int, steps: int) -> int:
        """The rank of an alert or, where that is muted, of the next one that is not; -1 for none.

        It looks at ever longer stretches, in bulk.
        """
        if self._opened is None or not self.muted.stores:
            return rank
        log, length, direction = self._opened[0].log, FIRST_LOOK, 1 if steps >= 0 else -1
        while 0 <= rank < len(log):
            start, stop = (rank, rank + length) if direction > 0 else (rank + 1 - length, rank + 1)
            stores, sites = log.sites(max(0, start), stop)
            is_muted = np.zeros(len(sites), np.bool_)
            for number, muted in self.muted.stores.items():
                is_muted |= (stores == number) & muted.hold(sites)
            open_ones = np.flatnonzero(~is_muted[::direction])
            if len(open_ones):
                return rank + direction * int(open_ones[0])
            rank, length = rank + direction * len(sites), 2 * length
        return -1

    def count_in(self, host: int, kind: EventKind) -> int:
        """How many bad tensors of a list are muted."""
        muted = self.muted.stores.get(store_number(host, kind))
        return 0 if muted is None else muted.tensors

    def is_muted(self, tensor: EventRef) -> bool:
        """Whether a bad tensor is muted or, of a call, all that is bad inside it."""
        if self.rule_of(tensor) is not None:
            return True
        return self.is_row_muted(tensor.host, tensor.kind, tensor.event)

    def marked(self, host: int, nodes: tuple[GraphNode, ...]) -> tuple[GraphNode, ...]:
        """The nodes of a graph, those that are muted marked so."""
        if not self.muted.stores:
            return nodes
        return tuple(
            node._replace(is_muted=True) if self._is_node_muted(host, node) else node
            for node in nodes
        )

    def _is_node_muted(self, host: int, node: GraphNode) -> bool:
        if not node.bad:
            return False
        if node.trace is not None:
            return self.is_row_muted(host, EventKind.TRACE, node.trace)
        if node.execution is None:
            return False
        return self.is_row_muted(host, EventKind.EXECUTION, node.execution)

    # Rules that are not there yet.

    def would_mute(self, text: str) -> int | None:
        """How many more tensors a rule would mute, with what is said to follow from them.

        None where it takes too long to say. Raises QueryError.
        """
        rule = read_mute(text)
        if self._opened is None or self._job is None:
            return None
        run, _, found = self._opened
        sites = AlertRows(run.hosts)  # those of the tree are refreshed by the tree
        sites.refresh()
        if len(sites) > MAX_TRIED:
            return None
        keys, muted = sites.keys.tolist(), self.muted
        named = {
            key
            for rank, key in enumerate(keys)
            if key not in muted.by and self._fits(rule, sites.site(rank))
        }
        named |= {key for key, of in found.ranking.part_of.items() if of in named}
        counted = (
            sites.alert(rank).alerts
            for rank, key in enumerate(keys)
            if key in named
            or (key not in muted.by and muted.moved.get(key, found.cause_of.get(key)) in named)
        )
        return sum(counted)

    def _fits(self, rule: Mute, site: AlertSiteRow) -> bool:
        assert self._job is not None
        return rule.fits(site.facts, partial(self._job.code_of, site.host))
