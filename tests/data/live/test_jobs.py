"""What the feed does beside reading: the work of jobs, and what goes wrong."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.feeding import LONG, Bench, Counter, events_of
from tests.support.reading import Copier, load
from tfdbg_tui.data.live import feed
from tfdbg_tui.data.live.feed import REPAINT_INTERVAL
from tfdbg_tui.data.live.jobs import WantedJobs
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.stores.run import Run

if TYPE_CHECKING:
    import pytest

    from tests.recordings.record import Library


class Named(Counter):
    """Three slices of work, each of which is noted."""

    def __init__(self, name: str, turns: list[str]) -> None:
        super().__init__(slices=3)
        self._name = name
        self._turns = turns

    def extend(self) -> bool:
        self._turns.append(self._name)
        return super().extend()


# ---------------------------------------------------------------------- jobs


def test_a_follower_begins_at_once_and_works_until_it_is_done(library: Library) -> None:
    bench = Bench(library.path("full_health"))
    before = bench.work_it_all_out()
    job = Counter(slices=5)
    bench.feed.add(job)
    bench.work()
    assert job.calls == 5
    (snapshot,) = bench.told[bench.told.index(before) + 1 :]
    assert (snapshot.extended, snapshot.working) == (before.extended + 5, False)
    assert not bench.work(LONG)
    assert job.calls == 5


def test_followers_take_turns(library: Library) -> None:
    bench = Bench(library.path("full_health"))
    bench.work_it_all_out()
    turns: list[str] = []

    bench.feed.set_jobs(WantedJobs((Named("a", turns), Named("b", turns))))
    bench.work()
    assert "".join(turns) == "ababab"


def test_followers_work_again_when_there_is_more(library: Library, tmp_path: Path) -> None:
    copier = Copier(library.path("full_health"), tmp_path)
    bench = Bench(tmp_path)
    job = Counter()
    bench.feed.set_jobs(WantedJobs((job,)))
    bench.work(LONG)
    calls = job.calls
    copier.finish()
    bench.work(LONG)
    assert job.calls > calls


def test_who_no_longer_follows_is_left_alone(library: Library) -> None:
    bench = Bench(library.path("full_health"))
    one, two = Counter(), Counter()
    bench.feed.set_jobs(WantedJobs((one, two)))
    bench.work_it_all_out()
    calls = one.calls, two.calls
    bench.feed.remove(one)
    bench.work()
    assert (one.calls, two.calls) == calls
    bench.feed.set_jobs(WantedJobs())
    bench.work()
    assert (one.calls, two.calls) == calls


def test_a_new_follower_has_nobody_else_begin_again(library: Library) -> None:
    bench = Bench(library.path("full_health"))
    old, new = Counter(), Counter(slices=3)
    bench.feed.set_jobs(WantedJobs((old,)))
    before = bench.work_it_all_out()
    calls = old.calls
    bench.feed.set_jobs(WantedJobs((old,), details=(new,)))
    bench.work()
    assert (old.calls, new.calls) == (calls, 3)
    snapshot = bench.told[-1]
    assert snapshot.details_extended == before.details_extended + 3
    assert snapshot.extended == before.extended, "lists have nothing new to show"


def test_what_nobody_waits_for_comes_last_and_when_all_is_painted(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(library.path("full_health"))
    bench.work_it_all_out()
    monkeypatch.setattr(feed, "PAINT_TIME", 0.5)
    turns: list[str] = []

    first, last = Named("a", turns), Named("b", turns)
    bench.feed.set_jobs(WantedJobs((first,)))
    assert bench.work() or bench.work(0.3), "it is told, and painted now"
    bench.feed.set_jobs(WantedJobs((first, Named("c", turns)), patient=(last,)))
    bench.work(0.1)
    assert "".join(turns) == "aaaccc"
    bench.work_it_all_out()
    assert "".join(turns) == "aaacccbbb"


def test_a_follower_that_is_added_again_begins_once_more(library: Library) -> None:
    bench = Bench(library.path("full_health"))
    bench.work_it_all_out()
    job = Counter(slices=2)
    for rounds in (1, 2):
        bench.feed.add(job)
        bench.work()
        assert job.calls == 2 * rounds


def test_work_on_the_screen_is_told_as_seldom_as_growth(library: Library) -> None:
    bench = Bench(library.path("full_health"))
    before = bench.work_it_all_out()
    bench.feed.add(Counter(slices=1000))
    for _ in range(100):
        bench.feed.advance()
        bench.now += REPAINT_INTERVAL / 10
    told = bench.told[bench.told.index(before) + 1 :]
    assert 8 <= len(told) <= 11
    assert all(snapshot.working for snapshot in told)


def test_followers_work_in_a_pause(library: Library) -> None:
    bench = Bench(library.path("full_health"))
    bench.work_it_all_out()
    bench.feed.pause()
    bench.work()
    job = Counter(slices=3)
    bench.feed.add(job)
    bench.work(1.0)
    assert job.calls == 3


# ---------------------------------------------------------------------- failures


def test_a_run_that_fails_is_told_and_the_others_are_read(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for scenario in ("healthy", "full_health"):
        shutil.copytree(library.path(scenario), tmp_path / scenario)
    read_on = Run.read_on

    def fail(run: Run, *arguments: Any) -> bool:
        if Path(run.directory).name == "healthy":
            raise OSError(5, "Input/output \x1b[31merror")
        return read_on(run, *arguments)

    sentence = f"Reading {tmp_path / 'healthy'} failed: Input/output \\x1b[31merror."
    monkeypatch.setattr(Run, "read_on", fail)
    bench = Bench(tmp_path)
    assert bench.work_it_all_out().failure == sentence
    assert bench.told.events == events_of(load(tmp_path / "full_health"))
    assert not bench.work(LONG), "the same failure is told once"
    monkeypatch.undo()
    bench.work(LONG)
    assert bench.told.events == events_of(load(tmp_path))
    assert bench.work_it_all_out().failure is None
    monkeypatch.setattr(Run, "read_on", fail)
    assert bench.work_it_all_out().failure == sentence, "though there is nothing new to read"


def test_a_search_that_fails_is_told_and_tried_again(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(logdir: Logdir) -> None:
        raise MemoryError

    monkeypatch.setattr(Logdir, "scan", fail)
    bench = Bench(library.path("healthy"))
    bench.work()
    failure = bench.told[-1].failure
    assert failure is not None
    assert failure.endswith("failed: MemoryError.")
    monkeypatch.undo()
    bench.work(LONG)
    assert bench.told[-1].failure is None
    assert bench.told.events > 0


def test_a_follower_that_fails_is_told_and_the_others_work(library: Library) -> None:
    class Broken(Counter):
        def extend(self) -> bool:
            if super().extend() and self.calls < 3:
                raise ValueError("no such thing")
            return False

    bench = Bench(library.path("healthy"))
    bench.work_it_all_out()
    broken, sound = Broken(slices=10), Counter(slices=4)
    bench.feed.set_jobs(WantedJobs((broken, sound)))
    bench.work()
    assert bench.work_it_all_out().failure == "Broken failed: no such thing."
    assert (broken.calls, sound.calls) == (1, 4)
    bench.feed.remove(broken)
    bench.work(LONG)
    assert bench.told[-1].failure is None
