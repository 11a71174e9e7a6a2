"""The server's programs behave as those of a new Python, and none of them outlives its client."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.tensorflow_server import (
    PYTHON_VARIABLE,
    TensorflowServer,
    tensorflow_python,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the server runs on Linux only")

TIMEOUT = 60

SURROUNDINGS = """
import os, sys
import beside
print(__name__, sys.argv, sys.modules["__main__"].__dict__ is globals(), __spec__ is None)
print(sys.path[:2], os.getcwd(), os.environ["PYTHONPATH"], os.environ.get("GONE"))
print(sys.stdin.read(), sorted({"tensorflow", "keras", "tests"} & set(sys.modules)))
print("to stderr", file=sys.stderr)
"""

SLEEPS = "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(600)\n"


def run(python: str, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": "/elsewhere"},
        input="some input",
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


@pytest.mark.parametrize("words", [["folder/script.py"], ["-m", "folder.script"], ["-c"]], ids=str)
def test_a_program_finds_what_it_would_find_in_a_new_python(
    tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "script.py").write_text(SURROUNDINGS)
    for place in (folder, tmp_path):
        (place / "beside.py").write_text("")
    code = [SURROUNDINGS] if words == ["-c"] else []
    command = [*words, *code, "--flag", "x y"]
    monkeypatch.delenv("GONE", raising=False)
    warm, plain = (
        run(python, *command, cwd=tmp_path) for python in (tensorflow_python(), sys.executable)
    )
    assert warm.stdout == plain.stdout != ""
    assert (warm.returncode, warm.stderr) == (plain.returncode, plain.stderr)


@pytest.mark.parametrize(
    "program",
    [
        "import sys; sys.exit(7)",
        "import atexit; atexit.register(print, 'at exit')",
        "import sys; print('not flushed', end=''); sys.stderr.close()",
        "import threading, time; threading.Timer(0.1, print, ['of a thread']).start()",
        "file = open(1, 'w', closefd=False); file.write('of a file')",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
    ],
)
def test_it_ends_as_the_program_ends(tmp_path: Path, program: str) -> None:
    warm, plain = (
        run(python, "-c", program, cwd=tmp_path) for python in (tensorflow_python(), sys.executable)
    )
    assert (warm.returncode, warm.stdout) == (plain.returncode, plain.stdout)


def test_an_error_is_told(tmp_path: Path) -> None:
    done = run(tensorflow_python(), "-c", "raise ValueError('no such thing')", cwd=tmp_path)
    assert done.returncode == 1
    assert "ValueError: no such thing" in done.stderr


def test_importing_tensorflow_is_noticed_and_it_computes(tmp_path: Path) -> None:
    program = """
import importlib.abc, sys
class Lookout(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "tensorflow":
            print("imported")
sys.meta_path.insert(0, Lookout())
import keras
import tensorflow as tf
import tensorflow.debugging
print(tf.math.log(tf.constant(1.0)).numpy(), tf.keras.Sequential is keras.Sequential)
print(tf.__spec__.name, tf.__spec__.origin == tf.__file__)
"""
    done = run(tensorflow_python(), "-c", program, cwd=tmp_path)
    assert done.stdout == "imported\n0.0 True\ntensorflow True\n", done.stderr


def test_a_terminal_is_a_terminal(tmp_path: Path) -> None:
    master, slave = os.openpty()
    program = "import sys\nprint(sys.stdin.isatty(), sys.stdout.isatty(), sys.stderr.isatty())"
    command = [tensorflow_python(), "-c", program]
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, cwd=tmp_path)
    os.close(slave)
    process.wait(TIMEOUT)
    assert os.read(master, 100) == b"True True True\r\n"
    os.close(master)


@pytest.fixture
def sleeping() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [tensorflow_python(), "-c", SLEEPS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


def has_ended(pid: int) -> bool:
    until = time.monotonic() + TIMEOUT
    while Path(f"/proc/{pid}").exists() and time.monotonic() < until:
        time.sleep(0.01)
    return not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_signals_reach_the_program(sleeping: subprocess.Popen[str], number: signal.Signals) -> None:
    assert sleeping.stdout is not None
    program = int(sleeping.stdout.readline())
    sleeping.send_signal(number)
    assert sleeping.wait(TIMEOUT) == -number
    assert has_ended(program)


def test_a_program_ends_with_whoever_started_it(tmp_path: Path) -> None:
    starter = f"""
import subprocess
client = subprocess.Popen([{tensorflow_python()!r}, "-c", {SLEEPS!r}], stdout=subprocess.PIPE)
print(client.pid, int(client.stdout.readline()))
"""
    done = run(sys.executable, "-c", starter, cwd=tmp_path)
    client, program = map(int, done.stdout.split())
    assert has_ended(program)
    assert has_ended(client)


def test_the_end_of_a_server_ends_its_programs() -> None:
    server = TensorflowServer(["colorsys"])
    command = [str(server.python), "-c", SLEEPS]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    program = int(process.stdout.readline())
    server.stop()
    assert process.wait(TIMEOUT) == -signal.SIGKILL
    assert has_ended(program)
    assert not server.folder.exists()
    process.communicate()


def test_a_client_that_is_killed_early_harms_nobody(tmp_path: Path) -> None:
    server = TensorflowServer(["colorsys"])
    try:
        for begun in (b"", b"\x10\0\0\0", b"\x10\0\0\0{"):
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(server.folder / "socket"))
                client.sendall(begun)
        done = run(str(server.python), "-c", "print('well')", cwd=tmp_path)
        assert done.stdout == "well\n", done.stderr
    finally:
        server.stop()


def test_a_server_that_fails_says_why(tmp_path: Path) -> None:
    server = TensorflowServer(["there_is_no_such_module"])
    try:
        for _ in ("while it fails", "afterwards"):
            done = run(str(server.python), "-c", "print('never')", cwd=tmp_path)
            assert (done.returncode, done.stdout) == (1, "")
            assert "the TensorFlow server of the tests has ended" in done.stderr
            assert "No module named 'there_is_no_such_module'" in done.stderr
    finally:
        server.stop()


def test_without_a_server_it_is_this_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PYTHON_VARIABLE)
    assert tensorflow_python() == sys.executable
