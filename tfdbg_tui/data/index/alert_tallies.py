"""Alerts added up per creation stack, for the lines of the user's program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.stores.columns import Table
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.stores.host import Host

UNKNOWN = -1
"""Stands for the stack of a site whose op is not on disk yet."""


class StackTally(NamedTuple):
    """The alerts of what was created from one stack."""

    sites: int
    """Bad ones."""
    alerts: int


class _Tallies(NamedTuple):
    """The alerts of a host at one moment, by the number of the stack."""

    version: tuple[int, ...]
    stacks: Mapping[int, StackTally]


class AlertTallies:
    """The alerts of one host, added up when someone asks and there are more.

    The feed's thread says which stack each site has, any thread asks. A run may have a million
    sites, and the screen asks several times a second: sites are added up in bulk.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._stacks = {kind: Table(stack=np.int32) for kind in EventKind}
        self._moved = 0
        self._tallies = _Tallies((), {})

    def add_sites(self, kind: EventKind, stacks: Sequence[int]) -> None:
        """Take note of the stacks of the next sites of a kind."""
        self._stacks[kind].extend(stack=np.array(stacks, np.int32))

    def move(self, kind: EventKind, sites: Iterable[int], stack: int) -> None:
        """Take note that some sites have this stack after all."""
        column = self._stacks[kind]["stack"]
        for site in sites:
            column[site] = stack
            self._moved += 1

    def by_stack(self) -> Mapping[int, StackTally]:
        """The alerts of every stack that has any, as they stand."""
        host = self._host
        known = {kind: table["stack"] for kind, table in self._stacks.items()}
        alerts = (len(host.traces.alerts), len(host.executions.alerts))
        version = (*alerts, self._moved, *map(len, known.values()))
        tallies = self._tallies
        if tallies.version != version:
            tallies = self._tallies = _Tallies(version, self._added_up(known))
        return tallies.stacks

    def _added_up(self, stacks: Mapping[EventKind, npt.NDArray[np.int32]]) -> dict[int, StackTally]:
        of_stacks, of_alerts = [], []
        for kind, column in stacks.items():
            alerts = self._host.store_of(kind).site_alerts.by_site()[: len(column)]
            bad = np.flatnonzero((alerts > 0) & (column[: len(alerts)] != UNKNOWN))
            of_stacks.append(column[bad])
            of_alerts.append(alerts[bad])
        numbers = np.concatenate(of_stacks)
        sites = np.bincount(numbers)
        alerts = np.bincount(numbers, np.concatenate(of_alerts))
        found = np.flatnonzero(sites)
        counts = zip(sites[found].tolist(), alerts[found].astype(np.int64).tolist(), strict=True)
        return dict(zip(found.tolist(), [StackTally(*both) for both in counts], strict=True))

    def bad_of(self, kind: EventKind, sites: Iterable[int]) -> tuple[int, int | None]:
        """How many alerts some sites have, and the event of the first in time."""
        counted = self._host.store_of(kind).site_alerts
        bad = [tally for site in sites if (tally := counted.of_site(site)) is not None]
        first = min(bad, key=lambda tally: tally.first_time, default=None)
        return sum(tally.alerts for tally in bad), None if first is None else first.first_event
