"""The list of alerts names every bad tensor of every site once, earliest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.support.damage import BAD_VECTOR, GOOD_VECTOR, event, trace, vector, write_files
from tests.support.navigating import Stages, add_host, browsed, browsing, finish
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.index.alert_rows import AlertRows, AlertSiteRow
    from tfdbg_tui.data.stores.alert_log import Alert
    from tfdbg_tui.data.views.navigator import Navigator

RECORDED = ("full_health", "keras_fit", "eager_only", "tf1_session", "half_types_full")

NEG_INF_VECTOR = vector(1, 0, 1, 1, 4, 2, 0, 0, 0, 1, 1)


class SiteTensor(NamedTuple):
    """One tensor of one site."""

    host: int
    kind: EventKind
    site: int
    position: int


def by_site(navigator: Navigator) -> dict[SiteTensor, list[Alert]]:
    """All alerts in time order, by what was bad; in the order of the first ones."""
    assert navigator.run is not None
    log = navigator.run.log
    found: dict[SiteTensor, list[Alert]] = {}
    for alert in (log[rank] for rank in range(len(log))):
        site = log.store_of(alert).site_number(alert.event)
        tensor = SiteTensor(alert.host, alert.kind, site, alert.position)
        found.setdefault(tensor, []).append(alert)
    return found


def alert_rows(navigator: Navigator) -> AlertRows:
    assert navigator.run is not None
    navigator.run.alerts.refresh()
    return navigator.run.alerts


def sites(rows: AlertRows) -> list[AlertSiteRow]:
    return rows.rows(0, len(rows))


@pytest.mark.parametrize("scenario", RECORDED)
def test_sites_are_listed_as_a_recount_of_all_alerts_gives(library: Library, scenario: str) -> None:
    navigator = browsed(library.path(scenario))
    wanted = by_site(navigator)
    rows = alert_rows(navigator)
    assert len(rows) == len(wanted)
    for row, (tensor, alerts) in zip(sites(rows), wanted.items(), strict=True):
        assert (row.host, row.kind, row.site, row.position) == tensor
        assert row.first == alerts[0].ref
        assert (row.count, row.first_event, row.bad) == (
            len(alerts),
            alerts[0].event,
            Bad(alerts[0].bad),
        )


@pytest.mark.parametrize("scenario", RECORDED)
def test_every_bad_event_finds_the_row_of_its_site_and_no_other_does(
    library: Library, scenario: str
) -> None:
    navigator = browsed(library.path(scenario))
    assert navigator.run is not None
    rows = alert_rows(navigator)
    wanted = {tensor: rank for rank, tensor in enumerate(by_site(navigator))}
    (index,) = navigator.run.hosts
    for kind in EventKind:
        store = index.host.store_of(kind)
        for number in range(len(store)):
            for position in range(6):
                tensor = SiteTensor(0, kind, store.site_number(number), position)
                row = wanted.get(tensor) if store.is_bad(number) else None
                assert rows.row_of(EventRef(0, kind, number, position)) == row


def test_rows_have_the_names_and_steps_of_their_sites(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    assert navigator.run is not None
    (index,) = navigator.run.hosts
    rows = sites(alert_rows(navigator))
    for row, alerts in zip(rows, by_site(navigator).values(), strict=True):
        assert row.facts == index.sites.of(row.kind, row.site)
        assert row.first_step == index.steps.step_of(alerts[0].wall_time)
        assert row.last_step == index.steps.step_of(alerts[-1].wall_time)
    assert (rows[0].name, rows[0].facts.function) == ("Log:0", "loss")
    assert rows[0].first_step != rows[0].last_step
    names = {row.name for row in rows if row.kind is EventKind.EXECUTION}
    assert {"SparseFillEmptyRows:1", "NonMaxSuppressionV5:1"} <= names


def test_each_output_tells_its_own_bad_numbers(tmp_path: Path) -> None:
    outputs = {"op_type": b"x", "num_outputs": 2, "tensor_debug_mode": 4}
    protos = [NEG_INF_VECTOR, BAD_VECTOR]
    payload = event(wall_time=1.0, execution={**outputs, "tensor_protos": protos})
    rows = sites(alert_rows(browsed(write_files(tmp_path, execution=[payload]))))
    assert [(row.position, row.bad) for row in rows] == [(0, Bad.NEG_INF), (1, Bad.NAN)]


def test_without_alerts_there_are_no_rows(library: Library) -> None:
    for scenario in ("healthy", "circular", "no_tensor"):
        navigator = browsed(library.path(scenario))
        assert navigator.run is not None
        rows = navigator.run.alerts
        assert not rows.refresh()
        assert (len(rows), rows.rows(0, 10)) == (0, [])
        assert rows.row_of(EventRef(0, EventKind.TRACE, 0, 0)) is None


def test_a_host_that_is_not_there_has_no_row(library: Library) -> None:
    rows = alert_rows(browsed(library.path("full_health")))
    assert rows.row_of(EventRef(7, EventKind.TRACE, 0, 0)) is None


def test_a_refresh_tells_whether_anything_is_new(library: Library, tmp_path: Path) -> None:
    stages = Stages(library.path("full_health"), tmp_path / "stages")
    stages.come("metadata", "graphs", "execution")
    navigator = browsing(stages.logdir.runs[0])
    assert navigator.run is not None
    rows = navigator.run.alerts
    assert len(rows) == 0, "rows are not there before they are asked for"
    assert rows.refresh()
    assert not rows.refresh()
    eager = len(rows)
    assert {row.kind for row in sites(rows)} == {EventKind.EXECUTION}
    stages.come("graph_execution_traces")
    finish(navigator.run)
    assert rows.refresh()
    assert len(rows) > eager
    assert sites(rows)[0].kind is EventKind.TRACE


def test_sites_of_all_hosts_stand_in_one_list(library: Library, tmp_path: Path) -> None:
    for name in ("one", "two"):
        add_host(library.path("full_health"), tmp_path / "hosts", name)
    navigator = browsed(tmp_path / "hosts")
    rows = alert_rows(navigator)
    wanted = list(by_site(navigator))
    assert [(row.host, row.kind, row.site, row.position) for row in sites(rows)] == wanted
    assert {row.host for row in sites(rows)} == {0, 1}
    assert [rows.row_of(row.first) for row in sites(rows)] == list(range(len(rows)))


def test_of_what_went_bad_at_one_moment_the_earlier_event_comes_first(tmp_path: Path) -> None:
    payloads = [
        trace(1.0, op_name=b"first", tensor_proto=GOOD_VECTOR),
        trace(2.0, op_name=b"second", tensor_proto=BAD_VECTOR),
        trace(2.0, op_name=b"first", tensor_proto=BAD_VECTOR),
    ]
    told = [event(wall_time=1.0, debug_metadata={"tfdbg_run_id": b"run"})]
    navigator = browsed(write_files(tmp_path, metadata=told, graph_execution_traces=payloads))
    assert [row.name for row in sites(alert_rows(navigator))] == ["second:0", "first:0"]
    navigator.first_alert()
    assert navigator.selection.trace == 1
