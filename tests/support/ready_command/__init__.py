"""`tfdbg-tui` from a process that has everything imported: hundreds of tests need not wait for it.

`server.py` imports the app once for each process that runs tests, and forks a child for every
command. The child is as a new Python is: folder, arguments, environment, standard files, signals,
session and terminal are its own.

Where the start is what a test is about, the command is started by `sys.executable`; so it is with
an environment that changes how Python starts.
"""

from __future__ import annotations

import functools
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.ready_command.server import NUMBER_BYTES, main
from tests.support.terminal import plain_environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import Self

REPOSITORY = Path(__file__).resolve().parents[3]

EARLY = re.compile("PYTHON.*|LANG|LC_.*|NO_COLOR|FORCE_COLOR|COLORTERM|TERM|TEXTUAL.*")
"""Variables that are looked at when Python starts, or when the app is imported."""

END_TIMEOUT = 10.0
"""Seconds for the server to end."""


class ReadyServer:
    """The process that has everything imported. It ends with this one."""

    def __init__(self) -> None:
        environment = plain_environment()
        self._early = _early(environment)
        self._socket, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"import {main.__module__} as s; s.main({theirs.fileno()})"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            cwd=REPOSITORY,
            # A thread of numpy's would not be in the children.
            env={**environment, "OPENBLAS_NUM_THREADS": "1"},
            pass_fds=[theirs.fileno()],
        )
        theirs.close()

    def suits(self, environment: Mapping[str, str]) -> bool:
        """Whether a command with this environment could not tell that it was not started itself."""
        return _early(environment) == self._early

    def start(
        self,
        words: Sequence[str],
        python: str,
        descriptors: Sequence[int],
        environment: Mapping[str, str],
        folder: Path | None = None,
    ) -> Leader:
        """Start `tfdbg-tui WORDS`, which runs scripts by some Python.

        The descriptors are its three standard files, one to report to as `terminal_shell` does,
        and one that ends with its terminal.
        """
        umask = os.umask(0)
        os.umask(umask)
        told = {
            "words": words,
            "python": python,
            "folder": str(folder or Path.cwd()),
            "environment": dict(environment),
            "umask": umask,
        }
        text = json.dumps(told).encode()
        socket.send_fds(self._socket, [len(text).to_bytes(NUMBER_BYTES, "little")], descriptors)
        self._socket.sendall(text)
        process = int.from_bytes(self._socket.recv(NUMBER_BYTES), "little")
        assert process, "the server has ended"
        return Leader(process)

    def stop(self) -> None:
        """Have it end, once all its commands have."""
        self._socket.close()
        try:
            self._process.wait(END_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@functools.cache
def ready_server() -> ReadyServer:
    """The server of this process."""
    return ReadyServer()


def stop_server() -> None:
    """End the server of this process, if there is one."""
    if ready_server.cache_info().currsize:
        ready_server().stop()
        ready_server.cache_clear()


class ReadyProcess:
    """A command without a terminal, which ends with the block that it is used in."""

    def __init__(
        self,
        words: Sequence[str],
        python: str,
        files: tuple[int, int, int],
        environment: Mapping[str, str],
        folder: Path | None = None,
    ) -> None:
        report, reporting = os.pipe()
        descriptors = (*files, reporting, reporting)
        self._leader = ready_server().start(words, python, descriptors, environment, folder)
        os.close(reporting)
        self._report = os.fdopen(report, "rb", buffering=0)
        self.pid = int(self._report.readline())
        self._code: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._code is None:
            os.kill(self.pid, signal.SIGKILL)
        self._leader.wait()
        self._leader.kill_group()
        self._report.close()

    def wait(self, timeout: float) -> int:
        """Wait for its end; returns the exit code, or the negative number of a signal."""
        if not select.select([self._report], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("tfdbg-tui", timeout)
        self._code = int(self._report.readline())
        return self._code


def _early(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if EARLY.fullmatch(name)}


class Leader:
    """The process that leads the session of a command: what is needed of a `Popen` of it."""

    def __init__(self, process: int) -> None:
        self._process = process

    def wait(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        try:
            watch = os.pidfd_open(self._process)
        except ProcessLookupError:
            return  # ended already
        try:
            if not select.select([watch], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("tfdbg-tui", timeout or 0.0)
        finally:
            os.close(watch)

    def kill(self) -> None:
        """End it at once."""
        os.kill(self._process, signal.SIGKILL)

    def kill_group(self) -> None:
        """End whatever the command has left running, if it had no terminal."""
        try:
            os.killpg(self._process, signal.SIGKILL)
        except ProcessLookupError:
            return  # nothing
