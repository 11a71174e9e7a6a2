"""A command that was forked with everything imported is as one that Python has just started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.command_under_test import (
    COMMAND,
    FORKED,
    app,
    run_headless,
    settle,
    start_ready,
)
from tests.support.ready_command import ReadyProcess, ready_server
from tests.support.terminal import plain_environment, start_shell

if TYPE_CHECKING:
    from tests.support.terminal import Starter

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the server runs on Linux only")

OF_A_PROCESS = ("Umask", "SigBlk", "SigIgn", "SigCgt")
"""What the system says of a process that another could have changed before it."""

PROGRAM = f"""
import os, sys
with open("/proc/self/status") as status:
    print(*[line for line in status if line.startswith({OF_A_PROCESS})])
print(sys.argv, sys.path, sys.flags, sys.executable, os.getcwd(), os.isatty(0))
print(sorted(os.listdir("/proc/self/fd")), sorted({{**os.environ, "_": ""}}.items()))
print("to stderr", file=sys.stderr)
sys.exit(7)
"""


def seen(logdir: Path, starter: Starter) -> dict[str, object]:
    """What the system says of the app and its terminal, once all is drawn."""
    with app(logdir, starter=starter) as terminal:
        lines = settle(terminal)
        process = Path(f"/proc/{terminal.pid}")
        status = dict(line.split(":\t", 1) for line in (process / "status").open())
        stat = (process / "stat").read_text().rpartition(")")[2].split()
        group, session, tty, foreground = map(int, stat[2:6])
        files = [(process / "fd" / str(number)).readlink() for number in range(3)]
        terminal.signal(signal.SIGTERM)
        return {
            **{name: status[name] for name in OF_A_PROCESS},
            "lines": lines,
            "folder": (process / "cwd").readlink(),
            "files of a terminal": [path.parent == Path("/dev/pts") for path in files],
            "is the foreground of a terminal": tty > 0 and group == foreground == terminal.pid,
            "leads its session": session == terminal.pid,
            "code": terminal.wait_exit(),
        }


def test_the_app_is_to_the_system_as_one_that_was_started(
    frozen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready_server()  # which was somewhere else before
    monkeypatch.chdir(tmp_path)
    before = os.umask(0o027)
    try:
        assert seen(frozen, start_ready) == seen(frozen, start_shell)
    finally:
        os.umask(before)


def test_a_script_finds_what_it_finds_otherwise(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(PROGRAM)
    words = ("--logdir", "logdir", "script.py", "--flag", "x y")
    ready = run_headless(*words, cwd=tmp_path, command=FORKED)
    plain = run_headless(*words, cwd=tmp_path, command=COMMAND)
    assert (ready.returncode, ready.stdout, ready.stderr) == (
        plain.returncode,
        plain.stdout,
        plain.stderr,
    )
    assert ready.returncode == 7
    assert "to stderr" in ready.stderr


def test_what_changes_how_python_starts_is_left_to_python() -> None:
    plain = plain_environment()
    assert ready_server().suits({**plain, "EDITOR": "ed"})
    assert not ready_server().suits({**plain, "PYTHONUTF8": "0"})
    assert not ready_server().suits({**plain, "NO_COLOR": ""})


def test_none_outlives_the_block_it_is_used_in(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import time\ntime.sleep(600)\n")
    words = ["run", "--headless", "--logdir", str(tmp_path / "logdir"), str(tmp_path / "script.py")]
    with open(os.devnull, "r+b") as nothing:
        number = nothing.fileno()
        files = (number, number, number)
        with (
            ReadyProcess(words, sys.executable, files, plain_environment()) as process,
            pytest.raises(subprocess.TimeoutExpired),
        ):
            process.wait(0.01)
    assert not Path(f"/proc/{process.pid}").exists()
