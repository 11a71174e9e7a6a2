"""Records recognised in bulk are the records, each once, each with its own site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.recordings.fabricate import FOOTER, HEADER, frame, split
from tfdbg_tui.data.files.tfrecord import PADDING, Block, RecordFile
from tfdbg_tui.data.records import layouts
from tfdbg_tui.data.records.debug_event_schema import message_class, text
from tfdbg_tui.data.records.layouts import Layout, LayoutRegistry, LearnedRecord
from tfdbg_tui.data.stores.traces import TraceSite, TraceStore

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library

SENSELESS = 0xFF

NEW_SITES, NEW_IN_A_BLOCK = 4096, 32


class Record(NamedTuple):
    """A record whose first two bytes tell its layout; `key` is fixed, `numbers` vary."""

    kind: int
    key: bytes
    numbers: bytes

    @property
    def payload(self) -> bytes:
        """Kinds differ in where the varying bytes stand."""
        cut = self.kind % 3 * len(self.key) // 2
        head = bytes([self.kind, len(self.key)])
        return head + self.key[:cut] + self.numbers + self.key[cut:]

    @property
    def site(self) -> tuple[int, bytes, int]:
        return self.kind, self.key, len(self.numbers)


class Teacher:
    """Learns records the slow way; remembers what it was asked."""

    def __init__(self, records: list[Record]) -> None:
        self.by_payload = {record.payload: record for record in records}
        self.sites: list[tuple[int, bytes, int]] = []
        self.learned = 0

    def learn(self, payload: bytes | memoryview) -> LearnedRecord | None:
        self.learned += 1
        record = self.by_payload[bytes(payload)]
        if record.kind == SENSELESS:
            return None
        start = 2 + record.kind % 3 * len(record.key) // 2
        end = start + len(record.numbers)
        layout = Layout(len(payload), -1, (0, 0), ((start, end),), ())
        if record.site not in self.sites:
            self.sites.append(record.site)
        return LearnedRecord(layout, self.sites.index(record.site))


def block_of(payloads: list[bytes], base: int = 0) -> Block:
    """A block as a file reader hands it on."""
    starts, position = [], 0
    for payload in payloads:
        starts.append(position + HEADER)
        position += HEADER + len(payload) + FOOTER
    buffer = b"".join(map(frame, payloads)) + bytes(PADDING)
    lengths = [len(payload) for payload in payloads]
    return Block(buffer, base, np.array(starts, np.int64), np.array(lengths, np.int64))


def recognised(registry: LayoutRegistry, block: Block) -> dict[int, int]:
    """Site number of each recognised record; checks that none comes twice or garbled."""
    found: dict[int, int] = {}
    for match in registry.match(block):
        assert len(match.records) == len(match.sites)
        for record, site in zip(match.records, match.sites, strict=True):
            assert int(record) not in found
            found[int(record)] = int(site)
            assert match.layout.length == len(block.payload(int(record)))
    return found


def assert_all_found(records: list[Record], sizes: list[int], teacher: Teacher) -> None:
    """Feed records in blocks of given sizes and compare every site."""
    registry = LayoutRegistry(teacher.learn)
    while records:
        size = sizes.pop() if sizes else len(records)
        batch, records = records[:size], records[size:]
        found = recognised(registry, block_of([record.payload for record in batch]))
        expected = {
            number: record.site for number, record in enumerate(batch) if record.kind != SENSELESS
        }
        assert {number: teacher.sites[site] for number, site in found.items()} == expected


# Few keys and lengths, so that records repeat and layouts share a length.
a_record = st.builds(
    Record,
    st.sampled_from([0, 1, 2, 3, 4, SENSELESS]),
    st.sampled_from([b"", b"a", b"b" * 9, b"c" * 9, b"b" * 8 + b"c", b"\0" * 16, b"\xff" * 17]),
    st.sampled_from([8, 9, 16, 0, 1]).flatmap(lambda n: st.binary(min_size=n, max_size=n)),
)
block_sizes = st.lists(st.integers(1, 40), max_size=8)


@given(st.lists(a_record, max_size=150), block_sizes)
def test_every_record_is_found_once_with_its_site(records: list[Record], sizes: list[int]) -> None:
    assert_all_found(records, sizes, Teacher(records))


def many(count: int, sites: int) -> list[Record]:
    random = np.random.default_rng(7)
    return [
        Record(int(number) % 3, b"%06d" % (number // 3), random.bytes(11))
        for number in random.integers(0, sites * 3, count)
    ]


@pytest.mark.parametrize("block_size", [1, 7, 500, 5000])
def test_thousands_of_records_of_hundreds_of_sites(block_size: int) -> None:
    records = many(5000, sites=300)
    teacher = Teacher(records)
    assert_all_found(records, [block_size] * (5000 // block_size), teacher)
    assert teacher.learned == len(teacher.sites)  # each site is learned once


def test_keys_that_all_collide_only_cost_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts, "KEY_MULTIPLIER", np.uint64(0))
    records = many(800, sites=40)
    assert_all_found(records, [100] * 8, Teacher(records))


@pytest.mark.parametrize(("name", "limit"), [("MAX_TEMPLATE", 4), ("MAX_REMEMBERED", 100)])
def test_what_is_not_remembered_is_learned_again(
    monkeypatch: pytest.MonkeyPatch, name: str, limit: int
) -> None:
    monkeypatch.setattr(layouts, name, limit)
    records = many(400, sites=40)
    assert_all_found(records, [50] * 8, Teacher(records))


def test_an_empty_block_and_an_empty_record_give_nothing() -> None:
    registry = LayoutRegistry(Teacher([]).learn)
    assert recognised(registry, block_of([])) == {}
    assert recognised(registry, block_of([b"", b""])) == {}


# ---------------------------------------------------------------------- in a store


def test_a_store_recognises_real_traces_whatever_the_slices(library: Library) -> None:
    (path,) = library.path("keras_fit").glob("*.graph_execution_traces")
    payloads = [payload for _, payload in split(path)]
    whole = loaded(path, limit=1 << 22)
    for limit in (4096, 50_000):
        sliced = loaded(path, limit)
        for name in ("offset", "wall_time", "bad"):
            np.testing.assert_array_equal(sliced.events[name], whole.events[name])
        assert sites_of_events(sliced) == sites_of_events(whole)
    expected = [parsed_site(payload) for payload in payloads]
    assert [(site.graph_id, site.op_name, site.slot) for site in sites_of_events(whole)] == expected


def test_new_templates_all_the_time_cost_the_same_each(monkeypatch: pytest.MonkeyPatch) -> None:
    indexed: list[int] = []
    index = layouts._Templates._index

    def noted(templates: layouts._Templates) -> None:
        index(templates)
        indexed.append(len(templates._rows))

    monkeypatch.setattr(layouts._Templates, "_index", noted)
    records = [Record(0, n.to_bytes(4, "big"), b"1234") for n in range(NEW_SITES)]
    teacher = Teacher(records)
    registry = LayoutRegistry(teacher.learn)
    for start in (*range(0, NEW_SITES, NEW_IN_A_BLOCK),) * 2:  # all are known the second time
        batch = records[start : start + NEW_IN_A_BLOCK]
        assert len(recognised(registry, block_of([record.payload for record in batch]))) == len(
            batch
        )
    assert teacher.learned == NEW_SITES
    assert sum(indexed) < 20 * NEW_SITES


def sites_of_events(store: TraceStore) -> list[TraceSite]:
    """Sites are numbered as they are learned, so slices may number them otherwise."""
    return [store.sites[number] for number in store.events["site"].tolist()]


def parsed_site(payload: bytes) -> tuple[str, str, int]:
    trace: Any = message_class("DebugEvent").FromString(payload)
    trace = trace.graph_execution_trace
    return text(trace.tfdbg_context_id), text(trace.op_name), trace.output_slot


def loaded(path: Path, limit: int) -> TraceStore:
    store = TraceStore(RecordFile(path))
    store.file.look()
    while (block := store.file.read(limit)) is not None:
        store.extend(block)
    return store


def test_a_field_given_twice_is_merged_as_protobuf_does(tmp_path: Path) -> None:
    path = tmp_path / "traces"
    path.write_bytes(frame(_trace(b"Log") + _trace(b"")) + frame(_trace(b"Exp")))
    store = loaded(path, limit=1 << 22)
    assert [store.site_of(event).op_name for event in range(len(store))] == ["Log", "Exp"]
    assert store.alerts["event"].tolist() == [0, 1]
    assert store.alerts["position"].tolist() == [0, 0]


def _trace(op_name: bytes) -> bytes:
    """A trace whose health vector counts one NaN."""
    numbers = np.array([1, 9, 0, 0, 1], "<f8").tobytes()
    shape = {"dim": [{"size": 5}]} if op_name else {}
    tensor = {"dtype": 2, "tensor_shape": shape, "tensor_content": numbers}
    content: dict[str, Any] = {"tensor_debug_mode": 3, "tensor_proto": tensor}
    if op_name:
        content["op_name"] = op_name
    return message_class("DebugEvent")(graph_execution_trace=content).SerializeToString()
