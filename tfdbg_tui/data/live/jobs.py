"""Work on what is read: indexes and searches, a slice at a time in the feed's thread."""

from __future__ import annotations

import threading
from typing import Protocol

from tfdbg_tui.words import reason_of


class Job(Protocol):
    """Work that follows the reading: an index, a search."""

    def extend(self) -> bool:
        """Work for a few milliseconds; True while there is more to do."""


class Jobs:
    """The jobs, and which of them have something to do."""

    def __init__(self) -> None:
        self.slices = 0
        """Slices of work done so far."""
        self._lock = threading.Lock()
        self._jobs: tuple[Job, ...] = ()
        # The rest is for the thread that works.
        self._known: tuple[Job, ...] = ()
        self._pending: list[Job] = []
        self._failures: dict[int, str] = {}

    def change(self, removed: tuple[Job, ...] | None, added: tuple[Job, ...]) -> None:
        """Remove some jobs, None for all, and add others; from any thread."""
        with self._lock:
            gone = set(map(id, self._jobs if removed is None else (*removed, *added)))
            kept = tuple(f for f in self._jobs if id(f) not in gone)
            self._jobs = kept + added

    @property
    def is_working(self) -> bool:
        """Whether any has more to do."""
        return bool(self._pending)

    @property
    def failure(self) -> str | None:
        """What went wrong when last tried."""
        return next(iter(self._failures.values()), None)

    def wake_all(self) -> None:
        """There is more to work on."""
        self._pending = list(self._jobs)

    def work(self) -> bool:
        """One slice for each that has something to do; False if none has."""
        self._restart_if_changed()
        worked = bool(self._pending)
        self._pending = [job for job in self._pending if self._extend(job)]
        return worked

    def _restart_if_changed(self) -> None:
        """Restart all jobs when the set changed; an idle one returns at once."""
        if self._known is not self._jobs:
            self._known = self._jobs
            numbers = set(map(id, self._known))
            self._failures = {n: why for n, why in self._failures.items() if n in numbers}
            self._pending = list(self._known)

    def _extend(self, job: Job) -> bool:
        self.slices += 1
        try:
            has_more = job.extend()
        except Exception as error:
            self._failures[id(job)] = f"{type(job).__name__} failed: {reason_of(error)}."
            return False
        self._failures.pop(id(job), None)
        return has_more
