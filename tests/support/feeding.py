"""What the tests of the feed have in common: snapshots kept, and a feed driven by hand."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tfdbg_tui.data.live.feed import Feed
from tfdbg_tui.data.live.reader import MAX_REST
from tfdbg_tui.data.live.run_activity import ENDED_AFTER
from tfdbg_tui.data.live.snapshot import Activity, Snapshot
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TIMEOUT_SECONDS = 60.0
"""For conditions that come true in milliseconds: a test fails rather than hangs."""

LONG = MAX_REST + ENDED_AFTER
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
    """A job with a given number of slices of work, again and again."""

    def __init__(self, slices: int = 1) -> None:
        self.calls = 0
        self._slices = slices

    def extend(self) -> bool:
        self.calls += 1
        return self.calls % self._slices != 0


def events_of(logdir: Logdir) -> int:
    counts = [run.counts() for run in logdir.runs]
    return sum(count["executions"] + count["graph_executions"] for count in counts)


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < end, "waited for too long"
        time.sleep(0.002)
