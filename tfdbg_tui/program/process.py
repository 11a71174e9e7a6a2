"""A program in a process and a terminal of its own, so that its output does not mix with ours.

A thread reads what it writes and notes when it ends. Knows no screen.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.program.terminal_text import OutputText
from tfdbg_tui.record.private_files import open_new_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import BinaryIO

    from tfdbg_tui.program.python_start import PythonStart

CHUNK = 1 << 16
"""Bytes read at once."""

LOOK_INTERVAL = 0.1
"""Seconds between looks whether a silent program has ended."""

GRACE = 5.0
"""Seconds that a program has to end by itself after each signal."""

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
"""The signals that stop a program: ctrl-c's first, then less and less gentle ones."""

MIN_COLUMNS = 20
"""Columns of the program's terminal, however narrow ours is."""

ROWS = 24
"""Rows of the program's terminal: nothing it prints should depend on them."""


class ScriptState(NamedTuple):
    """A program and its output at one moment."""

    name: str
    lines: tuple[str, ...]
    exit_code: int | None
    """As a shell has it, 128 + number for a signal; None while the program runs."""
    is_stopping: bool
    """Whether it was asked to end."""


class Script:
    """Runs a command, keeps its output, ends it gently."""

    def __init__(
        self,
        start: PythonStart,
        name: str,
        output_file: Path,
        note_end: Callable[[int, bool], None] | None = None,
    ) -> None:
        self.name = name
        self._note_end = note_end
        """Is told the exit code, and whether the program was asked to end, before anybody else."""
        self.output_file: Path | None = None
        """Where all of the output is kept, once it is started; None if that cannot be done."""
        self._wanted_file = output_file
        self._start = start
        self._text = OutputText()
        self._lock = threading.Lock()
        self._on_change: Callable[[], None] = _ignore
        self._process: subprocess.Popen[bytes] | None = None
        self._terminal: int | None = None
        self._stopping = False
        self._ended = threading.Event()

    def start(self, on_change: Callable[[], None], columns: int) -> None:
        """Begin; `on_change` is called from another thread when there is output, or the end."""
        self._on_change = on_change
        self._terminal, its_end = pty.openpty()
        self.resize(columns)
        try:
            self._process = subprocess.Popen(
                self._start.command,
                env=self._start.environment(),
                pass_fds=self._start.inherited,
                cwd=self._start.folder,
                stdin=subprocess.DEVNULL,
                stdout=its_end,
                stderr=its_end,
                start_new_session=True,
            )
        finally:
            os.close(its_end)
        log = self._open_log()
        threading.Thread(
            target=self._read_until_end, args=[log], name="tfdbg-script", daemon=True
        ).start()

    def resize(self, columns: int) -> None:
        """Set the width of the program's terminal, so that progress bars fit the pane."""
        size = struct.pack("HHHH", ROWS, max(MIN_COLUMNS, columns), 0, 0)
        terminal = self._terminal
        if terminal is not None:
            with contextlib.suppress(OSError):
                fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)

    @property
    def exit_code(self) -> int | None:
        """As a shell has it; None while the program runs, or was not started."""
        code = None if self._process is None else self._process.returncode
        return None if code is None or not self._ended.is_set() else shell_code(code)

    def state(self) -> ScriptState:
        """The program at this moment."""
        with self._lock:
            lines = self._text.lines()
        return ScriptState(self.name, lines, self.exit_code, self._stopping)

    def outcome(self) -> tuple[int | None, bool]:
        """The exit code, and whether the program was asked to end."""
        return self.exit_code, self._stopping

    def stop(self) -> None:
        """Ask the program to end, and kill it after a while; returns at once."""
        if not self._stopping and self._process is not None and not self._ended.is_set():
            self._stopping = True
            threading.Thread(target=self._end_by_signals, args=[GRACE], daemon=True).start()

    def end(self, grace: float) -> None:
        """End the program; it has ended when this returns."""
        if self._process is not None and not self._ended.is_set():
            self._stopping = True
            self._end_by_signals(grace)

    def _end_by_signals(self, grace: float) -> None:
        end_by_signals(self._signal, self._ended.wait, grace)

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the program and all it has started, as a terminal does."""
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _read_until_end(self, log: BinaryIO | None) -> None:
        """Read the output until the program has ended and nothing more comes."""
        terminal = self._terminal
        assert self._process is not None
        assert terminal is not None
        with log or contextlib.nullcontext():
            while True:
                has_ended = self._process.poll() is not None
                if not self._read_output(terminal, log) and has_ended:
                    break
        self._terminal = None
        os.close(terminal)
        code = self._process.wait()
        if self._note_end is not None:
            self._note_end(shell_code(code), self._stopping)
        self._ended.set()
        self._on_change()

    def _open_log(self) -> BinaryIO | None:
        """A new file for the output: one that is there already is somebody else's."""
        with contextlib.suppress(OSError):
            self.output_file, log = open_new_file(self._wanted_file)
            return log
        return None

    def _read_output(self, terminal: int, log: BinaryIO | None) -> bool:
        """Wait a little for output; False if none came."""
        if not select.select([terminal], [], [], LOOK_INTERVAL)[0]:
            return False
        try:
            written = os.read(terminal, CHUNK)
        except OSError:  # no process has the other end open any more
            written = b""
        if not written:
            time.sleep(LOOK_INTERVAL)  # the program may go on without a terminal
            return False
        if log is not None:
            with contextlib.suppress(OSError):  # a full disk costs the copy, not the program
                log.write(written)
        with self._lock:
            self._text.write(written)
        self._on_change()
        return True


def end_by_signals(
    send: Callable[[signal.Signals], None], has_ended: Callable[[float], bool], grace: float
) -> None:
    """Ask a program to end, less and less gently, with time to do so after each signal."""
    for number in STOPPING:
        send(number)
        if has_ended(grace):
            return


def shell_code(return_code: int) -> int:
    """The exit code of a shell for a return code of `subprocess`."""
    return return_code if return_code >= 0 else 128 - return_code


def _ignore() -> None:
    """What is called on a change before the program is started."""
