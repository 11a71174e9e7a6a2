"""Where it is kept what is watched: the same tensors when a logdir is opened again."""

from __future__ import annotations

import asyncio
import stat
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.watched_names import (
    MAX_WATCHED,
    WatchedName,
    WatchError,
    read_names,
    to_text,
)
from tfdbg_tui.errors import UserError
from tfdbg_tui.kept import mute_files, watch_files

if TYPE_CHECKING:
    from pathlib import Path

LOG = WatchedName(EventKind.TRACE, "loss/Log", 0, "step", "while_body")
CALL = WatchedName(EventKind.EXECUTION, "train", 2, place="train.py:7")


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_what_is_kept_is_watched_again_beside_what_is_muted(tmp_path: Path) -> None:
    logdir = tmp_path / "logdir"
    keeper = watch_files.keeper_of(logdir)
    assert keeper.kept == ()
    asyncio.run(keeper.keep((LOG, CALL), pytest.fail))
    assert watch_files.keeper_of(logdir).kept == (LOG, CALL)
    assert stat.S_IMODE(keeper.path.stat().st_mode) == 0o600
    muted = mute_files.file_of(logdir)
    assert keeper.path.parent.parent == muted.parent.parent
    assert keeper.path.stem == muted.stem
    asyncio.run(keeper.keep((CALL,), pytest.fail))
    assert watch_files.keeper_of(logdir).kept == (CALL,)
    assert len(keeper.path.read_text().splitlines()) == 2, "the header and one"


@settings(max_examples=30)
@given(
    st.lists(
        st.builds(
            WatchedName,
            st.sampled_from(EventKind),
            st.text(),
            st.integers(0, 1 << 30),
            *[st.text()] * 3,
        ),
        unique=True,
        max_size=MAX_WATCHED,
    )
)
def test_any_name_comes_back(names: list[WatchedName]) -> None:
    assert read_names(to_text(tuple(names))) == tuple(names)


@pytest.mark.parametrize(
    "line",
    [
        "Log",
        "[]",
        "{}",
        '["graph", "x"]',
        '["graph", "x", -1]',
        '["graph", "x", true]',
        '["graph", 1, 0]',
        '["other", "x", 0]',
        '["graph", "x", 0, 1, 2, 3]',
        '["graph", "x", 0, "", "", "", ""]',
        '[["graph"], "x", 0]',
        "[" * 100_000,
    ],
)
def test_a_broken_file_is_one_sentence_with_its_line(tmp_path: Path, line: str) -> None:
    with pytest.raises(WatchError, match=r"^line 2: this is no watched tensor\.$"):
        read_names(f"# header\n{line}\n")
    path = watch_files.file_of(tmp_path)
    path.parent.mkdir(parents=True)
    path.write_text(line)
    with pytest.raises(UserError, match="line 1: this is no watched tensor"):
        watch_files.keeper_of(tmp_path)


def test_no_more_are_read_than_can_be_watched() -> None:
    names = tuple(LOG._replace(slot=slot) for slot in range(MAX_WATCHED + 5))
    assert len(read_names(to_text(names))) == MAX_WATCHED
