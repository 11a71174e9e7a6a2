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
from tfdbg_tui.program.python_start import PythonStart

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TIMEOUT = 20.0
"""Seconds to wait for something that is expected to come."""


class Watched:
    """A script, and whoever waits for it."""

    def __init__(self, program: str, folder: Path) -> None:
        start = PythonStart((sys.executable, "-c", program))
        self.script = Script(start, "p.py", folder / "output.txt")
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
    watched.until(lambda: watched.script.state().lines == ("up", ""))
    watched.script.resize(123)
    assert watched.finish()[1] == "123"


def test_a_program_that_is_stopped_may_put_things_in_order(tmp_path: Path) -> None:
    program = (
        "import time\ntry:\n print('up', flush=True)\n time.sleep(60)\n"
        "except KeyboardInterrupt:\n print('tidied')\n"
    )
    watched = Watched(program, tmp_path)
    watched.until(lambda: watched.script.state().lines == ("up", ""))
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
    watched.until(lambda: watched.script.state().lines == ("up", ""))
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
    start = PythonStart((sys.executable, "-c", "print('hi')"))
    script = Script(start, "p.py", tmp_path / "no" / "output.txt")
    ended = threading.Event()
    script.start(ended.set, 80)
    end = time.monotonic() + TIMEOUT
    while script.exit_code is None and time.monotonic() < end:
        ended.wait(0.05)
    assert script.state().lines[0] == "hi"
    assert script.output_file is None


@pytest.mark.parametrize("taken_by", ["file", "folder", "link", "dangling link"])
def test_a_file_that_is_there_stays_and_its_output_goes_to_another(
    tmp_path: Path, taken_by: str
) -> None:
    wanted, theirs = tmp_path / "output.txt", tmp_path / "theirs"
    theirs.write_text("precious")
    if taken_by == "file":
        wanted.write_text("precious")
    elif taken_by == "folder":
        wanted.mkdir()
    else:
        wanted.symlink_to(theirs if taken_by == "link" else tmp_path / "nowhere")
    (tmp_path / "output-2.txt").write_text("precious")
    watched = Watched("print('hi')", tmp_path)
    watched.finish()
    assert watched.script.output_file == tmp_path / "output-3.txt"
    assert (tmp_path / "output-3.txt").read_bytes() == b"hi\r\n"
    assert theirs.read_text() == (tmp_path / "output-2.txt").read_text() == "precious"
    assert taken_by != "file" or wanted.read_text() == "precious"
    assert not (tmp_path / "nowhere").exists()


def test_it_has_variables_and_open_files_of_its_own(tmp_path: Path) -> None:
    read_end, write_end = os.pipe()
    os.write(write_end, b"through a pipe")
    os.close(write_end)
    program = f"import os; print(os.environ['A'], os.read({read_end}, 99).decode())"
    start = PythonStart((sys.executable, "-c", program), {"A": "b"}, (read_end,))
    script = Script(start, "p.py", tmp_path / "output.txt")
    changed = threading.Event()
    script.start(changed.set, 80)
    end = time.monotonic() + TIMEOUT
    while script.exit_code is None and time.monotonic() < end:
        changed.wait(0.05)
    os.close(read_end)
    assert script.state().lines[0] == "b through a pipe"


def test_stopping_twice_or_after_the_end_does_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched("print('hi')", tmp_path)
    watched.finish()
    monkeypatch.setattr(script_module.os, "killpg", pytest.fail)  # type: ignore[attr-defined]
    watched.script.stop()
    watched.script.end(1.0)
    assert not watched.script.state().is_stopping
