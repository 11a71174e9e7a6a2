"""`tfdbg-tui run --headless`: the script keeps the terminal, and whatever scripts do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.command_under_test import app
from tests.support.running_scripts import TRAINS, headless, quick_headless, script
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from pathlib import Path


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
