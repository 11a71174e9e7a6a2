"""Samples of sites: exact, spread over the recording, and bounded however long it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.recordings.early.table import EARLY
from tests.support.navigating import browsed, finish
from tests.support.reading import load
from tfdbg_tui.data.early import samples as module
from tfdbg_tui.data.early.run_warnings import RunWarnings
from tfdbg_tui.data.early.samples import MAX_WINDOWS, Samples
from tfdbg_tui.data.search.bulk_health import HealthReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


@pytest.mark.parametrize("scenario", [EARLY + "three_layers", "keras_plots", "concise_health"])
def test_the_first_and_the_last_sample_are_told_as_among_all(
    library: Library, scenario: str
) -> None:
    store = traces_of(library.path(scenario))
    for alone, whole in zip(both_ways(store), both_ways(store, is_read=True), strict=True):
        assert repr(alone) == repr(whole)


def both_ways(store: TraceStore, is_read: bool = False) -> Iterator[tuple[object, ...]]:
    """The ends of all sites, asked for before all samples are read, or told by these."""
    found = sampled(store)
    for site in found.sites():
        if is_read:
            rows = np.array(found.of_site(site)[1:]).astype(float)
            first, last = map(tuple, (rows[:, 0].tolist(), rows[:, -1].tolist()))
        else:
            first, last = map(tuple, found.ends(site))
        yield site, tuple(map(float, first)), tuple(map(float, last))


def test_where_the_last_sample_is_gone_the_one_before_tells(
    copy_of: Callable[[str], Path],
) -> None:
    path = copy_of(EARLY + "three_layers")
    store = traces_of(path)
    found = sampled(store)
    site = max(found.sites(), key=lambda site: len(found.events_of(site)))
    before, last = found.events_of(site)[-2:].tolist()
    with Path(store.file.path).open("r+b") as content:
        content.seek(int(store.offsets[last]))
        content.write(b"\xff" * 8)
    assert store.health(last) is None
    expected = store.health(before)
    assert expected is not None
    assert (found.ends(site)[1].size, found.ends(site)[1].zero) == (expected.size, expected.zero)
    assert found.of_site(site).events[-1] == before


def test_of_a_program_in_which_all_is_well_only_ends_are_read(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    navigator = browsed(library.path("keras_plots"))
    assert navigator.run is not None
    monkeypatch.setattr(HealthReader, "read", None)  # any reading of more would fail
    job = RunWarnings(navigator.run, navigator.causes.job)
    finish(job)
    assert job.warnings == ()
