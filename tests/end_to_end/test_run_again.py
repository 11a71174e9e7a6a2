"""A script is recorded again with the values of one tensor: from the app, and without a screen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.recordings.programs import ENVIRONMENT
from tests.support.command_under_test import app, quick_command
from tests.support.running_scripts import TRAINS, quick_headless, script
from tfdbg_tui.data.records.modes import Mode
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from pathlib import Path

    from tfdbg_tui.data.stores.run import Run

TIMEOUT = 90
"""Seconds: a busy machine takes long to import TensorFlow."""

STEP = 4
"""The one in which the logarithm of 0 is taken first."""


def second_run(logdir: Path) -> Run:
    """The run with values, beside the first."""
    runs = Logdir(logdir)
    runs.load()
    first, second = runs.runs
    assert (first.directory, second.directory) == (str(logdir), str(logdir / "values"))
    return second


def test_the_app_goes_on_at_the_same_place_in_the_second_run(folder: Path) -> None:
    quick_headless(folder, "--until-step", "5", script(folder, TRAINS))
    logdir = folder / "logdir"
    with app(logdir, env=ENVIRONMENT, command=quick_command()) as terminal:
        terminal.wait_for(re.compile("ENDED.*!"))
        terminal.press("!", "V")
        terminal.wait_for("Record again")
        terminal.wait_for(f"--until-step {STEP}")
        assert not (logdir / "values").exists(), "nothing is run unasked"
        terminal.press("y")
        terminal.wait_for("Recording train.py again, up to step 4")
        terminal.wait_for("in the second run, with values; r lists both.", TIMEOUT)
        terminal.wait_for("/logdir · values ")
        terminal.wait_for(re.compile(r"▸ +\d+ .*\bLog\b.*-inf 1"))
        terminal.press("q")
        assert terminal.wait_exit() == 0
    host = second_run(logdir).hosts[0]
    assert {(site.op_name, site.mode) for site in host.traces.sites} == {("Log", Mode.FULL_TENSOR)}
    assert len(host.traces) < 600, "it was stopped"


def test_without_a_screen_somebody_at_a_terminal_agrees(folder: Path) -> None:
    quick_headless(folder, "--until-step", "5", script(folder, TRAINS))
    logdir = folder / "logdir"
    words = ("run", "--again", logdir, "Log:0")
    with app(*words, env=ENVIRONMENT, command=quick_command(), columns=160) as terminal:
        terminal.wait_for("Run it? [y/N]")
        terminal.press("n", "enter")
        assert terminal.wait_exit() == 1
        terminal.wait_for("Nothing is run.")
    assert not (logdir / "values").exists()
    with app(*words, env=ENVIRONMENT, command=quick_command(), columns=160) as terminal:
        terminal.wait_for("Run it? [y/N]")
        terminal.press("y", "enter")
        terminal.wait_for(f"tfdbg-tui: Step {STEP} is done.", TIMEOUT)
        terminal.wait_for("tfdbg-tui: stopping train.py.", TIMEOUT)
        assert terminal.wait_exit(TIMEOUT) == 0
    second_run(logdir)
