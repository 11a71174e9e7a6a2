"""What the feed tells of real recordings: as they are, as they grow, come and go."""

from __future__ import annotations

import shutil
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.recordings import repeat
from tests.data.reading import PORTIONS, Copier, assert_same, load
from tfdbg_tui.data import logdir as logdir_module
from tfdbg_tui.data import watch as watch_module
from tfdbg_tui.data.logdir import Logdir
from tfdbg_tui.data.pulse import ENDED_AFTER
from tfdbg_tui.data.reader import LONGEST_REST, SCAN_INTERVAL
from tfdbg_tui.data.run import Run
from tfdbg_tui.data.snapshot import Activity, Snapshot
from tfdbg_tui.feed import REPAINT_INTERVAL, Feed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.recordings.record import Library

TIMEOUT_SECONDS = 60.0
"""For conditions that come true in milliseconds: a test fails rather than hangs."""

LONG = LONGEST_REST + ENDED_AFTER
"""Seconds after which everything that happens by itself has happened."""


class Told(list[Snapshot]):
    """All snapshots, in order."""

    def __call__(self, snapshot: Snapshot) -> None:
        self.append(snapshot)

    @property
    def events(self) -> int:
        return sum(run.executions + run.traces for run in self[-1].runs) if self else 0

    @property
    def activities(self) -> list[Activity]:
        return [snapshot.activity for snapshot in self]


class Bench:
    """A feed without its thread: it works when a test says so, by a clock that the test moves."""

    def __init__(self, path: Path) -> None:
        self.now = 1000.0
        self.told = Told()
        self.logdir = Logdir(path)
        self.feed = Feed(self.logdir, self.told, poll=1.0, clock=lambda: self.now)

    def work(self, after: float = 0.0) -> Told:
        """Do all that is due; returns what was told of it."""
        self.now += after
        before = len(self.told)
        end = time.monotonic() + TIMEOUT_SECONDS
        while self.feed.advance() == 0:
            assert time.monotonic() < end, "there is always more to do"
        return Told(self.told[before:])

    def work_it_all_out(self) -> Snapshot:
        """Let time pass until there is nothing left to tell."""
        while self.work(LONG):
            pass
        return self.told[-1]


class Counter:
    """A follower with a given number of slices of work, again and again."""

    def __init__(self, slices: int = 1) -> None:
        self.calls = 0
        self._slices = slices

    def extend(self) -> bool:
        self.calls += 1
        return self.calls % self._slices != 0


class Steps(threading.Thread):
    """Copies a recording in the steps of the recorder."""

    def __init__(self, copier: Copier) -> None:
        super().__init__()
        self._copier = copier
        self.start()

    def run(self) -> None:
        for _ in range(PORTIONS):
            for name in self._copier.names:
                for _ in range(self._copier.portion(name)):
                    self._copier.append(name, 1)
        self._copier.finish()


def events_of(logdir: Logdir) -> int:
    counts = [run.counts() for run in logdir.runs]
    return sum(count["executions"] + count["graph_executions"] for count in counts)


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < end, "waited for too long"
        time.sleep(0.002)


@pytest.fixture
def start() -> Iterator[Callable[..., tuple[Feed, Told]]]:
    """Starts a feed with its thread; checks that none is left when it has stopped."""
    before = set(threading.enumerate())
    feeds = []

    def begin(path: Path, poll: float | None = None) -> tuple[Feed, Told]:
        told = Told()
        feeds.append(Feed(Logdir(path), told, poll))
        feeds[-1].start()
        return feeds[-1], told

    yield begin
    for feed in feeds:
        feed.stop()
    wait_until(lambda: set(threading.enumerate()) <= before)


# ---------------------------------------------------------------------- what is there


@pytest.mark.parametrize("scenario", ["full_health", "two_runs", "killed", "same_second"])
def test_a_recording_is_told_as_it_is_read_at_once(library: Library, scenario: str) -> None:
    path = library.path(scenario)
    bench = Bench(path)
    last = bench.work_it_all_out()
    expected = load(path)
    assert_same(bench.logdir, expected)
    assert bench.told.events == events_of(expected)
    assert [run.alerts for run in last.runs] == [len(run.alerts) for run in expected.runs]
    assert (last.read_bytes, last.total_bytes) == expected.progress()
    assert (last.exists, last.gone, last.failure) == (True, False, None)


def test_the_first_word_comes_before_anything_is_read(library: Library) -> None:
    first, second = Bench(library.path("full_health")).work()[:2]
    assert (first.activity, first.exists, first.runs) == (Activity.LOADING, True, ())
    assert second.runs, "the first paint needs what is there"
    assert second.activity in (Activity.LIVE, Activity.ENDED)


def test_loading_tells_how_far_it_is(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "large"
    repeat(library.path("full_health"), path, 40_000, 40_000)
    bench = Bench(path)
    while bench.told.activities[-1:] in ([], [Activity.LOADING]):
        bench.feed.advance()
        bench.now += REPAINT_INTERVAL / 2
    loading = bench.told[:-1]
    assert {snapshot.activity for snapshot in loading} == {Activity.LOADING}
    read = [snapshot.read_bytes for snapshot in loading]
    assert len(read) > 3
    assert read == sorted(set(read))
    total = sum(file.stat().st_size for file in path.iterdir())
    assert {snapshot.total_bytes for snapshot in bench.told[1:]} == {total}
    told_runs = {state.run for snapshot in bench.told for state in snapshot.runs}
    assert told_runs == set(bench.logdir.runs), "a run has its id when it is first told"


def test_alerts_are_in_order_when_loading_is_over(library: Library) -> None:
    bench = Bench(library.path("keras_fit"))
    bench.work()
    (run,) = bench.told[-1].runs
    assert run.alerts == len(run.run.alerts) == len(load(library.path("keras_fit")).runs[0].alerts)
    assert run.run.alerts.waiting == 0


def test_what_the_system_denies_is_told_harmlessly(tmp_path: Path) -> None:
    folder = tmp_path / "\x1b[31mred"
    (folder / "tfdbg_events.1.host.execution").mkdir(parents=True)
    bench = Bench(tmp_path)
    ((path, reason),) = bench.work_it_all_out().unreadable
    assert path.endswith("\\x1b[31mred/tfdbg_events.1.host.execution")
    assert reason == "not a regular file"


def test_folders_that_are_too_many_are_told_when_they_come(
    library: Library, copy_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copy_of("healthy")
    bench = Bench(path)
    assert not bench.work_it_all_out().search_was_cut
    (path / "more").mkdir()
    monkeypatch.setattr(logdir_module, "MAX_DIRECTORIES", 1)
    assert bench.work_it_all_out().search_was_cut


# ---------------------------------------------------------------------- growth


@pytest.mark.parametrize("poll", [None, 0.02])
def test_a_recording_that_grows_arrives_whole(
    library: Library,
    tmp_path: Path,
    start: Callable[..., tuple[Feed, Told]],
    poll: float | None,
) -> None:
    source = library.path("full_health")
    expected = load(source)
    _, told = start(tmp_path, poll)
    began = time.monotonic()
    steps = Steps(Copier(source, tmp_path))
    wait_until(lambda: told.events == events_of(expected))
    most = 3 + (time.monotonic() - began) / REPAINT_INTERVAL
    steps.join()
    assert len(told) <= most
    assert told.activities[0] in (Activity.WAITING, Activity.LOADING)
    assert [run.alerts for run in told[-1].runs] == [len(run.alerts) for run in expected.runs]


def test_however_fast_it_grows_little_is_told(library: Library, tmp_path: Path) -> None:
    copier = Copier(library.path("full_health"), tmp_path)
    bench = Bench(tmp_path)
    bench.work()
    seconds = 0.0
    for _ in range(PORTIONS + 1):
        for name in copier.names:
            copier.append(name, copier.portion(name))
            bench.feed.wake()
            bench.work(0.05)
            seconds += 0.05
    bench.work(REPAINT_INTERVAL)
    assert bench.told.events == events_of(load(tmp_path))
    growth = bench.told[2:]
    assert PORTIONS / 2 < len(growth) <= 1 + seconds / REPAINT_INTERVAL


def test_new_alerts_are_told_in_order_while_it_grows(library: Library, tmp_path: Path) -> None:
    copier = Copier(library.path("keras_fit"), tmp_path)
    bench = Bench(tmp_path)
    alerts = []
    for _ in range(PORTIONS + 1):
        for name in copier.names:
            copier.append(name, copier.portion(name))
        bench.work(LONG)
        (state,) = bench.told[-1].runs
        assert state.run.alerts.waiting == 0
        alerts.append(state.alerts)
    assert alerts == sorted(alerts)
    assert len(set(alerts)) > 2


def test_alerts_that_come_are_put_in_order_before_they_are_told(
    library: Library, tmp_path: Path
) -> None:
    copier = Copier(library.path("keras_fit"), tmp_path)
    for name in copier.names:
        copier.append(name, PORTIONS // 2 * copier.portion(name))
    bench = Bench(tmp_path)
    bench.work(LONG)
    before = bench.told[-1].runs[0].alerts
    copier.finish()
    bench.work(LONG)
    (state,) = bench.told[-1].runs
    (expected,) = load(tmp_path).runs
    assert before < state.alerts == len(expected.alerts)


def test_nothing_is_told_when_nothing_happens(library: Library) -> None:
    for scenario in ("full_health", "killed", "circular"):
        bench = Bench(library.path(scenario))
        bench.work_it_all_out()
        for _ in range(100):
            assert not bench.work(0.7)


def test_nothing_is_told_of_an_empty_folder_either(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    assert bench.work()[-1].activity is Activity.WAITING
    for _ in range(100):
        assert not bench.work(0.7)


def test_files_of_others_are_not_told(library: Library, copy_of: Callable[[str], Path]) -> None:
    path = copy_of("healthy")
    bench = Bench(path)
    bench.work_it_all_out()
    (path / "checkpoint").write_text("not ours")
    (path / "events.out.tfevents.1.host").write_text("nor this")
    bench.feed.wake()
    assert not bench.work(LONG)


def test_a_run_falls_silent_and_ends_and_that_is_all(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("healthy")
    for file in path.iterdir():
        file.touch()
    bench = Bench(path)
    bench.work()
    activities = []
    for _ in range(int(LONG)):
        activities += bench.work(1.0).activities
    assert set(activities[:-1]) <= {Activity.LIVE}
    assert activities[-1] is Activity.ENDED
    assert len(activities) <= 2
    assert not bench.told[-1].runs[0].growing


# ---------------------------------------------------------------------- pause


def test_nothing_is_read_in_a_pause_and_everything_after_it(
    library: Library, tmp_path: Path
) -> None:
    copier = Copier(library.path("full_health"), tmp_path)
    for name in copier.names:
        copier.append(name, copier.portion(name))
    bench = Bench(tmp_path)
    bench.work(LONG)
    before = bench.told.events
    bench.feed.pause()
    assert bench.feed.paused
    assert bench.work().activities == [Activity.PAUSED]
    copier.finish()
    bench.feed.wake()
    assert not bench.work(LONG)
    assert bench.told.events == events_of(bench.logdir) == before
    (state,) = bench.told[-1].runs
    assert (state.growing, state.events_per_second) == (False, 0)
    bench.feed.resume()
    assert not bench.feed.paused
    bench.work()
    assert bench.told.events == events_of(load(tmp_path)) > before
    assert bench.told[-1].activity is Activity.LIVE


def test_the_end_of_a_pause_does_not_wait_for_a_poll(library: Library, tmp_path: Path) -> None:
    copier = Copier(library.path("full_health"), tmp_path)
    for name in copier.names:
        copier.append(name, 1)
    bench = Bench(tmp_path)
    bench.work(LONG)
    bench.feed.pause()
    bench.work()
    copier.finish()
    bench.work(REPAINT_INTERVAL)
    bench.feed.resume()
    bench.work()
    bench.work(REPAINT_INTERVAL)
    assert bench.told.events == events_of(load(tmp_path))


def test_followers_work_in_a_pause(library: Library) -> None:
    bench = Bench(library.path("full_health"))
    bench.work_it_all_out()
    bench.feed.pause()
    bench.work()
    follower = Counter(slices=3)
    bench.feed.add(follower)
    bench.work(1.0)
    assert follower.calls == 3


# ---------------------------------------------------------------------- coming and going


def test_a_logdir_that_comes_later_is_read(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "not" / "yet"
    bench = Bench(path)
    (first,) = bench.work()
    assert (first.activity, first.exists, first.gone) == (Activity.WAITING, False, False)
    path.mkdir(parents=True)
    (empty,) = bench.work(LONG)
    assert (empty.activity, empty.exists) == (Activity.WAITING, True)
    shutil.copytree(library.path("full_health"), path, dirs_exist_ok=True)
    assert bench.work(LONG)[-1].exists
    assert bench.told.events == events_of(load(path))


def test_a_logdir_that_is_deleted_is_gone_and_what_was_read_stays(
    library: Library, copy_of: Callable[[str], Path]
) -> None:
    path = copy_of("full_health")
    bench = Bench(path)
    bench.work_it_all_out()
    events = bench.told.events
    shutil.rmtree(path)
    bench.work(LONG)
    last = bench.told[-1]
    assert (last.exists, last.gone, bench.told.events) == (False, True, events)
    shutil.copytree(library.path("eager_only"), path)
    bench.work(LONG)
    last = bench.told[-1]
    assert (last.exists, last.gone, len(last.runs)) == (True, False, 2)


def test_a_second_run_is_told_beside_the_first(library: Library, tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.work()
    for number, scenario in enumerate(("healthy", "full_health"), start=1):
        shutil.copytree(library.path(scenario), tmp_path / scenario)
        bench.work(LONG)
        assert len(bench.told[-1].runs) == number
    assert bench.told.events == events_of(load(tmp_path))


def test_a_run_gets_its_id_when_its_metadata_comes(library: Library, tmp_path: Path) -> None:
    source = library.path("full_health")
    for path in source.iterdir():
        if path.suffix != ".metadata":
            shutil.copy(path, tmp_path)
    bench = Bench(tmp_path)
    bench.work(LONG)
    assert bench.told[-1].runs[0].run.run_id is None
    for path in source.glob("*.metadata"):
        shutil.copy(path, tmp_path)
    bench.feed.wake()
    for _ in range(3):
        bench.work(SCAN_INTERVAL)
    (state,) = bench.told[-1].runs
    assert state.run.key == load(source).runs[0].key
    assert bench.told.events == events_of(load(source))


# ---------------------------------------------------------------------- followers


def test_a_follower_begins_at_once_and_works_until_it_is_done(library: Library) -> None:
    bench = Bench(library.path("full_health"))
    before = bench.work_it_all_out()
    follower = Counter(slices=5)
    bench.feed.add(follower)
    bench.work()
    assert follower.calls == 5
    (snapshot,) = bench.told[bench.told.index(before) + 1 :]
    assert (snapshot.extended, snapshot.working) == (before.extended + 5, False)
    assert not bench.work(LONG)
    assert follower.calls == 5


def test_followers_take_turns(library: Library) -> None:
    bench = Bench(library.path("full_health"))
    bench.work_it_all_out()
    turns: list[str] = []

    class Named(Counter):
        def __init__(self, name: str) -> None:
            super().__init__(slices=3)
            self._name = name

        def extend(self) -> bool:
            turns.append(self._name)
            return super().extend()

    bench.feed.follow(Named("a"), Named("b"))
    bench.work()
    assert "".join(turns) == "ababab"


def test_followers_work_again_when_there_is_more(library: Library, tmp_path: Path) -> None:
    copier = Copier(library.path("full_health"), tmp_path)
    bench = Bench(tmp_path)
    follower = Counter()
    bench.feed.follow(follower)
    bench.work(LONG)
    calls = follower.calls
    copier.finish()
    bench.work(LONG)
    assert follower.calls > calls


def test_who_no_longer_follows_is_left_alone(library: Library) -> None:
    bench = Bench(library.path("full_health"))
    one, two = Counter(), Counter()
    bench.feed.follow(one, two)
    bench.work_it_all_out()
    calls = one.calls, two.calls
    bench.feed.remove(one)
    bench.work()
    assert (one.calls, two.calls) == (calls[0], calls[1] + 1)
    bench.feed.follow()
    bench.work()
    assert (one.calls, two.calls) == (calls[0], calls[1] + 1)


def test_a_follower_that_is_added_again_begins_once_more(library: Library) -> None:
    bench = Bench(library.path("full_health"))
    bench.work_it_all_out()
    follower = Counter(slices=2)
    for rounds in (1, 2):
        bench.feed.add(follower)
        bench.work()
        assert follower.calls == 2 * rounds


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


# ---------------------------------------------------------------------- failures


def test_a_run_that_fails_is_told_and_the_others_are_read(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for scenario in ("healthy", "full_health"):
        shutil.copytree(library.path(scenario), tmp_path / scenario)
    refresh = Run.refresh

    def fail(run: Run, *arguments: Any) -> bool:
        if run.directory.name == "healthy":
            raise OSError(5, "Input/output \x1b[31merror")
        return refresh(run, *arguments)

    sentence = f"Reading {tmp_path / 'healthy'} failed: Input/output \\x1b[31merror."
    monkeypatch.setattr(Run, "refresh", fail)
    bench = Bench(tmp_path)
    assert bench.work_it_all_out().failure == sentence
    assert bench.told.events == events_of(load(tmp_path / "full_health"))
    assert not bench.work(LONG), "the same failure is told once"
    monkeypatch.undo()
    bench.work(LONG)
    assert bench.told.events == events_of(load(tmp_path))
    assert bench.work_it_all_out().failure is None
    monkeypatch.setattr(Run, "refresh", fail)
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
    bench.feed.follow(broken, sound)
    bench.work()
    assert bench.work_it_all_out().failure == "Broken failed: no such thing."
    assert (broken.calls, sound.calls) == (1, 4)
    bench.feed.remove(broken)
    bench.work(LONG)
    assert bench.told[-1].failure is None


def test_a_listener_that_fails_does_not_end_the_feed(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Told()
    calls: list[Snapshot] = []

    def tell(snapshot: Snapshot) -> None:
        calls.append(snapshot)
        if len(calls) == 1:
            raise RuntimeError("not ready")
        told(snapshot)

    feed = Feed(Logdir(library.path("healthy")), tell, poll=0.01)
    feed.start()
    wait_until(lambda: told.events > 0)
    feed.stop()
    assert "not ready" in str(told[0].failure)
    assert told[-1].failure is None


# ---------------------------------------------------------------------- the threads


def test_it_stops_while_it_loads(
    library: Library, tmp_path: Path, start: Callable[..., tuple[Feed, Told]]
) -> None:
    path = tmp_path / "large"
    repeat(library.path("full_health"), path, 150_000, 150_000)
    feed, told = start(path)
    wait_until(lambda: told.events > 0)
    feed.stop()
    assert not any(thread.name == "tfdbg-feed" for thread in threading.enumerate())
    assert told[-1].read_bytes < told[-1].total_bytes
    count = len(told)
    feed.wake()
    assert len(told) == count


def test_a_feed_that_was_never_started_can_be_stopped(tmp_path: Path) -> None:
    Feed(Logdir(tmp_path), Told()).stop()


def test_watchdog_wakes_the_feed(
    library: Library,
    tmp_path: Path,
    start: Callable[..., tuple[Feed, Told]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for interval in ("POLL_INTERVAL", "FIRST_POLL_INTERVAL"):
        monkeypatch.setattr(watch_module, interval, 3600.0)
    monkeypatch.setattr(watch_module, "START_DELAY", 0.0)
    path = tmp_path / "logdir"
    feed, told = start(path)
    wait_until(lambda: feed._watch.interval == 3600.0 and bool(told))
    path.mkdir()
    wait_until(lambda: told[-1].exists and feed._watch.is_listening)
    shutil.copytree(library.path("full_health"), path, dirs_exist_ok=True)
    wait_until(lambda: told.events == events_of(load(path)))
    shutil.rmtree(path)
    wait_until(lambda: told[-1].gone)


def test_polling_needs_no_watchdog(
    library: Library,
    tmp_path: Path,
    start: Callable[..., tuple[Feed, Told]],
) -> None:
    _, told = start(tmp_path, poll=0.02)
    shutil.copytree(library.path("full_health"), tmp_path / "run")
    wait_until(lambda: told.events == events_of(load(tmp_path)))
    assert not any(thread.name == "tfdbg-watch" for thread in threading.enumerate())


def test_a_follower_wakes_a_feed_that_sleeps(
    library: Library, start: Callable[..., tuple[Feed, Told]]
) -> None:
    feed, told = start(library.path("healthy"), poll=3600.0)
    wait_until(lambda: told.events > 0)
    follower = Counter(slices=3)
    feed.add(follower)
    wait_until(lambda: follower.calls == 3)


def test_a_pause_and_its_end_wake_a_feed_that_sleeps(
    library: Library, start: Callable[..., tuple[Feed, Told]]
) -> None:
    feed, told = start(library.path("healthy"), poll=3600.0)
    wait_until(lambda: told.events > 0)
    feed.pause()
    wait_until(lambda: told[-1].activity is Activity.PAUSED)
    feed.resume()
    wait_until(lambda: told[-1].activity is not Activity.PAUSED)
