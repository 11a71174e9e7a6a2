"""What `tfdbg-tui doctor` prints, to people and to machines, and with which exit code."""

from __future__ import annotations

import json
import shutil
import threading
from typing import TYPE_CHECKING

import pytest

from tests.recordings.hostile import MARKERS, hostile_recording
from tests.support.growing import Growing
from tfdbg_tui import cli
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.doctor import observe as observing
from tfdbg_tui.doctor.observe import observe
from tfdbg_tui.doctor.report import WIDTH

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library

BREATH = 0.15
"""Seconds between blocks that a growing recording gets."""

RECIPE = 'tensor_debug_mode="FULL_HEALTH"'


@pytest.fixture
def doctor(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str]]:
    """Runs the command, which does not watch for long; gives its exit code and what it printed."""

    monkeypatch.setattr(observing, "WATCH", 4 * observing.LOOK_INTERVAL)

    def run(*words: object) -> tuple[int, str]:
        code = cli.main(["doctor", *map(str, words)])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run


@pytest.mark.parametrize(
    ("scenario", "code", "mark"),
    [
        ("healthy", 0, "- fact      All is well"),
        ("killed", 0, "* warning   The last record is cut"),
        ("no_tensor", 1, "! problem   NO_TENSOR: nothing tells NaN or Inf"),
        ("compiled", 1, "! problem   jit_compile=True"),
    ],
)
def test_the_worst_is_said_first_and_decides(
    library: Library, doctor: Callable[..., tuple[int, str]], scenario: str, code: int, mark: str
) -> None:
    got, text = doctor(library.path(scenario))
    heading, blank, first, *_ = text.splitlines()
    assert got == code
    assert heading.startswith("run ")
    assert heading.endswith(" · 1 host")
    assert not blank
    assert first.startswith(mark)


def test_text_keeps_to_eighty_columns(
    library: Library, doctor: Callable[..., tuple[int, str]]
) -> None:
    for scenario in ("no_tensor", "same_second", "compiled", "two_runs"):
        _, text = doctor(library.path(scenario))
        long = [line for line in text.splitlines() if len(line) > WIDTH]
        assert all("/" in line for line in long), "only a path is not broken"


def test_an_absent_logdir_is_told_with_the_code_for_cannot_read(
    tmp_path: Path, doctor: Callable[..., tuple[int, str]]
) -> None:
    code, text = doctor(tmp_path / "later")
    assert code == 2
    assert "It does not exist yet." in text
    assert RECIPE in text
    code, text = doctor(tmp_path)
    assert code == 2
    assert "No recording in " in text


def test_a_file_is_no_logdir(tmp_path: Path, doctor: Callable[..., tuple[int, str]]) -> None:
    file = tmp_path / "file"
    file.touch()
    code, text = doctor(file)
    assert code == 2
    assert "is a file; give the directory it is in." in text


def test_machines_get_all_runs_or_the_one_they_ask_for(
    library: Library, doctor: Callable[..., tuple[int, str]]
) -> None:
    code, text = doctor("--json", library.path("two_runs"))
    report = json.loads(text)
    assert code == 0
    assert len(report["runs"]) == 2
    wanted = report["runs"][1]
    _, text = doctor("--json", library.path("two_runs"), "--run", wanted["run_id"][:6])
    assert json.loads(text)["runs"] == [wanted]
    assert {"id", "level", "headline", "text", "code"} == wanted["findings"][0].keys()
    code, text = doctor(library.path("two_runs"), "--run", "nonsense")
    assert code == 2
    assert "has no run nonsense" in text


def test_machines_are_told_of_an_absent_logdir_too(
    tmp_path: Path, doctor: Callable[..., tuple[int, str]]
) -> None:
    code, text = doctor("--json", tmp_path / "later")
    (run,) = json.loads(text)["runs"]
    assert code == 2
    assert run["run_id"] is None
    assert [finding["id"] for finding in run["findings"]] == ["no-logdir"]


def test_a_run_that_grows_is_watched_until_its_rate_is_known(frozen: Path, tmp_path: Path) -> None:
    growing = Growing(frozen, tmp_path / "logdir", blocks=1)
    seen = threading.Event()

    def write() -> None:
        while not seen.wait(BREATH):
            growing.grow()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        (state,) = observe(Logdir(growing.path)).runs
    finally:
        seen.set()
        writer.join()
    assert state.growing
    assert state.bytes_per_second > 0
    assert state.free_bytes is not None


def test_recorded_names_cannot_reach_the_terminal(
    library: Library, tmp_path: Path, doctor: Callable[..., tuple[int, str]]
) -> None:
    logdir = tmp_path / "bad \x1b[31m name"
    shutil.copytree(library.path("no_tensor"), logdir)
    _, text = doctor(logdir)
    assert "\x1b" not in text
    assert "\\x1b[31m" in text


def test_hostile_recordings_cannot_either(
    tmp_path: Path, doctor: Callable[..., tuple[int, str]]
) -> None:
    _, text = doctor(hostile_recording(tmp_path / "hostile", together=True))
    assert not [marker for marker in MARKERS if marker in text.encode()]
