"""Runs of which nothing could be read, and runs whose last record is cut: never called clean."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.growing import EVENT_FILES
from tfdbg_tui.cli import main
from tfdbg_tui.commands.outcome import BAD, CANNOT_READ, CLEAN
from tfdbg_tui.data.live import growth

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library

    Check = Callable[[Path], tuple[int, list[dict[str, Any]], str]]

GARBAGE = b"garbage" * 700
OTHER_HOST = "node-7.cluster.example"
LONG_AGO = 1_600_000_000


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Check:
    """The exit code of `check --json`, the runs it told, and what it said on stderr."""

    def run(logdir: Path) -> tuple[int, list[dict[str, Any]], str]:
        code = main(["check", str(logdir), "--json"])
        captured = capsys.readouterr()
        return code, json.loads(captured.out)["runs"], captured.err

    return run


def event_files(logdir: Path) -> list[Path]:
    return [path for path in logdir.iterdir() if path.suffix[1:] in EVENT_FILES]


def flip_payloads(path: Path) -> None:
    """Damage every record: the first byte of each payload is another."""
    content = bytearray(path.read_bytes())
    position = 0
    while position < len(content):
        length = int.from_bytes(content[position : position + 8], "little")
        content[position + 12] ^= 0xFF
        position += 16 + length
    path.write_bytes(content)


def from_elsewhere(logdir: Path, modified: float = LONG_AGO) -> None:
    """Give the files the name of another host, as if they were copied from there."""
    for path in logdir.glob("tfdbg_events.*"):
        _, seconds, _ = path.name.split(".", 2)
        moved = path.rename(logdir / f"tfdbg_events.{seconds}.{OTHER_HOST}{path.suffix}")
        os.utime(moved, (modified, modified))


def cut(path: Path, count: int = 7) -> None:
    os.truncate(path, path.stat().st_size - count)


# ---------------------------------------------------------------------- nothing could be read


@pytest.mark.parametrize("damage", ["records", "garbage", "missing", "cut"])
@pytest.mark.parametrize("scenario", ["healthy", "full_health", "no_tensor"])
def test_without_one_event_that_could_be_read_it_could_not_be_read(
    copy_of: Callable[[str], Path],
    check: Check,
    capsys: pytest.CaptureFixture[str],
    scenario: str,
    damage: str,
) -> None:
    logdir = copy_of(scenario)
    for path in event_files(logdir):
        if damage == "records":
            flip_payloads(path)
        elif damage == "garbage":
            path.write_bytes(GARBAGE)
        elif damage == "missing":
            path.unlink()
        else:
            os.truncate(path, 30)
    code, (run,), said = check(logdir)
    assert code == CANNOT_READ
    assert run["verdict"] == "incomplete"
    assert run["counts"]["executions"] == run["counts"]["graph_executions"] == 0
    assert said.startswith(f"tfdbg-tui: no event of run {run['run_id']} in {logdir} can be read;")
    assert main(["check", str(logdir)]) == CANNOT_READ
    captured = capsys.readouterr()
    assert "INCOMPLETE: no tensor could be read" in captured.out
    assert captured.err == said


def test_files_without_one_record_are_told_to_machines_too(
    copy_of: Callable[[str], Path], check: Check
) -> None:
    logdir = copy_of("healthy")
    for path in logdir.iterdir():
        path.write_bytes(GARBAGE)
    code, (run,), said = check(logdir)
    assert (code, run["verdict"]) == (CANNOT_READ, "incomplete")
    assert "hold no record that can be read" in said


def test_the_only_file_that_is_there_does_not_make_it_readable(
    copy_of: Callable[[str], Path], check: Check
) -> None:
    logdir = copy_of("healthy")
    for path in logdir.iterdir():
        if path.suffix != ".metadata":
            path.unlink()
    code, (run,), _ = check(logdir)
    assert (code, run["verdict"]) == (CANNOT_READ, "incomplete")


@pytest.mark.parametrize(("other", "code"), [("healthy", CANNOT_READ), ("full_health", BAD)])
def test_a_run_beside_one_that_can_be_read_is_told_by_name(
    library: Library, tmp_path: Path, check: Check, other: str, code: int
) -> None:
    shutil.copytree(library.path(other), tmp_path / "readable")
    damaged = shutil.copytree(library.path("healthy"), tmp_path / "damaged")
    for path in event_files(damaged):
        path.write_bytes(GARBAGE)
    told, runs, said = check(tmp_path)
    assert told == code
    assert len(runs) == 2
    assert said.count("\n") == 1
    assert str(damaged) in said


def test_some_lost_events_leave_the_rest_to_be_judged(
    copy_of: Callable[[str], Path], check: Check
) -> None:
    logdir = copy_of("healthy")
    (traces,) = logdir.glob("*.graph_execution_traces")
    flip_payloads(traces)
    code, (run,), said = check(logdir)
    assert (code, run["verdict"], said) == (CLEAN, "incomplete", "")


# ---------------------------------------------------------------------- only just begun


@pytest.mark.parametrize("kept", [(), ("metadata",), ("metadata", "source_files", "graphs")])
def test_what_has_only_just_begun_is_no_error(
    copy_of: Callable[[str], Path], check: Check, kept: tuple[str, ...]
) -> None:
    logdir = copy_of("healthy")
    for path in logdir.iterdir():
        if path.suffix[1:] not in kept:
            path.write_bytes(b"")
    code, (run,), said = check(logdir)
    assert (code, run["verdict"], said) == (CLEAN, "not_judged", "")


def test_the_first_bytes_of_a_program_that_runs_are_no_error(
    copy_of: Callable[[str], Path], check: Check
) -> None:
    logdir = copy_of("healthy")
    (traces,) = logdir.glob("*.graph_execution_traces")
    for path in logdir.iterdir():
        os.truncate(path, 9)
    with open(traces, "ab"):
        code, (run,), said = check(logdir)
    assert (code, run["verdict"], said) == (CLEAN, "not_judged", "")


# ---------------------------------------------------------------------- a cut record


@pytest.mark.parametrize("suffix", [*EVENT_FILES, "graphs", "stack_frames"])
def test_a_cut_record_is_incomplete_on_whatever_host_it_is_read(
    copy_of: Callable[[str], Path], check: Check, suffix: str
) -> None:
    logdir = copy_of("healthy")
    from_elsewhere(logdir)
    (path,) = logdir.glob(f"*.{suffix}")
    assert check(logdir)[1][0]["verdict"] == "clean"
    cut(path)
    os.utime(path, (LONG_AGO, LONG_AGO))
    code, (run,), said = check(logdir)
    assert (code, run["verdict"], said) == (CLEAN, "incomplete", "")
    with open(path, "ab"):  # a program of this machine that has it open may write the rest
        assert check(logdir)[1][0]["verdict"] == "clean"


def test_copies_of_cut_recordings_that_are_new_are_watched_all_at_once(
    library: Library, tmp_path: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        logdir = shutil.copytree(library.path("healthy"), tmp_path / str(number))
        (traces,) = logdir.glob("*.graph_execution_traces")
        cut(traces)
        from_elsewhere(logdir, modified=time.time())
    waits: list[float] = []
    sleep = time.sleep

    def note_and_sleep(seconds: float) -> None:
        waits.append(seconds)
        sleep(seconds)

    monkeypatch.setattr(time, "sleep", note_and_sleep)
    _, runs, _ = check(tmp_path)
    assert [run["verdict"] for run in runs] == ["incomplete"] * 3
    assert 0 < sum(waits) <= 1.5 * growth.WATCHED_FOR


def test_a_recording_of_another_host_that_still_grows_is_not_cut_off(
    copy_of: Callable[[str], Path], check: Check
) -> None:
    logdir = copy_of("healthy")
    from_elsewhere(logdir, modified=time.time())
    (traces,) = logdir.glob("*.graph_execution_traces")
    content = traces.read_bytes()
    traces.write_bytes(content[:-200])
    over = threading.Event()

    def grow() -> None:
        for byte in range(len(content) - 200, len(content) - 1):
            if over.wait(0.1):
                return
            with open(traces, "ab") as file:  # not held open: as if another machine wrote
                file.write(content[byte : byte + 1])

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        code, (run,), said = check(logdir)
    finally:
        over.set()
        writer.join()
    assert (code, run["verdict"], said) == (CLEAN, "clean", "")


# ---------------------------------------------------------------------- gradients


def test_the_json_says_that_the_line_is_that_of_the_forward_op(
    library: Library, check: Check, capsys: pytest.CaptureFixture[str]
) -> None:
    logdir = library.path("gradient_ops")
    bad = check(logdir)[1][0]["first_bad"]
    assert "Grad" in bad["op_type"] or "gradient" in bad["tensor"]
    assert bad["location"]["code"] == "return tf.sqrt(total)"
    assert bad["via"] == "gradient_of"
    main(["check", str(logdir)])
    assert " in distance (the op whose gradient it is)\n" in capsys.readouterr().out


def test_the_line_of_any_other_op_is_its_own(library: Library, check: Check) -> None:
    assert check(library.path("full_health"))[1][0]["first_bad"]["via"] is None


def test_without_a_line_there_is_no_way_to_it(copy_of: Callable[[str], Path], check: Check) -> None:
    logdir = copy_of("gradient_ops")
    (frames,) = logdir.glob("*.stack_frames")
    frames.unlink()
    bad = check(logdir)[1][0]["first_bad"]
    assert (bad["location"], bad["via"]) == (None, None)
