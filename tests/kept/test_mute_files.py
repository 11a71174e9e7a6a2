"""Where it is kept what is muted: one file a logdir, whole or not at all, for its owner alone."""

from __future__ import annotations

import asyncio
import os
import stat
from typing import TYPE_CHECKING

import pytest

from tfdbg_tui.data.cause.mutes import Mutes, read_mutes
from tfdbg_tui.errors import UserError
from tfdbg_tui.kept import mute_files

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))


def test_what_is_kept_is_muted_again_wherever_it_is_opened_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logdir = tmp_path / "my runs" / "42"
    logdir.mkdir(parents=True)
    keeper = mute_files.keeper_of(logdir)
    assert keeper.kept == Mutes()
    assert mute_files.write(keeper.path, Mutes().adding("op=Log"), logdir) is None
    monkeypatch.chdir(logdir.parent)
    again = mute_files.keeper_of(type(logdir)("42"))
    assert again.path == keeper.path
    assert [rule.text for rule in again.kept.rules] == ["op=Log"]
    assert keeper.path.name.startswith("42-")
    assert not list(logdir.iterdir()), "nothing is written into the logdir"
    assert mute_files.keeper_of(tmp_path / "other" / "42").path != keeper.path


def test_the_file_is_for_its_owner_alone_and_leaves_no_other_behind(tmp_path: Path) -> None:
    path = mute_files.file_of(tmp_path)
    mute_files.write(path, Mutes().adding("op=Log"), tmp_path)
    mute_files.write(path, Mutes().adding("op=Log").adding("op=Exp"), tmp_path)
    assert list(path.parent.iterdir()) == [path]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_file_of_ones_own_keeps_its_rights_its_comments_and_its_links(tmp_path: Path) -> None:
    shared, link = tmp_path / "shared.mute", tmp_path / "link.mute"
    shared.write_text("# ours\nop=Log  # why\n")
    shared.chmod(0o644)
    link.symlink_to(shared)
    keeper = mute_files.keeper_of(tmp_path, str(link))
    assert mute_files.write(link, keeper.kept.adding("op=Exp"), tmp_path) is None
    assert shared.read_text() == "# ours\nop=Log  # why\nop=Exp\n"
    assert stat.S_IMODE(shared.stat().st_mode) == 0o644
    assert link.is_symlink()


def test_hostile_logdirs_have_plain_files(tmp_path: Path) -> None:
    for name in ("\x1b[31m", "new\nline", "..", "x" * 300, "-", "ünï", "nu\0ll"):
        path = mute_files.file_of(tmp_path / name)
        assert path.parent == tmp_path / "state" / "tfdbg-tui" / "mutes"
        assert path.name.isascii()
        assert path.name.isprintable()
        assert len(path.name) < 80
        assert mute_files.write(path, Mutes(), tmp_path / name) is None
        assert len(path.read_text().splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"op=Log\nnan>0\n", "line 2: nan>0 asks about numbers"),
        (b"\xff\xfe", "is not text in UTF-8."),
        (b"#" * 1_000_001, "is too large"),
    ],
)
def test_a_broken_file_is_one_sentence_with_its_name(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "x.mute"
    path.write_bytes(content)
    with pytest.raises(UserError) as caught:
        mute_files.read_mutes_of(str(path))
    assert str(path) in str(caught.value)
    assert said in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("named", ["", "nothing", "a\0b", "."])
def test_a_file_that_is_none_is_said_where_it_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError):
        mute_files.read_mutes_of(named)


def test_a_home_that_cannot_be_written_is_one_sentence_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file in its place")
    logdir = tmp_path / "logdir"
    keeper = mute_files.keeper_of(logdir)
    complaints: list[str] = []
    asyncio.run(keeper.keep(keeper.kept.adding("op=Log"), complaints.append))
    (said,) = complaints
    assert said.startswith("What is muted is not kept: ")
    assert said.endswith("(not a directory).")
    assert keeper.finish() is None, "it was said"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is denied to root")
def test_a_folder_that_is_denied_is_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir(mode=0o500)
    said = mute_files.write(mute_files.file_of(tmp_path), Mutes(), tmp_path)
    assert said is not None
    assert "permission denied" in said


def test_of_several_changes_the_last_is_kept(tmp_path: Path) -> None:
    keeper = mute_files.keeper_of(tmp_path)
    first = keeper.kept.adding("op=Log")

    async def change() -> None:
        changes = [first, first.adding("op=Exp"), first.adding("op=Exp").adding("op=Mul")]
        await asyncio.gather(*(keeper.keep(mutes, pytest.fail) for mutes in changes))

    asyncio.run(change())
    rules = [rule.text for rule in read_mutes(keeper.path.read_text()).rules]
    assert rules == ["op=Log", "op=Exp", "op=Mul"]
