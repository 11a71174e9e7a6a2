"""The demo: what is shipped, how it is replayed, and that it leaves nothing behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.recordings.fabricate import split
from tests.recordings.make_demo import PROGRAM, RECORDING, STEP_CALL
from tests.recordings.neutral import HOST, LIBRARY_ROOT, PROGRAM_PATH
from tests.recordings.reference import SUFFIXES
from tfdbg_tui.cli import main
from tfdbg_tui.data.live.recorder_process import writer_of
from tfdbg_tui.data.records.debug_event_schema import parse, text
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.stores.sources import Location
from tfdbg_tui.data.stores.user_code import is_user_file
from tfdbg_tui.demo import temporary_logdir
from tfdbg_tui.demo.block_file import BLOCK
from tfdbg_tui.demo.recorded import WALL_TIME, WALL_TIME_TAG, recorded_run
from tfdbg_tui.demo.replay import FLUSHED, Replay
from tfdbg_tui.verdict import judgement
from tfdbg_tui.verdict.verdict import Damage

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.verdict.verdict import RunVerdict

CLEAN, CANNOT_READ = 0, 2
SIZE_LIMIT = 200_000
GUILTY_LINE = "log_probs = tf.math.log(probs)"
LINE_NUMBER = 1 + PROGRAM.splitlines().index(f"    {GUILTY_LINE}")
EVENT_SUFFIXES = ("execution", "graph_execution_traces")

UNDAMAGED = Damage(corrupt_records=0, cut_bytes=0, missing_files=(), open_references=0)

LOOKS = 60
"""At how many moments of the run its files are looked at."""

TIMEOUT = 20.0
"""Seconds for a thread to do what it does in a moment on a machine at rest."""


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    """The recording as the package holds it, unpacked."""
    folder = tmp_path / "shipped"
    with zipfile.ZipFile(RECORDING) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    folder = tmp_path / "logdir"
    folder.mkdir()
    return folder


def file_of(folder: Path, suffix: str) -> Path:
    (path,) = folder.glob(f"*.{suffix}")
    return path


def payloads(folder: Path, suffix: str) -> list[bytes]:
    return [payload for _, payload in split(file_of(folder, suffix))]


def events(folder: Path, suffix: str) -> list[Any]:
    return [parse(payload) for payload in payloads(folder, suffix)]


def loaded(folder: Path) -> Logdir:
    found = Logdir(folder)
    found.load()
    return found


def verdict_on(folder: Path) -> RunVerdict:
    found = loaded(folder)
    (run,) = judgement.verdict_on(found, found.runs).runs
    return run


def wait_until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + TIMEOUT
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def last_moment() -> float:
    """Seconds from the first to the last record of the run."""
    return max(record.due for records in recorded_run().values() for record in records)


def moments() -> list[float]:
    return [last_moment() * look / LOOKS for look in range(LOOKS + 1)]


# ---------------------------------------------------------------------- what is shipped


def test_it_is_small() -> None:
    assert RECORDING.stat().st_size < SIZE_LIMIT


def test_it_tells_nothing_of_the_machine_that_recorded_it(shipped: Path) -> None:
    content = b"".join(path.read_bytes() for path in shipped.iterdir())
    for trace in ("/tmp/", "site-packages", "lib/python3.", str(Path.home()) + "/", sys.prefix):
        assert trace.encode() not in content
    assert {path.name.split(".")[2] for path in shipped.iterdir()} == {HOST}
    sources = [event.source_file for event in events(shipped, "source_files")]
    assert {text(source.host_name) for source in sources} == {HOST}
    executions = [event.execution for event in events(shipped, "execution")]
    assert {text(execution.code_location.host_name) for execution in executions} == {HOST}


def test_the_program_is_the_only_source_with_lines(shipped: Path) -> None:
    sources = [event.source_file for event in events(shipped, "source_files")]
    lines_of = {text(source.file_path): [*map(text, source.lines)] for source in sources}
    assert [path for path in lines_of if is_user_file(path)] == [PROGRAM_PATH]
    assert lines_of.pop(PROGRAM_PATH) == PROGRAM.split("\n")
    assert all(path.startswith(LIBRARY_ROOT) for path in lines_of)
    assert not any(lines_of.values())


def test_the_first_bad_tensor_is_the_logarithm(shipped: Path) -> None:
    run = verdict_on(shipped)
    bad = run.first_bad
    assert bad is not None
    assert (bad.op_type, bad.function) == ("Log", "train_step")
    assert bad.health.neg_inf
    assert bad.location == Location(PROGRAM_PATH, LINE_NUMBER, "cross_entropy", GUILTY_LINE)
    assert run.damage == UNDAMAGED


def test_it_trains_for_a_while_before_and_after_its_first_nan(shipped: Path) -> None:
    """Seconds of the recording, not of this test."""
    steps = [
        event.wall_time
        for event in events(shipped, "execution")
        if text(event.execution.op_type).startswith(STEP_CALL)
    ]
    run = verdict_on(shipped)
    assert run.first_bad is not None
    assert run.first_bad.wall_time is not None
    assert run.started is not None
    nan_at = run.first_bad.wall_time
    assert 0.3 < sum(time < nan_at for time in steps) / len(steps) < 0.5
    assert steps[0] - run.started < 1.0
    assert 6.0 < nan_at - run.started < 8.0
    assert 15.0 < last_moment() < 21.0


# ---------------------------------------------------------------------- replay


def test_records_differ_from_the_recorded_ones_by_their_wall_times_alone(
    shipped: Path, logdir: Path
) -> None:
    replay = Replay(recorded_run(), logdir)
    replay.finish()
    replay.close()
    for suffix in SUFFIXES:
        before, after = payloads(shipped, suffix), payloads(logdir, suffix)
        assert before
        assert [payload[WALL_TIME.size :] for payload in after] == [
            payload[WALL_TIME.size :] for payload in before
        ]
        assert {payload[0] for payload in after} == {WALL_TIME_TAG}
    assert verdict_on(logdir).damage == UNDAMAGED


@pytest.mark.parametrize("speed", [0.5, 1.0, 4.0])
def test_wall_times_are_of_now_and_as_fast_as_wanted(
    shipped: Path, logdir: Path, speed: float
) -> None:
    before = time.time()
    replay = Replay(recorded_run(), logdir, speed)
    after = time.time()
    replay.finish()
    replay.close()
    (start,) = [event.wall_time for event in events(logdir, "metadata")]
    (recorded_start,) = [event.wall_time for event in events(shipped, "metadata")]
    assert before <= start <= after
    for suffix in EVENT_SUFFIXES:
        offsets = [event.wall_time - start for event in events(logdir, suffix)]
        expected = [event.wall_time - recorded_start for event in events(shipped, suffix)]
        assert [offset * speed for offset in offsets] == pytest.approx(expected, abs=1e-5)


def test_files_bear_the_name_of_this_host_and_the_second_of_their_beginning(logdir: Path) -> None:
    before = time.time()
    replay = Replay(recorded_run(), logdir)
    replay.close()
    for path in logdir.iterdir():
        kind, second, rest = path.name.split(".", 2)
        assert kind == "tfdbg_events"
        assert abs(int(second) - before) <= 60
        assert rest.rpartition(".")[0] == os.uname().nodename
    assert {path.suffix[1:] for path in logdir.iterdir()} == set(SUFFIXES)


def test_events_come_in_whole_blocks_and_all_else_in_whole_records(logdir: Path) -> None:
    replay = Replay(recorded_run(), logdir)
    cut_tails = 0
    for moment in moments():
        replay.write(moment)
        for suffix in EVENT_SUFFIXES:
            path = file_of(logdir, suffix)
            records = split(path)
            whole = sum(len(payload) + 16 for _, payload in records)
            assert path.stat().st_size % BLOCK == 0
            cut_tails += whole < path.stat().st_size
        for suffix in FLUSHED:
            path = file_of(logdir, suffix)
            assert sum(len(payload) + 16 for _, payload in split(path)) == path.stat().st_size
    assert cut_tails > LOOKS
    replay.finish()
    replay.close()
    assert any(file_of(logdir, suffix).stat().st_size % BLOCK for suffix in EVENT_SUFFIXES)


def test_it_can_be_read_at_any_moment(logdir: Path) -> None:
    replay = Replay(recorded_run(), logdir)
    live, seen = Logdir(logdir), 0
    for moment in moments():
        replay.write(moment)
        live.load()
        fresh = verdict_on(logdir)
        assert fresh.damage.corrupt_records == 0
        assert live.runs[0].counts() == fresh.counts.to_json()
        assert fresh.counts.graph_executions >= seen
        seen = fresh.counts.graph_executions
    assert seen
    replay.close()


def test_the_line_is_there_as_soon_as_the_first_bad_tensor_is(logdir: Path) -> None:
    replay = Replay(recorded_run(), logdir)
    bad, moment = None, 0.0
    while bad is None:
        moment += 0.1
        replay.write(moment)
        bad = verdict_on(logdir).first_bad
    replay.close()
    assert bad.op_type == "Log"
    assert bad.location is not None
    assert (bad.location.line, bad.location.code) == (LINE_NUMBER, GUILTY_LINE)


# ---------------------------------------------------------------------- the thread


def test_the_thread_writes_all_and_then_lets_go_of_the_files(logdir: Path) -> None:
    replay = Replay(recorded_run(), logdir, speed=50.0)
    paths = sorted(logdir.iterdir())
    assert writer_of(paths) is True
    replay.start()
    wait_until(lambda: writer_of(paths) is not True)
    recorded = {suffix: len(records) for suffix, records in recorded_run().items()}
    assert {suffix: len(payloads(logdir, suffix)) for suffix in SUFFIXES} == recorded
    replay.stop()


def test_it_stops_at_any_moment(logdir: Path) -> None:
    replay = Replay(recorded_run(), logdir)
    replay.start()
    wait_until(lambda: file_of(logdir, "execution").stat().st_size)
    replay.stop()
    sizes = [path.stat().st_size for path in sorted(logdir.iterdir())]
    assert writer_of(sorted(logdir.iterdir())) is not True
    assert "tfdbg-replay" not in [thread.name for thread in threading.enumerate()]
    assert len(payloads(logdir, "execution")) < len(recorded_run()["execution"])
    assert [path.stat().st_size for path in sorted(logdir.iterdir())] == sizes
    replay.stop()


# ---------------------------------------------------------------------- the temporary logdir


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files are made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def test_the_logdir_is_there_while_it_plays_and_gone_afterwards(temporary: Path) -> None:
    with temporary_logdir.playing(speed=1.0) as logdir:
        assert logdir.parent == temporary
        assert logdir.name.startswith(temporary_logdir.FOLDER_PREFIX)
        wait_until(lambda: file_of(logdir, "execution").stat().st_size)
    assert not [*temporary.iterdir()]


def test_trouble_leaves_no_logdir_behind(temporary: Path) -> None:
    with pytest.raises(KeyboardInterrupt), temporary_logdir.playing(speed=1.0):
        raise KeyboardInterrupt
    assert not [*temporary.iterdir()]


def test_where_nothing_can_be_written_a_sentence_says_so(
    temporary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    temporary.rmdir()
    assert main(["demo"]) == CANNOT_READ
    said = capsys.readouterr().err
    assert said.startswith("tfdbg-tui: the demo cannot write its recording (no such file")
    assert said.endswith("set TMPDIR to a folder with room.\n")


# ---------------------------------------------------------------------- the command


def demo(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tfdbg_tui", "demo", *options],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_without_a_terminal_it_is_a_verdict(temporary: Path) -> None:
    done = demo()
    assert (done.returncode, done.stderr) == (CLEAN, "")
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert any(line.startswith("BAD: ") for line in lines)
    assert "Log:0 (Log)" in lines
    index = lines.index(f"{PROGRAM_PATH}:{LINE_NUMBER} in cross_entropy")
    assert lines[index + 1] == GUILTY_LINE
    assert not [*temporary.iterdir()]


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "inf", "fast", "1e9", ""])
def test_what_is_no_speed_is_refused(speed: str) -> None:
    done = demo(f"--speed={speed}")
    assert (done.returncode, done.stdout) == (CANNOT_READ, "")
    assert f"{speed} is no speed between 0.01 and 1000" in done.stderr


def test_the_options_of_the_app_are_the_demos_too() -> None:
    words = ["--first-nan", "--ascii", "--no-mouse", "--theme", "nord", "--config", "none.toml"]
    done = demo("--speed", "4", *words)
    assert (done.returncode, done.stderr) == (CLEAN, "")


def test_the_verdict_is_that_of_check(shipped: Path) -> None:
    line = [sys.executable, "-m", "tfdbg_tui", "check", "--json", str(shipped)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    (run,) = json.loads(done.stdout)["runs"]
    assert f"BAD: {run['alerts']['inf_nan']:,} tensors with NaN or Inf." in demo().stdout
