"""The bridge between the data engine and the screen: one thread that reads, and tells.

Everything that takes time happens here, in slices short enough that a key press never waits
behind it: searching for runs, reading them, and what jobs (indexes, searches) make of it.
The screen gets frozen snapshots, a few a second at most, and none when nothing is new.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.data.live.jobs import Jobs
from tfdbg_tui.data.live.reader import Reader
from tfdbg_tui.data.live.run_activity import RunActivities
from tfdbg_tui.data.live.snapshot import Activity, RunState, Snapshot
from tfdbg_tui.data.live.watch import Watch
from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.words import reason_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.live.jobs import Job, WantedJobs
    from tfdbg_tui.data.live.run_activity import Stall
    from tfdbg_tui.data.stores.logdir import Logdir

GIL_PAUSE = 0.0005
"""Seconds to sleep between turns so that other threads get the GIL."""

REPAINT_INTERVAL = 0.25
"""Seconds between snapshots at least."""

FIRST_DATA_AFTER = 0.05
"""Seconds of loading after which the screen gets what is there: a small logdir is read by then."""

PAINT_TIME = 0.15
"""Seconds after a snapshot in which nothing is done that nobody waits for: it is painted."""

UNSETTLED_INTERVAL = 1.0
"""Seconds between snapshots at most while a run may yet fall silent or end."""

IDLE_INTERVAL = 3600.0
"""Seconds to wait when only a call of another thread can change anything."""

JOIN_TIMEOUT = 0.3
"""Seconds that stopping waits at most for the slice that is being worked on."""


class Feed:
    """Reads a logdir as it grows, in a thread of its own, and tells of it.

    `tell` is called in that thread and must not wait for another.
    """

    def __init__(
        self,
        logdir: Logdir,
        tell: Callable[[Snapshot], None],
        poll: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
        stall: Stall | None = None,
    ) -> None:
        self._logdir = logdir
        self._tell = tell
        self._clock = clock
        self._watch = Watch(Path(logdir.path), self._hear, poll)
        self._activities = RunActivities(clock, wall_clock, stall=stall)
        self._reader = Reader(logdir, self._watch, self._activities, clock)
        self._jobs = Jobs()
        self._signal = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tfdbg-feed", daemon=True)
        # Set by any thread, cleared by the feed's own.
        self._paused = False
        self._heard = False
        self._wanted = False
        self._urgent = True
        self._is_awaited = False
        # For the feed's own thread.
        self._last: Snapshot | None = None
        self._started_at = self._told_at = self._composed_at = clock()
        self._burst_began: float | None = None
        self._unsaid = False
        self._showed_first_data = False

    # ------------------------------------------------------------------ for any thread

    @property
    def paused(self) -> bool:
        """Whether reading rests."""
        return self._paused

    def start(self) -> None:
        """Begin to read."""
        self._watch.start()
        self._thread.start()

    def stop(self) -> None:
        """End the thread, after the slice that is being worked on."""
        self._stopping.set()
        self._signal.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(JOIN_TIMEOUT)
        self._watch.stop()

    def pause(self) -> None:
        """Let reading rest; jobs go on with what is read."""
        self._set_paused(True)

    def resume(self) -> None:
        """Go on reading."""
        self._set_paused(False)

    def wake(self) -> None:
        """Look at everything as soon as possible."""
        self._wanted = True
        self._signal.set()

    def set_jobs(self, wanted: WantedJobs) -> None:
        """Keep these jobs going, and no others; tell at once what awaited ones did first."""
        self._jobs.set_all(wanted)
        self._is_awaited |= wanted.is_awaited
        self._signal.set()

    def add(self, job: Job) -> None:
        """Add a job, or restart it."""
        self._jobs.change((), (job,))
        self._signal.set()

    def remove(self, job: Job) -> None:
        """Remove a job."""
        self._jobs.change((job,), ())
        self._signal.set()

    def _set_paused(self, paused: bool) -> None:
        self._wanted |= self._paused and not paused
        self._paused, self._urgent = paused, True
        self._signal.set()

    def _hear(self) -> None:
        if not self._heard:  # there may be thousands of changes a second
            self._heard = True
            self._signal.set()

    # ------------------------------------------------------------------ the feed's own thread

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._signal.clear()
            try:
                seconds = self.advance()
            except Exception as error:
                self._complain(error)
                seconds = self._watch.interval
            if seconds > 0:
                self._signal.wait(seconds)
            else:
                time.sleep(GIL_PAUSE)

    def advance(self) -> float:
        """Do a turn of all that is due; returns in how many seconds there is more to do."""
        if self._last is None:
            self._started_at = self._clock()
            self._reader.look_at_folder()
            self._report()
        if self._paused:
            self._watch.hear_writes(False)
        else:
            self._unsaid |= self._read()
            if not self._reader.is_loading:
                self._unsaid |= self._activities.look_for_programs()
        is_awaited, self._is_awaited = self._is_awaited, False
        self._unsaid |= self._jobs.work(self._clock() >= self._quiet_at)
        self._urgent |= is_awaited
        self._note_burst()
        self._report()
        return max(0.0, self._next_at() - self._clock())

    def _read(self) -> bool:
        """Read for one turn if that is due; True if anything has changed."""
        if self._heard or self._wanted:
            self._read_soon()
        if self._clock() < self._reader.next_at():
            return False
        self._heard = False  # what is heard from now on may not be read in this turn
        revision, was_loading = self._reader.revision, self._reader.is_loading
        self._reader.turn()
        changed = self._reader.revision != revision
        if changed:
            self._jobs.wake_all()
        if was_loading:
            self._report_soon()
        return changed

    def _read_soon(self) -> None:
        """Have the reader look at once at what was written, or at everything if that was asked."""
        everything, self._wanted = self._wanted, False
        self._reader.hurry(self._watch.take_names_changed() or everything)
        if everything:
            self._jobs.wake_all()

    def _report_soon(self) -> None:
        """Report at once when loading has ended, or has the first data to show."""
        if not self._reader.is_loading:
            self._urgent = True
        elif not self._showed_first_data:
            self._showed_first_data = self._clock() - self._started_at >= FIRST_DATA_AFTER
            self._urgent |= self._showed_first_data

    def _note_burst(self) -> None:
        """Remember when a burst of work began; half a burst is not painted."""
        is_busy = self._reader.is_reading or self._jobs.is_working
        if self._reader.is_loading or not is_busy:
            self._burst_began = None
        elif self._burst_began is None:
            self._burst_began = self._clock()

    def _next_at(self) -> float:
        """When there is something to do, if nobody calls."""
        now = self._clock()
        if self._jobs.is_pressing:
            return now
        reading = math.inf if self._paused else self._reader.next_at()
        patient = max(now, self._quiet_at) if self._jobs.is_working else math.inf
        return min(reading, self._next_report(), patient, now + IDLE_INTERVAL)

    @property
    def _quiet_at(self) -> float:
        """When what was told last is painted."""
        return self._told_at + PAINT_TIME

    # ------------------------------------------------------------------ telling

    def _report(self) -> None:
        """Tell what is new, if the screen has had time for what it was told last."""
        now = self._clock()
        if not self._urgent and now < self._next_report():
            return
        self._urgent = self._unsaid = False
        self._composed_at = now
        self._reader.settle()
        self._say(self._snapshot())

    def _next_report(self) -> float:
        """When to report next: a while after something changed, or when a run may have ended."""
        if self._unsaid:
            return max(self._told_at, self._burst_began or 0.0) + REPAINT_INTERVAL
        if self._paused or self._activities.all_ended:
            return math.inf
        return self._composed_at + UNSETTLED_INTERVAL

    def _complain(self, error: Exception) -> None:
        """Report an unexpected error in one sentence; all else goes on."""
        last = self._last or Snapshot(self._logdir.path, exists=False, activity=Activity.WAITING)
        sentence = sanitise(f"Something unexpected happened: {reason_of(error)}.")
        with contextlib.suppress(Exception):  # it may be the telling that fails
            self._say(last._replace(failure=sentence))

    def _say(self, snapshot: Snapshot) -> None:
        if snapshot != self._last and not self._stopping.is_set():
            self._last, self._told_at = snapshot, self._clock()
            self._tell(snapshot)

    def _snapshot(self) -> Snapshot:
        reader, jobs = self._reader, self._jobs
        failure = reader.failure or jobs.failure
        if self._paused and self._last is not None:
            snapshot = self._last._replace(
                activity=Activity.PAUSED, runs=tuple(map(_at_rest, self._last.runs))
            )
        else:
            snapshot = self._composed()
        return snapshot._replace(
            failure=None if failure is None else sanitise(failure),
            extended=jobs.slices,
            details_extended=jobs.detail_slices,
            working=jobs.is_working,
        )

    def _composed(self) -> Snapshot:
        reader, logdir = self._reader, self._logdir
        runs = self._activities.states(logdir.runs)
        read_bytes, total_bytes = logdir.progress()
        return Snapshot(
            path=logdir.path,
            exists=reader.exists,
            activity=_activity(reader, runs),
            read_bytes=read_bytes,
            total_bytes=total_bytes,
            runs=runs,
            unreadable=tuple((sanitise(path), sanitise(why)) for path, why in reader.unreadable()),
            search_was_cut=logdir.search_was_cut,
            gone=reader.existed and not reader.exists,
            program=logdir.program,
        )


def _activity(reader: Reader, runs: tuple[RunState, ...]) -> Activity:
    if reader.is_loading and reader.exists:
        return Activity.LOADING
    if not runs:
        return Activity.WAITING
    return Activity.ENDED if all(run.ended for run in runs) else Activity.LIVE


def _at_rest(run: RunState) -> RunState:
    """A run whose growth is not looked at."""
    return run._replace(growing=False, events_per_second=0.0, bytes_per_second=0.0, free_bytes=None)
