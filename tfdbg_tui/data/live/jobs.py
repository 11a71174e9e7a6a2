"""Work on what is read: indexes and searches, a slice at a time in the feed's thread."""

from __future__ import annotations

import threading
from typing import Protocol

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.words import reason_of


class Job(Protocol):
    """Work that follows the reading: an index, a search."""

    def extend(self) -> bool:
        """Work for a few milliseconds; True while there is more to do."""


class WantedJobs(NamedTuple):
    """What the screen wants to be kept up to date."""

    jobs: tuple[Job, ...] = ()
    details: tuple[Job, ...] = ()
    """Those that are about the selection alone: lists need not be drawn anew for them."""
    patient: tuple[Job, ...] = ()
    """Those that nobody waits for: they work when nothing else is to do, and nothing is painted."""
    restarted: tuple[Job, ...] = ()
    """Those of them that have come by more to do."""
    is_awaited: bool = False
    """Whether the user waits for what they do first."""

    def begun(self, restarted: tuple[Job, ...], is_awaited: bool) -> WantedJobs:
        """The same, some of which begin again."""
        return self._replace(restarted=restarted, is_awaited=is_awaited)


class Jobs:
    """The jobs, and which of them have something to do."""

    def __init__(self) -> None:
        self.slices = 0
        """Slices of work done so far for what lists and titles show."""
        self.detail_slices = 0
        """The same for what is shown of the selection alone."""
        self._lock = threading.Lock()
        self._jobs: tuple[Job, ...] = ()
        self._details: frozenset[int] = frozenset()
        self._patient: frozenset[int] = frozenset()
        self._new: frozenset[int] = frozenset()
        """Those that have to begin, or to begin again."""
        # The rest is for the thread that works.
        self._known: tuple[Job, ...] = ()
        self._pending: list[Job] = []
        self._failures: dict[int, str] = {}

    def set_all(self, wanted: WantedJobs) -> None:
        """Have these jobs and no others; from any thread."""
        with self._lock:
            there = set(map(id, self._jobs))
            self._jobs = wanted.jobs + wanted.details + wanted.patient
            self._details = frozenset(map(id, wanted.details))
            self._patient = frozenset(map(id, wanted.patient))
            self._new |= frozenset(map(id, self._jobs)) - there
            self._new |= frozenset(map(id, wanted.restarted))

    def change(self, removed: tuple[Job, ...], added: tuple[Job, ...]) -> None:
        """Remove some jobs and add others, or have them begin again; from any thread."""
        with self._lock:
            gone = set(map(id, (*removed, *added)))
            kept = tuple(f for f in self._jobs if id(f) not in gone)
            self._jobs = kept + added
            self._new |= frozenset(map(id, added))

    @property
    def is_working(self) -> bool:
        """Whether any has more to do."""
        return bool(self._pending)

    @property
    def is_pressing(self) -> bool:
        """Whether any that somebody may wait for has more to do."""
        return any(id(job) not in self._patient for job in self._pending) or bool(self._new)

    @property
    def failure(self) -> str | None:
        """What went wrong when last tried."""
        return next(iter(self._failures.values()), None)

    def wake_all(self) -> None:
        """There is more to work on."""
        self._pending = list(self._jobs)

    def work(self, is_quiet: bool = True) -> bool:
        """One slice for each that has something to do; False if there is nothing new.

        Patient ones wait until all others have nothing to do, and until it is quiet.
        """
        had_failed = self.failure is not None
        self._take_note_of_changes()
        waits = not is_quiet or self.is_pressing
        now = [job for job in self._pending if not (waits and id(job) in self._patient)]
        worked = bool(now) or (had_failed and self.failure is None)
        done = {id(job) for job in now if not self._extend(job)}
        self._pending = [job for job in self._pending if id(job) not in done]
        return worked

    def _take_note_of_changes(self) -> None:
        """Begin what is new, and leave what is gone."""
        if self._known is self._jobs and not self._new:
            return
        with self._lock:
            self._known, new, self._new = self._jobs, self._new, frozenset()
        numbers = set(map(id, self._known))
        self._failures = {n: why for n, why in self._failures.items() if n in numbers}
        begun = new | set(map(id, self._pending))
        self._pending = [job for job in self._known if id(job) in begun]

    def _extend(self, job: Job) -> bool:
        try:
            has_more = job.extend()
        except Exception as error:
            self._failures[id(job)] = f"{type(job).__name__} failed: {reason_of(error)}."
            has_more = False
        else:
            self._failures.pop(id(job), None)
        if id(job) in self._details:
            self.detail_slices += 1
        elif id(job) not in self._patient or not has_more:  # what is half found is not shown
            self.slices += 1
        return has_more
