"""Wakes the feed when watchdog reports a change in the logdir.

It saves waiting, nothing depends on it: a slow poll stands behind it, because network file
systems send no events, limits are reached and rights are missing. Importing watchdog takes a
while and it spends 0.1 ms and more on every event, so it is kept away from the first paint, and
from writes while there are so many that a reader looks often anyway.
"""

from __future__ import annotations

import contextlib
import logging
import os
import stat
import threading
import time
import warnings
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers.api import BaseObserver

POLL_INTERVAL = 1.0
"""Seconds between looks at the disk when no event came."""

FIRST_POLL_INTERVAL = 0.25
"""The same as long as watchdog has not begun to watch."""

START_DELAY = 0.5
"""Seconds to wait before importing watchdog, so that it does not delay the first paint."""

CHECK_INTERVAL = 1.0
"""Seconds between checks that the watched folder is still the right one."""

CHECK_REST = 0.05
"""Seconds between two such checks at least, however many folders come and go."""

RETRY_AFTER = 60.0
"""Seconds before watching is tried again where the system refused it."""

MAX_FOLDERS = 1000
"""Folders that are watched at once; the system has a limit for each user."""

MAX_ENTRIES = 100_000
"""Files and folders that are counted at most to find out how many folders there are."""

STOP_TIMEOUT = 0.2
"""Seconds that stopping takes at most; watchdog's threads may take longer to end by themselves."""


class _Target(NamedTuple):
    """What is to be watched."""

    folder: str
    identity: tuple[int, int]
    """Device and inode: a folder of the same name may be another one."""
    is_logdir: bool
    """Whether it is the logdir itself and not the nearest folder above one yet to come."""
    writes: bool


class Watch:
    """Calls `wake`, from a thread of its own, when something has changed in a folder."""

    def __init__(self, path: Path, wake: Callable[[], None], poll: float | None = None) -> None:
        self._path = Path(os.path.abspath(path))  # noqa: PTH100 - leaves links alone
        self._wake = wake
        self._poll = poll
        self._writes = True
        self._names_changed = threading.Event()
        self._folders_created = 0
        self._observer: BaseObserver | None = None
        self._target: _Target | None = None
        self._retry_at = 0.0
        self._tried = False
        self._nudged = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tfdbg-watch", daemon=True)

    @property
    def polls_only(self) -> bool:
        """Whether the user wants polling, at the interval given."""
        return self._poll is not None

    @property
    def interval(self) -> float:
        """Seconds after which to look at the disk though nothing was heard."""
        if self._poll is not None:
            return self._poll
        return POLL_INTERVAL if self._tried else FIRST_POLL_INTERVAL

    @property
    def is_listening(self) -> bool:
        """Whether changes in the logdir are heard."""
        target = self._target
        return self._observer is not None and target is not None and target.is_logdir

    def start(self) -> None:
        """Begin to watch, unless polling is wanted."""
        if self._poll is None:
            self._thread.start()

    def stop(self) -> None:
        """End the threads."""
        self._stopping.set()
        self._nudged.set()
        if self._thread.is_alive():
            self._thread.join(STOP_TIMEOUT)

    def hear_writes(self, wanted: bool) -> None:
        """Say whether writes to files matter; files and folders that come and go always do."""
        if wanted != self._writes:
            self._writes = wanted
            self._nudged.set()

    def take_names_changed(self) -> bool:
        """Whether files or folders have come or gone since this was last asked."""
        changed = self._names_changed.is_set()
        self._names_changed.clear()
        return changed

    # ------------------------------------------------------------------ the thread

    def _run(self) -> None:
        self._stopping.wait(START_DELAY)
        _silence_watchdog()
        while not self._stopping.is_set():
            self._nudged.clear()
            self._follow()
            self._tried = True
            self._nudged.wait(CHECK_INTERVAL)
            self._stopping.wait(CHECK_REST)
        _stop(self._observer)
        self._observer = None

    def _follow(self) -> None:
        """Watch the logdir, or the nearest folder above it, unless that is watched already."""
        target = _nearest(self._path, self._writes)
        if target == self._target and not self._must_begin_anew():
            return
        previous, known = self._observer, self._target
        self._folders_created = 0
        self._observer = None if target is None else self._observe(target)
        self._retry_at = time.monotonic() + RETRY_AFTER
        _stop(previous)
        if target is None or known is None or target.identity != known.identity:
            self._names_changed.set()
        self._wake()  # for what happened in between
        self._target = target
        self._nudged.set()  # to see whether this still is what should be watched

    def _must_begin_anew(self) -> bool:
        if self._observer is None:
            return time.monotonic() >= self._retry_at
        # An emitter ends when its folder is deleted.
        alive = [self._observer, *self._observer.emitters]
        return self._folders_created > MAX_FOLDERS or not all(t.is_alive() for t in alive)

    def _observe(self, target: _Target) -> BaseObserver | None:
        """Start a watchdog observer; None where that fails, and polling has to do."""
        if target.is_logdir and not has_few_folders(target.folder):
            return None
        observer = None
        try:
            observer = _new_observer()
            if observer is not None:
                handler = _handler(self._hear if target.is_logdir else self._hear_above)
                observer.schedule(
                    handler,
                    target.folder,
                    recursive=target.is_logdir,
                    event_filter=_kinds(target.writes and target.is_logdir),
                )
                observer.start()
        except Exception:  # limits, rights, no more threads: watchdog raises many kinds
            _stop(observer)
            return None
        return observer

    def _hear(self, event: FileSystemEvent) -> None:
        if event.event_type != "modified":
            self._names_changed.set()
            self._folders_created += event.is_directory
            self._nudged.set()
        self._wake()

    def _hear_above(self, event: FileSystemEvent) -> None:
        self._nudged.set()


def has_few_folders(path: str) -> bool:
    """Whether a folder and those below it are few enough to be watched."""
    pending, folders, entries = [path], 1, 0
    while pending and folders <= MAX_FOLDERS and entries <= MAX_ENTRIES:
        for entry in _entries(pending.pop()):
            entries += 1
            if entry.is_dir(follow_symlinks=False):
                folders += 1
                pending.append(entry.path)
    return not pending


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """What is in a folder, up to the most that is counted; nothing where it may not be listed."""
    try:
        with os.scandir(folder) as found:
            return list(islice(found, MAX_ENTRIES + 1))
    except OSError:
        return []


def _nearest(path: Path, writes: bool) -> _Target | None:
    """A folder or, where it is not there, the nearest one above it."""
    for folder in (path, *path.parents):
        real = Path(os.path.realpath(folder))  # a link itself would be watched, not its target
        identity = _identity(real)
        if identity is not None:
            return _Target(str(real), identity, folder is path, writes)
    return None


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        found = folder.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISDIR(found.st_mode) else None


def _silence_watchdog() -> None:
    """Silence its log: a warning about folders that come quickly would spoil the screen."""
    log = logging.getLogger("watchdog")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")


def _new_observer() -> BaseObserver | None:
    from watchdog.observers import Observer

    if getattr(Observer, "__name__", "") == "PollingObserver":
        return None  # it walks the tree every second: our own poll costs less
    return Observer()


def _handler(hear: Callable[[FileSystemEvent], None]) -> FileSystemEventHandler:
    from watchdog.events import FileSystemEventHandler

    class Handler(FileSystemEventHandler):
        def dispatch(self, event: FileSystemEvent) -> None:
            hear(event)

    return Handler()


def _kinds(writes: bool) -> list[type[FileSystemEvent]]:
    """The events that matter; without those that our own reading makes."""
    from watchdog import events

    names: list[type[FileSystemEvent]] = [
        events.FileCreatedEvent,
        events.FileDeletedEvent,
        events.FileMovedEvent,
        events.DirCreatedEvent,
        events.DirDeletedEvent,
        events.DirMovedEvent,
    ]
    return [*names, events.FileModifiedEvent] if writes else names


def _stop(observer: BaseObserver | None) -> None:
    """End an observer and its threads, started or not."""
    if observer is not None:
        with contextlib.suppress(Exception):  # one that failed may fail again
            observer.stop()
        if observer.is_alive():
            observer.join(STOP_TIMEOUT)
