"""Files and folders that the system denies, or that are something else: named, and survived."""

from __future__ import annotations

import errno
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.recordings.reference import SUFFIXES
from tests.support import damage
from tests.support.reading import assert_consistent, drain, hosts_of, load
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library

SCENARIO = "tf_data"


@pytest.fixture
def links(library: Library, tmp_path: Path) -> Path:
    """The recording as hard links: cheap to copy, and replacing a file leaves the original."""
    for path in library.path(SCENARIO).glob("tfdbg_events.*"):
        os.link(path, tmp_path / path.name)
    return tmp_path


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_without_permission_is_named(
    links: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    damage.deny(monkeypatch, "open", f".{suffix}")
    logdir = load(links)
    [host] = hosts_of(logdir)
    [(name, reason)] = host.damage().unreadable_files
    assert name.endswith(f".{suffix}")
    assert reason == "Permission denied"
    assert_consistent(logdir)


def test_a_directory_without_permission_is_named(
    links: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (links / "closed").mkdir()
    damage.deny(monkeypatch, "scandir", "closed")
    logdir = load(links)
    assert logdir.unreadable == {str(links / "closed"): "Permission denied"}
    assert len(logdir.runs) == 1


def test_a_disk_that_fails_while_reading_is_not_the_end(
    links: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logdir = Logdir(links)
    logdir.scan()

    def failing(*arguments: Any) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(os, "pread", failing)
        broken.setattr(os, "preadv", failing)
        logdir.refresh()
        assert_consistent(logdir)
    drain(logdir)
    assert logdir.runs[0].counts()["graph_executions"]


def test_a_directory_with_the_name_of_a_file_is_survived(links: Path) -> None:
    [file] = links.glob("*.graphs")
    file.unlink()
    file.mkdir()
    logdir = load(links)
    assert_consistent(logdir)
    assert logdir.runs[0].counts()["graph_executions"]


def test_a_logdir_that_is_no_directory_has_no_runs(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("no directory")
    logdir = load(path)
    assert not logdir.runs
    assert str(path) in logdir.unreadable
    assert not load(tmp_path / "nowhere").runs


def test_runs_below_a_parent_are_found_once_in_spite_of_symlink_loops(
    library: Library, tmp_path: Path
) -> None:
    for name in ("a/deep/er", "b"):
        (tmp_path / name).mkdir(parents=True)
        for path in library.path("tf1_session").glob("*"):
            shutil.copy(path, tmp_path / name)
    (tmp_path / "a" / "deep" / "up").symlink_to(tmp_path)
    (tmp_path / "itself").symlink_to(tmp_path / "itself")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    logdir = load(tmp_path)
    found = {run.directory for run in logdir.runs}
    assert found == {str(tmp_path / "a" / "deep" / "er"), str(tmp_path / "b")}
    assert len(logdir.runs) == 2
    assert_consistent(logdir)
