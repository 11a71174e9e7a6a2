"""Events and their tensors as numpy structured arrays, read from disk in bulk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.tensor_spans import MAX_TENSORS
from tfdbg_tui.data.search import bulk_health as health
from tfdbg_tui.data.search.bulk_health import HealthReader
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.executions import ExecutionStore

if TYPE_CHECKING:
    from collections.abc import Generator

    import numpy.typing as npt

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.search.bulk_health import HealthColumns
    from tfdbg_tui.data.search.query import Query
    from tfdbg_tui.data.stores.traces import TraceStore

    Rows = npt.NDArray[Any]

COUNTS = {
    "size": health.SIZE,
    "nan": health.NAN,
    "pos_inf": health.POS_INF,
    "neg_inf": health.NEG_INF,
    "zero": health.ZERO,
    "negative": health.NEGATIVE,
    "positive": health.POSITIVE,
}
"""Columns that count elements, and where they are read from."""

_BEGINNING = [
    ("time", "<f8"),
    ("step", "<i4"),
    ("host", "<u2"),
    ("eager", "?"),
    ("event", "<u4"),
    ("site", "<i4"),
]
_HEALTH = [
    ("dtype", "u1"),
    ("rank", "<i2"),
    *((name, "<i8") for name in COUNTS),
    ("bad", "?"),
]
TENSORS = np.dtype([*_BEGINNING, ("output", "<u2"), *_HEALTH])
EXECUTIONS = np.dtype([*_BEGINNING, ("outputs", "<u2"), *_HEALTH])

UNTOLD = -1
"""What stands for a number that is not told, and for a step where none is known."""


def tensors_of(
    index: HostIndex, host: int, kind: EventKind, events: Rows, query: Query | None = None
) -> Rows:
    """A row for each tensor of some ascending events; with a query for those only that fit it."""
    store = index.host.store_of(kind)
    outputs = _outputs(index, kind, events)
    rows = np.zeros(int(outputs.sum()), TENSORS)
    first = np.cumsum(outputs) - outputs
    owners = np.repeat(np.arange(len(events)), outputs)
    _fill_beginning(rows, index, host, kind, events[owners])
    rows["output"] = np.arange(len(rows)) - np.repeat(first, outputs)
    rows["rank"] = UNTOLD
    for name in COUNTS:
        rows[name] = UNTOLD
    _fill_bad(rows, store, events, first)
    fits = np.ones(len(rows), np.bool_)
    for start, told in _read(HealthReader(store), events):
        owners = told.event + start
        there = told.position < outputs[owners]  # a file may be another one by now
        places = (first[owners] + told.position)[there]
        _fill_health(rows, places, told.numbers[there])
        if query is not None:
            fits[places] = query.each_fits(told)[there]
    return rows if query is None else rows[fits]


def executions_of(index: HostIndex, host: int) -> Rows:
    """A row for each execution: the type of its first output, and all their elements counted."""
    kind = EventKind.EXECUTION
    store = index.host.executions
    events = np.arange(len(store))
    tensors = tensors_of(index, host, kind, events)
    rows = np.zeros(len(events), EXECUTIONS)
    _fill_beginning(rows, index, host, kind, events)
    rows["outputs"] = _outputs(index, kind, events)
    rows["rank"] = UNTOLD
    firsts = np.flatnonzero(tensors["output"] == 0)
    for name in ("dtype", "rank"):
        rows[name][tensors["event"][firsts]] = tensors[name][firsts]
    for name in COUNTS:
        told = tensors[name] >= 0
        events_told = tensors["event"][told]
        rows[name] = UNTOLD
        rows[name][events_told] = 0
        np.add.at(rows[name], events_told, tensors[name][told])
    rows["bad"] = store.bad_flags[: len(rows)] != 0
    return rows


def _outputs(index: HostIndex, kind: EventKind, events: Rows) -> Rows:
    """How many tensors of each event are recorded."""
    store = index.host.store_of(kind)
    if not isinstance(store, ExecutionStore):
        return np.ones(len(events), np.int64)
    if not store.is_recorded:
        return np.zeros(len(events), np.int64)
    by_site = np.array([min(site.tensors, MAX_TENSORS) for site in store.sites], np.int64)
    return by_site[store.site_numbers[events]]


def _fill_beginning(rows: Rows, index: HostIndex, host: int, kind: EventKind, events: Rows) -> None:
    store, times = index.host.store_of(kind), index.steps.times
    rows["time"] = store.wall_times[events]
    rows["step"] = UNTOLD if times is None else times.of(rows["time"])
    rows["host"] = host
    rows["eager"] = kind is EventKind.EXECUTION
    rows["event"] = events
    rows["site"] = store.site_numbers[events]


def _read(reader: HealthReader, events: Rows) -> Generator[tuple[int, HealthColumns], None, None]:
    """What is recorded of the tensors of events, some at a time, and where those begin."""
    start = 0
    while start < len(events):
        some = events[start:]
        some = some[: reader.how_many(some)]
        told = _result(reader.read(some))
        yield start, told
        start += len(some)


def _result(work: Generator[None, None, HealthColumns]) -> HealthColumns:
    """What some work gives that pauses on the way."""
    given: list[HealthColumns] = []

    def whole() -> Generator[None, None, None]:
        given.append((yield from work))

    for _ in whole():
        pass
    return given[0]


def _fill_bad(rows: Rows, store: TraceStore | ExecutionStore, events: Rows, first: Rows) -> None:
    """Note which tensors hold a NaN or ∞, as was found when they were loaded."""
    bad = store.bad_events
    positions = store.alerts["position"][: len(bad)]
    owners = np.minimum(np.searchsorted(events, bad), max(len(events) - 1, 0))
    asked = events[owners] == bad if len(events) else np.zeros(len(bad), np.bool_)
    rows["bad"][first[owners[asked]] + positions[asked]] = True


def _fill_health(rows: Rows, places: Rows, told: Rows) -> None:
    numbers = np.where(np.isnan(told), UNTOLD, told)
    rows["dtype"][places] = np.maximum(numbers[:, health.DTYPE], 0) % 100
    for name, column in (("rank", health.RANK), *COUNTS.items()):
        beyond = 2.0 ** (8 * rows[name].itemsize - 1)  # what no tensor has is not told
        rows[name][places] = np.where(numbers[:, column] < beyond, numbers[:, column], UNTOLD)
