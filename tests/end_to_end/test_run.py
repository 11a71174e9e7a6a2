"""`tfdbg-tui run`: a script under the app."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING

import pytest

from tests.support.command_under_test import is_free_of
from tests.support.running_scripts import TRAINS, running, script
from tests.support.terminal import start_shell

if TYPE_CHECKING:
    from pathlib import Path

TIMEOUT = 60
"""Seconds: a busy machine takes long to import TensorFlow."""

WAITS = "import time\nprint('ready', flush=True)\ntime.sleep(600)\n"


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
