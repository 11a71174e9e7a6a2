"""Memory and work grow with the events, and with nothing else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from benchmarks.measure import resident_bytes
from benchmarks.recordings import repeat
from tfdbg_tui.data.event_store import EventStore
from tfdbg_tui.data.logdir import Logdir

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.recordings.record import Library

BYTES_AN_EVENT = 64
SMALL, LARGE = 100_000, 600_000


class Work:
    """Counts what loading does instead of how long it takes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bytes_read = 0
        self.records_learned = 0
        read, learned = os.pread, EventStore.site_number

        def counted_read(descriptor: int, count: int, offset: int) -> bytes:
            piece = read(descriptor, count, offset)
            self.bytes_read += len(piece)
            return piece

        def counted_learning(store: EventStore[object], site: object, tensors: int) -> int:
            self.records_learned += 1
            return learned(store, site, tensors)

        monkeypatch.setattr(os, "pread", counted_read)
        monkeypatch.setattr(EventStore, "site_number", counted_learning)


def load(logdir: Path) -> tuple[Logdir, int]:
    loaded = Logdir(logdir)
    loaded.load()
    (run,) = loaded.runs
    counts = run.counts()
    return loaded, counts["executions"] + counts["graph_executions"]


def enlarged(library: Library, target: Path, events: int) -> Path:
    repeat(library.path("full_health"), target, events * 7 // 19, events * 12 // 19)
    return target


def test_every_byte_is_read_once_and_every_kind_learned_once(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned = []
    for events in (SMALL, LARGE):
        logdir = enlarged(library, tmp_path / str(events), events)
        work = Work(monkeypatch)
        load(logdir)
        on_disk = sum(file.stat().st_size for file in logdir.iterdir())
        assert on_disk <= work.bytes_read < 1.01 * on_disk
        learned.append(work.records_learned)
        monkeypatch.undo()
    assert learned[0] == learned[1]


def test_memory_an_event_is_bounded_and_does_not_grow(library: Library, tmp_path: Path) -> None:
    held = []  # keeps what was loaded alive while the next one is measured
    load(library.path("full_health"))
    for events in (SMALL, LARGE):
        logdir = enlarged(library, tmp_path / str(events), events)
        before = resident_bytes()
        loaded, loaded_events = load(logdir)
        held.append(loaded)
        scratch = 16 << 20  # blocks and their temporary arrays, whatever the size
        assert resident_bytes() - before <= BYTES_AN_EVENT * loaded_events + scratch
        assert row_bytes(loaded) <= BYTES_AN_EVENT


def row_bytes(loaded: Logdir) -> int:
    """The most that one event can cost: its row, its alert and its place in the time order."""
    (host,) = loaded.runs[0].hosts
    stores = (host.executions, host.traces)
    place_in_time = 2 + 4
    return max(store.events.row_bytes + store.alerts.row_bytes for store in stores) + place_in_time
