"""The shell of a test's terminal: leads its session and runs one command in the foreground.

    python -I -S terminal_shell.py REPORT CONTROL COMMAND ARGUMENT...

A program that led its session itself would have the kernel put the terminal in order when it
ends, whatever mess it left. Writes the process id of the command to the descriptor REPORT, later
its exit code, and stays until CONTROL is closed. The terminal is stdin.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import termios

TYPE_CHECKING = False  # of `typing`, which takes longer to import than all of this to run
if TYPE_CHECKING:
    from collections.abc import Callable

COMMAND_NOT_FOUND = 127


def main(report: int, control: int, command: list[str]) -> None:
    """Run a command."""
    lead(report, control, lambda: _execute(command))


def lead(report: int, control: int, run: Callable[[], None]) -> None:
    """Lead a session in which a function is run, by a process of its own."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    child = os.fork()
    if not child:
        os.close(report)
        os.close(control)
        _become(run)
    _make_group(child)
    # The kernel tells the leader that the terminal is gone; the leader tells its job.
    signal.signal(signal.SIGHUP, lambda *_: _hang_up(child))
    os.write(report, b"%d\n" % child)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.write(report, b"%d\n" % code)
    os.read(control, 1)


def _make_group(process: int) -> None:
    """Done by both processes: neither may go on before it is."""
    try:
        os.setpgid(process, process)
    except PermissionError:
        return  # the command runs already, so it is done


def _hang_up(group: int) -> None:
    try:
        os.killpg(group, signal.SIGHUP)
    except ProcessLookupError:
        return  # ended by itself just now


def _become(run: Callable[[], None]) -> None:
    try:
        _make_group(os.getpid())
        # Taking the foreground from the background stops whoever does not ignore that.
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        os.tcsetpgrp(0, os.getpid())
        # What this interpreter ignores, the command would ignore too.
        for ignored in (signal.SIGTTOU, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(ignored, signal.SIG_DFL)
        run()
    finally:
        os._exit(COMMAND_NOT_FOUND)


def _execute(command: list[str]) -> None:
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\r\n".encode())


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
