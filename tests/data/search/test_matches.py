"""A search finds the same rows in slices, while files grow and names come late, as all at once."""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.support.reading import Copier, drain, hosts_of, load
from tests.support.searching import QUERIES, Clock, Search, only_host
from tfdbg_tui.data.index.site_facts import SiteIndex
from tfdbg_tui.data.search import bulk_health, matches
from tfdbg_tui.data.search.matches import Matches
from tfdbg_tui.data.search.query import parse
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.records.health import Health

    Fits = Callable[[int, SiteFacts, list[Health]], bool]

TIMEOUT_SECONDS = 60.0


@pytest.mark.parametrize(
    "scenario",
    ["full_health", "concise_health", "shape", "full_tensor", "keras_fit", "while_loop",
     "mirrored", "tf1_session", "eager_only", "filter_dtypes", "half_types_full", "no_tensor"],
)  # fmt: skip
def test_a_search_equals_asking_every_event(library: Library, scenario: str) -> None:
    host = only_host(library.path(scenario))
    for text in QUERIES:
        for traces in (True, False):
            search = Search(host, text, traces)
            assert search.finish() == search.expected(), text
            assert search.matches.scanned == len(search.store)


def test_the_queries_find_something_and_not_everything(library: Library) -> None:
    host = only_host(library.path("full_health"))
    for text in QUERIES:
        searches = [Search(host, text, traces) for traces in (True, False)]
        found = sum(len(search.finish()) for search in searches)
        assert 0 < found < sum(len(search.store) for search in searches), text


def test_curt_health_counts_as_any_kind_of_bad(library: Library) -> None:
    host = only_host(library.path("curt_health"))
    bad = np.flatnonzero(host.traces.events["bad"]).tolist()
    assert bad
    for text in ("bad", "nan", "inf"):
        assert Search(host, text, traces=True).finish() == bad
    assert Search(host, "nan>0", traces=True).finish() == []


def test_slices_find_what_one_go_finds(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "CHUNK_ROWS", 37)
    monkeypatch.setattr(matches, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(bulk_health, "BATCH_BYTES", 2000)
    host = only_host(library.path("full_health"))
    for text in QUERIES:
        search = Search(host, text, traces=True)
        search.clock = _Ticking()
        search.matches = Matches(search.store, search.facts, parse(text), clock=search.clock)
        expected = search.expected()
        seen = [search.matches.scanned]
        while search.matches.extend():
            seen.append(search.matches.scanned)
            so_far = [row for row in expected if row < search.matches.scanned]
            assert search.matches.rows.tolist() == so_far
        assert len(seen) > 3
        assert seen == sorted(seen)
        assert search.matches.rows.tolist() == expected


class _Ticking(Clock):
    """A clock on which everything takes long."""

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def test_a_search_grows_with_the_recording(library: Library, tmp_path: Path) -> None:
    copier = Copier(library.path("full_health"), tmp_path)
    for name in copier.names:
        copier.append(name, 1)
    logdir = Logdir(tmp_path)
    drain(logdir)
    (host,) = hosts_of(logdir)
    searches = [Search(host, text, traces) for text in QUERIES for traces in (True, False)]
    for _ in range(4):
        for name in copier.names:
            copier.append(name, 3 * copier.portion(name))
        drain(logdir)
        for search in searches:
            assert search.finish() == search.expected()
    assert len(host.traces) == len(only_host(library.path("full_health")).traces)


def test_names_that_come_late_add_rows_and_take_rows_away(library: Library, tmp_path: Path) -> None:
    copier = Copier(library.path("full_health"), tmp_path)
    late = ("graphs", "stack_frames", "source_files")
    for name in copier.names:
        copier.append(name, 0 if name.endswith(late) else 1000)
    logdir = Logdir(tmp_path)
    drain(logdir)
    (host,) = hosts_of(logdir)
    texts = ("op:mul -fn:loss", "Log", "line>=30 inf=0")
    searches = [Search(host, text, traces) for text in texts for traces in (True, False)]
    searches.append(Search(host, "bad", traces=True))
    negated = Search(host, "-op:Log bad", traces=True)
    first = [search.finish() for search in searches]
    assert negated.finish() == np.flatnonzero(host.traces.events["bad"]).tolist()
    for name in copier.names:
        copier.append(name, 1000)
        drain(logdir)
        for search in searches:
            assert search.finish() == search.expected()
    assert sum(map(len, first)) < sum(len(search.matches) for search in searches)
    bad_logs = [
        row
        for row in np.flatnonzero(host.traces.events["bad"]).tolist()
        if negated.facts(int(host.traces.events["site"][row])).op_type == "Log"
    ]
    assert bad_logs
    assert not set(bad_logs) & set(negated.finish())
    assert len(negated.matches) == np.count_nonzero(host.traces.events["bad"]) - len(bad_logs)


def test_gaps_are_asked_about_ever_less_often(library: Library, tmp_path: Path) -> None:
    copier = Copier(library.path("full_health"), tmp_path)
    for name in copier.names:
        copier.append(name, 0 if name.endswith("graphs") else 1000)
    (host,) = hosts_of(load(tmp_path))
    asked: list[int] = []
    site_index = SiteIndex(host)
    clock = Clock()

    def facts(site: int) -> SiteFacts:
        asked.append(site)
        return site_index.trace(site)

    search = Matches(host.traces, facts, parse("op:Log"), clock=clock)
    rounds = []
    for second in range(100):
        clock.now = float(second)
        asked.clear()
        while search.extend():
            pass
        if asked:
            rounds.append(second)
    pauses = np.diff(rounds).tolist()
    assert pauses[0] == 1
    assert pauses[-1] == matches.MAX_PAUSE
    assert pauses == sorted(pauses)


def test_a_site_without_gaps_is_asked_about_once(library: Library) -> None:
    host = only_host(library.path("keras_fit"))
    site_index = SiteIndex(host)
    asked: list[int] = []
    clock = Clock()

    def facts(site: int) -> SiteFacts:
        asked.append(site)
        return site_index.trace(site)

    search = Matches(host.traces, facts, parse("Mul bad"), clock=clock)
    for _ in range(5):
        while search.extend():
            pass
        clock.now += 1000
    assert sorted(asked) == list(range(len(host.traces.sites)))
    asked.clear()
    bad = Matches(host.traces, facts, parse("bad"))
    while bad.extend():
        pass
    assert not asked


# ---------------------------------------------------------------------- reading what was found


def test_next_and_previous_match(library: Library) -> None:
    host = only_host(library.path("full_health"))
    search = Search(host, "bad", traces=True)
    rows = search.finish()
    found = search.matches
    for row in range(-2, len(host.traces) + 2):
        assert found.rank_of(row) == sum(one < row for one in rows)


@pytest.mark.parametrize("buckets", [0, 1, 7, 48, 5000])
def test_marks_say_which_parts_hold_a_match(library: Library, buckets: int) -> None:
    host = only_host(library.path("full_health"))
    search = Search(host, "op:Log", traces=True)
    rows, total = search.finish(), len(host.traces)
    edges = [bucket * total // buckets for bucket in range(buckets + 1)] if buckets else []
    expected = [any(a <= row < b for row in rows) for a, b in pairwise(edges)]
    assert list(search.matches.marks(buckets, total)) == expected


def test_nothing_found_is_no_error(library: Library) -> None:
    search = Search(only_host(library.path("full_health")), "op=Nowhere", traces=True)
    assert search.finish() == []
    found = search.matches
    assert (found.rank_of(3), len(found)) == (0, 0)
    assert found.marks(5, 100) == bytes(5)
    assert found.marks(5, 0) == bytes(5)


def test_readers_see_whole_rows_while_names_come_late(library: Library, tmp_path: Path) -> None:
    copier = Copier(library.path("keras_fit"), tmp_path)
    for name in copier.names:
        copier.append(name, 1000 if "graph_execution" in name else 0)
    logdir = Logdir(tmp_path)
    drain(logdir)
    (host,) = hosts_of(logdir)
    searches = [Search(host, text, traces=True) for text in ("op:a", "-op:a", "-op:s fn:on")]
    done, wrong = threading.Event(), []

    def watch() -> None:
        while not done.is_set():
            for search in searches:
                rows = search.matches.rows
                if (rows[1:] <= rows[:-1]).any() or (rows >= len(host.traces)).any():
                    wrong.append(rows.tolist())

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    for name in copier.names:
        for _ in range(5):
            copier.append(name, copier.portion(name))
            drain(logdir)
            for search in searches:
                search.finish()
    done.set()
    watcher.join(TIMEOUT_SECONDS)
    assert not watcher.is_alive()
    assert not wrong
