"""Alerts per site equal a recount of all alerts."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.recordings.reference import expected_alerts
from tfdbg_tui.data.files.read_ahead import ReadAhead
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.stores.site_alerts import SiteAlert, SiteAlerts

if TYPE_CHECKING:
    from tests.recordings.record import Library

TENSORS_PER_SITE = (1, 3, 2, 0, 1)


class Found(NamedTuple):
    """One alert as it is handed to the counts."""

    site: int
    position: int
    event: int
    wall_time: float


def recounted(alerts: list[Found]) -> list[SiteAlert]:
    """The same by looking at all alerts again."""
    places: dict[tuple[int, int], list[Found]] = {}
    for alert in alerts:
        places.setdefault((alert.site, alert.position), []).append(alert)
    counts = []
    for (site, position), found in places.items():
        first = min(found, key=lambda alert: (alert.wall_time, alert.event))
        last = max(found, key=lambda alert: (alert.wall_time, alert.event))
        counts.append(
            SiteAlert(
                site,
                position,
                len(found),
                first.event,
                last.event,
                first.wall_time,
                last.wall_time,
            )
        )
    return sorted(counts, key=lambda alert: (alert.first_time, alert.first_event))


def extend(counts: SiteAlerts, batch: list[Found]) -> None:
    counts.extend(
        sites=np.array([alert.site for alert in batch], np.int32),
        positions=np.array([alert.position for alert in batch], np.int64),
        events=np.array([alert.event for alert in batch], np.int64),
        wall_times=np.array([alert.wall_time for alert in batch]),
    )


tensors = st.sampled_from(
    [(site, place) for site, count in enumerate(TENSORS_PER_SITE) for place in range(count)]
)
# Few times, so that many tie; they may run back.
times = st.sampled_from([1.0, 2.0, 3.0]) | st.floats(-5, 5)
batches = st.lists(st.lists(st.tuples(tensors, times), min_size=1, max_size=12), max_size=8)


@given(batches, st.booleans())
def test_counts_equal_a_recount(
    drawn: list[list[tuple[tuple[int, int], float]]], late_sites: bool
) -> None:
    counts = SiteAlerts()
    known, event = 0, 0
    seen: list[Found] = []
    for drawn_batch in drawn:
        batch = []
        for (site, position), wall_time in drawn_batch:
            batch.append(Found(site, position, event, wall_time))
            event += 1
        # Sites become known as they are met, or all at once.
        needed = max(alert.site for alert in batch) + 1 if late_sites else len(TENSORS_PER_SITE)
        for site in range(known, needed):
            counts.add_site(TENSORS_PER_SITE[site])
        known = max(known, needed)
        extend(counts, batch)
        seen += batch
        order = sorted(counts.all(), key=_place)
        assert order == sorted(recounted(seen), key=_place)
        firsts = [(alert.first_time, alert.first_event) for alert in counts.all()]
        assert firsts == sorted(firsts)


def _place(alert: SiteAlert) -> tuple[int, int]:
    return alert.site, alert.position


def test_nothing_bad_gives_no_alerts() -> None:
    counts = SiteAlerts()
    counts.add_site(2)
    assert counts.all() == []


def test_a_time_that_is_no_number_still_names_its_event() -> None:
    counts = SiteAlerts()
    counts.add_site(1)
    extend(counts, [Found(0, 0, 7, float("inf")), Found(0, 0, 8, float("inf"))])
    (alert,) = counts.all()
    assert (alert.alerts, alert.first_event, alert.last_event) == (2, 7, 8)


def test_counts_of_a_real_recording_equal_a_recount(library: Library) -> None:
    logdir = Logdir(library.path("full_health"))
    logdir.load()
    (run,) = logdir.runs
    (host,) = run.hosts
    for store in (host.executions, host.traces):
        events = store.alerts["event"]
        alerts = [
            Found(*row)
            for row in zip(
                store.events["site"][events].tolist(),
                store.alerts["position"].tolist(),
                events.tolist(),
                store.events["wall_time"][events].tolist(),
                strict=True,
            )
        ]
        assert alerts
        assert sorted(store.site_alerts.all(), key=_place) == sorted(recounted(alerts), key=_place)
    total = sum(
        alert.alerts
        for store in (host.executions, host.traces)
        for alert in store.site_alerts.all()
    )
    assert total == len(expected_alerts(library.path("full_health")))


def test_sites_come_while_alerts_are_counted() -> None:
    """As when the records of the next block are recognised in another thread."""
    counts, sites = SiteAlerts(), 500_000
    counts.add_site(1)
    for _ in range(sites):
        counts.add_site(0)  # counts take no time then, only looking at the sites does
    failures: list[Exception] = []

    def add() -> None:
        try:
            for _ in range(sites):
                counts.add_site(0)
        except Exception as error:
            failures.append(error)

    adding, rounds = threading.Thread(target=add), 0
    with ReadAhead():  # threads take turns as often as they do then
        adding.start()
        while adding.is_alive() or not rounds:
            extend(counts, [Found(0, 0, rounds, 1.0 + rounds)])
            rounds += 1
        adding.join()
    assert failures == []
    assert [(bad.site, bad.alerts) for bad in counts.all()] == [(0, rounds)]
    assert len(counts.by_site()) > sites
