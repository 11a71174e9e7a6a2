"""The real command in a real terminal, as the end-to-end tests start and read it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.recordings.programs import ENVIRONMENT
from tests.support.tensorflow_server import tensorflow_python
from tests.support.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

COMMAND = [sys.executable, "-m", "tfdbg_tui"]

STARTED_BY = """\
import sys
from tfdbg_tui.cli import main
sys.executable = sys.argv.pop(1)
sys.exit(main())
"""

SETTLED = re.compile("ENDED|LIVE")
"""On the status line when all that was on disk is read."""

RUN_TIMEOUT = 120.0
"""Seconds for a script to be recorded on a busy machine."""

QUIET = 0.3
"""Seconds without a byte after which nothing more is painted."""

CURSOR = "▸"
"""Stands before the chosen row of every pane."""

SETTINGS = {"XDG_CONFIG_HOME": "/there is no such folder", "EDITOR": "true"}
"""Whoever runs the tests may have settings of their own."""


def quick_command() -> list[str]:
    """The command that runs scripts in a Python with TensorFlow imported already."""
    return [sys.executable, "-c", STARTED_BY, tensorflow_python()]


def app(
    *words: str | Path,
    columns: int = 80,
    rows: int = 24,
    env: Mapping[str, str] | None = None,
    command: Sequence[str] = COMMAND,
) -> Terminal:
    """The full-screen app in a terminal, to be entered."""
    return Terminal([*command, *words], columns, rows, {**SETTINGS, **(env or {})})


def run_headless(
    *words: str | Path, cwd: Path | None = None, command: Sequence[str] = COMMAND
) -> subprocess.CompletedProcess[str]:
    """`tfdbg-tui run --headless`, to its end."""
    return finished([*command, "run", "--headless", *map(str, words)], ENVIRONMENT, cwd)


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
