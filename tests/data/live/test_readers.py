"""A writer writes and readers read at once: what they see is whole at every moment."""

from __future__ import annotations

import itertools
import random
import shutil
import threading
from typing import TYPE_CHECKING, Any

import pytest

from tests.recordings.reference import SUFFIXES
from tests.support.reading import (
    PORTIONS,
    Copier,
    assert_same,
    drain,
    event_stores,
    hosts_of,
    load,
    replace_file,
    verdict_json,
)
from tfdbg_tui.data.files.tfrecord import RecordFile
from tfdbg_tui.data.stores.host import Host
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.stores.run import Run
from tfdbg_tui.verdict import judgement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.recordings.record import Library

TIMEOUT_SECONDS = 60.0
"""For threads that wait for each other: a test fails rather than hangs."""

ALL_EVERY = 7
"""Steps of reading after which the whole verdict is asked for on the way."""


class Helpers:
    """Threads that must all end well."""

    def __init__(self) -> None:
        self.errors: list[BaseException] = []
        self._threads: list[threading.Thread] = []

    def start(self, work: Callable[[], None]) -> None:
        """Run `work` in a thread of its own."""

        def watched() -> None:
            try:
                work()
            except BaseException as error:
                self.errors.append(error)

        thread = threading.Thread(target=watched, daemon=True)
        self._threads.append(thread)
        thread.start()

    def join(self) -> None:
        """Wait for all; raise what the first one raised."""
        for thread in self._threads:
            thread.join(TIMEOUT_SECONDS)
            assert not thread.is_alive()
        for error in self.errors:
            raise error


def _read_something(logdir: Logdir, chance: random.Random) -> None:
    """What a screen might ask for at any moment."""
    verdict_json(logdir)
    for host in hosts_of(logdir):
        for store in event_stores(host):
            if len(store):
                index = chance.randrange(len(store))
                found = store.read(index)  # type: ignore[attr-defined]
                assert found.wall_time == store.events["wall_time"][index]
            store.site_alerts.all()


@pytest.mark.parametrize("scenario", ["killed", "two_runs"])
def test_readers_may_read_while_a_writer_writes(
    library: Library, tmp_path: Path, scenario: str
) -> None:
    copier = Copier(library.path(scenario), tmp_path)
    logdir = Logdir(tmp_path)
    helpers, chance = Helpers(), random.Random(7)
    written, loaded, looked = threading.Event(), threading.Event(), threading.Event()

    def write() -> None:
        try:
            for _ in range(4 * PORTIONS):
                for name in copier.names:
                    copier.append(name, 1 + copier.portion(name) // 4)
                looked.clear()
                assert looked.wait(TIMEOUT_SECONDS)
            copier.finish()
        finally:
            written.set()

    def refresh() -> None:
        try:
            while not written.is_set():
                logdir.scan()
                logdir.refresh(5000)
                looked.set()
            drain(logdir)
        finally:
            looked.set()
            loaded.set()

    def read() -> None:
        while not loaded.is_set():
            _read_something(logdir, chance)

    for work in (write, refresh, read):
        helpers.start(work)
    helpers.join()
    assert_same(logdir, load(tmp_path))


@pytest.fixture
def reader_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Logdir]]:
    """Lets a reader look at listed logdirs at every step inside of scan() and refresh()."""
    watched: list[Logdir] = []
    looks = itertools.count()

    def look(logdir: Logdir) -> None:
        # The causes, which take longest, are found in what is read anyway.
        if next(looks) % ALL_EVERY:
            for run in logdir.runs:
                judgement.first_bad_of(run)
                judgement.is_unfinished(run)
                assert sum(run.counts().values()) >= 0
        else:
            verdict_json(logdir)

    def interrupted(owner: type[Any], name: str) -> None:
        original = getattr(owner, name)

        def wrapper(*arguments: Any, **more: Any) -> Any:
            for logdir in watched:
                look(logdir)
            return original(*arguments, **more)

        monkeypatch.setattr(owner, name, wrapper)

    interrupted(RecordFile, "look")
    interrupted(RecordFile, "read")
    interrupted(Run, "consist_of")
    interrupted(Host, "refresh")
    yield watched
    watched.clear()


def test_a_reader_in_the_middle_of_loading_sees_a_whole_state(
    library: Library, reader_in_the_middle: list[Logdir]
) -> None:
    logdir = Logdir(library.path("two_runs"))
    reader_in_the_middle.append(logdir)
    logdir.load()
    assert len(logdir.runs) == 2


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_reader_in_the_middle_of_a_replacement_sees_a_whole_state(
    copy_of: Callable[[str], Path], reader_in_the_middle: list[Logdir], suffix: str
) -> None:
    path = copy_of("eager_only" if suffix == "execution" else "full_health")
    logdir = load(path)
    [file] = path.glob(f"*.{suffix}")
    replace_file(file, b"")
    reader_in_the_middle.append(logdir)
    drain(logdir)
    assert len(logdir.runs) == 1


def test_a_second_host_may_appear_while_readers_read(
    copy_of: Callable[[str], Path], reader_in_the_middle: list[Logdir]
) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    # Sorted before the first host, so that the hosts of the run change places.
    for file in path.glob("tfdbg_events.*"):
        shutil.copy(file, file.with_name(file.name.replace(".vm.", ".aa.").replace("17", "16", 1)))
    expected = 2 * len(logdir.runs[0].alerts)
    reader_in_the_middle.append(logdir)
    drain(logdir)
    [run] = logdir.runs
    assert (len(run.hosts), len(run.alerts)) == (2, expected)
