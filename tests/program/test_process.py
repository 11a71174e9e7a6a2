"""A program in a process and a terminal of its own."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from tfdbg_tui.program import process as script_module
from tfdbg_tui.program.process import Script

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TIMEOUT = 20.0
"""Seconds to wait for something that is expected to come."""


class Watched:
    """A script, and whoever waits for it."""

    def __init__(self, program: str, folder: Path) -> None:
        self.script = Script([sys.executable, "-c", program], "p.py", folder / "output.txt")
        self._changed = threading.Event()
        self.script.start(self._changed.set, 80)

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait for something that the script is expected to do."""
        end = time.monotonic() + TIMEOUT
        while not holds():
            assert time.monotonic() < end, self.script.state()
            self._changed.wait(0.05)
            self._changed.clear()

    def finish(self) -> tuple[str, ...]:
        """Wait for its end; returns what it printed."""
        self.until(lambda: self.script.exit_code is not None)
        return self.script.state().lines


def test_its_output_and_errors_are_kept_and_its_exit_code_is_told(tmp_path: Path) -> None:
    watched = Watched(
        "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)", tmp_path
    )
    assert watched.finish()[:2] == ("out", "err")
    assert watched.script.exit_code == 3
    assert (tmp_path / "output.txt").read_bytes() == b"out\r\nerr\r\n"


def test_it_has_a_terminal_for_its_output_and_nothing_to_read_from(tmp_path: Path) -> None:
    watched = Watched(
        "import os, sys; print(sys.stdout.isatty(), os.get_terminal_size().columns);"
        "print(repr(sys.stdin.read()))",
        tmp_path,
    )
    assert watched.finish()[:2] == ("True 80", "''")


def test_it_learns_how_wide_its_pane_is(tmp_path: Path) -> None:
    program = "import os, time; print('up', flush=True); time.sleep(.5);"
    watched = Watched(program + "print(os.get_terminal_size().columns)", tmp_path)
    watched.until(lambda: watched.script.state().lines[0] == "up")
    watched.script.resize(123)
    assert watched.finish()[1] == "123"


def test_a_program_that_is_stopped_may_put_things_in_order(tmp_path: Path) -> None:
    program = (
        "import time\ntry:\n print('up', flush=True)\n time.sleep(60)\n"
        "except KeyboardInterrupt:\n print('tidied')\n"
    )
    watched = Watched(program, tmp_path)
    watched.until(lambda: watched.script.state().lines[0] == "up")
    watched.script.stop()
    assert watched.script.state().is_stopping
    assert watched.finish()[1] == "tidied"
    assert watched.script.exit_code == 0


STUBBORN = """
import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
{}
print('up', flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize(
    ("also", "code"),
    [
        ("", 128 + signal.SIGTERM),
        ("signal.signal(signal.SIGTERM, signal.SIG_IGN)", 128 + signal.SIGKILL),
    ],
)
def test_a_stubborn_program_ends_all_the_same(tmp_path: Path, also: str, code: int) -> None:
    watched = Watched(STUBBORN.format(also), tmp_path)
    watched.until(lambda: watched.script.state().lines[0] == "up")
    watched.script.end(0.2)
    watched.finish()
    assert watched.script.exit_code == code


def test_what_it_started_ends_with_it(tmp_path: Path) -> None:
    program = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid, flush=True)\nchild.wait()\n"
    )
    watched = Watched(program, tmp_path)
    watched.until(lambda: watched.script.state().lines[0] != "")
    child = int(watched.script.state().lines[0])
    watched.script.end(2.0)
    watched.until(lambda: not _is_alive(child))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{process}/stat", encoding="utf-8") as stat:
        return stat.read().split()[2] != "Z"


def test_a_child_that_keeps_the_terminal_does_not_hide_the_end(tmp_path: Path) -> None:
    program = "import subprocess; subprocess.Popen(['sleep', '3']); print('done')"
    watched = Watched(program, tmp_path)
    watched.finish()
    assert watched.script.exit_code == 0


def test_output_that_cannot_be_kept_in_a_file_is_shown(tmp_path: Path) -> None:
    script = Script([sys.executable, "-c", "print('hi')"], "p.py", tmp_path / "no" / "output.txt")
    ended = threading.Event()
    script.start(ended.set, 80)
    end = time.monotonic() + TIMEOUT
    while script.exit_code is None and time.monotonic() < end:
        ended.wait(0.05)
    assert script.state().lines[0] == "hi"


def test_stopping_twice_or_after_the_end_does_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched("print('hi')", tmp_path)
    watched.finish()
    monkeypatch.setattr(script_module.os, "killpg", pytest.fail)  # type: ignore[attr-defined]
    watched.script.stop()
    watched.script.end(1.0)
    assert not watched.script.state().is_stopping
