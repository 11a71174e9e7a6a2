"""A second run of a script by the session alone: when it is stopped, and where that leads."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.navigating import finish
from tests.support.noting import note
from tests.support.sessions import arrive, opened, said, script
from tfdbg_tui.data.live.stopping import WatchedSteps
from tfdbg_tui.program.second_run import SecondRun
from tfdbg_tui.screens.session.change import UNCHANGED
from tfdbg_tui.screens.session.recording_again import LOOKS_AFTER_END, RecordingAgain

if TYPE_CHECKING:
    from tfdbg_tui.program.record_again import Request
    from tfdbg_tui.screens.session.session import Session


class Scripted:
    """A script that runs until it is told to have ended."""

    name = "train.py"
    output_file = Path("/x/output.txt")
    exit_code: int | None = None

    def __init__(self) -> None:
        self.stops = 0

    def state(self) -> object:
        return script(is_stopping=self.stops > 0)

    def stop(self) -> None:
        self.stops += 1


class Starting:
    """Starts such a script, whose recording is a copy of the first."""

    def __init__(self, session: Session, frozen: Path) -> None:
        self.script = Scripted()
        self._session = session
        self._frozen = frozen
        self.clock = 0.0

    def start(self, wanted: Request) -> SecondRun:
        folder = Path(wanted.words[wanted.words.index("--logdir") + 1])
        shutil.copytree(self._frozen, folder)
        snapshot = self._session.snapshot
        assert snapshot is not None
        runs: Any = SimpleNamespace(runs=())
        self.runs = runs
        watch = WatchedSteps(runs, wanted.step, folder, lambda: self.clock)
        return SecondRun(self.script, folder, watch)  # type: ignore[arg-type]


class Driven:
    """A session over a recording that can be made again."""

    def __init__(self, frozen: Path, folder: Path) -> None:
        self.logdir = Path(shutil.copytree(frozen, folder / "logdir"))
        (folder / "train.py").write_text("pass\n")
        note(self.logdir, folder=str(folder), python=sys.executable)
        self.session = opened(self.logdir)
        self.session.go_to_first_bad()
        self.starting = Starting(self.session, frozen)
        self.again = RecordingAgain(self.session, self.starting)
        assert self.again.obstacle() == ""
        page = self.again.page()
        assert page is not None
        self.began = self.again.begin(page)

    def read(self) -> None:
        """The feed reads what is there now."""
        newer = opened(self.logdir)
        assert newer.snapshot is not None
        arrive(self.session, newer.snapshot)
        self.starting.runs.runs = tuple(state.run for state in newer.snapshot.runs)
        finish(*self.again.jobs())
        self.starting.clock += 10


@pytest.fixture
def driven(frozen: Path, tmp_path: Path) -> Driven:
    return Driven(frozen, tmp_path)


def test_the_script_is_stopped_at_the_step_and_the_place_gone_to(driven: Driven) -> None:
    where = driven.logdir / "values"
    assert said(driven.began) == f"Recording train.py again, up to step 7: {where}"
    assert driven.again.obstacle() == "train.py is being recorded again: one at a time."
    assert driven.again.look() is UNCHANGED
    driven.read()
    assert said(driven.again.look()) == "Step 7 is done: stopping train.py."
    assert driven.again.look() is UNCHANGED
    assert driven.starting.script.stops == 1
    driven.starting.script.exit_code = 130
    change = driven.again.look()
    assert said(change) == "Log #60 in the second run, with values; r lists both."
    run = driven.session.navigator.run
    assert run is not None
    assert run.run.directory == str(where)
    assert driven.session.navigator.selection.trace == 60
    assert driven.again.jobs() == ()


def test_who_has_moved_on_is_told_and_goes_there_by_the_key(driven: Driven) -> None:
    driven.read()
    driven.session.navigator.select_trace(3)
    driven.starting.script.exit_code = 130
    words = "The values of Log are recorded: the same key goes there."
    assert said(driven.again.look()) == words
    assert driven.session.navigator.selection.trace == 3
    change = driven.again.ready()
    assert change is not None
    assert driven.session.navigator.selection.trace == 60
    assert driven.again.ready() is None


def test_a_script_that_records_nothing_is_said_to(driven: Driven) -> None:
    shutil.rmtree(driven.logdir / "values")
    driven.starting.script.exit_code = 1
    looks = [said(driven.again.look()) for _ in range(LOOKS_AFTER_END + 1)]
    words = "train.py ended with exit code 1, and nothing is recorded: /x/output.txt"
    assert looks == [""] * LOOKS_AFTER_END + [words]


def test_it_can_be_stopped(driven: Driven) -> None:
    change = driven.again.stop()
    assert change is not None
    assert said(change) == "Stopping train.py, which is recorded again."
    assert driven.again.stop() is None
    assert driven.again.script is not None
    driven.starting.script.exit_code = 130
    assert driven.again.script is None
