"""How Python is started so that it runs a script by itself, and our `sitecustomize` before it."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.program.at_start import sitecustomize
from tfdbg_tui.record.event_files import open_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tfdbg_tui.program.recorded_main import ScriptOptions

AT_START = Path(sitecustomize.__file__).parent
"""The folder that holds it."""

FOR_SCRIPTS = "bBdOquv"
"""Options of Python without a value that a script gets from us, if we were started with them."""

WITH_VALUE = "WX"
"""Those with a value."""


LAST_STANDARD_FILE = 2


class PythonStart(NamedTuple):
    """A command that runs Python, with what else the process is given."""

    command: tuple[str, ...]
    variables: Mapping[str, str] = {}
    """Beside those that we have ourselves."""
    inherited: tuple[int, ...] = ()
    """Files, beside the standard ones, that are open in it under the same numbers."""
    folder: str | None = None
    """Where it is started; None for where we are."""

    def environment(self) -> dict[str, str]:
        """All its environment variables."""
        return {**os.environ, **self.variables}


def start_of(script: list[str], options: ScriptOptions) -> PythonStart:
    """How to run a script as `python script`; its words may begin with `-m`."""
    words = ["--", *script] if script[0] != "-m" and script[0].startswith("-") else script
    variables = {
        sitecustomize.OPTIONS_VARIABLE: json.dumps(options._asdict()),
        "PYTHONPATH": str(AT_START),
    }
    before = os.environ.get("PYTHONPATH")
    if before is not None:
        variables[sitecustomize.PATH_VARIABLE] = before
    if before:
        variables["PYTHONPATH"] += os.pathsep + before
    command = (sys.executable, *options_for_scripts(sys.orig_argv[1:]), *words)
    return PythonStart(command, variables, _inherited_files())


def options_for_scripts(words: Iterable[str]) -> list[str]:
    """The options on Python's command line, without the program's name, that hold for a script.

    Those that say where *our* modules are looked for do not: packagers let us begin with
    `python -sP`, and a script expects to find what lies beside it.
    """
    found: list[str] = []
    rest = iter(words)
    for word in rest:
        if not word.startswith("-") or word.startswith("--") or word == "-":
            break
        for position, letter in enumerate(word[1:], start=2):
            if letter in "cm":
                return found
            if letter in WITH_VALUE:
                found += [f"-{letter}", word[position:] or next(rest, "")]
                break
            if letter in FOR_SCRIPTS:
                found.append(f"-{letter}")
    return found


def _inherited_files() -> tuple[int, ...]:
    """Open files that whoever started us has meant for the script: `<(...)` in a shell is one."""
    found = []
    for number in open_files():
        with contextlib.suppress(OSError):
            if number > LAST_STANDARD_FILE and os.get_inheritable(number):
                found.append(number)
    return tuple(found)
