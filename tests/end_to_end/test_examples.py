"""Every example is recorded by `tfdbg-tui run`, and its bug is found while it still trains."""

from __future__ import annotations

import json
import os
import re
import signal
from typing import TYPE_CHECKING

import pytest

from tests.recordings.programs import ENVIRONMENT
from tests.support.command_under_test import app, quick_command, run_headless, running_headless
from tests.support.examples import EXAMPLES, expected, marked_line
from tfdbg_tui.cli import main

if TYPE_CHECKING:
    from pathlib import Path

TIMEOUT = 90
"""Seconds: a busy machine takes long to import TensorFlow."""

each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)

DIFFERENT = ("exploding_sgd", "lstm_blow_up", "tf1_session")
"""Examples whose recordings differ most: Keras's own loop, a loop in a graph, no functions."""


@each_example
def test_its_cause_is_told_before_it_ends(example: Path, tmp_path: Path) -> None:
    with running_headless("--logdir", tmp_path, example) as (process, errors):
        told = next((line for line in errors if line.startswith("tfdbg-tui: ")), "")
        os.kill(process.pid, signal.SIGINT)  # the script gets it, and would not if it had ended
        rest = errors.read()
        assert process.wait(TIMEOUT) == 128 + signal.SIGINT, rest
    wanted = expected(example)
    assert told.startswith(f"tfdbg-tui: {wanted.op_type} ")
    assert told.rstrip().endswith(f", {example}:{marked_line(example)}")
    assert "KeyboardInterrupt" in rest
    assert f"  {wanted.tensor} ({wanted.op_type})" in rest, "the verdict at the end agrees"


@pytest.mark.parametrize(
    "example", [path for path in EXAMPLES if path.stem in DIFFERENT], ids=lambda path: path.stem
)
def test_the_app_goes_to_its_line_while_it_runs(example: Path, tmp_path: Path) -> None:
    line = marked_line(example)
    code = example.read_text(encoding="utf-8").splitlines()[line - 1].split()[0]
    running = re.compile("8 Output running|^ 4.* 8", re.MULTILINE)
    words = ("run", "--logdir", tmp_path, example)
    with app(*words, env=ENVIRONMENT, command=quick_command()) as terminal:
        terminal.wait_for("8 Output running", TIMEOUT)
        terminal.wait_for(re.compile(r"! [\d,]+ *$", re.MULTILINE), TIMEOUT)
        terminal.press("!")
        # Files reach the disk one after another; an earlier tensor that comes later is gone to.
        terminal.wait_for(re.compile(rf"▸ *{line} .*{re.escape(code)}"), TIMEOUT)
        terminal.press("4")
        shown = expected(example).tensor.removesuffix(":0")
        terminal.wait_for(re.compile(rf"\b{re.escape(shown)}(:0)? "), TIMEOUT)
        assert running.search("\n".join(terminal.text()))
        assert "exit" not in terminal.text()[0], "it still runs"
        terminal.press("q", "q")
        assert terminal.wait_exit(TIMEOUT) == 0
        terminal.wait_for("was stopped.")


WITHOUT_PAUSES = """
import runpy, sys, time
time.sleep = lambda seconds: None  # it stands for loading data
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@each_example
def test_its_cure_helps(example: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quick, logdir = tmp_path / "quick.py", tmp_path / "logdir"
    quick.write_text(WITHOUT_PAUSES)
    words = ("--logdir", logdir, quick, example, "--fixed")
    done = run_headless(*words, command=quick_command())
    assert done.returncode == 0, done.stderr
    assert main(["check", "--json", str(logdir)]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert run["verdict"] == "clean"
    assert run["counts"]["graph_executions"] > 0
