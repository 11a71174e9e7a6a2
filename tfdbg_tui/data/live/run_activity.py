"""How alive the runs are: whether they grow, how fast, and whether their programs have ended."""

from __future__ import annotations

import shutil
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.data.files.growing_file import FileState
from tfdbg_tui.data.index.call_counts import CallCounts, most_called
from tfdbg_tui.data.index.function_facts import FunctionFacts, Functions, joined
from tfdbg_tui.data.live.recorder_process import writers_of
from tfdbg_tui.data.live.snapshot import RunState
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from tfdbg_tui.data.index.call_counts import CallCount
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.run import Run


class Stall(NamedTuple):
    """From when on the silence of a program that is there is worth a warning."""

    seconds: float = 60.0
    """At least."""
    times: float = 20.0
    """And times its longest silence before."""


QUIET_AFTER = 3.0
"""Seconds without a new byte after which a run does not grow any more."""

ENDED_AFTER = 30.0
"""Seconds without a new byte after which a run has ended where its program cannot be looked for."""

HELD_BACK_AFTER = 1.5
"""Seconds of recording after which events should be on disk."""

DISK_INTERVAL = 5.0
"""Seconds between looks at the room that is left for a growing run."""

FULL_BELOW = 1e6
"""Bytes left on a disk that count as none."""

ASK_INTERVAL = 5.0
"""Seconds between looks for the programs of quiet runs."""

ASK_SHARE = 0.005
"""Part of a processor that those looks take at most."""


class RunActivity:
    """The growth of one run over time."""

    def __init__(self, run: Run, now: float, wall_time: float, stall: Stall | None = None) -> None:
        self.run = run
        self._stall = stall or Stall()
        self._longest_silence = 0.0
        self._first_seen = now
        self._is_new = True
        self._size = 0
        self._measured = (now, 0, 0)
        self._grown_at = now - _age(run, wall_time)
        self._samples: deque[tuple[float, int, int]] = deque()
        self._rate = self._byte_rate = 0.0
        self._free: float | None = None
        self._free_at = -DISK_INTERVAL
        self._functions: dict[Host, Functions] = {}
        self._calls: dict[Host, CallCounts] = {}
        self._has_cut_tail = False
        self._asked = False
        self._writer: bool | None = None

    def look(self, now: float, wall_time: float, all_read: bool) -> None:
        """Take note of what is on disk and read."""
        if not self.is_growing(now):
            self._samples.clear()
            self._rate = self._byte_rate = 0.0
        size = _bytes_on_disk(self.run)
        if not self._is_new and size != self._size:
            self._longest_silence = max(self._longest_silence, now - self._grown_at)
            self._grown_at, self._asked = now, False
        self._size = size
        if all_read:
            if self._is_new:
                self._grown_at = now - _age(self.run, wall_time)
            else:
                self._measure(now)
            self._is_new = False
            self._measured = (now, size, _events(self.run))
            self._has_cut_tail = any(map(_has_cut_tail, self.run.hosts))
            if now - self._free_at >= DISK_INTERVAL and (self._byte_rate or self._has_cut_tail):
                self._free, self._free_at = _free_bytes(self.run.directory), now

    def _measure(self, now: float) -> None:
        """How fast events come; what was on disk before says nothing about that."""
        before, size, events = self._measured
        if size == self._size:
            return
        if not self._samples:
            self._samples.append((before, size, events))
        self._samples.append((now, self._size, _events(self.run)))
        while len(self._samples) > 2 and self._samples[1][0] <= now - QUIET_AFTER:
            self._samples.popleft()
        (start, first_size, first), (end, last_size, last) = self._samples[0], self._samples[-1]
        if end > start:
            self._rate = _two_digits(max(0, last - first) / (end - start))
            self._byte_rate = _two_digits(max(0, last_size - first_size) / (end - start))

    def is_growing(self, now: float) -> bool:
        """Whether bytes came lately."""
        return now - self._grown_at < QUIET_AFTER

    def has_ended(self, now: float) -> bool:
        """Whether the program is gone, as far as can be told."""
        if self.is_growing(now) or not self._asked or self._writer:
            return False
        return self._writer is False or now - self._grown_at >= ENDED_AFTER

    def is_in_question(self, now: float) -> bool:
        """Whether its program should be looked for."""
        return not self.is_growing(now) and (not self._asked or self._writer is True)

    def answer(self, writer: bool | None) -> None:
        """Take note whether the program is there."""
        self._asked, self._writer = True, writer

    def state(self, now: float, wall_time: float) -> RunState:
        """The run at this moment."""
        hosts = self.run.hosts
        growing, ended = self.is_growing(now), self.has_ended(now)
        return RunState(
            run=self.run,
            executions=sum(len(host.executions) for host in hosts),
            traces=sum(len(host.traces) for host in hosts),
            alerts=len(self.run.alerts),
            growing=growing,
            ended=ended,
            cut_tail=self._has_cut_tail and not growing,
            lacks_events=self.run.lacks_events,
            held_back=all(map(_has_empty_event_files, hosts))
            and any(map(_has_computed, hosts))
            and (ended or self._has_recorded_for(now, wall_time) > HELD_BACK_AFTER),
            events_per_second=self._rate if growing else 0.0,
            bytes_per_second=self._byte_rate if growing else 0.0,
            free_bytes=self._room(growing),
            functions=self._function_facts(ended),
            most_called=self._most_called(),
            program=self.run.program,
            silent_for=self._silent_for(now),
        )

    def _silent_for(self, now: float) -> float | None:
        """For longer than how many seconds a program that is there is silent, against its habit."""
        program = self.run.program
        if self._is_new or self._writer is not True or not _events(self.run):
            return None
        if program is not None and program.how_ended is not None:
            return None
        limit = max(self._stall.seconds, self._stall.times * self._longest_silence)
        return limit if now - self._grown_at >= limit else None

    def _room(self, growing: bool) -> float | None:
        """What the disk has left, where that matters: for growth, or because it is full."""
        if growing and self._byte_rate:
            return self._free
        is_full = self._free is not None and self._free < FULL_BELOW and self._has_cut_tail
        return self._free if is_full else None

    def _function_facts(self, ended: bool) -> FunctionFacts:
        """The facts about its functions, once all that was on disk is read."""
        hosts = self.run.hosts
        if self._is_new or not hosts:
            return FunctionFacts()
        known = self._functions
        self._functions = {host: known.get(host) or Functions(host) for host in hosts}
        return joined(functions.facts(ended) for functions in self._functions.values())

    def _most_called(self) -> CallCount | None:
        known, hosts = self._calls, self.run.hosts
        self._calls = {host: known.get(host) or CallCounts(host) for host in hosts}
        return most_called(counts.most_called() for counts in self._calls.values())

    def _has_recorded_for(self, now: float, wall_time: float) -> float:
        started = self.run.started
        return max(now - self._first_seen, 0.0 if started is None else wall_time - started)


class RunActivities:
    """The activities of all runs, and the looks for the programs of those that are quiet."""

    def __init__(
        self,
        clock: Callable[[], float],
        wall_clock: Callable[[], float],
        ask: Callable[[Sequence[Collection[Path]]], list[bool | None]] = writers_of,
        stall: Stall | None = None,
    ) -> None:
        self._stall = stall
        self._clock = clock
        self._wall_clock = wall_clock
        self._ask = ask
        self._ask_again_at = clock()
        self._activities: dict[Run, RunActivity] = {}

    def look(self, runs: Iterable[Run], all_read: bool) -> None:
        """Take note of what is on disk and read."""
        now, wall_time = self._clock(), self._wall_clock()
        for activity in self._of(runs):
            activity.look(now, wall_time, all_read)

    @property
    def any_growing(self) -> bool:
        """Whether bytes came lately for any run."""
        now = self._clock()
        return any(activity.is_growing(now) for activity in self._activities.values())

    @property
    def all_ended(self) -> bool:
        """Whether only new bytes can change anything."""
        now = self._clock()
        return all(activity.has_ended(now) for activity in self._activities.values())

    def states(self, runs: Iterable[Run]) -> tuple[RunState, ...]:
        """All runs at this moment."""
        now, wall_time = self._clock(), self._wall_clock()
        return tuple(activity.state(now, wall_time) for activity in self._of(runs))

    def look_for_programs(self) -> bool:
        """Find out whether the programs of quiet runs are there; False if it is not time to."""
        now = self._clock()
        in_question = [
            activity for activity in self._activities.values() if activity.is_in_question(now)
        ]
        if not in_question or now < self._ask_again_at:
            return False
        start = time.thread_time()
        answers = self._ask([_paths(activity.run) for activity in in_question])
        for activity, answer in zip(in_question, answers, strict=True):
            activity.answer(answer)
        cost = time.thread_time() - start
        self._ask_again_at = now + max(ASK_INTERVAL, cost / ASK_SHARE)
        return True

    def _of(self, runs: Iterable[Run]) -> list[RunActivity]:
        known = self._activities
        now, wall_time = self._clock(), self._wall_clock()
        # A run whose id becomes known is another object: drop the activities of runs that are gone.
        self._activities = {
            run: known.get(run) or RunActivity(run, now, wall_time, self._stall) for run in runs
        }
        return list(self._activities.values())


def _paths(run: Run) -> list[Path]:
    return [Path(file.path) for host in run.hosts for file in host.files()]


def _bytes_on_disk(run: Run) -> int:
    return sum(file.size for host in run.hosts for file in host.files())


def _events(run: Run) -> int:
    return sum(len(host.executions) + len(host.traces) for host in run.hosts)


def _age(run: Run, wall_time: float) -> float:
    """Seconds since a run was last written to; clocks of other machines may be ahead."""
    times = [when for when in map(_modified, _paths(run)) if when is not None]
    return max(0.0, wall_time - max(times)) if times else 0.0


def _modified(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except OSError:
        return None


def _has_cut_tail(host: Host) -> bool:
    return bool(host.executions.file.cut_bytes or host.traces.file.cut_bytes)


def _has_empty_event_files(host: Host) -> bool:
    files = (host.executions.file, host.traces.file)
    return all(file.state is FileState.PRESENT and file.size == 0 for file in files)


def _has_computed(host: Host) -> bool:
    """Whether something ran or was traced: the recorder notes from which lines at once."""
    return bool(host.sources.file.size or host.frames.file.size or host.graphs.file.size)


def _free_bytes(directory: str) -> float | None:
    try:
        return _two_digits(shutil.disk_usage(directory).free)
    except OSError:
        return None


def _two_digits(rate: float) -> float:
    """A rate rounded to two digits: more would change at every repaint."""
    return float(f"{rate:.1e}")
