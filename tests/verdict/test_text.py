"""What the verdict says when a recording cannot be judged, or not all of it could be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tfdbg_tui.cli import main
from tfdbg_tui.commands.outcome import CANNOT_READ, CLEAN
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.verdict.judgement import verdict_on
from tfdbg_tui.verdict.text import as_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.verdict.verdict import Verdict

    Report = Callable[[Path], Verdict]
    Text = Callable[[Path], str]


@pytest.fixture
def report() -> Report:
    def load(path: Path) -> Verdict:
        logdir = Logdir(path)
        logdir.load()
        return verdict_on(logdir, logdir.runs)

    return load


@pytest.fixture
def text(report: Report) -> Text:
    return lambda path: as_text(report(path))


@pytest.mark.parametrize(
    ("scenario", "verdict"),
    [
        ("full_health", "bad"),
        ("curt_health", "bad"),
        ("healthy", "clean"),
        ("no_tensor", "not_judged"),
        ("shape", "not_judged"),
        ("circular", "not_judged"),
    ],
)
def test_a_machine_can_tell_clean_from_not_judged(
    library: Library, report: Report, scenario: str, verdict: str
) -> None:
    assert [run.conclusion.value for run in report(library.path(scenario)).runs] == [verdict]


@pytest.mark.parametrize("suffix", ["execution", "graph_execution_traces"])
@pytest.mark.parametrize("damage", ["missing", "bytes changed", "a directory"])
def test_what_lost_events_is_never_called_clean(
    copy_of: Callable[[str], Path],
    report: Report,
    text: Text,
    suffix: str,
    damage: str,
) -> None:
    logdir = copy_of("healthy")
    (file,) = logdir.glob(f"*.{suffix}")
    content = file.read_bytes()
    file.unlink()
    if damage == "bytes changed":
        file.write_bytes(content[:100] + bytes(200) + content[300:])
    elif damage == "a directory":
        file.mkdir()
    assert [run.conclusion.value for run in report(logdir).runs] == ["incomplete"]
    assert "INCOMPLETE: no NaN or Inf in what could be read" in text(logdir)
    assert main(["check", str(logdir)]) == (CANNOT_READ if damage == "a directory" else CLEAN)


def test_after_damage_the_first_is_called_the_first_that_could_be_read(
    copy_of: Callable[[str], Path], text: Text
) -> None:
    logdir = copy_of("full_health")
    assert "The first:" in text(logdir)
    (file,) = logdir.glob("*.graph_execution_traces")
    content = file.read_bytes()
    file.write_bytes(content[:100] + bytes(200) + content[300:])
    assert "The first that could be read:" in text(logdir)


def test_files_without_one_record_cannot_be_read(
    copy_of: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    logdir = copy_of("full_health")
    for file in logdir.iterdir():
        file.write_bytes(b"garbage" * 700)
    assert main(["check", str(logdir)]) == CANNOT_READ
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "hold no record that can be read" in captured.err


def test_no_line_of_the_text_is_wider_than_a_terminal(library: Library, text: Text) -> None:
    for scenario in ("keras_fit", "while_loop", "circular", "no_tensor", "killed"):
        for line in text(library.path(scenario)).splitlines():
            assert len(line) <= 80 or ".py:" in line  # a path is as long as it is
