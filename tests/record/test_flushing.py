"""A flush that comes on time and at every end of a program, each in a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

START = """
import os, signal, sys, threading, time
from tfdbg_tui.record.flushing import LiveFlush

out = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
def note(word):
    os.write(out, f"{word} {os.getpid()}\\n".encode())
def start(every=None):
    live = LiveFlush(lambda: note("flush"), lambda: note("abandon"), every)
    live.start()
    return live
"""


def run(program: str, notes: Path) -> tuple[int, list[str], str]:
    """The exit code, what was noted (by the main process as `main`), and what went to stderr."""
    process = subprocess.Popen(
        [sys.executable, "-c", START + program, str(notes)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    _, errors = process.communicate(timeout=60)
    own = f" {process.pid}"
    noted = notes.read_text().splitlines() if notes.exists() else []
    return process.returncode, [note.replace(own, " main") for note in noted], errors


def test_it_flushes_at_exit(tmp_path: Path) -> None:
    assert run("start()", tmp_path / "notes") == (0, ["flush main"], "")


def test_it_keeps_flushing_while_the_program_runs(tmp_path: Path) -> None:
    program = "start(0.01)\nwhile os.fstat(out).st_size < 200: time.sleep(0.01)\nos._exit(0)"
    code, noted, _ = run(program, tmp_path / "notes")
    assert code == 0
    assert set(noted) == {"flush main"}


def test_it_flushes_before_a_traceback_is_printed(tmp_path: Path) -> None:
    program = (
        "sys.excepthook = lambda *_: (note('told'), os._exit(5))\nstart()\nraise ValueError('x')"
    )
    assert run(program, tmp_path / "notes")[:2] == (5, ["flush main", "told main"])


def test_it_flushes_when_terminated_and_the_program_dies_of_it(tmp_path: Path) -> None:
    program = "start()\nos.kill(os.getpid(), signal.SIGTERM)\ntime.sleep(60)"
    assert run(program, tmp_path / "notes")[:2] == (-signal.SIGTERM, ["flush main"])


BUSY = """
import hashlib
def busy():  # lets others have the interpreter and hears no signal, as an op of TensorFlow
    hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)
"""


def test_a_busy_program_is_flushed_and_dies_of_it_all_the_same(tmp_path: Path) -> None:
    program = (
        f"{BUSY}\nstart()\n"
        "threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGTERM]).start()\nbusy()"
    )
    assert run(program, tmp_path / "notes")[:2] == (-signal.SIGTERM, ["flush main"])


def test_a_busy_child_can_be_terminated(tmp_path: Path) -> None:
    program = (
        f"{BUSY}\nstart()\nchild = os.fork()\nif child == 0:\n    note('up'); busy()\n"
        "while open(sys.argv[1]).read().count(chr(10)) < 2: time.sleep(0.01)\n"
        "os.kill(child, signal.SIGTERM)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGTERM\n"
    )
    code, _, errors = run(program, tmp_path / "notes")
    assert code == 0, errors


def test_whoever_listens_for_signals_already_goes_on_listening(tmp_path: Path) -> None:
    program = (
        "theirs = os.pipe()[1]\nos.set_blocking(theirs, False)\nsignal.set_wakeup_fd(theirs)\n"
        "start()\nassert signal.set_wakeup_fd(theirs) == theirs\n"
        "if os.fork() == 0:\n"
        "    os._exit(signal.set_wakeup_fd(-1) != theirs)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))\n"
    )
    code, _, errors = run(program, tmp_path / "notes")
    assert code == 0, errors


def test_the_programs_own_way_to_end_stays(tmp_path: Path) -> None:
    program = (
        "signal.signal(signal.SIGTERM, lambda *_: (note('own'), sys.exit(9)))\n"
        "start()\nos.kill(os.getpid(), signal.SIGTERM)\ntime.sleep(60)"
    )
    assert run(program, tmp_path / "notes")[:2] == (9, ["own main", "flush main"])


def test_a_forked_child_lets_go_once_and_never_flushes(tmp_path: Path) -> None:
    program = (
        "live = start(0.01)\nchild = os.fork()\n"
        "if child == 0:\n    live.now()\n    sys.exit(0)\nos.waitpid(child, 0)\n"
    )
    code, noted, _ = run(program, tmp_path / "notes")
    others = [note for note in noted if not note.endswith(" main")]
    assert code == 0
    assert [note.split()[0] for note in others] == ["abandon"]
    assert noted[-1] == "flush main"


def test_it_works_from_a_thread_where_no_handler_can_be_set(tmp_path: Path) -> None:
    program = "t = threading.Thread(target=start)\nt.start()\nt.join()"
    assert run(program, tmp_path / "notes") == (0, ["flush main"], "")
