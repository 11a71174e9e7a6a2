"""A real command in a real pseudo-terminal, for end-to-end tests and benchmarks.

    with Terminal(["tfdbg-tui", logdir]) as terminal:
        terminal.wait_for("Alerts")
        terminal.press("!")

The command only makes progress with its output while somebody pumps: every method that waits
does. Columns and rows count from 1. Queries of the program to the terminal are not answered.
"""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.terminal_keys import (
    NO_BUTTON,
    WHEEL_DOWN,
    WHEEL_UP,
    click_bytes,
    key_bytes,
    mouse_bytes,
)
from tests.support.terminal_screen import Cell, TerminalScreen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType
    from typing import Literal, Protocol

    from typing_extensions import Self

    class Shell(Protocol):
        """Leads the session of a terminal."""

        def wait(self, timeout: float | None = None) -> object:
            """Wait for its end."""

        def kill(self) -> None:
            """End it at once."""

    Starter = Callable[[list[str], tuple[int, int, int], Mapping[str, str]], Shell]
    """Starts a shell with a command, a terminal, a pipe to report to and one that ends it."""

    Wanted = str | re.Pattern[str] | Callable[[list[str]], object]

SHELL = Path(__file__).with_name("terminal_shell.py")

ENVIRONMENT = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}

FOREIGN = re.compile("NO_COLOR|FORCE_COLOR|COLUMNS|LINES|LC_.*|TERM_PROGRAM.*|TEXTUAL.*")
"""Variables of whoever runs the tests that would change what a program draws."""

TIMEOUT = 20.0
"""Seconds to wait for something that is expected to come."""

ESCAPE_PAUSE = 0.15
"""Seconds of silence behind an escape key, or it would begin the sequence of the next key."""

KEY_PAUSE = 0.03
"""Seconds behind any other key: as fast as a key that is held down."""

PAINTED = 0.08
"""Seconds of silence after which a program has painted all it wanted."""

LINGER = 0.05
"""Seconds in which the last output of a program that ended arrives."""

LOOK_EVERY = 0.2
"""Seconds after which a condition is looked at though nothing was written."""

END_TIMEOUT = 5.0
"""Seconds for the shell to go, once its command is gone."""

TRANSCRIPT_BYTES = 1 << 20
"""The end of the output that is kept, at least."""

TERMIOS_FLAGS = {
    name: (place, getattr(termios, name))
    for place, names in ((0, ("ICRNL", "IXON")), (1, ("OPOST",)), (3, ("ECHO", "ICANON", "ISIG")))
    for name in names
}
"""Settings of the line discipline that a program must leave as they were."""


def plain_environment() -> dict[str, str]:
    """The variables of this process, as an xterm would have them."""
    kept = {name: value for name, value in os.environ.items() if not FOREIGN.fullmatch(name)}
    return {**kept, **ENVIRONMENT}


def start_shell(
    command: list[str], descriptors: tuple[int, int, int], environment: Mapping[str, str]
) -> Shell:
    """Run a command in a terminal, as `terminal_shell` does."""
    terminal, reporting, controlled = descriptors
    shell = [sys.executable, "-I", "-S", str(SHELL), str(reporting), str(controlled)]
    return subprocess.Popen(
        shell + command,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
        pass_fds=(reporting, controlled),
        start_new_session=True,
    )


class Terminal:
    """Runs a command in a pseudo-terminal, presses its keys and reads its screen."""

    def __init__(
        self,
        command: Sequence[str | Path],
        columns: int = 80,
        rows: int = 24,
        env: Mapping[str, str] | None = None,
        starter: Starter | None = None,
    ) -> None:
        self._starter = starter or start_shell
        self.command = [str(word) for word in command]
        self.screen = TerminalScreen(columns, rows)
        self._transcript = bytearray()
        self.bytes_written = 0
        """Bytes that the program wrote."""
        self.exit_code: int | None = None
        """None while the program runs; the negative signal number if a signal ended it."""
        self._environment = {**plain_environment(), **(env or {})}
        self._master = -1

    # ---------------------------------------------------------------------- start and end

    def __enter__(self) -> Self:
        self._master, slave = os.openpty()
        report, reporting = os.pipe()
        controlled, self._control = os.pipe()
        self._set_size()
        self._termios_at_first = termios.tcgetattr(slave)
        descriptors = (slave, reporting, controlled)
        self._shell = self._starter(self.command, descriptors, self._environment)
        for descriptor in descriptors:
            os.close(descriptor)
        self._report = os.fdopen(report, "rb", buffering=0)
        self.pid = int(self._report.readline())
        self.started = time.perf_counter()
        """When the program began."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.exit_code is None:
            self._kill_group()
        os.close(self._control)
        self.hang_up()
        try:
            self._shell.wait(END_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._shell.kill()
            self._shell.wait()
        self._report.close()

    def _kill_group(self) -> None:
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            return  # ended by itself just now

    def hang_up(self) -> None:
        """Take the terminal away, as a lost SSH connection does."""
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program."""
        os.kill(self.pid, number)

    def wait_exit(self, timeout: float = TIMEOUT) -> int:
        """Wait for the program to end by itself; returns its exit code."""
        self._pump_until(lambda: self.exit_code is not None, timeout)
        assert self.exit_code is not None, self._report_of(f"still running after {timeout} s")
        self.pump(LINGER)
        return self.exit_code

    def left_sane(self) -> list[str]:
        """What the program changed in the terminal and did not put back; nothing is good."""
        now = termios.tcgetattr(self._master)
        changed = [
            f"termios {name}"
            for name, (place, flag) in TERMIOS_FLAGS.items()
            if (now[place] ^ self._termios_at_first[place]) & flag
        ]
        return self.screen.changed_modes() + changed

    # ---------------------------------------------------------------------- input

    def press(self, *keys: str) -> None:
        """Press keys by name (see `NAMED_KEYS`), `ctrl+x`, or type any other text."""
        for key in keys:
            self._send(key_bytes(key))
            self.pump(ESCAPE_PAUSE if key == "escape" else KEY_PAUSE)

    def type(self, text: str) -> None:
        """Send a text as it is and at once, even if it is the name of a key."""
        self._send(text.encode())

    def click(self, column: int, row: int) -> None:
        """Click with the left button."""
        self._send(click_bytes(column, row))

    def hover(self, column: int, row: int) -> None:
        """Move the mouse to a cell."""
        self._send(mouse_bytes(NO_BUTTON, column, row))

    def wheel(
        self, column: int, row: int, direction: Literal["up", "down"], times: int = 1
    ) -> None:
        """Turn the wheel over a cell."""
        button = {"up": WHEEL_UP, "down": WHEEL_DOWN}[direction]
        for _ in range(times):
            self._send(mouse_bytes(button, column, row))

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the terminal; the kernel tells the program."""
        self.screen.resize(columns, rows)
        self._set_size()

    def _set_size(self) -> None:
        size = struct.pack("HHHH", self.screen.rows, self.screen.columns, 0, 0)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, size)

    def _send(self, data: bytes) -> None:
        os.write(self._master, data)

    # ---------------------------------------------------------------------- output

    def text(self) -> list[str]:
        """The lines of the screen as far as output was pumped, without blanks at their ends."""
        return self.screen.lines()

    def find(self, text: str) -> tuple[int, int]:
        """Column and row of the first place where a text stands."""
        for place in self.screen.find(text):
            return place
        raise AssertionError(self._report_of(f"no {text!r} on the screen"))

    def cell(self, column: int, row: int) -> Cell:
        """Character, colours and styles of a cell."""
        return self.screen.cell(column, row)

    @property
    def transcript(self) -> bytes:
        """The end of the raw output."""
        return bytes(self._transcript)

    @property
    def modes(self) -> frozenset[int]:
        """The private modes that are on, such as 1049, the alternate screen."""
        return self.screen.modes

    def pump(self, seconds: float) -> None:
        """Take what the program writes for some time, or until it has ended."""
        self._pump_until(lambda: False, seconds)

    def wait_for(self, wanted: Wanted, timeout: float = TIMEOUT) -> list[str]:
        """Wait until a text, an expression or what a predicate wants is on the screen.

        The text must stand in one line; expressions see all lines, joined by line feeds.
        """
        if not self._pump_until(lambda: _is_shown(wanted, self.text()), timeout):
            raise AssertionError(self._report_of(f"waited {timeout} s for {wanted!r}"))
        return self.text()

    def wait_quiet(self, seconds: float = 0.3, timeout: float = TIMEOUT) -> None:
        """Wait until the program has written nothing for some time, or has ended."""
        deadline = time.monotonic() + timeout
        before = -1
        while before != self.bytes_written:
            assert time.monotonic() < deadline, self._report_of(f"not quiet for {timeout} s")
            before = self.bytes_written
            self.pump(seconds)

    def latency(self, key: str, timeout: float = TIMEOUT) -> float | None:
        """Seconds from a key to the last byte painted for it; None if nothing was painted."""
        return self._latency(key_bytes(key), timeout)

    def click_latency(self, column: int, row: int, timeout: float = TIMEOUT) -> float | None:
        """The same for a click."""
        return self._latency(click_bytes(column, row), timeout)

    def cpu_seconds(self) -> float:
        """Processor time that the running program has used."""
        user, system = self._stat()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def is_stopped(self) -> bool:
        """Whether the program was stopped by a signal and waits for another to go on."""
        return self._stat()[0] == "T"

    def _stat(self) -> list[str]:
        """What the system says of the process, from its state on."""
        return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()

    # ---------------------------------------------------------------------- pumping

    def _latency(self, data: bytes, timeout: float) -> float | None:
        """Emulating the screen takes longer than painting it, so that is done afterwards."""
        self.pump(0)
        painted: list[bytes] = []
        sent = last = time.perf_counter()
        self._send(data)
        while last - sent < timeout and (output := self._read(PAINTED if painted else timeout)):
            last = time.perf_counter()
            painted.append(output)
        self._draw(b"".join(painted))
        return last - sent if painted else None

    def _pump_until(self, satisfied: Callable[[], bool], timeout: float) -> bool:
        """Draw output until a condition holds; False if that does not happen in time."""
        deadline = time.monotonic() + timeout
        while not satisfied():
            was_running = self.exit_code is None
            left = max(0.0, deadline - time.monotonic())
            output = self._read(min(left, LOOK_EVERY if was_running else LINGER))
            if not output and (not was_running or not left):
                return False
            while output:
                self._draw(output)
                output = self._read(0) if time.monotonic() < deadline + LINGER else b""
            if time.monotonic() > deadline + LINGER:
                return satisfied()
        return True

    def _read(self, timeout: float) -> bytes:
        """The next output; empty if there is none in time, or when the program ends."""
        sources = [] if self.exit_code is not None else [self._report.fileno()]
        sources += [] if self._master < 0 else [self._master]
        ready, _, _ = select.select(sources, [], [], timeout)
        if self._master in ready:
            return os.read(self._master, 1 << 16)
        if ready:
            self.exit_code = int(self._report.readline())
        return b""

    def _draw(self, output: bytes) -> None:
        self.bytes_written += len(output)
        self._transcript += output
        if len(self._transcript) > 2 * TRANSCRIPT_BYTES:
            del self._transcript[:-TRANSCRIPT_BYTES]
        self.screen.feed(output)

    def _report_of(self, trouble: str) -> str:
        """What went wrong, with the whole screen."""
        state = "running" if self.exit_code is None else f"exited with {self.exit_code}"
        width = self.screen.columns
        edge = "+" + "-" * width + "+"
        lines = [f"|{line:{width}}|" for line in self.text()]
        return "\n".join([f"{trouble}; the program is {state}", edge, *lines, edge])


def _is_shown(wanted: Wanted, lines: list[str]) -> bool:
    if isinstance(wanted, str):
        return any(wanted in line for line in lines)
    if isinstance(wanted, re.Pattern):
        return wanted.search("\n".join(lines)) is not None
    return bool(wanted(lines))
