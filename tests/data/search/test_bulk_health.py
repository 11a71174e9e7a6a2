"""Health read in bulk equals health read one by one."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.recordings.fabricate import HEADER
from tests.support.damage import (
    BAD_VECTOR,
    GOOD_VECTOR,
    absurd_tensors,
    trace,
    vector,
    write_files,
)
from tests.support.reading import SCENARIOS, event_stores, hosts_of, load
from tfdbg_tui.data.records.debug_event_schema import message_class
from tfdbg_tui.data.records.health import Health
from tfdbg_tui.data.records.tensors import DTYPES, dtype_name
from tfdbg_tui.data.search import bulk_health
from tfdbg_tui.data.search.bulk_health import HealthColumns, HealthReader

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from tests.recordings.record import Library

COLUMNS = ("rank", "size", "neg_inf", "pos_inf", "nan", "negative", "zero", "positive")

Told = tuple[Any, ...]


def finished(reading: Generator[None, None, HealthColumns]) -> HealthColumns:
    """What a reading gives in the end, with all its pauses skipped."""
    given: list[HealthColumns] = []

    def pauses() -> Generator[None, None, None]:
        given.append((yield from reading))

    for _ in pauses():
        pass
    return given[0]


def in_bulk(store: Any, rows: list[int]) -> list[Told]:
    """Event and position, bad kinds, element type and counts of each tensor that says anything."""
    reader = HealthReader(store)
    found: list[Told] = []
    while rows:
        batch = rows[: reader.how_many(np.array(rows))]
        columns = finished(reader.read(np.array(batch)))
        columns_as_lists = (column.tolist() for column in columns)
        for event, bad, numbers, position in zip(*columns_as_lists, strict=True):
            dtype, *counts = [None if math.isnan(number) else int(number) for number in numbers]
            name = None if dtype is None else dtype_name(dtype)
            name = None if name and name.startswith("dtype ") else name
            found.append(((batch[event], position), bad, name, *counts))
        rows = rows[len(batch) :]
    return sorted(filter(_says_anything, found), key=repr)


def one_by_one(store: Any, rows: list[int]) -> list[Told]:
    found: list[Told] = []
    for row in rows:
        event = store.read(row)
        told = () if event is None else event.health
        healths: tuple[Health | None, ...] = (
            (told,) if told is None or isinstance(told, Health) else told
        )
        for position, health in enumerate(healths):
            if health is not None:
                counts = (getattr(health, name) for name in COLUMNS)
                known = {dtype.name for dtype in DTYPES.values()}
                name = health.dtype if health.dtype in known else None
                found.append(((row, position), int(health.bad), name, *counts))
    return sorted(filter(_says_anything, found), key=repr)


def _says_anything(told: Told) -> bool:
    return bool(told[1]) or any(part is not None for part in told[2:])


@pytest.mark.parametrize("scenario", [*SCENARIOS, "same_second"])
def test_bulk_equals_one_by_one(library: Library, scenario: str) -> None:
    for host in hosts_of(load(library.path(scenario))):
        for store in event_stores(host):
            rows = list(range(len(store)))
            assert in_bulk(store, rows) == one_by_one(store, rows)
            assert in_bulk(store, rows[1::7]) == one_by_one(store, rows[1::7])


@pytest.mark.parametrize("mode", ["curt_health", "concise_health", "full_health", "shape"])
def test_no_usual_record_is_decoded_by_itself(
    library: Library, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (host,) = hosts_of(load(library.path(mode)))
    for store in event_stores(host):
        monkeypatch.setattr(store, "read", None)
        in_bulk(store, list(range(len(store))))


def packed_floats(size: int, *floats: float) -> bytes:
    """A trace with floats as TensorFlow packs them."""
    shape = message_class("TensorShape")(dim=[{"size": size}]).SerializeToString()
    tensor = b"\x08\x01" + _delimited(2, shape)
    tensor += _delimited(5, struct.pack(f"<{len(floats)}f", *floats))
    told = message_class("GraphExecutionTrace")(op_name=b"packed", tensor_debug_mode=7)
    return _delimited(10, told.SerializeToString() + _delimited(5, tensor))


def _delimited(field: int, content: bytes) -> bytes:
    return bytes([field << 3 | 2, len(content)]) + content


def unusual_traces() -> Iterator[bytes]:
    """Records that no recorder writes, or not often; alike ones with other numbers follow them."""
    for name, mode, tensor in absurd_tensors():
        for time in (1.0, 2.0):
            yield trace(time, mode, op_name=name.encode(), tensor_proto=tensor)
    six = {"dim": [{"size": 6}]}
    pair = {"dim": [{"size": 2}]}
    for tensor in (
        {"dtype": 1, "tensor_shape": six, "float_val": [0.0, float("nan")]},  # repeats the last
        {"dtype": 1, "tensor_shape": pair, "float_val": [-1.0, float("-inf")]},
        {"dtype": 101, "tensor_shape": pair, "tensor_content": bytes(8)},
        {"dtype": 7, "tensor_shape": pair, "tensor_content": b"\1\2abc"},
        {"dtype": 7, "tensor_shape": pair, "tensor_content": b"\2\2abc"},
        {"dtype": 3, "tensor_shape": pair, "int_val": [1, 2]},
        {"dtype": 3, "tensor_shape": pair, "int_val": [300]},
        {"dtype": 1, "tensor_shape": six},
        {"dtype": 25, "tensor_shape": pair, "tensor_content": b"\x7f\x00"},
        {"dtype": 8, "tensor_shape": {"dim": [{"size": 1}]}, "tensor_content": bytes(8)},
    ):
        yield trace(mode=7, tensor_proto=tensor)
    yield trace(mode=4, tensor_proto={"dtype": 2, "tensor_shape": {"dim": [{"size": 11}]}})
    yield trace(mode=4)
    for size in (2, 6):
        for floats in ((-1.0, float("-inf")), (0.0, float("nan"))):
            yield packed_floats(size, *floats)
    twice = trace(tensor_proto=GOOD_VECTOR)
    yield twice + twice
    for numbers in (vector(1, 0, 119, 1, 4, 0, 0, 1.5, -2, 0, 0), BAD_VECTOR, GOOD_VECTOR):
        yield trace(tensor_proto=numbers)


def test_unusual_records_tell_the_same_in_bulk(tmp_path: Path) -> None:
    written = list(unusual_traces())
    store = _traces(write_files(tmp_path, graph_execution_traces=written))
    assert len(store) == len(written)
    rows = list(range(len(store)))
    assert in_bulk(store, rows) == one_by_one(store, rows)


def test_far_apart_records_and_small_batches(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_health, "MAX_GAP", 0)
    monkeypatch.setattr(bulk_health, "BATCH_BYTES", 3000)
    monkeypatch.setattr(bulk_health, "VERIFIED_AT_ONCE", 3)
    for scenario in ("full_health", "full_tensor"):
        (host,) = hosts_of(load(library.path(scenario)))
        for store in event_stores(host):
            rows = [row for row in range(len(store)) if row % 5 < 3]
            assert in_bulk(store, rows) == one_by_one(store, rows)


def test_long_records_are_read_one_by_one(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_health, "MAX_TEMPLATE", 300)
    (host,) = hosts_of(load(library.path("full_tensor")))
    for store in event_stores(host):
        rows = list(range(len(store)))
        assert in_bulk(store, rows) == one_by_one(store, rows)


def test_a_record_whose_header_is_damaged_is_read(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    store, row = _traces(path), 5
    rows = list(range(len(store)))
    before = one_by_one(store, rows)
    _overwrite(store, int(store.events["offset"][row]) - HEADER, b"\xff")
    damaged = _traces(path)
    assert len(damaged) == len(store)
    assert in_bulk(damaged, rows) == before


def test_what_was_overwritten_since_is_not_believed(copy_of: Callable[[str], Path]) -> None:
    store, row = _traces(copy_of("full_health")), 7
    rows = list(range(len(store)))
    before = in_bulk(store, rows)
    payload = store.file.read_at(int(store.events["offset"][row]))
    assert payload is not None
    _overwrite(store, int(store.events["offset"][row]) + len(payload) - 9, b"\x01")
    expected = [told for told in before if told[0][0] != row]
    assert len(expected) < len(before)
    assert in_bulk(store, rows) == one_by_one(store, rows) == expected


def test_a_file_that_became_shorter_tells_the_rest(copy_of: Callable[[str], Path]) -> None:
    store = _traces(copy_of("full_health"))
    kept, rows = 40, list(range(len(store)))
    before = in_bulk(store, rows)
    with open(store.file.path, "r+b") as file:
        file.truncate(int(store.events["offset"][kept]) + 5)
    assert in_bulk(store, rows) == [told for told in before if told[0][0] < kept]


def _traces(path: Path) -> Any:
    (host,) = hosts_of(load(path))
    return host.traces


def _overwrite(store: Any, offset: int, octets: bytes) -> None:
    with open(store.file.path, "r+b") as file:
        file.seek(offset)
        file.write(octets)
