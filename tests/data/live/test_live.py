"""A recording that arrives in pieces: every state on the way holds, and the last is the whole."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

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
    fingerprint,
    hosts_of,
    load,
    replace_file,
    sizes,
)
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.recordings.record import Library

LIMITS = (512, 5000, 4 << 20)

ALL_EVERY = 7
"""Steps of reading after which the whole verdict is asked for on the way."""


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


# ------------------------------------------------------------------ files that change under us


def _file_of(directory: Path, suffix: str) -> Path:
    [path] = directory.glob(f"tfdbg_events.*.{suffix}")
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_replaced_file_is_read_anew(
    copy_of: Callable[[str], Path], library: Library, suffix: str
) -> None:
    path = copy_of("full_health")
    logdir = load(path)
    replace_file(_file_of(path, suffix), _file_of(library.path("while_loop"), suffix).read_bytes())
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
