"""A recording that arrives in pieces: every state on the way holds, and the last is the whole."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.recordings.fabricate import frame
from tests.recordings.reference import SUFFIXES
from tests.support.damage import PREFIX, event
from tests.support.reading import (
    PORTIONS,
    Copier,
    assert_consistent,
    assert_same,
    drain,
    event_stores,
    fingerprint,
    hosts_of,
    load,
    sizes,
    verdict_json,
)
from tfdbg_tui.data.files.tfrecord import RecordFile
from tfdbg_tui.data.stores.host import Host
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.stores.run import Run
from tfdbg_tui.verdict import judgement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.recordings.record import Library

LIMITS = (512, 5000, 4 << 20)

ALL_EVERY = 7
"""Steps of reading after which the whole verdict is asked for on the way."""

TIMEOUT_SECONDS = 60.0
"""For threads that wait for each other: a test fails rather than hangs."""


class Move(NamedTuple):
    """Append a portion of a file, then perhaps look."""

    file: int
    portions: int
    scan: bool
    limits: tuple[int, ...]
    """One `refresh` with each of these limits."""


MOVES = st.lists(
    st.builds(
        Move,
        file=st.integers(0, 11),
        portions=st.integers(1, PORTIONS),
        scan=st.booleans(),
        limits=st.lists(st.sampled_from(LIMITS), max_size=3).map(tuple),
    ),
    max_size=24,
)


@pytest.mark.parametrize(
    "scenario",
    ["full_health", "while_loop", "half_types_full", "killed", "two_runs", "mirrored"],
)
@settings(
    deadline=None,
    max_examples=12,
    derandomize=True,
    phases=[Phase.generate],  # an example takes half a second: shrinking would take minutes
    suppress_health_check=[HealthCheck.too_slow],
)
@given(moves=MOVES, last_limit=st.sampled_from(LIMITS[1:]))
def test_any_interleaving_ends_in_the_state_read_at_once(
    library: Library, scenario: str, moves: list[Move], last_limit: int
) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        copier = Copier(library.path(scenario), Path(scratch))
        logdir = Logdir(scratch)
        before = sizes(logdir)
        for number, move in enumerate(moves):
            name = copier.names[move.file % len(copier.names)]
            copier.append(name, move.portions * copier.portion(name))
            if move.scan:
                logdir.scan()
            for limit in move.limits:
                logdir.refresh(limit)
                assert_consistent(logdir, with_verdict=number % ALL_EVERY == 0)
                after = sizes(logdir)
                assert all(after[kind] >= count for kind, count in before.items())
                before = after
        copier.finish()
        drain(logdir, last_limit)
        assert_consistent(logdir)
        assert_same(logdir, load(Path(scratch)))


@pytest.mark.parametrize("limit", [100, 4096])
@pytest.mark.parametrize("scenario", ["same_second", "killed"])
def test_small_slices_read_the_same_as_large_ones(
    copy_of: Callable[[str], Path], scenario: str, limit: int
) -> None:
    path = copy_of(scenario)
    logdir = Logdir(path)
    drain(logdir, limit)
    assert_same(logdir, load(path))


@pytest.mark.parametrize("limit", [100, 1000, 4 << 20])
@pytest.mark.parametrize("lost", range(4))
def test_a_lost_source_keeps_its_place_in_slices_of_any_size(
    tmp_path: Path, limit: int, lost: int
) -> None:
    paths = [f"/{number}.py" for number in range(4)]
    records = [
        bytearray(frame(event(source_file={"file_path": path.encode(), "lines": [b"x" * 300]})))
        for path in paths
    ]
    records[lost][100] ^= 1
    (tmp_path / f"{PREFIX}.source_files").write_bytes(b"".join(records))
    logdir = Logdir(tmp_path)
    for _ in paths:
        drain(logdir, limit)
    found = [hosts_of(logdir)[0].sources.get(number) for number in range(4)]
    assert [source and source.path for source in found] == [*paths[:lost], None, *paths[lost + 1 :]]


def test_torn_files_that_grow_read_the_same_as_at_once(library: Library, tmp_path: Path) -> None:
    copier = Copier(library.path("same_second"), tmp_path)
    logdir = Logdir(tmp_path)
    for _ in range(PORTIONS + 1):
        for name in copier.names:
            copier.append(name, copier.portion(name))
        drain(logdir)
        assert_consistent(logdir)
    assert_same(logdir, load(tmp_path))


def test_appending_byte_by_byte_loses_nothing(library: Library, tmp_path: Path) -> None:
    """The steps need not be whole blocks: a network file system shows any prefix."""
    source = library.path("tf1_session")
    for path in source.glob("tfdbg_events.*"):
        if path.suffix != ".graph_execution_traces":
            shutil.copy(path, tmp_path)
    [traces] = source.glob("*.graph_execution_traces")
    content = traces.read_bytes()
    logdir = Logdir(tmp_path)
    with (tmp_path / traces.name).open("ab", buffering=0) as file:
        logdir.scan()
        for place in range(len(content)):
            file.write(content[place : place + 1])
            logdir.refresh()
    drain(logdir)
    assert_same(logdir, load(tmp_path))


# ------------------------------------------------------------------ a writer and readers at once


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
    _replace(file, b"")
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


# ------------------------------------------------------------------ files that change under us


def _replace(path: Path, content: bytes) -> None:
    """Put another file in the place of one, as an editor or a sync tool does."""
    other = path.with_name("incoming")
    other.write_bytes(content)
    os.replace(other, path)  # noqa: PTH105 - what is tested


def _file_of(directory: Path, suffix: str) -> Path:
    [path] = directory.glob(f"tfdbg_events.*.{suffix}")
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_replaced_file_is_read_anew(
    copy_of: Callable[[str], Path], library: Library, suffix: str
) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    _replace(_file_of(path, suffix), _file_of(library.path("while_loop"), suffix).read_bytes())
    drain(logdir)
    assert_consistent(logdir)
    assert_same(logdir, load(path))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_truncated_file_is_read_anew_and_again_when_it_grows(
    copy_of: Callable[[str], Path], suffix: str
) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    whole = fingerprint(logdir)
    file = _file_of(path, suffix)
    content = file.read_bytes()
    os.truncate(file, len(content) // 2)
    drain(logdir)
    assert_same(logdir, load(path))
    with file.open("ab") as regrown:
        regrown.write(content[len(content) // 2 :])
    drain(logdir)
    assert fingerprint(logdir) == whole


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_rewritten_in_place_is_read_anew(
    copy_of: Callable[[str], Path], library: Library, suffix: str
) -> None:
    """Truncated and grown past its old size by another run between two looks."""
    path = copy_of("tf1_session")
    logdir = load(path)
    content = _file_of(library.path("while_loop"), suffix).read_bytes()
    _file_of(path, suffix).write_bytes(content)
    drain(logdir)
    assert_same(logdir, load(path))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_was_read_of_a_deleted_file_stays_readable(
    copy_of: Callable[[str], Path], suffix: str
) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    file = _file_of(path, suffix)
    content = file.read_bytes()
    before = fingerprint(logdir)
    file.unlink()
    drain(logdir)
    assert hosts_of(logdir)[0].damage().missing_files == (file.name,)
    after = fingerprint(logdir)
    [then], [now] = before["runs"], after["runs"]
    assert all(now[key] == then[key] for key in ("counts", "metadata", "alerts"))
    [then], [now] = then["hosts"], now["hosts"]
    assert all(now[key] == then[key] for key in ("source_lines", "frames", "graphs", "events"))
    file.write_bytes(content)
    drain(logdir)
    assert fingerprint(logdir) == before


def test_a_directory_that_vanishes_leaves_what_was_read(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    counts = logdir.runs[0].counts()
    shutil.rmtree(path)
    drain(logdir)
    assert_consistent(logdir)
    assert logdir.runs[0].counts() == counts
    assert len(hosts_of(logdir)[0].damage().missing_files) == len(SUFFIXES)
