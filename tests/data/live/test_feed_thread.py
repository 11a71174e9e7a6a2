"""The feed in its own thread: it is woken, it follows, it stops."""

from __future__ import annotations

import shutil
import threading
import time
from typing import TYPE_CHECKING

import pytest

from benchmarks.recordings import repeat
from tests.support.feeding import TIMEOUT_SECONDS, Counter, Told, events_of, wait_until
from tests.support.reading import PORTIONS, Copier, load
from tfdbg_tui.data.live import watch as watch_module
from tfdbg_tui.data.live.feed import REPAINT_INTERVAL, Feed
from tfdbg_tui.data.live.snapshot import Activity, Snapshot
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.recordings.record import Library


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


def test_it_stops_while_it_loads(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "large"
    repeat(library.path("full_health"), path, 150_000, 150_000)
    before = set(threading.enumerate())
    told = Told()

    def tell(snapshot: Snapshot) -> None:
        told(snapshot)
        if told.events:
            feed._stopping.wait(TIMEOUT_SECONDS)  # so that it is stopped in the middle

    feed = Feed(Logdir(path), tell)
    feed.start()
    wait_until(lambda: told.events > 0)
    feed.stop()
    wait_until(lambda: set(threading.enumerate()) <= before)
    count = len(told)
    feed.wake()
    assert len(told) == count
    assert told[-1].activity is Activity.LOADING
    assert told[-1].read_bytes == feed._logdir.progress()[0] < told[-1].total_bytes


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
    job = Counter(slices=3)
    feed.add(job)
    wait_until(lambda: job.calls == 3)


def test_a_pause_and_its_end_wake_a_feed_that_sleeps(
    library: Library, start: Callable[..., tuple[Feed, Told]]
) -> None:
    feed, told = start(library.path("healthy"), poll=3600.0)
    wait_until(lambda: told.events > 0)
    feed.pause()
    wait_until(lambda: told[-1].activity is Activity.PAUSED)
    feed.resume()
    wait_until(lambda: told[-1].activity is not Activity.PAUSED)
