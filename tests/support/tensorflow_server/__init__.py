"""A Python that starts with TensorFlow imported: a hundred test programs need not import it each.

`server.py` imports TensorFlow once and forks a child for every program; `client.py` stands in for
the program: it passes on arguments, folder, environment, standard files and signals, and ends as
the program ends. Tests start `tensorflow_python()` as they would start `sys.executable`.

Where the start of a real process is what a test is about, it starts `sys.executable` itself.
"""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.recordings.programs import ENVIRONMENT

if TYPE_CHECKING:
    from collections.abc import Sequence

PYTHON_VARIABLE = "TFDBG_TUI_TENSORFLOW_PYTHON"
"""Environment variable: the Python of this test session that has TensorFlow imported."""

END_TIMEOUT = 30.0
"""Seconds for the server to end: it may be importing TensorFlow just now."""

HERE = Path(__file__).parent


def tensorflow_python() -> str:
    """The Python to start programs with that use TensorFlow; a plain one without a server."""
    return os.environ.get(PYTHON_VARIABLE, sys.executable)


class TensorflowServer:
    """The server of one test session. It imports TensorFlow when it is first needed."""

    def __init__(self, modules: Sequence[str] = ("tensorflow", "keras")) -> None:
        # The path of a socket must be short, so this is not among the folders of the tests.
        self.folder = Path(tempfile.mkdtemp(prefix="tfdbg-tests-"))
        self.log = self.folder / "server.log"
        address = str(self.folder / "socket")
        # One frame of it lies at the bottom of every recorded stack. In a folder such as that of
        # Python's own modules it is not taken for a line of the recorded program.
        library = self.folder / "lib" / "python3"
        library.mkdir(parents=True)
        program = shutil.copy(HERE / "server.py", library)
        environment = {**os.environ, **ENVIRONMENT}
        # Every program brings its own.
        environment.pop("PYTHONPATH", None)
        with socket.socket(socket.AF_UNIX) as listening, self.log.open("wb") as log:
            # Before the server starts, so that no client comes too early.
            listening.bind(address)
            listening.listen()
            self.process = subprocess.Popen(
                [sys.executable, program, str(self.folder), str(listening.fileno()), *modules],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=environment,
                pass_fds=[listening.fileno()],
                start_new_session=True,
            )
        client = [sys.executable, "-I", "-S", str(HERE / "client.py"), address, str(self.log)]
        self.python = self.folder / "python"
        self.python.write_text(f'#!/bin/sh\nexec {shlex.join(client)} "$@"\n', encoding="utf-8")
        self.python.chmod(0o755)

    def stop(self) -> None:
        """End it and every program that still runs."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(END_TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
