"""However the app ends, it ends soon, says why, and leaves the terminal as it was."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from benchmarks.recordings import repeat
from tests.support.command_under_test import COMMAND, SETTINGS, app
from tests.support.ending import ENDS, TIMEOUT, assert_left_in_order
from tests.support.terminal import Terminal, start_shell
from tests.support.terminal_screen import ALTERNATE_SCREEN

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tests.support.ending import End

BIG = (100_000, 400_000)
"""Executions and traces of a recording of 180 MB, which takes a second to load."""


@pytest.fixture(scope="module")
def big(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording that is still being read when the app ends."""
    logdir = tmp_path_factory.mktemp("big") / "logdir"
    repeat(library.path("full_health"), logdir, *BIG)
    return logdir


@pytest.mark.parametrize(("end", "code"), ENDS)
def test_the_terminal_is_as_before(frozen: Path, end: End, code: int) -> None:
    with app(frozen) as terminal:
        terminal.wait_for("1 Alerts")
        end(terminal)
        assert_left_in_order(terminal, code)


@pytest.mark.parametrize(("end", "code"), ENDS[1:])
def test_the_terminal_is_as_before_when_it_ends_while_loading(
    big: Path, end: End, code: int
) -> None:
    with app(big) as terminal:
        terminal.wait_for("LOADING")
        end(terminal)
        assert_left_in_order(terminal, code)


@pytest.mark.parametrize("key", ["?", "r", "/"])
def test_a_signal_ends_it_whatever_is_open(frozen: Path, key: str) -> None:
    with app(frozen) as terminal:
        terminal.wait_for("1 Alerts")
        terminal.press(key)
        terminal.signal(signal.SIGTERM)
        assert_left_in_order(terminal, 128 + signal.SIGTERM)


def test_a_signal_at_the_very_beginning_leaves_the_terminal_sane(frozen: Path) -> None:
    with app(frozen, starter=start_shell) as terminal:
        terminal.wait_for(lambda _: ALTERNATE_SCREEN in terminal.modes)
        terminal.signal(signal.SIGTERM)
        assert_left_in_order(terminal, 128 + signal.SIGTERM)


@pytest.mark.parametrize("loading", [False, True], ids=["at rest", "loading"])
def test_a_lost_connection_ends_it(frozen: Path, big: Path, loading: bool) -> None:
    with app(big if loading else frozen) as terminal:
        terminal.wait_for("LOADING" if loading else "1 Alerts")
        terminal.hang_up()
        assert terminal.wait_exit(TIMEOUT) in (128 + signal.SIGHUP, -signal.SIGHUP)


# ---------------------------------------------------------------------- a crash

CRASH = """
import sys
import {module} as module

def crash(*_):
    raise RuntimeError("a bug in {name}")

module.{name} = crash
from tfdbg_tui.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("module", "name", "key"),
    [
        ("tfdbg_tui.screens.main", "MainScreen.show_snapshot", None),
        ("tfdbg_tui.screens.main", "MainScreen.action_first_bad", "!"),
        ("tfdbg_tui.widgets.traces_pane", "TracesPane.draw", "3"),
    ],
)
def test_a_crash_is_one_sentence_and_a_log(
    frozen: Path, tmp_path: Path, module: str, name: str, key: str | None
) -> None:
    command = [sys.executable, "-c", CRASH.format(module=module, name=name), str(frozen)]
    with Terminal(command, env={**SETTINGS, "TMPDIR": str(tmp_path)}) as terminal:
        if key is not None:
            terminal.wait_for("1 Alerts")
            terminal.press(key)
        assert terminal.wait_exit(TIMEOUT) == 3
        assert terminal.left_sane() == []
        said = "".join(terminal.text())
    (log,) = tmp_path.glob("*.log")
    assert str(log) in said
    assert "bug" in said
    assert "Traceback" not in said
    assert f"a bug in {name}" in log.read_text()
    assert "Traceback" in log.read_text()


# ---------------------------------------------------------------------- no terminal


def assert_says_what_to_use(said: str, logdir: Path) -> None:
    assert f"`tfdbg-tui check {logdir}`" in said
    assert "needs a terminal" in said
    assert "\x1b" not in said


def test_without_a_terminal_one_sentence_says_what_to_use(frozen: Path) -> None:
    done = subprocess.run(
        [*COMMAND, str(frozen)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert_says_what_to_use(done.stderr, frozen)


@pytest.mark.parametrize("way", ["{} < /dev/null", "{} | cat"], ids=["stdin", "stdout"])
def test_with_half_a_terminal_one_sentence_says_what_to_use(frozen: Path, way: str) -> None:
    line = way.format(shlex.join([*COMMAND, str(frozen)]))
    with Terminal(["sh", "-c", line], columns=300) as terminal:
        terminal.wait_exit()
        assert_says_what_to_use(terminal.transcript.decode(), frozen)


def test_a_file_in_place_of_a_directory_is_one_sentence(frozen: Path) -> None:
    (metadata,) = frozen.glob("*.metadata")
    with app(metadata, columns=300) as terminal:
        assert terminal.wait_exit() == 2
        assert re.search("is a file; give the directory it is in", terminal.text()[0])
