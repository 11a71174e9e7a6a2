"""`tfdbg-tui run`: a script under the app, and whatever scripts do."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING

import pytest

from tests.recordings.programs import ENVIRONMENT
from tests.support.command_under_test import (
    app,
    is_free_of,
    quick_command,
    run_headless,
)
from tests.support.terminal import start_shell
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from tests.support.terminal import Starter, Terminal

TIMEOUT = 60
"""Seconds: a busy machine takes long to import TensorFlow."""

WAITS = "import time\nprint('ready', flush=True)\ntime.sleep(600)\n"

TRAINS = """
import sys, time
import tensorflow as tf

@tf.function
def loss(x):
    return tf.math.log(x)

print("training", flush=True)
for step in range(int(sys.argv[1]) if sys.argv[1:] else 600):
    loss(tf.constant([1.0, 0.0 if step >= 3 else 1.0]))
    time.sleep(0.1)
print("trained")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "logdir").mkdir()
    return tmp_path


def script(folder: Path, text: str) -> Path:
    path = folder / "train.py"
    path.write_text(text)
    return path


def running(folder: Path, *words: str | Path, starter: Starter | None = None) -> Terminal:
    """The app over a script, to be entered."""
    return app("run", "--logdir", folder / "logdir", *words, env=ENVIRONMENT, starter=starter)


def headless(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return run_headless("--logdir", folder / "logdir", *words, cwd=folder)


def quick_headless(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """As `headless`, where it does not matter how TensorFlow gets into the script's process."""
    logdir = folder / "logdir"
    return run_headless("--logdir", logdir, *words, cwd=folder, command=quick_command())


# Under the app.


def test_what_a_script_prints_stays_in_its_pane(folder: Path) -> None:
    hostile = r"print('\x1b[2J\x1b[H\x1b]0;evil\x07[/x] [@click=app.quit]go[/]')"
    program = f"{hostile}\nprint('out')\nimport sys\nprint('err', file=sys.stderr)\n"
    with running(folder, script(folder, program), starter=start_shell) as terminal:
        terminal.wait_for("8 Output exit 0")
        lines = terminal.wait_for(lambda lines: {"out", "err"} <= set(lines))
        assert "tfdbg" in lines[0]
        assert "[/x] [@click=app.quit]go[/]" in lines
        assert b"evil" not in terminal.transcript
        terminal.press("q")
        assert terminal.wait_exit() == 0
        assert not terminal.left_sane()
        lines = terminal.wait_for("train.py ended with exit code 0.")
        assert "Nothing was recorded: TensorFlow was not imported." in lines
    assert b"out\r\nerr\r\n" in (folder / "logdir" / "output.txt").read_bytes()


def test_a_script_that_never_imports_tensorflow_is_said_to(folder: Path) -> None:
    with running(folder, script(folder, "print('hello')")) as terminal:
        terminal.wait_for("train.py never imported TensorFlow: nothing was recorded.")
        terminal.wait_for(lambda lines: "exit 0" in lines[0])


def test_a_script_that_fails_shows_why(folder: Path) -> None:
    program = "def setup():\n    raise ValueError('no such file')\n\nsetup()\n"
    with running(folder, script(folder, program)) as terminal:
        lines = terminal.wait_for("ValueError: no such file")
        terminal.wait_for("! train.py ended with ValueError at train.py:2")
        assert 'train.py",line4' in "".join(lines).replace(" ", ""), "wherever it is wrapped"
        terminal.wait_for(lambda lines: "exit 1" in lines[0])
        assert "tfdbg_tui" not in "\n".join(lines)
        terminal.press("!")
        terminal.wait_for("Nothing is recorded.")


def test_the_doctor_knows_of_a_script_that_recorded_nothing(folder: Path) -> None:
    program = "raise ModuleNotFoundError(\"No module named 'tensorflow'\")"
    with running(folder, script(folder, program)) as terminal:
        terminal.wait_for("This Python has no TensorFlow: install tfdbg-tui beside it")
        terminal.wait_for(lambda lines: "ENDED exit 1" in lines[0])
        terminal.press("d")
        terminal.wait_for("! problem   This Python has no TensorFlow")


def test_ctrl_c_stops_the_script_and_then_leaves(folder: Path) -> None:
    with running(folder, script(folder, WAITS)) as terminal:
        terminal.wait_for("ready")
        terminal.press("ctrl+c")
        terminal.wait_for("8 Output exit 130")
        terminal.wait_for("train.py was stopped before it computed anything.")
        assert terminal.exit_code is None
        terminal.press("ctrl+c")
        assert terminal.wait_exit() == 0


def test_quitting_asks_while_the_script_runs(folder: Path) -> None:
    with running(folder, script(folder, WAITS)) as terminal:
        terminal.wait_for("ready")
        terminal.press("q")
        terminal.wait_for("train.py still runs: q again stops it and leaves.")
        terminal.press("j")
        terminal.wait_for(is_free_of("still runs"))
        terminal.press("q")
        terminal.wait_for("train.py still runs: q again stops it and leaves.")
        terminal.press("q")
        assert terminal.wait_exit() == 0
        terminal.wait_for("train.py was stopped.")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_no_script_outlives_the_app(folder: Path, number: signal.Signals) -> None:
    program = f"import os\nprint('pid', os.getpid(), flush=True)\n{WAITS}"
    with running(folder, script(folder, program)) as terminal:
        lines = terminal.wait_for("ready")
        (pid,) = (int(line.split()[1]) for line in lines if line.startswith("pid "))
        terminal.signal(number)
        terminal.wait_exit()
        terminal.pump(0.5)
        assert _has_ended(pid)


def _has_ended(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_the_output_follows_its_end_until_scrolled(folder: Path) -> None:
    program = "for n in range(100): print('line', n)\n"
    with running(folder, script(folder, program)) as terminal:
        terminal.wait_for("line 99")
        terminal.wait_for("8 Output exit 0")
        terminal.press("8", "g")
        terminal.wait_for("line 0")
        terminal.press("G")
        terminal.wait_for("line 99")
        terminal.press("z")
        terminal.wait_for("line 80")


def test_progress_bars_fit_and_overwrite_themselves(folder: Path) -> None:
    program = (
        "import os, time\ncolumns = os.get_terminal_size().columns\n"
        "for n in range(5): print(f'\\r{n}/4'.ljust(columns, '.'), end='', flush=True)\nprint()\n"
    )
    with running(folder, script(folder, program)) as terminal:
        lines = terminal.wait_for("4/4...")
        assert not any("3/4" in line for line in lines)
        assert sum("...." in line for line in lines) == 1


def test_other_panes_are_there_from_the_start(folder: Path) -> None:
    with running(folder, script(folder, WAITS)) as terminal:
        terminal.wait_for("ready")
        terminal.press("7")
        terminal.wait_for(is_free_of("ready"))
        terminal.press("8")
        terminal.wait_for("ready")
        terminal.press("?")
        terminal.wait_for("Help: Output")
        terminal.press("escape")
        column, row = terminal.find("5 Graph")
        terminal.click(column, row)
        terminal.wait_for(is_free_of("ready"))
        terminal.resize(160, 48)
        terminal.wait_for("ready")


def test_the_script_stops_at_its_first_nan_and_the_app_shows_it(folder: Path) -> None:
    with running(folder, "--until-bad", script(folder, TRAINS), starter=start_shell) as terminal:
        terminal.wait_for(re.compile(r"▸ .*Log"), TIMEOUT)
        terminal.wait_for(re.compile(r"▸ *7 .*return tf.math.log\(x\)"), TIMEOUT)
        terminal.wait_for(re.compile("ENDED.* exit 130"), TIMEOUT)
        terminal.press("8")
        lines = terminal.wait_for("interrupted at")
        assert "trained" not in "\n".join(lines)
        terminal.press("q")
        terminal.wait_exit()
        terminal.wait_for(re.compile(r"Its recording \(\d+ MB\): tfdbg-tui "))
        terminal.wait_for(re.compile("^Log took (a|1) zero", re.MULTILINE))


def test_at_its_end_the_band_and_then_the_shell_say_what_was_found_first(folder: Path) -> None:
    with running(folder, script(folder, TRAINS), "6") as terminal:
        terminal.wait_for(re.compile("ENDED exit 0 +! 6"), TIMEOUT)
        lines = terminal.wait_for(re.compile(r"! FIRST +Log in ƒ loss made -inf in 1 of 2"))
        assert "return tf.math.log(x)" in lines[2]
        assert any("8 Output exit 0" in line for line in lines)
        terminal.press("8")
        terminal.wait_for(lambda lines: "trained" in lines)
        terminal.press("q")
        assert terminal.wait_exit() == 0
        said = "".join(terminal.wait_for(re.compile("^Log took (a|1) zero", re.MULTILINE)))
        assert f"{folder / 'train.py'}:7" in said


# Without a screen.


def test_headless_the_exit_code_and_the_terminal_are_the_scripts(folder: Path) -> None:
    done = headless(
        folder, script(folder, "import sys\nprint(sys.argv[1:])\nsys.exit(7)"), "--a", "b"
    )
    assert (done.returncode, done.stdout) == (7, "['--a', 'b']\n")
    first, ended = done.stderr.splitlines()[:2]
    assert first == f"tfdbg-tui: nothing is recorded in {folder / 'logdir'}."
    assert "train.py ended with exit code 7" in ended
    assert (folder / "logdir").is_dir(), "it was there before"


def test_headless_until_bad_ends_with_the_code_of_bad_numbers(folder: Path) -> None:
    done = quick_headless(folder, "--until-bad", script(folder, TRAINS))
    assert done.returncode == 1
    assert done.stdout == "training\n"
    said = [
        "tfdbg-tui: Log took ",
        "tfdbg-tui: stopping train.py.\n",
        "interrupted at",
        "BAD: ",
    ]
    assert re.search(".*".join(map(re.escape, said)), done.stderr, re.DOTALL), done.stderr


MASKS = """
import time
import tensorflow as tf

MASK = tf.constant([0.0, float("-inf")])

@tf.function
def attend(scores):
    return tf.nn.softmax(scores + MASK)

for step in range(16):
    attend(tf.constant([1.0, 2.0]))
    time.sleep(0.1)
print("attended")
"""


def test_until_bad_does_not_stop_at_what_is_bad_on_purpose(folder: Path) -> None:
    done = quick_headless(folder, "--until-bad", script(folder, MASKS))
    assert (done.returncode, done.stdout) == (0, "attended\n")
    assert "CLEAN: " in done.stderr
    assert "on purpose" in done.stderr


ENDS_BADLY = """
import tensorflow as tf
tf.math.log(tf.constant(0.0))
"""


def test_a_bad_end_counts_even_if_it_came_too_late_to_stop(folder: Path) -> None:
    assert quick_headless(folder, "--until-bad", script(folder, ENDS_BADLY)).returncode == 1


def test_each_run_has_a_folder_of_its_own(folder: Path) -> None:
    assert "BAD" in quick_headless(folder, script(folder, ENDS_BADLY)).stderr
    healthy = ENDS_BADLY.replace("0.0", "1.0")
    done = quick_headless(folder, "--until-bad", script(folder, healthy))
    assert done.returncode == 0, "an older run is not this one's business"
    assert "BAD" not in done.stderr
    assert [path.name for path in (folder / "logdir").iterdir() if path.is_dir()] == ["run-2"]


def test_options_reach_the_recorder(folder: Path) -> None:
    (folder / "package").mkdir()
    (folder / "package" / "train.py").write_text(TRAINS)
    for name in ("signal", "fcntl", "socketserver"):  # names that mean others to Python and to us
        (folder / f"{name}.py").write_text("mine = True")
    done = headless(
        folder,
        *("--mode", "CURT_HEALTH", "--op-regex", "^Log$", "--dtypes=float32", "--keep", "5000"),
        *("-m", "package.train", "5"),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "training\ntrained\n"
    logdir = Logdir(folder / "logdir")
    logdir.load()
    (run,) = logdir.runs
    assert run.mode_names() == ("CURT_HEALTH",)
    assert {site.op_name for site in run.hosts[0].traces.sites} == {"Log"}
    assert len(run.hosts[0].traces) == 5


JIT = """
import tensorflow as tf

@tf.function(jit_compile=True)
def loss(x):
    return tf.math.log(x)

print(loss(tf.constant([1.0, 0.0])).numpy())
"""


@pytest.mark.parametrize("options", [(), ("--no-jit",)])
def test_compiled_functions_are_recorded_uncompiled(folder: Path, options: tuple[str, ...]) -> None:
    done = quick_headless(folder, *options, script(folder, JIT))
    assert (done.returncode, done.stdout) == (0, "[  0. -inf]\n"), done.stderr
    assert "Log:0 (Log)" in done.stderr
    (told,) = [line for line in done.stderr.splitlines() if "XLA" in line]
    assert told.startswith("tfdbg-tui: ")
    assert "train.py:4 asks for XLA, which is off" in told


def test_compiled_functions_stay_so_on_demand(folder: Path) -> None:
    done = quick_headless(folder, "--jit", script(folder, JIT))
    assert (done.returncode, done.stdout) == (0, "[  0. -inf]\n"), done.stderr
    assert "XLA" not in done.stderr
    assert "Log:0 (Log)" not in done.stderr
    assert "__inference_loss" in done.stderr, "what it returns is seen"


def test_headless_says_why_there_is_nothing_to_judge(folder: Path) -> None:
    done = quick_headless(folder, script(folder, "import tensorflow\nraise SystemExit(1)\n"))
    assert done.returncode == 1
    said = re.sub(r"\s+", " ", done.stderr)
    assert "train.py ended with exit code 1" in said
    assert "FAILED: the program ended with an error; no tensor is on disk" in said


OWN_RECORDING = """
import os, sys
import tensorflow as tf
tf.debugging.experimental.enable_dump_debug_info(sys.argv[1], "NO_TENSOR")
f = tf.function(lambda x: tf.math.log(x))
f(tf.constant(0.0))
tf.debugging.experimental.disable_dump_debug_info()
f(tf.constant(0.0))
pid = os.fork()
if pid == 0:
    sys.exit(0)
os.waitpid(pid, 0)
f(tf.constant(0.0))
"""


def test_a_script_that_records_itself_and_forks_is_recorded_here(folder: Path) -> None:
    done = quick_headless(folder, script(folder, OWN_RECORDING), folder / "elsewhere")
    assert done.returncode == 0, done.stderr
    assert not (folder / "elsewhere").exists()
    logdir = Logdir(folder / "logdir")
    logdir.load()
    (run,) = logdir.runs
    assert run.mode_names() == ("FULL_HEALTH",)
    assert (run.counts()["executions"], len(run.hosts[0].traces)) == (1, 3)
    assert not run.hosts[0].damage().corrupt_records


FAILS = """
import os, sys
import tensorflow as tf
sys.excepthook = lambda *_: os._exit(5)
for _ in range(50):
    tf.math.log(tf.constant(1.0))
raise ValueError
"""


def test_what_is_computed_last_is_kept_whatever_becomes_of_an_exception(folder: Path) -> None:
    done = quick_headless(folder, script(folder, FAILS))
    assert done.returncode == 5
    logdir = Logdir(folder / "logdir")
    logdir.load()
    assert logdir.runs[0].counts()["executions"] == 50


def test_a_script_in_the_terminal_is_interrupted_once(folder: Path) -> None:
    program = (
        "import time\nfor word in ('ready', 'once', 'twice'):\n    try:\n"
        "        print(word, flush=True)\n        time.sleep(0 if word == 'twice' else 600)\n"
        "    except KeyboardInterrupt:\n        pass\n"
    )
    words = ("--headless", "--logdir", folder / "logdir", script(folder, program))
    with app("run", *words) as terminal:
        terminal.wait_for("ready")
        terminal.press("ctrl+c")
        terminal.wait_for("once")
        terminal.pump(0.3)
        assert not any("twice" in line for line in terminal.text())
        assert terminal.exit_code is None
        terminal.press("ctrl+c")
        assert terminal.wait_exit() == 0
