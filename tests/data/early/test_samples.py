"""Samples of sites: exact, spread over the recording, and bounded however long it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tests.recordings.early.table import EARLY
from tests.support.reading import load
from tfdbg_tui.data.early import samples as module
from tfdbg_tui.data.early.samples import MAX_WINDOWS, Samples

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.traces import TraceStore


def traces_of(path: Path) -> TraceStore:
    """The traces of the only host."""
    return load(path).runs[-1].hosts[0].traces


def sampled(store: TraceStore) -> Samples:
    """The samples of all sites."""
    found = Samples(store, lambda site: True)
    while found.is_behind:
        for _ in found.steps():
            pass
    return found


def test_a_sample_says_what_its_record_says(library: Library) -> None:
    store = traces_of(library.path(EARLY + "three_layers"))
    found = sampled(store)
    for site in found.sites():
        own = found.of_site(site)
        for place, event in enumerate(own.events.tolist()):
            health = store.health(event)
            assert health is not None
            assert store.site_number(event) == site
            told = (own.size[place], own.zero[place], own.negative[place], own.positive[place])
            assert told == (health.size, health.zero, health.negative, health.positive)


def test_each_site_has_its_newest_event_among_its_samples(library: Library) -> None:
    store = traces_of(library.path(EARLY + "three_layers"))
    found = sampled(store)
    for site in range(len(store.sites)):
        assert found.of_site(site).events[-1] == store.events_of_site(site)[-1]


def test_no_site_has_more_samples_than_windows_and_they_are_spread(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROWS_AT_ONCE", 256)
    monkeypatch.setattr(module, "SHORTEST_WINDOW", 4)
    store = traces_of(library.path("keras_plots"))
    assert len(store) > 4 * MAX_WINDOWS
    found = sampled(store)
    often = max(found.sites(), key=lambda site: len(store.events_of_site(site)))
    events, own = store.events_of_site(often), found.of_site(often).events
    assert len(own) <= MAX_WINDOWS
    assert (np.diff(own) > 0).all()
    assert own[0] <= events[len(events) // 4]


def test_bytes_that_are_read_again_are_bounded(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = traces_of(library.path(EARLY + "three_layers"))
    everything = sum(len(sampled(store).of_site(site)) for site in range(len(store.sites)))
    monkeypatch.setattr(module, "FREE_BYTES", 0)
    found = sampled(store)
    fewer = [len(found.of_site(site)) for site in range(len(store.sites))]
    assert 0 < sum(fewer) < everything
