"""Queries for steps, which are counted anew as more of a run is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tests.support.searching import Search, only_host
from tfdbg_tui.data.search import matches
from tfdbg_tui.data.search.matches import Matches
from tfdbg_tui.data.search.query import parse

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from tests.recordings.record import Library
    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.records.health import Health

    Fits = Callable[[int, SiteFacts, list[Health]], bool]


def test_steps_are_found_and_counted_anew(library: Library) -> None:
    host = only_host(library.path("full_health"))
    times = host.traces.events["wall_time"]
    borders = np.sort(times)[[20, 50, 51, 90]]
    counted: dict[str, Any] = {"borders": None}

    def step_of(wall_time: float) -> int | None:
        borders = counted["borders"]
        return None if borders is None else int(np.searchsorted(borders, wall_time))

    search = Search(host, "bad", traces=True, step_of=step_of)
    queries = ("step:2", "step:1..3", "-step:2", "step>=2 step!=3", "step<0")
    searches = [
        Matches(host.traces, search.facts, parse(text), step_of, search.clock) for text in queries
    ]

    def finish() -> list[list[int]]:
        search.clock.now += 1000
        for one in searches:
            while one.extend():
                pass
        return [one.rows.tolist() for one in searches]

    assert finish() == [[]] * len(queries)
    for known in (borders, borders[1:], borders):
        counted["borders"] = known
        steps = np.searchsorted(known, times)
        wanted = [steps == 2, (steps >= 1) & (steps <= 3), steps != 2, (steps >= 2) & (steps != 3)]
        expected = [np.flatnonzero(mask).tolist() for mask in wanted] + [[]]
        assert finish() == expected
        assert all(expected[:4])


def test_only_rows_whose_steps_changed_are_looked_at_again(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "STEPS_AT_ONCE", 20)
    monkeypatch.setattr(matches, "SLICE_SECONDS", -1.0)  # a pause after each piece of work
    host = only_host(library.path("full_health"))
    times = host.traces.events["wall_time"]
    border = float(np.sort(times)[100])
    last_step = [1]

    def step_of(wall_time: float) -> int:
        return last_step[0] if wall_time > border else 0

    search = Search(host, "bad", traces=True)
    found = Matches(host.traces, search.facts, parse("step:2"), step_of, search.clock)
    while found.extend():
        pass
    assert len(found) == 0
    last_step[0] = 2
    search.clock.now += 1000
    scanned = []
    while found.extend():
        scanned.append(found.scanned)
    assert found.rows.tolist() == np.flatnonzero(times > border).tolist()
    assert 50 < min(scanned) < len(times)


def test_without_steps_no_event_is_in_one(library: Library) -> None:
    host = only_host(library.path("full_health"))
    assert Search(host, "-step:2", traces=True).finish() == []
