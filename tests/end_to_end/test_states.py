"""Every state of a logdir that a user can meet says what it is and what to do about it."""

from __future__ import annotations

import re
import shutil
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest

from benchmarks.recordings import EVENT_FILES, repeat
from tests.recordings.fabricate import HEADER, frame, split
from tests.support.command_under_test import (
    SETTLED,
    app,
    is_chosen,
    settle,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.recordings.record import Library
    from tests.support.terminal import Terminal

RECIPE = "circular_buffer_size=-1)"
"""Ends the call that makes a live recording."""


@contextmanager
def recorded_by_us(logdir: Path) -> Iterator[None]:
    """Be the program that records: its files are open for writing."""
    with ExitStack() as files:
        for path in logdir.iterdir():
            files.enter_context(open(path, "ab"))
        yield


def only(suffix: str, logdir: Path) -> Path:
    (file,) = logdir.glob(f"*.{suffix}")
    return file


def shows(terminal: Terminal, *texts: str) -> None:
    for text in texts:
        terminal.wait_for(text)


# ---------------------------------------------------------------------- nothing to show yet


def test_a_logdir_that_does_not_exist_is_waited_for(tmp_path: Path) -> None:
    with app(tmp_path / "logdir") as terminal:
        shows(terminal, "WAITING", "Waiting for ", "It does not exist yet.", RECIPE)


def test_an_empty_logdir_says_how_to_record(tmp_path: Path) -> None:
    with app(tmp_path) as terminal:
        shows(terminal, "WAITING", "No recording in ", "holds no tfdbg recording", RECIPE)


def test_a_recording_that_begins_says_that_events_will_come(
    library: Library, tmp_path: Path
) -> None:
    shutil.copy2(only("metadata", library.path("full_health")), tmp_path)
    with recorded_by_us(tmp_path), app(tmp_path) as terminal:
        shows(terminal, "LIVE", "The recording has begun", "as soon as they are on disk")


def test_events_held_back_in_memory_are_explained(copy_of: Callable[[str], Path]) -> None:
    logdir = copy_of("circular")
    assert not any(only(suffix, logdir).stat().st_size for suffix in EVENT_FILES)
    with recorded_by_us(logdir), app(logdir) as terminal:
        shows(terminal, "LIVE", "Recording, but nothing reaches the disk")
        shows(terminal, "TensorFlow's default", RECIPE)


def test_events_that_died_in_memory_are_explained(library: Library) -> None:
    with app(library.path("circular")) as terminal:
        shows(terminal, "ENDED", "The program ended without writing an event", RECIPE)


# ---------------------------------------------------------------------- growth and its end


def test_loading_shows_its_progress(library: Library, tmp_path: Path) -> None:
    logdir = tmp_path / "big"
    repeat(library.path("full_health"), logdir, 100_000, 400_000)
    with app(logdir) as terminal:
        terminal.wait_for(re.compile(r"LOADING [1-9]\d?% of 1\d\d MB"))
        terminal.press("!")  # keys are answered meanwhile
        terminal.wait_for("3 Graph tensors 400,032")


def test_new_events_wait_until_they_are_followed(copy_of: Callable[[str], Path]) -> None:
    logdir = copy_of("healthy")
    file = only("graph_execution_traces", logdir)
    content = file.read_bytes()
    half = split(file)[24][0]
    file.write_bytes(content[:half])
    with open(file, "ab") as growing, app(logdir) as terminal:
        terminal.wait_for("3 Graph tensors 24")
        terminal.press("3", "down")
        before = settle(terminal)
        assert "LIVE" in before[0]
        growing.write(content[half:])
        growing.flush()
        terminal.wait_for("+24")
        assert "163 events so far" in terminal.text()[1]
        assert terminal.text()[2:] == before[2:]
        terminal.press("f")
        terminal.wait_for("following")
        terminal.wait_for(is_chosen("47"))
        terminal.wait_for("3 Graph tensors 48")


def test_pausing_is_said_and_undone(copy_of: Callable[[str], Path]) -> None:
    logdir = copy_of("healthy")
    with recorded_by_us(logdir), app(logdir) as terminal:
        terminal.wait_for("LIVE")
        terminal.press("space")
        terminal.wait_for("PAUSED")
        terminal.press("space")
        terminal.wait_for("LIVE")


def test_a_killed_program_has_ended_with_a_cut_record(library: Library) -> None:
    with app(library.path("killed")) as terminal:
        shows(terminal, "ENDED, cut", "The last record is cut: the program was killed")


def test_a_deleted_logdir_is_said_and_what_was_read_stays(copy_of: Callable[[str], Path]) -> None:
    logdir = copy_of("full_health")
    with app(logdir) as terminal:
        terminal.wait_for(SETTLED)
        shutil.rmtree(logdir)
        terminal.wait_for("The logdir was deleted; what was read is still shown")
        terminal.press("!")
        terminal.wait_for(is_chosen("Log ", "! -inf 66"))
        terminal.wait_for(is_chosen("tf.math.log(probs)"))


def test_a_logdir_deleted_before_anything_was_read_is_waited_for(tmp_path: Path) -> None:
    logdir = tmp_path / "logdir"
    logdir.mkdir()
    with app(logdir) as terminal:
        terminal.wait_for("No recording in ")
        logdir.rmdir()
        terminal.wait_for(re.compile("was deleted"))


def test_damaged_records_are_counted_and_the_rest_is_shown(
    copy_of: Callable[[str], Path],
) -> None:
    logdir = copy_of("full_health")
    file = only("graph_execution_traces", logdir)
    content = bytearray(file.read_bytes())
    for place in (3, 7):
        content[split(file)[place][0] + HEADER] ^= 0xFF
    file.write_bytes(content)
    with app(logdir) as terminal:
        shows(terminal, "2 damaged records are left out", "3 Graph tensors 106")


# ---------------------------------------------------------------------- what was recorded


@pytest.mark.parametrize(("scenario", "mode"), [("no_tensor", "NO_TENSOR"), ("shape", "SHAPE")])
def test_a_mode_without_health_names_the_mode_to_use(
    library: Library, scenario: str, mode: str
) -> None:
    with app(library.path(scenario)) as terminal:
        shows(terminal, f"{mode} does not tell NaN or Inf: record with FULL_HEALTH.")
        terminal.press("3", "down", "4")
        terminal.wait_for(re.compile(f"{mode} (records no numbers|tells nothing about NaN)"))
        assert "no alerts" not in terminal.text()[0], "it cannot know"


def test_a_healthy_run_says_so(library: Library) -> None:
    with app(library.path("healthy")) as terminal:
        shows(terminal, "no alerts", "No NaN or Inf in 163 events.")
        terminal.wait_for(SETTLED)
        terminal.press("!")
        terminal.wait_for(lambda lines: "No NaN or Inf in 163 events" in lines[-2])


def test_a_run_without_graphs_says_so(library: Library) -> None:
    with app(library.path("eager_only")) as terminal:
        terminal.wait_for(SETTLED)
        terminal.press("3")
        terminal.wait_for("all ran eagerly")
        terminal.press("!")
        terminal.wait_for(is_chosen("182", "Log", "! -inf 66"))
        terminal.wait_for(is_chosen("tf.math.log(probs)"))


@pytest.mark.parametrize("content", [None, b""], ids=["no file", "empty file"])
def test_a_run_without_sources_says_so(
    copy_of: Callable[[str], Path], content: bytes | None
) -> None:
    logdir = copy_of("full_health")
    file = only("source_files", logdir)
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    with app(logdir) as terminal:
        terminal.wait_for(SETTLED)
        terminal.press("!")
        terminal.wait_for(is_chosen("Log ", "! -inf 66"))
        terminal.wait_for(re.compile("[Tt]he source .*(not on disk|not recorded)"))
        terminal.press("6")
        terminal.wait_for("line 29 of a file not on disk")


def test_a_frame_that_is_not_on_disk_is_not_passed_over(copy_of: Callable[[str], Path]) -> None:
    """The line that called the guilty one must not look like the guilty one."""
    logdir = copy_of("full_health")
    file = only("stack_frames", logdir)
    in_loss = b'"\x04loss'  # the field with the function's name
    frames = [payload for _, payload in split(file) if in_loss not in payload]
    assert len(frames) < len(split(file))
    file.write_bytes(b"".join(map(frame, frames)))
    with app(logdir) as terminal:
        terminal.wait_for(SETTLED)
        terminal.press("!")
        terminal.wait_for(is_chosen("Log ", "! -inf 66"))
        terminal.wait_for(re.compile("not on disk|may be deeper|innermost"))


def test_several_runs_can_be_chosen_from(library: Library) -> None:
    with app(library.path("two_runs"), columns=110) as terminal:
        shows(terminal, "run 2/2", "! 5")
        terminal.wait_for(SETTLED)
        terminal.press("r")
        shows(terminal, ", newest first", "163 clean")
        terminal.press("down", "enter")
        shows(terminal, "run 1/2", "No NaN or Inf in 163 events.")
        terminal.press("r")
        terminal.wait_for("46 ! 5")
        terminal.click(*terminal.find("46 ! 5"))
        shows(terminal, "run 2/2", "! 5")
        terminal.press("!")
        terminal.wait_for(is_chosen("IteratorGetNext", "NaN"))


def test_a_run_can_be_named_on_the_command_line(library: Library) -> None:
    logdir = library.path("two_runs")
    older = min(logdir.glob("*.metadata"))
    (run_id,) = re.findall(rb"[0-9a-f]{8,}", split(older)[0][1])
    with app(logdir, "--run", run_id[:8].decode(), columns=110) as terminal:
        shows(terminal, f"{run_id[:8].decode()} run 1/2", "no alerts")


def test_a_run_that_is_not_there_is_said(library: Library) -> None:
    with app(library.path("two_runs"), "--run", "nonsense") as terminal:
        terminal.wait_for("There is no run nonsense here")


def test_several_hosts_can_be_chosen_from(copy_of: Callable[[str], Path]) -> None:
    logdir = copy_of("full_health")
    for path in list(logdir.iterdir()):
        start, seconds, _, suffix = path.name.split(".")
        shutil.copy2(path, logdir / f"{start}.{seconds}.zebra.{suffix}")
    with app(logdir, columns=110) as terminal:
        shows(terminal, "host 1/2", "! 186")
        terminal.wait_for(SETTLED)
        terminal.press("r")
        terminal.wait_for("zebra")
        terminal.press(*"zebra", "enter")
        terminal.wait_for("host 2/2 zebra")
        terminal.press("!")
        terminal.wait_for(is_chosen("Log ", "! -inf 66"))


def test_the_app_can_begin_at_the_first_nan(frozen: Path) -> None:
    with app(frozen, "--first-nan") as terminal:
        terminal.wait_for(is_chosen("60", "Log ", "! -inf 1,312"))
        terminal.wait_for(is_chosen("20", "tf.math.log(probs)"))
