"""`tfdbg-tui run` of what cannot be run: a sentence, and what to do."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.command_under_test import FORKED, run_headless
from tests.support.running_scripts import quick_headless, script

if TYPE_CHECKING:
    from pathlib import Path


TIMEOUT = 60
"""Seconds: a busy machine takes long to import TensorFlow."""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["absent.py"], "there is no script absent.py."),
        (["."], ". is a folder without a __main__.py; give the script in it, or -m and a module."),
        (["x.py/y.py"], "cannot run x.py/y.py: not a directory."),
        (["x" * 300], "file name too long."),
        (["tensorflow.py"], "`import tensorflow` would find the script itself"),
        (["-m", "tensorflow"], "`import tensorflow` would find the script itself"),
        (["./keras.py"], "keras.py bears the name of what it imports"),
        (["link.py"], "tensorflow.py bears the name of what it imports"),
        ([], "give the script to run; see `tfdbg-tui run --help`."),
        (["-m"], "give the script to run; see `tfdbg-tui run --help`."),
        (["--until-bad", "--mode", "SHAPE", "x.py"], "SHAPE tells no NaN or Inf that --until-bad"),
        (["--mode", "ALL", "x.py"], "argument --mode: invalid choice: 'ALL'"),
        (["--keep", "0", "x.py"], "argument --keep: 0 is no number of events"),
        (["--op-regex", "(", "x.py"], "argument --op-regex: ( is no regular expression"),
        (["--logdir", "/dev/null/x", "x.py"], "cannot record to /dev/null/x: not a directory."),
        (["--logdir", "x.py", "x.py"], "cannot record to x.py: not a directory."),
        (["--logdir", "nowhere", "x.py"], "cannot record to nowhere: file exists."),
    ],
)
def test_bad_input_gets_a_sentence(folder: Path, words: list[str], sentence: str) -> None:
    for name in ("x.py", "tensorflow.py", "keras.py"):
        (folder / name).write_text("")
    (folder / "link.py").symlink_to(folder / "tensorflow.py")
    (folder / "nowhere").symlink_to(folder / "no such folder")
    done = run_headless(*words, cwd=folder, command=FORKED)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_type_is_said_when_it_is_known(folder: Path) -> None:
    done = quick_headless(folder, "--dtypes", "float99", script(folder, "import tensorflow"))
    assert done.returncode == 2
    assert "tfdbg-tui: cannot record: " in done.stderr
    assert "float99" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_terminal_the_way_out_is_told(folder: Path) -> None:
    command = [sys.executable, "-m", "tfdbg_tui", "run", str(script(folder, ""))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert done.returncode == 2
    assert "needs a terminal; `tfdbg-tui run --headless` needs none." in done.stderr


def test_its_help_fits_one_screen(capsys: pytest.CaptureFixture[str]) -> None:
    from tfdbg_tui.cli import main

    assert main(["run", "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
