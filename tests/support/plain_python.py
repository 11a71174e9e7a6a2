"""Scripts run twice: by plain Python, and as `tfdbg-tui run` starts them, without TensorFlow."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from tfdbg_tui.program.python_start import start_of
from tfdbg_tui.program.recorded_main import ScriptOptions

if TYPE_CHECKING:
    from pathlib import Path

TIMEOUT = 60
"""Seconds that a script may take."""


class Ended(NamedTuple):
    """How a script ended, and what it wrote."""

    code: int
    stdout: str
    stderr: str


def plain(*words: str, cwd: Path, **given: Any) -> Ended:
    """A script run by Python."""
    return _ended([sys.executable, *words], dict(os.environ), cwd, **given)


def under_run(*words: str, cwd: Path, brief_interrupt: bool = False, **given: Any) -> Ended:
    """A script run by `tfdbg-tui run`, up to what happens in its own process."""
    options = ScriptOptions(str(cwd / "logdir"), brief_interrupt=brief_interrupt)
    started_by, sys.orig_argv = sys.orig_argv, sys.orig_argv[:1]  # no option of the tests' Python
    try:
        start = start_of(list(words), options)
    finally:
        sys.orig_argv = started_by
    return _ended(list(start.command), start.environment(), cwd, **given)


def both(*words: str, cwd: Path, **given: Any) -> tuple[Ended, Ended]:
    """A script run by Python, and by us."""
    return plain(*words, cwd=cwd, **given), under_run(*words, cwd=cwd, **given)


def _ended(command: list[str], environment: dict[str, str], cwd: Path, **given: Any) -> Ended:
    done = subprocess.run(
        command,
        env=environment,
        cwd=cwd,
        timeout=TIMEOUT,
        check=False,
        **{"stdin": subprocess.DEVNULL, "capture_output": True, **given},
    )
    return Ended(done.returncode, _comparable(done.stdout), _comparable(done.stderr))


def _comparable(written: bytes | None) -> str:
    """What was written, without numbers that differ each time: addresses and processes."""
    text = (written or b"").decode(errors="backslashreplace")
    return re.sub(r"0x[0-9a-f]{6,}", "0x...", text)
