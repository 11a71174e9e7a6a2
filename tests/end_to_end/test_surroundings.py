"""The shell, the mouse, the editor and other programs around the app."""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.command_under_test import COMMAND, SETTINGS, SETTLED, app, is_chosen, settle
from tests.support.terminal import TIMEOUT, Terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.recordings.record import Library

MOUSE = 1000
"""The private mode in which a terminal reports clicks."""


def test_the_mouse_can_be_given_to_the_terminal_and_taken_back(frozen: Path) -> None:
    with app(frozen) as terminal:
        terminal.wait_for(SETTLED)
        assert MOUSE in terminal.modes
        terminal.press("m")
        terminal.wait_for("Mouse off")
        assert MOUSE not in terminal.modes
        terminal.press("m")
        terminal.wait_for("Mouse on")
        assert MOUSE in terminal.modes


def test_without_the_mouse_it_can_still_be_switched_on(frozen: Path) -> None:
    with app(frozen, "--no-mouse") as terminal:
        terminal.wait_for(SETTLED)
        assert MOUSE not in terminal.modes
        terminal.press("m")
        terminal.wait_for("Mouse on")
        assert MOUSE in terminal.modes
        terminal.press("q")
        assert terminal.wait_exit() == 0
        assert terminal.left_sane() == []


def test_an_editor_gets_the_line_and_gives_the_screen_back(
    library: Library, tmp_path: Path
) -> None:
    editor, told = tmp_path / "editor", tmp_path / "told"
    editor.write_text(f'#!/bin/sh\necho "$@" > {shlex.quote(str(told))}\n')
    editor.chmod(0o755)
    with app(library.path("full_health"), env={"EDITOR": str(editor)}) as terminal:
        terminal.wait_for(SETTLED)
        terminal.press("!")
        terminal.wait_for(is_chosen("tf.math.log(probs)"))
        before = settle(terminal)
        terminal.press("o")
        terminal.wait_for(lambda _: told.exists())
        terminal.wait_for(lambda lines: lines[:-1] == before[:-1])
    assert "+29" in told.read_text()
    assert "training.py" in told.read_text()


def test_a_stopped_app_gives_the_terminal_back_and_draws_again(frozen: Path) -> None:
    with app(frozen) as terminal:
        before = settle(terminal)
        terminal.signal(signal.SIGTSTP)
        terminal.wait_for(lambda _: not terminal.left_sane())
        terminal.wait_for(lambda _: terminal.is_stopped())
        terminal.signal(signal.SIGCONT)
        terminal.wait_for(lambda lines: lines == before)


def test_the_key_that_stops_programs_goes_to_the_shell_and_back(frozen: Path) -> None:
    line = f"{shlex.join([*COMMAND, str(frozen)])}; echo left with $?"
    with Terminal(["bash", "--norc", "-i"], env=SETTINGS) as terminal:
        terminal.press(line, "enter")
        before = settle(terminal)
        terminal.press("ctrl+z")
        terminal.wait_for("Stopped")
        terminal.press("fg", "enter")
        terminal.wait_for(lambda lines: lines == before)


def test_in_a_session_of_its_own_nothing_is_stopped_and_nothing_left_behind(frozen: Path) -> None:
    with Terminal(["setsid", "--wait", *COMMAND, frozen], env=SETTINGS) as terminal:
        settle(terminal)
        terminal.press("ctrl+z")
        terminal.wait_for("no shell to go back to")
        terminal.press("3")
        terminal.wait_for("function")
        task = f"/proc/{terminal.pid}/task/{terminal.pid}"
        (process,) = map(int, Path(task, "children").read_text().split())
        terminal.hang_up()  # of which no signal tells a program of another session
        until = time.monotonic() + TIMEOUT
        while Path(f"/proc/{process}/cmdline").exists() and time.monotonic() < until:
            time.sleep(0.05)
        assert not Path(f"/proc/{process}").exists()


def test_errors_sent_elsewhere_do_not_take_the_screen_away(frozen: Path, tmp_path: Path) -> None:
    line = f"{shlex.join([*COMMAND, str(frozen)])} 2> {shlex.quote(str(tmp_path / 'errors'))}"
    with Terminal(["sh", "-c", line], env=SETTINGS) as terminal:
        terminal.wait_for("1 Alerts")
        assert "\x1b" not in (tmp_path / "errors").read_text()


def test_a_second_run_does_not_take_the_view_away(library: Library, tmp_path: Path) -> None:
    files = sorted(library.path("two_runs").iterdir())
    first, second = files[: len(files) // 2], files[len(files) // 2 :]
    for path in first:
        shutil.copy2(path, tmp_path)
    with app(tmp_path, columns=110) as terminal:
        terminal.wait_for("ENDED")
        terminal.press("3", "down", "down")
        terminal.wait_for(is_chosen("1 MatMul ", "- 4  + 12"))
        chosen_before = settle(terminal)[1:-2]
        for path in second:
            shutil.copy2(path, tmp_path)
        terminal.wait_for("run 1/2")
        assert settle(terminal)[1:-2] == chosen_before


def test_what_grows_is_still_read_after_a_search(copy_of: Callable[[str], Path]) -> None:
    logdir = copy_of("healthy")
    (file,) = logdir.glob("*.graph_execution_traces")
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])
    with open(file, "ab") as growing, app(logdir) as terminal:
        terminal.wait_for("3 Graph tensors 24")
        terminal.press("3", "&")
        terminal.press("op:Sigmoid", "enter")
        terminal.wait_for(re.compile("3 Graph tensors 6 of 24 .*& op:Sigmoid"))
        growing.write(content[len(content) // 2 :])
        growing.flush()
        terminal.wait_for("LIVE  +12")
        terminal.press("G")
        terminal.wait_for(re.compile("3 Graph tensors 12 of 48 .*& op:Sigmoid"))
