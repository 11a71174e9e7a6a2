"""What programs note beside their recordings: how they are recorded, and how they end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.record.test_record import run, runs_in
from tests.support.command_under_test import quick_command, run_headless

if TYPE_CHECKING:
    from pathlib import Path

    from tfdbg_tui.data.stores.program_notes import Program


def noted(logdir: Path) -> Program:
    """The notes about the one run of a logdir."""
    (recorded,) = runs_in(logdir)
    assert recorded.program is not None
    assert recorded.program.run_id == recorded.run_id
    return recorded.program


def test_a_program_notes_its_options_and_that_it_ended_well(tmp_path: Path) -> None:
    run("record.enable(logdir, keep=7, op_regex='Log', dtypes=[tf.float32])\ncompute()", tmp_path)
    program = noted(tmp_path)
    assert (program.started_by, program.op_regex, program.keep) == ("record", "Log", 7)
    assert program.dtypes == ("float32",)
    assert program.ended is not None
    assert not program.failed
    assert program.other_threads == 0


def test_a_program_notes_the_error_that_ends_it(tmp_path: Path) -> None:
    program = "record.enable(logdir)\ncompute()\nstep(tf.constant(['x']))"
    run(program, tmp_path, code=1)
    failure = noted(tmp_path).failure
    assert failure is not None
    assert failure.name in ("TypeError", "InvalidArgumentError")
    assert noted(tmp_path).failed


def test_threads_that_are_not_recorded_are_noted(tmp_path: Path) -> None:
    program = """
recording = record.enable(logdir)
compute()
done = threading.Event()
def work():
    while not done.is_set():
        tf.linalg.matmul(tf.ones((200, 200)), tf.ones((200, 200)))
worker = threading.Thread(target=work)
worker.start()

while "other_threads" not in recording._notes._notes._facts:
    time.sleep(0.05)
done.set()
worker.join()
"""
    run(program, tmp_path)
    assert noted(tmp_path).other_threads == 1


def test_each_recording_of_a_program_has_notes_of_its_own(tmp_path: Path) -> None:
    program = """
for name in "ab":
    with record.enable(f"{logdir}/{name}"):
        tf.math.log(1.0)
"""
    run(program, tmp_path)
    assert noted(tmp_path / "a").run_id != noted(tmp_path / "b").run_id


def test_run_notes_the_exit_code_and_the_error_of_a_script(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import tensorflow as tf\ntf.math.log(1.0)\nraise LookupError('mine')\n")
    logdir = tmp_path / "logdir"
    done = run_headless("--logdir", logdir, script, cwd=tmp_path, command=quick_command())
    program = noted(logdir)
    assert (program.started_by, program.exit_code, done.returncode) == ("run", 1, 1)
    assert program.failure is not None
    assert program.failure.line is not None
    assert (program.failure.name, program.failure.line.line) == ("LookupError", 3)
    assert "train.py ended with LookupError at" in done.stderr
    assert "FAILED" in done.stderr


def test_a_script_that_never_gets_to_tensorflow_says_why(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import nowhere\n")
    logdir = tmp_path / "made for it" / "logdir"
    done = run_headless("--logdir", logdir, script, cwd=tmp_path)
    assert "train.py ended with ModuleNotFoundError at" in done.stderr
    assert "No module named 'nowhere'" in done.stderr
    assert not logdir.parent.exists(), "nothing is in it"


def test_notes_stay_in_a_folder_that_was_there_before(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import sys\nsys.exit(7)\n")
    logdir = tmp_path / "logdir"
    logdir.mkdir()
    run_headless("--logdir", logdir, script, cwd=tmp_path)
    assert [path.name for path in logdir.iterdir()] == ["tfdbg_program.json"]


def test_the_recorders_frames_stay_out_of_a_scripts_traceback(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(
        "import tensorflow.compat.v1 as tf\n"
        "tf.disable_eager_execution()\n"
        "x = tf.placeholder(tf.float32, [None, 2])\n"
        "tf.Session().run(tf.matmul(x, x), {x: [[1.0, 2.0]]})\n"
    )
    logdir = tmp_path / "logdir"
    done = run_headless("--logdir", logdir, script, cwd=tmp_path, command=quick_command())
    told = done.stderr.partition("\nrun ")[0]
    assert "InvalidArgumentError" in told
    assert "session.py" in told
    assert "tfdbg_tui" not in told
