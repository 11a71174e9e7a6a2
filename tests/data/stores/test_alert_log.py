"""The merged alerts of a run are a sorted list, however they arrive."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.support.damage import BAD_VECTOR, event, trace, write_files
from tests.support.reading import load
from tfdbg_tui.data.files.tfrecord import RecordFile
from tfdbg_tui.data.stores.alert_log import Alert, AlertLog
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.event_store import EventStore


class Event(NamedTuple):
    """What one record adds to a store: its time and the kinds of bad of its tensors."""

    wall_time: float
    bad: tuple[int, ...]


class Arrival(NamedTuple):
    """Some events that one store takes in, and whether the log merges afterwards."""

    store: int
    events: list[Event]
    merge: bool


# Few times, so that many tie; the others may run back.
times = st.sampled_from([1.0, 2.0, 3.0, 4.0]) | st.floats(0, 5)
an_event = st.builds(Event, times, st.lists(st.integers(0, 15), max_size=3).map(tuple))


def arrivals(stores: int) -> st.SearchStrategy[list[Arrival]]:
    events = st.lists(an_event, max_size=8)
    return st.lists(st.builds(Arrival, st.integers(0, stores - 1), events, st.booleans()))


def extend(store: EventStore[Any], events: list[Event]) -> None:
    """Append events the way a store publishes them."""
    base = len(store.events)
    found = [
        (base + row, position, bad)
        for row, event in enumerate(events)
        for position, bad in enumerate(event.bad)
        if bad
    ]
    count = len(events)
    store.events.extend(
        offset=np.zeros(count),
        wall_time=np.array([event.wall_time for event in events], np.float64),
        site=np.zeros(count),
        bad=np.zeros(count),
    )
    columns = np.array(found, np.int64).reshape(-1, 3).T
    store.alerts.extend(event=columns[0], position=columns[1], bad=columns[2])


def sorted_alerts(stores: list[EventStore[Any]]) -> list[Alert]:
    """The same by sorting: time, host, graph before eager, place in the file."""
    alerts = [
        (number, row, float(store.events["wall_time"][int(store.alerts["event"][row])]))
        for number, store in enumerate(stores)
        for row in range(len(store.alerts))
    ]
    return [
        Alert(
            number // 2,
            (EventKind.TRACE, EventKind.EXECUTION)[number % 2],
            int(stores[number].alerts["event"][row]),
            int(stores[number].alerts["position"][row]),
            int(stores[number].alerts["bad"][row]),
            time,
        )
        for number, row, time in sorted(alerts, key=lambda alert: (alert[2], alert[0], alert[1]))
    ]


def empty_stores(count: int) -> list[EventStore[Any]]:
    return [EventStore(RecordFile(Path("nowhere"))) for _ in range(count)]


def as_list(log: AlertLog) -> list[Alert]:
    return [log[rank] for rank in range(len(log))]


@given(st.integers(1, 3).flatmap(lambda hosts: st.tuples(st.just(hosts * 2), arrivals(hosts * 2))))
def test_the_log_equals_a_sorted_list(drawn: tuple[int, list[Arrival]]) -> None:
    count, order = drawn
    stores = empty_stores(count)
    log = AlertLog(stores)
    for arrival in order:
        extend(stores[arrival.store], arrival.events)
        if arrival.merge and log.unseen:
            log.merge()
            assert log.unseen == 0
            assert as_list(log) == sorted_alerts(stores)
        assert len(log) + log.unseen == sum(len(store.alerts) for store in stores)
    if log.unseen:
        log.merge()
    assert as_list(log) == sorted_alerts(stores)
    assert (log[0] if len(log) else None) == next(iter(sorted_alerts(stores)), None)


@given(arrivals(2), arrivals(2))
def test_what_is_in_order_stays_readable_while_more_arrives(
    early: list[Arrival], late: list[Arrival]
) -> None:
    stores = empty_stores(2)
    log = AlertLog(stores)
    for arrival in early:
        extend(stores[arrival.store], arrival.events)
    if log.unseen:
        log.merge()
    shown = as_list(log)
    for arrival in late:
        extend(stores[arrival.store], arrival.events)
        assert as_list(log) == shown


def test_equal_times_put_the_graph_before_the_call_and_hosts_in_order() -> None:
    stores = empty_stores(4)
    for store in reversed(stores):
        extend(store, [Event(1.0, (4,))])
    log = AlertLog(stores)
    log.merge()
    assert [(alert.host, alert.kind) for alert in as_list(log)] == [
        (0, EventKind.TRACE),
        (0, EventKind.EXECUTION),
        (1, EventKind.TRACE),
        (1, EventKind.EXECUTION),
    ]


def test_times_that_are_no_numbers_lose_no_alert() -> None:
    stores = empty_stores(2)
    log = AlertLog(stores)
    for wall_time in (2.0, float("nan"), 1.0, float("inf"), float("-inf"), 3.0):
        extend(stores[0], [Event(wall_time, (1, 4))])
        log.merge()
    shown = [(alert.event, alert.position) for alert in as_list(log)]
    assert shown[:8] == [(4, 0), (4, 1), (2, 0), (2, 1), (0, 0), (0, 1), (5, 0), (5, 1)]
    assert sorted(shown) == [(event, position) for event in range(6) for position in (0, 1)]


def test_a_log_without_stores_is_empty() -> None:
    log = AlertLog()
    assert (len(log), log.first(), log.unseen) == (0, None, 0)
    assert log.reads([])
    assert not log.reads(empty_stores(2))


def test_a_store_that_was_read_anew_is_another_store() -> None:
    stores = empty_stores(2)
    log = AlertLog(stores)
    assert log.reads(stores)
    assert not log.reads([stores[0], *empty_stores(1)])


# ---------------------------------------------------------------------- forward before gradient


def overtaken(directory: Path, *, call_ends: float, names: tuple[bytes, bytes]) -> AlertLog:
    """Two bad tensors at 1 s and 2 s, of a call that ends some time."""
    told = [event(wall_time=0.5, debug_metadata={"tfdbg_run_id": b"run"})]
    traces = [
        trace(1.0 + number, op_name=name, tensor_proto=BAD_VECTOR)
        for number, name in enumerate(names)
    ]
    calls = [event(wall_time=when, execution={"op_type": b"f"}) for when in (call_ends, 9.0)]
    path = write_files(directory, metadata=told, graph_execution_traces=traces, execution=calls)
    return load(path).runs[0].alerts


def test_a_gradient_op_that_overtook_its_forward_op_gives_way_to_it(tmp_path: Path) -> None:
    names = (b"gradient_tape/truediv/RealDiv", b"truediv")
    log = overtaken(tmp_path, call_ends=3.0, names=names)
    first = log.first()
    assert first is not None
    assert (first.event, log.first_rank, log.first_of_host(0, 9)) == (1, 1, 1)


def test_the_forward_op_of_another_call_or_of_another_op_does_not_come_first(
    tmp_path: Path,
) -> None:
    (tmp_path / "later").mkdir()
    (tmp_path / "other").mkdir()
    names = (b"gradient_tape/truediv/RealDiv", b"truediv")
    later = overtaken(tmp_path / "later", call_ends=1.5, names=names)
    other = overtaken(tmp_path / "other", call_ends=3.0, names=(names[0], b"truediv_1"))
    assert (later.first_rank, other.first_rank) == (0, 0)
