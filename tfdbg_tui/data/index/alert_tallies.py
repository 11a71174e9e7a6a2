"""Alerts added up per site and per creation stack, for the lines of the user's program."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tfdbg_tui.data.stores.host import AnyEventStore, Host


class SiteTally(NamedTuple):
    """The alerts of a site."""

    alerts: int
    first_time: float
    first_event: int


class StackTally(NamedTuple):
    """The alerts of what was created from one stack."""

    sites: int
    """Bad ones."""
    alerts: int


class Tallies(NamedTuple):
    """The alerts of a host at one moment."""

    version: tuple[int, ...]
    traces: Mapping[int, SiteTally]
    executions: Mapping[int, SiteTally]
    stacks: Mapping[tuple[str, ...], StackTally]


class AlertTallies:
    """The alerts of one host, added up when someone asks and there are more; for any thread."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._tallies = Tallies((), {}, {}, {})

    def current(self) -> Tallies:
        """The alerts as they stand."""
        host = self._host
        version = (len(host.traces.alerts), len(host.executions.alerts), host.graphs.counts.ops)
        tallies = self._tallies
        if tallies.version != version:
            tallies = self._tallies = self._added_up(version)
        return tallies

    def _added_up(self, version: tuple[int, ...]) -> Tallies:
        host = self._host
        traces, executions = _tally(host.traces), _tally(host.executions)
        stacks: dict[tuple[str, ...], StackTally] = {}
        for site, tally in traces.items():
            op = host.op_of(host.traces.sites[site])
            if op is not None:
                _count(stacks, host.graphs.stack_of(op), tally)
        for site, tally in executions.items():
            _count(stacks, host.executions.sites[site].stack, tally)
        return Tallies(version, traces, executions, stacks)


def bad_of(sites: Iterable[int], tallies: Mapping[int, SiteTally]) -> tuple[int, int | None]:
    """How many alerts some sites have, and the event of the first in time."""
    bad = [tallies[site] for site in sites if site in tallies]
    first = min(bad, key=lambda tally: tally.first_time, default=None)
    return sum(tally.alerts for tally in bad), None if first is None else first.first_event


def _tally(store: AnyEventStore) -> dict[int, SiteTally]:
    tallies: dict[int, SiteTally] = {}
    for alert in store.site_alerts.all():  # earliest first
        known = tallies.get(alert.site)
        tallies[alert.site] = (
            SiteTally(alert.alerts, alert.first_time, alert.first_event)
            if known is None
            else known._replace(alerts=known.alerts + alert.alerts)
        )
    return tallies


def _count(
    stacks: dict[tuple[str, ...], StackTally], stack: tuple[str, ...], tally: SiteTally
) -> None:
    known = stacks.get(stack, StackTally(0, 0))
    stacks[stack] = StackTally(known.sites + 1, known.alerts + tally.alerts)
