"""Imports what the app imports once, and forks a child for every command.

It is told of commands through a socket, until whoever holds its other end is gone.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import random
import signal
import socket
import sys
import traceback
from typing import Any, NamedTuple, NoReturn, TextIO

from tests.support import terminal_shell

NUMBER_BYTES = 4
DESCRIPTORS = 5
"""Of a command: its three standard files, one to report to and one that ends with its test."""

ALSO_IMPORTED = (
    "pygments.lexers.python",
    "textual.drivers.linux_driver",
    "textual.layouts.factory",
    "textual.scrollbar",
    "watchdog.observers",
)
"""What the app imports only when it draws."""


class Command(NamedTuple):
    """What a client asks for, with the descriptors that came along."""

    words: list[str]
    python: str
    folder: str
    environment: dict[str, str]
    umask: int
    streams: list[int]
    report: int
    control: int


def main(descriptor: int) -> None:
    """Fork a process for every command."""
    asked = socket.socket(fileno=descriptor)
    import_all()
    while command := received(asked):
        forget_ended()
        process = os.fork()
        if not process:
            asked.close()
            lead(command)
        for descriptor in (*command.streams, command.report, command.control):
            os.close(descriptor)
        asked.sendall(process.to_bytes(NUMBER_BYTES, "little"))
    forget_ended(wait=True)


def forget_ended(*, wait: bool = False) -> None:
    """Let go of children that have ended, or wait until all have."""
    try:
        while os.waitpid(-1, 0 if wait else os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return  # there are none


def import_all() -> None:
    """Import everything that some command does."""
    from tfdbg_tui import cli

    for name in ("tfdbg_tui.app", *cli.COMMANDS.values(), *ALSO_IMPORTED):
        importlib.import_module(name)
    # What is never freed is not written to, and so stays shared with all children.
    gc.collect()
    gc.freeze()


def received(asked: socket.socket) -> Command | None:
    """The next command; None when there will be none."""
    size, descriptors, _, _ = socket.recv_fds(asked, NUMBER_BYTES, DESCRIPTORS)
    if not size:
        return None
    text = asked.recv(int.from_bytes(size, "little"), socket.MSG_WAITALL)
    told: dict[str, Any] = json.loads(text)
    *streams, report, control = descriptors
    return Command(streams=streams, report=report, control=control, **told)


# In the child.


def lead(command: Command) -> NoReturn:
    """Lead a session in which the command runs, and tell how it ended."""
    code = 1
    try:
        os.setsid()
        for target, source in enumerate(command.streams):
            os.dup2(source, target)
            os.close(source)
        os.umask(command.umask)
        if os.isatty(0):
            terminal_shell.lead(command.report, command.control, lambda: start(command))
        else:
            watch(command)
        code = 0
    finally:
        os._exit(code)


def watch(command: Command) -> None:
    """Run a command without a terminal, and tell how it ended."""
    child = os.fork()
    if not child:
        os.close(command.report)
        os.close(command.control)
        start(command)
    for stream in range(3):
        os.close(stream)  # who reads from the command is to see where it ends
    os.write(command.report, b"%d\n" % child)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.write(command.report, b"%d\n" % code)


def start(command: Command) -> None:
    """Make this process look like a new Python that runs the command, and run it."""
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored, signal.SIG_IGN)
    random.seed()
    os.environ.clear()
    os.environ.update(command.environment)
    os.chdir(command.folder)
    sys.path[0:1] = []
    sys.path.append(command.folder)
    sys.executable = command.python
    sys.orig_argv = [sys.executable, "-m", "tfdbg_tui", *command.words]
    open_streams()
    program = importlib.import_module("tfdbg_tui.__main__")
    sys.modules["__main__"] = program
    sys.argv = [str(program.__file__), *command.words]
    code = 1
    try:
        program.start()
    except SystemExit as end:  # of a wrong word on the command line
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def open_streams() -> None:
    """Have what was opened for the server's standard files opened for the command's."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        before: TextIO = getattr(sys, name)
        stream = open(  # noqa: SIM115 - stays open to the end
            number,
            before.mode,
            encoding=before.encoding,
            errors=before.errors,
            buffering=1 if os.isatty(number) or name == "stderr" else -1,
            closefd=False,
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
