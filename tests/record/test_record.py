"""Recording from within a program: real TensorFlow, each time in a process of its own.

Those processes have TensorFlow imported before they start, but find it only when they import it.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tests.recordings.programs import ENVIRONMENT
from tests.recordings.reference import events
from tests.support.tensorflow_server import tensorflow_python
from tfdbg_tui import record
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.record.tf_internals import RecorderOptions

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.run import Run

START = """
import json, os, sys, threading, time
from tfdbg_tui import record
assert "tensorflow" not in sys.modules
import tensorflow as tf

logdir = sys.argv[1]

@tf.function
def step(x):
    return tf.math.log(x) * 2.0

def compute():
    step(tf.constant([1.0, 0.0]))

def say(**facts):
    print(json.dumps(facts), flush=True)
"""

TIMEOUT = 120
"""Seconds that a program may take."""


def started(
    program: str, logdir: Path, *words: str, python: str | None = None
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [python or tensorflow_python(), "-c", START + program, str(logdir), *words],
        env={**os.environ, **ENVIRONMENT},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(program: str, logdir: Path, code: int = 0) -> list[dict[str, Any]]:
    """What a program says, one object for each line."""
    process = started(program, logdir)
    said, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == code, errors
    return [json.loads(line) for line in said.splitlines()]


def runs_in(logdir: Path) -> tuple[Run, ...]:
    found = Logdir(logdir)
    found.load()
    return found.runs


def events_of(recorded: Run) -> tuple[int, int]:
    counts = recorded.counts()
    return counts["executions"], counts["graph_executions"]


def test_what_is_computed_can_be_seen_while_the_program_runs(tmp_path: Path) -> None:
    program = "record.enable(logdir)\ncompute()\nsay()\nsys.stdin.read()"
    # This one from the very start, as users have it.
    process = started(program, tmp_path, python=sys.executable)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            found = runs_in(tmp_path)
            if found and all(events_of(found[0])):
                break
            time.sleep(0.05)
        (alive,) = runs_in(tmp_path)
        assert process.poll() is None
        assert alive.mode_names() == ("FULL_HEALTH",)
        assert len(alive.alerts) == 3
        first = alive.alerts.first()
        assert first is not None
        # Nothing is open: lines, ops and frames were flushed before the events that name them.
        assert alive.hosts[0].damage().open_references == 0
    finally:
        process.kill()
        process.communicate()


def test_a_block_is_recorded_and_functions_live_on(tmp_path: Path) -> None:
    said = run(
        """
with record.enable(logdir) as recording:
    compute()
compute()  # TensorFlow itself would crash here
tf.constant(1.0) + 1.0
say(logdir=str(recording.logdir), mode=recording.mode)
with record.enable(logdir):
    compute()
""",
        tmp_path / "deep" / "logdir",
    )
    assert said == [{"logdir": str(tmp_path / "deep" / "logdir"), "mode": "FULL_HEALTH"}]
    (recorded,) = runs_in(tmp_path)
    # Two of three calls are seen from outside, all three from within.
    assert events_of(recorded) == (2, 9)


def test_another_way_of_recording_is_another_run(tmp_path: Path) -> None:
    run(
        """
with record.enable(logdir):
    compute()
with record.enable(logdir, mode="CURT_HEALTH"):
    step(tf.constant([1.0, 2.0, 3.0]))
""",
        tmp_path,
    )
    first, second = runs_in(tmp_path)
    assert (first.mode_names(), second.mode_names()) == (("FULL_HEALTH",), ("CURT_HEALTH",))
    assert (events_of(first), events_of(second)) == ((1, 3), (1, 3))


def test_a_recorder_that_is_on_already_is_kept_and_made_live(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    said = run(
        f"""
import warnings
tf.debugging.experimental.enable_dump_debug_info({str(elsewhere)!r}, "FULL_HEALTH")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    recording = record.enable(logdir)
    same = record.enable({str(elsewhere)!r}) is recording
compute()
recording.flush()
say(logdir=str(recording.logdir), same=same, warned=[str(w.message) for w in caught],
    bytes=sum(os.path.getsize(f) for f in recording.logdir.glob("*traces")))
os._exit(0)
""",
        tmp_path / "logdir",
    )
    assert said[0]["logdir"] == str(elsewhere)
    assert said[0]["same"]
    assert len(said[0]["warned"]) == 1
    assert str(elsewhere) in said[0]["warned"][0]
    assert said[0]["bytes"] > 0
    assert not (tmp_path / "logdir").exists()


def test_a_terminated_program_leaves_all_it_computed(tmp_path: Path) -> None:
    program = """
record.enable(logdir, flush_every=None, keep=1000)
compute()
os.kill(os.getpid(), 15)
time.sleep(60)
"""
    run(program, tmp_path, code=-signal.SIGTERM)
    (recorded,) = runs_in(tmp_path)
    assert events_of(recorded) == (1, 3)


def test_a_program_that_fails_while_a_thread_goes_on_leaves_all(tmp_path: Path) -> None:
    program = """
record.enable(logdir, flush_every=None, keep=1000)
compute()
threading.Thread(target=time.sleep, args=[3600]).start()
say()
raise ValueError("the loss is NaN")
"""
    process = started(program, tmp_path)
    try:
        assert process.stderr is not None
        while "the loss is NaN" not in process.stderr.readline():
            assert process.poll() is None
        (recorded,) = runs_in(tmp_path)
        assert events_of(recorded) == (1, 3)
    finally:
        process.kill()
        process.communicate()


KILLED = """
record.enable(logdir, keep=int(sys.argv[2]) or None)
computed = os.open(sys.argv[1] + ".times", os.O_WRONLY | os.O_CREAT, 0o600)
compute()
say()
while True:
    tf.constant(1.0) + 1.0
    os.pwrite(computed, repr(time.time()).encode(), 0)
"""

LOSS = 0.2
"""Seconds of events that a killed program may lose."""

TRIES = 3
"""A busy machine may let the flushing thread wait; not every time."""


def lost_seconds(logdir: Path) -> float:
    """How far what is on disk lies behind what was computed."""
    computed = float(Path(f"{logdir}.times").read_text())
    return computed - max(float(event.wall_time) for _, event in events(logdir, "execution"))


# With a buffer nothing but the flushing thread writes; without one, full blocks are written too.
@pytest.mark.parametrize("keep", [0, 1_000_000])
def test_a_killed_program_loses_the_last_moment_only(tmp_path: Path, keep: int) -> None:
    seen = []
    for attempt in range(TRIES):
        logdir = tmp_path / str(attempt)
        process = started(KILLED, logdir, str(keep))
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.5)
        # What is on disk at any moment is what a kill at that moment would leave.
        lost = []
        for _ in range(9):
            time.sleep(0.07)
            lost.append(lost_seconds(logdir))
        process.kill()
        process.communicate()
        seen.append((median(lost), lost_seconds(logdir)))
        if max(seen[-1]) <= LOSS:
            return
    pytest.fail(f"seconds lost, by the median and at the kill: {seen}")


def test_a_forked_child_does_not_touch_the_recording(tmp_path: Path) -> None:
    run(
        """
recording = record.enable(logdir, flush_every=None)
compute()
child = os.fork()
if child == 0:
    tf.constant(2.0) + 1.0
    recording.flush()
    sys.exit(0)  # runs what runs at exit, too
assert os.waitpid(child, 0)[1] == 0
compute()
""",
        tmp_path,
    )
    (recorded,) = runs_in(tmp_path)
    assert events_of(recorded) == (2, 6)
    damage = recorded.hosts[0].damage()
    assert (damage.corrupt_records, damage.cut_bytes) == (0, 0)


def test_keras_is_recorded_while_it_trains(tmp_path: Path) -> None:
    run(
        """
model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
x = tf.ones((4, 2))
model.fit(x, x[:, :1], verbose=0)  # traced before anybody recorded
model.fit(x, x[:, :1], verbose=0, callbacks=[record.callback(logdir, mode="CONCISE_HEALTH")])
say(files=len(os.listdir(logdir)))
model.predict(x, verbose=0)
""",
        tmp_path,
    )
    (recorded,) = runs_in(tmp_path)
    assert recorded.mode_names() == ("CONCISE_HEALTH",)
    executions, traces = events_of(recorded)
    assert executions
    assert traces
    assert any("dense" in site.op_name for site in recorded.hosts[0].traces.sites)


def test_programs_of_one_second_do_not_share_files(tmp_path: Path) -> None:
    logdir = tmp_path / "logdir"
    program = """
say()
sys.stdin.readline()
record.enable(logdir)
compute()
"""
    both = [started(program, logdir) for _ in range(2)]
    for process in both:
        assert process.stdout is not None
        process.stdout.readline()
    for process in both:  # at once, and as near to each other as can be
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in both:
        process.communicate(timeout=TIMEOUT)
    found = runs_in(logdir)
    assert [events_of(recorded) for recorded in found] == [(1, 3), (1, 3)]
    assert not any(recorded.hosts[0].damage().corrupt_records for recorded in found)


def test_filters_hold_and_op_types_may_be_bytes(tmp_path: Path) -> None:
    run(
        """
record.enable(logdir, op_regex="Log|Mean", dtypes=["float32"])
compute()
tf.reduce_mean(tf.constant([1.0, 2.0]))  # TensorFlow itself fails on this
""",
        tmp_path,
    )
    (recorded,) = runs_in(tmp_path)
    assert {site.op_name for site in recorded.hosts[0].traces.sites} == {"Log"}


def test_ops_of_functions_can_be_chosen_by_their_names(tmp_path: Path) -> None:
    run("record.enable(logdir, op_names=['Log'])\ncompute()\ntf.constant([1.0]) * 2.0", tmp_path)
    (recorded,) = runs_in(tmp_path)
    host = recorded.hosts[0]
    assert {site.op_name for site in host.traces.sites} == {"Log"}
    assert any(site.op_type == "Mul" and site.tensors for site in host.executions.sites)
    assert any(len(graph.ops) > 1 for graph in host.graphs.by_id.values()), "all ops are there"
    assert recorded.program is not None
    assert (recorded.program.op_names, recorded.is_partial) == (("Log",), True)


def test_events_are_written_behind_what_they_refer_to(tmp_path: Path) -> None:
    written: list[str] = []
    writer: Any = SimpleNamespace(
        FlushExecutionFiles=lambda: written.append("events"),
        FlushNonExecutionFiles=lambda: written.append("what they refer to"),
    )
    recorder: Any = SimpleNamespace(tfdbg_run_id="abc")
    options = RecorderOptions(str(tmp_path), "FULL_HEALTH", record.NO_BUFFER, None, None)
    record.Recording(options, recorder, writer, flush_every=None).flush()
    assert written == ["what they refer to", "events"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mode": "FULL"}, "no mode FULL; choose from FULL_HEALTH"),
        ({"flush_every": 0}, "seconds above 0"),
        ({"flush_every": float("nan")}, "seconds above 0"),
        ({"flush_every": "a"}, "seconds above 0"),
        ({"keep": 0}, "number of events"),
        ({"keep": "x"}, "number of events"),
    ],
)
def test_what_cannot_be_is_said_at_once(
    tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        record.enable(tmp_path / "logdir", **options)
    assert not (tmp_path / "logdir").exists()


def test_a_pattern_that_is_none_and_a_place_that_is_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(re.error):
        record.enable(tmp_path / "logdir", op_regex="(")
    with pytest.raises(ValueError, match="logdir is empty"):
        record.enable("")


def test_new_folders_are_made_for_their_owner_alone(tmp_path: Path) -> None:
    program = (
        "os.umask(0)\nrecord.enable(logdir + '/a/b')\n"
        "say(modes=[os.stat(logdir + path).st_mode & 0o777 for path in ('/a', '/a/b')])"
    )
    assert run(program, tmp_path) == [{"modes": [0o700, 0o700]}]


def test_a_program_in_another_encoding_is_recorded_with_its_source(tmp_path: Path) -> None:
    line = 'exec(compile("tf.math.log(0.0)", "<frozen nothing>", "exec"))  # häh?'
    script = tmp_path / "program.py"
    script.write_text(f"# coding: latin-1\n{START}\nrecord.enable(logdir)\n{line}\n", "latin-1")
    command = [tensorflow_python(), str(script), str(tmp_path / "logdir")]
    done = subprocess.run(
        command, env={**os.environ, **ENVIRONMENT}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Failed to read source" not in done.stderr
    (found,) = runs_in(tmp_path / "logdir")
    sources = found.hosts[0].sources
    paths = [file.path for file in sources.files if file is not None]
    assert line in (sources.lines(paths.index(str(script))) or ())
