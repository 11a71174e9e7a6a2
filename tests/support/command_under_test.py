"""The real command in a real terminal, as the end-to-end tests start and read it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from tests.recordings.programs import ENVIRONMENT
from tests.support.ready_command import ReadyProcess, ready_server
from tests.support.tensorflow_server import tensorflow_python
from tests.support.terminal import Terminal, plain_environment, start_shell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import TextIO

    from tests.support.terminal import Shell, Starter

    Running = ReadyProcess | subprocess.Popen[bytes]

COMMAND = [sys.executable, "-m", "tfdbg_tui"]

STARTED_BY = """\
import sys
from tfdbg_tui.cli import main
sys.executable = sys.argv.pop(1)
sys.exit(main())
"""

FORKED = [sys.executable, "-c", STARTED_BY, sys.executable]
"""The command where it is no matter how it comes into being."""

SETTLED = re.compile("ENDED|LIVE")
"""On the status line when all that was on disk is read."""

RUN_TIMEOUT = 120.0
"""Seconds for a script to be recorded on a busy machine."""

LONGEST = 1 << 20
"""Bytes that a headless run prints at most."""

QUIET = 0.3
"""Seconds without a byte after which nothing more is painted."""

CURSOR = "▸"
"""Stands before the chosen row of every pane."""

SETTINGS = {"XDG_CONFIG_HOME": "/there is no such folder", "EDITOR": "true"}
"""Whoever runs the tests may have settings of their own."""

HEADLESS = {**SETTINGS, **ENVIRONMENT}
"""What a headless run has in its environment."""


def quick_command() -> list[str]:
    """The command that runs scripts in a Python with TensorFlow imported already."""
    return [sys.executable, "-c", STARTED_BY, tensorflow_python()]


def app(
    *words: str | Path,
    columns: int = 80,
    rows: int = 24,
    env: Mapping[str, str] | None = None,
    command: Sequence[str] = COMMAND,
    starter: Starter | None = None,
) -> Terminal:
    """The full-screen app in a terminal, to be entered."""
    environment = {**SETTINGS, **(env or {})}
    return Terminal([*command, *words], columns, rows, environment, starter or start_ready)


def start_ready(
    command: list[str], descriptors: tuple[int, int, int], environment: Mapping[str, str]
) -> Shell:
    """Start a command from a process that has the app imported, if that is all the same."""
    words = _words_of(command)
    if words is None or not ready_server().suits(environment):
        return start_shell(command, descriptors, environment)
    terminal, *others = descriptors
    files = (terminal, terminal, terminal, *others)
    return ready_server().start(words[1:], words[0], files, environment)


def _words_of(command: list[str]) -> list[str] | None:
    """The Python for scripts and the words that are typed after `tfdbg-tui`, if it is that."""
    if sys.platform != "linux":
        return None
    if command[: len(COMMAND)] == COMMAND:
        return [sys.executable, *command[len(COMMAND) :]]
    quick = quick_command()[:-1]
    return command[len(quick) :] if command[: len(quick)] == quick else None


def run_headless(
    *words: str | Path, cwd: Path | None = None, command: Sequence[str] = COMMAND
) -> subprocess.CompletedProcess[str]:
    """`tfdbg-tui run --headless`, to its end."""
    line = _headless(command, words)
    with TemporaryFile("w+") as out, TemporaryFile("w+") as errors:
        with _started(line, out.fileno(), errors.fileno(), cwd) as process:
            code = process.wait(RUN_TIMEOUT)
        said = [os.pread(file.fileno(), LONGEST, 0).decode() for file in (out, errors)]
    return subprocess.CompletedProcess(line, code, *said)


@contextmanager
def running_headless(*words: str | Path) -> Iterator[tuple[Running, TextIO]]:
    """`tfdbg-tui run --headless` with a quick command, and what it says on its standard error."""
    reading, writing = os.pipe()
    with open(os.devnull, "wb") as out, open(reading, encoding="utf-8") as errors:
        process = _started(_headless(quick_command(), words), out.fileno(), writing)
        os.close(writing)
        with process:
            yield process, errors


def _headless(command: Sequence[str], words: Sequence[str | Path]) -> list[str]:
    return [*command, "run", "--headless", *map(str, words)]


def _started(line: list[str], out: int, errors: int, folder: Path | None = None) -> Running:
    """A command without a terminal, forked if it can be, to be entered."""
    environment = {**plain_environment(), **HEADLESS}
    words = None if line[: len(COMMAND)] == COMMAND else _words_of(line)
    with open(os.devnull, "rb") as nothing:
        files = (nothing.fileno(), out, errors)
        if words is None or not ready_server().suits(environment):
            stdin, stdout, stderr = files
            return subprocess.Popen(
                line, env=environment, cwd=folder, stdin=stdin, stdout=stdout, stderr=stderr
            )
        return ReadyProcess(words[1:], words[0], files, environment, folder)


def finished(
    command: Sequence[str], settings: Mapping[str, str] = SETTINGS, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """A command that has run to its end, without a terminal."""
    return subprocess.run(
        command,
        env={**os.environ, **settings},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=RUN_TIMEOUT,
        check=False,
        cwd=cwd,
    )


def chosen(lines: list[str]) -> list[str]:
    """What the cursors of all panes stand on, from top to bottom, without the margins."""
    found = [text for line in lines for text in re.findall(f"{CURSOR} +(.*)", line)]
    return [text.rstrip(" ▐┃│") for text in found]


def settle(terminal: Terminal) -> list[str]:
    """The screen when everything is read and painted."""
    terminal.wait_for(SETTLED)
    terminal.wait_quiet(QUIET)
    return terminal.text()


def is_chosen(*parts: str) -> re.Pattern[str]:
    """Looks for a row with a cursor and these parts, in this order."""
    return re.compile(f"{CURSOR} .*" + ".*".join(map(re.escape, parts)))


def is_free_of(text: str) -> Callable[[list[str]], bool]:
    """Looks for the absence of a text."""
    return lambda lines: not any(text in line for line in lines)
