"""Finding and reading the runs of a logdir, in turns of a few milliseconds.

A *round* reads what is on disk when it begins, one slice of every file of every run after the
other, then again of those that had more. What is written meanwhile is left for the next round: a
busy program would never let one end. Between rounds nothing happens before something was heard or
a poll is due, and what polls cost is kept to a small part of the time.
"""

from __future__ import annotations

import math
import os
import time
from collections import deque
from typing import TYPE_CHECKING

from tfdbg_tui.data.files.growing_file import FileState
from tfdbg_tui.data.files.read_buffers import READ_BUFFERS
from tfdbg_tui.words import reason_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.live.run_activity import RunActivities
    from tfdbg_tui.data.live.watch import Watch
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.data.stores.run import Run

BYTES_PER_SLICE = 2 << 20
"""Bytes of each file that are read at once."""

TURN = 0.02
"""Seconds of reading after which everything else gets its turn."""

READ_INTERVAL = 0.1
"""Seconds between rounds at least, however often something is heard."""

SCAN_INTERVAL = 0.25
"""Seconds between searches for runs at least, however many files come and go."""

IDLE_SHARE = 0.002
"""Part of a processor that polling takes at most: searches for runs, and looks at files."""

BUSY_SHARE = 0.1
"""The same while there is something to find."""

MAX_REST = 30.0
"""Seconds between polls at most, unless the user wants fewer, whatever they cost."""


class Pace:
    """When a job is done again: not too often, and for not too large a part of a processor."""

    def __init__(self) -> None:
        self._done_at = -math.inf
        self._cost = 0.0

    def next_at(self, interval: float, share: float) -> float:
        """When it is due."""
        return self._done_at + max(interval, min(self._cost / share, MAX_REST))

    def done(self, at: float, cost: float) -> None:
        """Take note that it was done and how many seconds of a processor it took."""
        self._done_at, self._cost = at, cost


class Reader:
    """Reads a logdir turn by turn; for one thread."""

    def __init__(
        self, logdir: Logdir, watch: Watch, activities: RunActivities, clock: Callable[[], float]
    ) -> None:
        self._logdir = logdir
        self._watch = watch
        self._activities = activities
        self._clock = clock
        self.exists = False
        """Whether the logdir is there."""
        self.existed = False
        """Whether it was ever there."""
        self.is_loading = True
        """Whether the first round goes on."""
        self.is_reading = True
        """Whether a round goes on."""
        self.revision = 0
        """Changes whenever something has been read, has come, gone or failed."""
        self._scans, self._rounds = Pace(), Pace()
        self._must_scan = self._must_read = True
        self._queue: deque[Run] = deque()
        self._target: int | None = None
        self._progressed = False
        self._spent = self._cost_of_looking = 0.0
        self._hosts: set[Host] = set()
        self._unsettled: set[Run] = set()
        self._scan_failure: str | None = None
        self._failures: dict[Run, str] = {}

    @property
    def failure(self) -> str | None:
        """What went wrong when last tried."""
        return self._scan_failure or next(iter(self._failures.values()), None)

    def hurry(self, names_changed: bool) -> None:
        """Look at the files as soon as possible, and for new ones if any came or went."""
        self._must_read = True
        self._must_scan |= names_changed

    def next_at(self) -> float:
        """When there is something to do."""
        return min(self._next_scan(), self._next_round())

    def turn(self) -> None:
        """Do a part of what is due."""
        if self._clock() >= self._next_scan():
            self._scan()
        if self._clock() >= self._next_round():
            self._read()

    def look_at_folder(self) -> None:
        """See whether the logdir is there."""
        existed, self.exists = self.exists, os.path.isdir(self._logdir.path)  # noqa: PTH112
        self.existed |= self.exists
        self.revision += self.exists != existed

    def settle(self) -> None:
        """Put the alerts that have arrived in order; while loading, that would take too long."""
        if not self.is_loading:
            for run in self._unsettled:
                run.settle()
            self._unsettled.clear()

    def unreadable(self) -> list[tuple[str, str]]:
        """Folders and files that the system denies, and why."""
        folders = [*self._logdir.unreadable.items()]
        files = [file for run in self._logdir.runs for host in run.hosts for file in host.files()]
        denied = [file for file in files if file.state is FileState.UNREADABLE]
        return folders + [(file.path, file.reason) for file in denied]

    # ------------------------------------------------------------------ when

    def _next_scan(self) -> float:
        poll = self._scans.next_at(self._watch.interval, IDLE_SHARE)
        if self._must_scan:
            return min(poll, self._scans.next_at(SCAN_INTERVAL, BUSY_SHARE))
        return poll

    def _next_round(self) -> float:
        if self.is_reading:
            return -math.inf
        poll = self._rounds.next_at(self._watch.interval, IDLE_SHARE)
        if self._must_read or self._expects_more():
            return min(poll, self._rounds.next_at(READ_INTERVAL, BUSY_SHARE))
        return poll

    def _expects_more(self) -> bool:
        """Whether to look often unasked; a user who wants polling gets it at that interval."""
        return not self._watch.polls_only and self._activities.any_growing

    # ------------------------------------------------------------------ searching

    def _scan(self) -> None:
        self._must_scan = False
        self.look_at_folder()
        before, start = self._findings(), time.thread_time()
        try:
            self._logdir.scan()
            self._scans.done(self._clock(), time.thread_time() - start)
            self._meet_hosts()
            self._scan_failure = None
        except Exception as error:
            self._scan_failure = f"Searching {self._logdir.path} failed: {reason_of(error)}."
            self._scans.done(self._clock(), time.thread_time() - start)
        self.revision += self._findings() != before

    def _findings(self) -> tuple[object, ...]:
        logdir = self._logdir
        programs = (logdir.program, *(run.program for run in logdir.runs))
        return (
            logdir.runs, programs, logdir.unreadable, logdir.search_was_cut, self._scan_failure,
        )  # fmt: skip

    def _meet_hosts(self) -> None:
        """Learn how large new hosts are and to which runs they belong, before reading any."""
        hosts = {host for run in self._logdir.runs for host in run.hosts}
        newcomers, self._hosts = hosts - self._hosts, hosts
        if newcomers:
            for host in newcomers:
                _learn_id(host)
            self._logdir.scan()  # groups them anew
            self._must_read = True
            self.revision += 1

    # ------------------------------------------------------------------ reading

    def _read(self) -> None:
        """Read for one turn."""
        end, start = self._clock() + TURN, time.thread_time()
        self.is_reading = True
        if not self._queue:
            self._begin_pass()
        while self._queue:
            self._progressed |= self._refresh(self._queue.popleft())
            if self._clock() >= end:
                break
        self._spent += time.thread_time() - start
        if not self._queue:
            self._end_pass()

    def _begin_pass(self) -> None:
        runs = self._logdir.runs
        if self._target is None:
            self._must_read = False  # what is heard from now on is for the next round
            self._queue.extend(runs)
        else:
            self._queue.extend(run for run in runs if run.is_unfinished)
        self._progressed, self._spent = False, 0.0

    def _refresh(self, run: Run) -> bool:
        try:
            read = run.refresh if self._target is None else run.read_on
            progressed, failure = read(BYTES_PER_SLICE), None
        except Exception as error:
            progressed = False
            failure = f"Reading {run.directory} failed: {reason_of(error)}."
        self.revision += failure != self._failures.get(run)
        if failure is not None:
            self._failures[run] = failure
        else:
            self._failures.pop(run, None)
        if progressed:
            self.revision += 1
            self._unsettled.add(run)
        return progressed

    def _end_pass(self) -> None:
        """Every file had its slice: see whether all is read that was there."""
        self._must_scan |= any(run.has_new_id for run in self._logdir.runs)  # groups anew
        if not self._progressed:
            self._cost_of_looking = self._spent
        read, total = self._logdir.progress()
        if self._target is None:
            self._target = total
        if not self._progressed or read >= self._target:
            self._end_round()
        else:
            self._activities.look(self._logdir.runs, all_read=False)

    def _end_round(self) -> None:
        runs = self._logdir.runs
        self.is_reading, self._target = False, None
        self._failures = {run: why for run, why in self._failures.items() if run in runs}
        self._unsettled.intersection_update(runs)
        self.look_at_folder()
        self._activities.look(runs, all_read=True)
        if self.is_loading:
            self.is_loading = False
            self.settle()
            self._logdir.rest()
        READ_BUFFERS.release()
        self._rounds.done(self._clock(), self._cost_of_looking)
        self._watch.hear_writes(not self._activities.any_growing)


def _learn_id(host: Host) -> None:
    for file in host.files():
        file.look()
    block = host.metadata.file.read()
    if block is not None:
        host.metadata.extend(block)
