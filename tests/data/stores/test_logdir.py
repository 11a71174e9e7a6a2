"""Which runs and hosts are found in a directory, and how they come and go."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.recordings.fabricate import frame
from tests.recordings.reference import SUFFIXES, expected_alerts
from tfdbg_tui.data.records.debug_event_schema import message_class
from tfdbg_tui.data.stores.logdir import MAX_DEPTH, Logdir

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.files.read_ahead import ReadAhead
    from tfdbg_tui.data.stores.run import Run

HOST_FIELD = 2
MAX_RECORD = 1 << 20
"""Bytes; a record longer than the limit of a slice is read whole."""


def loaded(path: Path) -> Logdir:
    logdir = Logdir(path)
    logdir.load()
    return logdir


def only_run(path: Path) -> Run:
    (run,) = loaded(path).runs
    return run


def refresh_all(logdir: Logdir) -> None:
    logdir.scan()
    while logdir.refresh():
        pass


def add_host(recording: Path, name: str) -> list[Path]:
    """Copy a recording's files under another host's name: one run with two hosts."""
    copies = []
    for path in sorted(recording.iterdir()):
        parts = path.name.split(".")
        parts[HOST_FIELD] = name
        copies.append(path.with_name(".".join(parts)))
        shutil.copy(path, copies[-1])
    return copies


def write_metadata(directory: Path, second: int, host: str, run_id: bytes) -> Path:
    event = message_class("DebugEvent")(
        wall_time=float(second), debug_metadata={"tfdbg_run_id": run_id}
    )
    path = directory / f"tfdbg_events.{second}.{host}.metadata"
    path.write_bytes(frame(event.SerializeToString()))
    return path


# ---------------------------------------------------------------------- runs and hosts


def test_two_runs_in_one_directory_are_told_apart(library: Library) -> None:
    good, bad = loaded(library.path("two_runs")).runs
    assert good.run_id != bad.run_id
    assert (len(good.alerts) == 0, len(bad.alerts) > 0) == (True, True)
    assert good.started is not None
    assert bad.started is not None
    assert good.started < bad.started


def test_two_hosts_of_one_run_are_one_run(copy_of: Callable[[str], Path]) -> None:
    recording = copy_of("full_health")
    alone = only_run(recording)
    add_host(recording, "other.example.org")
    run = only_run(recording)
    assert run.run_id == alone.run_id
    assert set(run.host_names) == {*alone.host_names, "other.example.org"}
    assert run.counts() == {name: 2 * count for name, count in alone.counts().items()}
    assert len(run.alerts) == 2 * len(alone.alerts)
    assert {run.alerts[rank].host for rank in range(len(run.alerts))} == {0, 1}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_each_file_of_each_host_counts(copy_of: Callable[[str], Path], suffix: str) -> None:
    recording = copy_of("healthy")
    whole = only_run(recording).counts()
    copies = add_host(recording, "other")
    for path in copies:
        if path.suffix not in (".metadata", f".{suffix}"):
            path.unlink()
    counts = only_run(recording).counts()
    own = {
        "source_files": ["source_files"],
        "stack_frames": ["stack_frames"],
        "graphs": ["graphs", "graph_ops", "devices"],
        "execution": ["executions"],
        "graph_execution_traces": ["graph_executions"],
    }.get(suffix, [])
    assert counts == {name: (2 if name in own else 1) * whole[name] for name in whole}


def test_first_means_first_over_all_hosts(copy_of: Callable[[str], Path]) -> None:
    recording = copy_of("full_health")
    first = only_run(recording).alerts.first()
    add_host(recording, "a-host-that-sorts-first")
    merged = only_run(recording).alerts
    assert first is not None
    times = [merged[rank].wall_time for rank in range(len(merged))]
    assert times == sorted(times)
    assert times[:2] == [first.wall_time] * 2


def test_host_names_may_hold_dots(tmp_path: Path) -> None:
    write_metadata(tmp_path, 1, "node-1.example.org", b"run")
    assert only_run(tmp_path).host_names == ("node-1.example.org",)


# ---------------------------------------------------------------------- folders


def test_runs_below_a_parent_folder_are_found(library: Library, tmp_path: Path) -> None:
    for scenario, place in (("healthy", "a/b/c"), ("full_health", "d")):
        shutil.copytree(library.path(scenario), tmp_path / place)
    runs = {run.folder_in(str(tmp_path)): run for run in loaded(tmp_path).runs}
    assert runs.keys() == {"a/b/c", "d"}
    assert len(runs["d"].alerts) == len(expected_alerts(library.path("full_health")))
    assert len(runs["a/b/c"].alerts) == 0


def test_one_run_id_in_two_folders_is_two_runs(tmp_path: Path) -> None:
    for name in ("original", "copy"):
        (tmp_path / name).mkdir()
        write_metadata(tmp_path / name, 1, "vm", b"same")
    assert len(loaded(tmp_path).runs) == 2


def test_folders_are_searched_to_a_depth(tmp_path: Path) -> None:
    folder = tmp_path
    for level in range(MAX_DEPTH + 1):
        write_metadata(folder, 1, "vm", b"run %d" % level)
        folder = folder / "deeper"
        folder.mkdir()
    write_metadata(folder, 1, "vm", b"too deep")
    assert len(loaded(tmp_path).runs) == MAX_DEPTH + 1


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    write_metadata(tmp_path, 1, "vm", b"run")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    assert len(loaded(tmp_path).runs) == 1


def test_unrelated_files_are_ignored(tmp_path: Path) -> None:
    write_metadata(tmp_path, 1, "vm", b"run")
    for name in (
        "events.out.tfevents.1.vm",
        "tfdbg_events.1.vm.metadata.bak",
        "tfdbg_events.1.metadata",
        "tfdbg_events.x.vm.metadata",
        "my.tfdbg_events.1.vm.metadata",
        "tfdbg_events.1.vm.something",
        "checkpoint",
        "execution",
    ):
        (tmp_path / name).write_bytes(b"not a recording")
    (tmp_path / "plugins").mkdir()
    run = only_run(tmp_path)
    assert run.host_names == ("vm",)
    assert run.hosts[0].damage().corrupt_records == 0


def test_nothing_there_means_no_runs(tmp_path: Path) -> None:
    assert loaded(tmp_path).runs == ()
    assert loaded(tmp_path / "nowhere").runs == ()


# ---------------------------------------------------------------------- coming and going


def test_without_metadata_a_run_still_counts(copy_of: Callable[[str], Path]) -> None:
    recording = copy_of("full_health")
    whole = only_run(recording)
    (metadata,) = recording.glob("*.metadata")
    metadata.unlink()
    run = only_run(recording)
    assert (run.run_id, run.tensorflow_version, run.started) == (None, None, None)
    assert run.counts() == whole.counts()
    assert len(run.alerts) == len(whole.alerts)


def test_late_metadata_brings_hosts_together(copy_of: Callable[[str], Path]) -> None:
    recording = copy_of("full_health")
    add_host(recording, "other")
    whole = only_run(recording)
    late = sorted(recording.glob("*.metadata"))
    contents = [path.read_bytes() for path in late]
    for path in late:
        path.unlink()
    logdir = loaded(recording)
    assert [run.run_id for run in logdir.runs] == [None, None]
    for path, content in zip(late, contents, strict=True):
        path.write_bytes(content[:20])
        refresh_all(logdir)
        path.write_bytes(content)
        refresh_all(logdir)
    (run,) = logdir.runs
    assert (run.run_id, run.counts()) == (whole.run_id, whole.counts())
    assert len(run.alerts) == len(whole.alerts)


def test_metadata_that_is_emptied_and_comes_back_makes_no_second_run(tmp_path: Path) -> None:
    path = write_metadata(tmp_path, 1, "vm", b"run")
    content = path.read_bytes()
    logdir = loaded(tmp_path)
    for replacement in (b"", content):
        path.write_bytes(replacement)
        refresh_all(logdir)
        assert len(logdir.runs) == 1
    assert [run.run_id for run in logdir.runs] == ["run"]


def test_a_run_that_starts_later_appears(tmp_path: Path) -> None:
    logdir = loaded(tmp_path)
    for second, name in ((2, b"second"), (1, b"first"), (3, b"third")):
        write_metadata(tmp_path, second, "vm", name)
        refresh_all(logdir)
    assert [run.run_id for run in logdir.runs] == ["first", "second", "third"]


def test_files_that_vanish_keep_what_was_read(copy_of: Callable[[str], Path]) -> None:
    recording = copy_of("healthy")
    logdir = loaded(recording)
    counts = logdir.runs[0].counts()
    shutil.rmtree(recording)
    refresh_all(logdir)
    (run,) = logdir.runs
    assert run.counts() == counts
    assert len(run.hosts[0].damage().missing_files) == len(SUFFIXES)


def test_refresh_reads_no_more_than_its_limit(copy_of: Callable[[str], Path]) -> None:
    logdir = Logdir(copy_of("healthy"))
    logdir.scan()
    (host,) = logdir.runs[0].hosts
    before = {file.path: 0 for file in host.files()}
    limit = 4096
    while logdir.refresh(limit):
        for file in host.files():
            assert file.position - before[file.path] <= max(limit, MAX_RECORD)
            before[file.path] = file.position
    assert all(file.cut_bytes == 0 for file in host.files())


def test_loading_ends_while_a_program_keeps_writing(
    copy_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copy_of("full_health")
    (events,) = path.glob("*.execution")
    written = events.read_bytes()
    refresh = Logdir.refresh
    rounds = 0

    def refresh_and_write(logdir: Logdir, ahead: ReadAhead) -> bool:
        nonlocal rounds
        rounds += 1
        assert rounds < 100
        with events.open("ab") as file:
            file.write(written)
        return refresh(logdir, ahead=ahead)

    monkeypatch.setattr(Logdir, "refresh", refresh_and_write)
    logdir = Logdir(path)
    logdir.load()
    (run,) = logdir.runs
    assert run.counts()["executions"] >= 110
    assert run.alerts.unseen == 0
