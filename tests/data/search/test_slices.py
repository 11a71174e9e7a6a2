"""However long a site takes to test, a slice is short, and what is found is told as it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.recordings.long_names import long_names, name_of
from tests.support.reading import hosts_of, load
from tests.support.searching import Clock
from tfdbg_tui.data.index.site_facts import SiteIndex
from tfdbg_tui.data.search import site_tests
from tfdbg_tui.data.search.matches import RESULTS_SECONDS, SLICE_SECONDS, Matches
from tfdbg_tui.data.search.query import parse
from tfdbg_tui.data.search.site_tests import SiteTests

if TYPE_CHECKING:
    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.stores.host import Host

NAMES = 300


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    (host,) = hosts_of(load(long_names(tmp_path_factory.mktemp("long"), NAMES)))
    return host


class SlowSites:
    """The facts of traces, each of which takes its time; counts how often it was asked."""

    def __init__(self, host: Host, seconds: float) -> None:
        self.clock = Clock()
        self.asked: list[int] = []
        self._seconds = seconds
        self._facts = SiteIndex(host).trace

    def __call__(self, site: int) -> SiteFacts:
        self.clock.now += self._seconds
        self.asked.append(site)
        return self._facts(site)


def test_a_slice_tests_one_site_where_that_takes_as_long_as_a_slice(host: Host) -> None:
    facts = SlowSites(host, seconds=SLICE_SECONDS)
    search = Matches(host.traces, facts, parse("a*a*b"), clock=facts.clock)
    asked = 0
    while search.scanned < len(host.traces):
        assert search.extend()
        assert len(facts.asked) <= asked + 1
        asked = len(facts.asked)
    assert set(facts.asked) == set(range(len(host.traces.sites)))


def test_a_slice_tests_many_sites_where_that_takes_no_time(host: Host) -> None:
    facts = SlowSites(host, seconds=SLICE_SECONDS / 100)
    search = Matches(host.traces, facts, parse("a*a*b"), clock=facts.clock)
    search.extend()
    assert 50 < len(facts.asked) <= 100


def test_what_is_found_is_told_before_all_sites_are_tested(host: Host) -> None:
    facts = SlowSites(host, seconds=RESULTS_SECONDS / 3)
    search = Matches(host.traces, facts, parse("/a+/[0-9]*7$/"), clock=facts.clock)
    sites = len(host.traces.sites)
    told = []
    while search.scanned < len(host.traces):
        search.extend()
        told.append((len(facts.asked), len(search), search.scanned))
    counts = [count for asked, count, _ in told if asked < sites]
    assert len(set(counts)) > NAMES // 20, "nearly each as soon as it was found"
    assert [scanned for *_, scanned in told] == sorted(scanned for *_, scanned in told)
    first = len(host.traces) - NAMES
    expected = [first + n for n in range(NAMES) if name_of(n).endswith("7")]
    assert search.rows.tolist() == expected


def test_sites_are_tested_in_the_order_in_which_events_need_them(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def facts(site: int) -> SiteFacts:
        asked.append(site)
        return SiteIndex(host).trace(site)

    tests = SiteTests(parse("a*a*b"), facts)
    tested = list(tests.test_new(np.array([5, 5, 2, 5, 9, 2, 0], np.int32)))
    assert asked == [5, 2, 9, 0]
    assert tested == [0, 2, 4, 6, 7], "how many events are decided before each test"
    assert list(tests.test_new(np.array([9, 5, 3], np.int32))) == [2, 3]
    assert asked == [5, 2, 9, 0, 3]
    monkeypatch.setattr(site_tests, "NEW_AT_ONCE", 2)
    assert list(tests.test_new(np.array([9, 7, 7, 9, 6, 5], np.int32))) == [1, 4]
    assert asked == [5, 2, 9, 0, 3, 7]


def test_asking_again_takes_a_small_share_of_the_time_however_long_it_takes(host: Host) -> None:
    facts = SlowSites(host, seconds=0.01)
    search = Matches(host.traces, facts, parse("a*a*b"), clock=facts.clock)
    while search.scanned < len(host.traces):
        search.extend()
    facts.asked.clear()
    until = facts.clock.now + 1000
    while facts.clock.now < until:
        if not search.extend():
            facts.clock.now += 1
    assert len(facts.asked) * 0.01 < 30, "of the 1000 seconds"
    assert facts.asked, "the names of these ops may yet come"
