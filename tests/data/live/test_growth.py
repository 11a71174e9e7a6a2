"""Memory and work grow with the events, and with nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.__main__ import measure
from benchmarks.recordings import repeat
from tests.support.damage import note_reads
from tfdbg_tui.data.stores.event_store import EventStore
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.recordings.record import Library

BYTES_AN_EVENT = 64


class Work:
    """Counts what loading does instead of how long it takes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.records_learned = 0
        self._reads = note_reads(monkeypatch)
        learned = EventStore.register_site

        def counted_learning(store: EventStore[object], site: object, tensors: int) -> int:
            self.records_learned += 1
            return learned(store, site, tensors)

        monkeypatch.setattr(EventStore, "register_site", counted_learning)

    @property
    def bytes_read(self) -> int:
        return sum(self._reads)


def enlarged(library: Library, target: Path, events: int) -> Path:
    repeat(library.path("full_health"), target, events * 7 // 19, events * 12 // 19)
    return target


def load(logdir: Path) -> Logdir:
    loaded = Logdir(logdir)
    loaded.load()
    return loaded


def test_every_byte_is_read_once_and_every_kind_learned_once(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned = []
    for events in (50_000, 400_000):
        logdir = enlarged(library, tmp_path / str(events), events)
        work = Work(monkeypatch)
        load(logdir)
        on_disk = sum(file.stat().st_size for file in logdir.iterdir())
        assert on_disk <= work.bytes_read < 1.01 * on_disk
        learned.append(work.records_learned)
        monkeypatch.undo()
    assert learned[0] == learned[1]


def test_memory_grows_by_a_bounded_number_of_bytes_an_event(
    library: Library, tmp_path: Path
) -> None:
    small, large = (
        measure("ours", enlarged(library, tmp_path / str(events), events))
        for events in (100_000, 1_000_000)
    )
    growth = (large["memory"] - small["memory"]) / (large["events"] - small["events"])
    assert growth <= BYTES_AN_EVENT


def test_a_row_of_every_table_is_as_small_as_promised(library: Library) -> None:
    (host,) = load(library.path("full_health")).runs[0].hosts
    place_in_time = 2 + 4
    for store in (host.executions, host.traces):
        healthy = store.events.row_bytes
        assert healthy <= BYTES_AN_EVENT // 2
        assert healthy + store.alerts.row_bytes + place_in_time <= BYTES_AN_EVENT
