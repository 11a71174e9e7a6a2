"""Folders for their owner alone, files under names that nobody has, whatever lies there already."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tfdbg_tui.record import private_files
from tfdbg_tui.record.private_files import (
    make_folder,
    make_new_folder,
    open_new_file,
    remove_empty,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=[0, 0o022, 0o077, 0o277, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def test_a_folder_and_its_parents_are_their_owners_alone(tmp_path: Path, umask: int) -> None:
    tmp_path.chmod(0o755)
    made = make_folder(tmp_path / "a" / "b" / "c")
    assert made == (tmp_path / "a", tmp_path / "a" / "b", tmp_path / "a" / "b" / "c")
    assert {mode_of(folder) for folder in made} == {0o700}
    assert mode_of(tmp_path) == 0o755


def test_a_numbered_folder_is_too(tmp_path: Path, umask: int) -> None:
    assert make_new_folder(tmp_path / "run") == tmp_path / "run-2"
    assert make_new_folder(tmp_path / "run") == tmp_path / "run-3"
    assert mode_of(tmp_path / "run-3") == 0o700


def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir(mode=0o755)
    (tmp_path / "link").symlink_to(tmp_path / "theirs")
    assert make_folder(tmp_path / "theirs") == make_folder(tmp_path / "link") == ()
    assert mode_of(tmp_path / "theirs") == 0o755
    assert make_folder(tmp_path / "link" / "new") == (tmp_path / "link" / "new",)
    assert mode_of(tmp_path / "theirs" / "new") == 0o700


def test_a_path_may_go_up_again(tmp_path: Path) -> None:
    made = make_folder(tmp_path / "a" / ".." / "b")
    assert (tmp_path / "b").is_dir()
    remove_empty(made)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_folder_is_an_error_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for path in (tmp_path / "file", tmp_path / "file" / "x"):
        with pytest.raises(NotADirectoryError):
            make_folder(path)
    with pytest.raises(FileExistsError):
        make_folder(tmp_path / "dangling")
    with pytest.raises(OSError, match="too long"):
        make_folder(tmp_path / "new" / "folders" / ("x" * 300))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dangling", "file"]
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_that_somebody_else_makes_meanwhile_is_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = tmp_path / "a" / "b"
    make = private_files._make

    def too_late(folder: Path) -> None:
        monkeypatch.setattr(private_files, "_make", make)
        folder.mkdir(mode=0o755)
        make(folder)

    monkeypatch.setattr(private_files, "_make", too_late)
    assert make_folder(wanted) == (wanted,)
    assert mode_of(tmp_path / "a") == 0o755


@pytest.mark.parametrize("kind", ["file", "folder", "link", "dangling link"])
def test_names_that_are_taken_stay_as_they_are(tmp_path: Path, kind: str) -> None:
    (tmp_path / "theirs").mkdir()
    for name in ("output.txt", "run-2"):
        path = tmp_path / name
        if kind == "file":
            path.write_text("precious")
        elif kind == "folder":
            path.mkdir()
        else:
            path.symlink_to(tmp_path / ("theirs" if kind == "link" else "nowhere"))
    path, file = open_new_file(tmp_path / "output.txt")
    with file:
        file.write(b"mine")
    assert path == tmp_path / "output-2.txt"
    assert path.read_text() == "mine"
    assert make_new_folder(tmp_path / "run") == tmp_path / "run-3"
    assert list((tmp_path / "theirs").iterdir()) == []
    assert not (tmp_path / "nowhere").exists()
    assert kind != "file" or (tmp_path / "output.txt").read_text() == "precious"


def test_a_file_is_not_inherited_by_other_programs(tmp_path: Path) -> None:
    _, file = open_new_file(tmp_path / "output.txt")
    with file:
        assert not os.get_inheritable(file.fileno())


def test_only_empty_folders_are_removed(tmp_path: Path) -> None:
    made = make_folder(tmp_path / "a" / "b" / "c")
    (tmp_path / "a" / "file").write_text("precious")
    remove_empty(made)
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["file"]
    remove_empty([Path(tmp_path / "a")])
    assert (tmp_path / "a" / "file").exists()
