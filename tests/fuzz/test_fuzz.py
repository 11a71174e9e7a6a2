"""A few hundred hostile recordings: nothing raises, and every exit code is a known one."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.fuzz.cases import write_case
from tests.fuzz.looking import commands_of, look_at_all, run_commands
from tests.fuzz.originals import originals
from tests.fuzz.walking import walk
from tfdbg_tui.data.live import growth

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fuzz.originals import Original
    from tests.recordings.record import Library

CASES = 300
TOGETHER = 50


@pytest.fixture(scope="module")
def recordings(library: Library) -> list[Original]:
    return originals(library)


@pytest.mark.parametrize("first", range(0, CASES, TOGETHER))
def test_hostile_recordings_are_read_or_refused(
    recordings: list[Original], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    monkeypatch.setattr(growth, "WATCHED_FOR", 0.0)  # none of them grows
    for seed in range(first, first + TOGETHER):
        logdir = tmp_path / str(seed)
        write_case(seed, recordings, logdir)
        try:
            run_commands(logdir, commands_of(seed))
            look_at_all(logdir, seed)
        except Exception as error:
            raise AssertionError(f"case {seed}: {error!r}") from error
        shutil.rmtree(logdir)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_hostile_recording_is_walked_through(
    recordings: list[Original], tmp_path: Path, seed: int
) -> None:
    write_case(seed, recordings, tmp_path)
    walk(tmp_path, seed)


def test_a_case_is_the_same_every_time(recordings: list[Original], tmp_path: Path) -> None:
    for folder in ("one", "other"):
        write_case(7, recordings, tmp_path / folder)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "other" / path.name).read_bytes()
