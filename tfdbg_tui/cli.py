"""The command line: what was typed is parsed, given to its command, and ends as an exit code."""

from __future__ import annotations

import errno
import io
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from tfdbg_tui.commands.outcome import CANNOT_READ, CRASHED, Outcome, complain, say
from tfdbg_tui.commands.reading_options import typed
from tfdbg_tui.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import SimpleNamespace

INTERRUPTED = 130
"""The exit code of a program that ctrl-c ended."""

COMMANDS = {
    "check": "tfdbg_tui.commands.check",
    "completion": "tfdbg_tui.commands.completion",
    "demo": "tfdbg_tui.commands.demo",
    "doctor": "tfdbg_tui.commands.doctor",
    "help": "tfdbg_tui.commands.help",
    "query": "tfdbg_tui.commands.query",
    "run": "tfdbg_tui.commands.run",
    "run_again": "tfdbg_tui.commands.run_again",
    "run_headless": "tfdbg_tui.commands.run_headless",
    "show": "tfdbg_tui.commands.show",
}
"""The module of each command, imported only when it is asked for: `--help` needs no numpy."""

MATRIX_THREADS = "OPENBLAS_NUM_THREADS"
"""What tells numpy's library for matrices how many threads to start when numpy is imported.

It would start one for each processor, and they spin for as long as our work takes. We have no
matrices to multiply.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # recorded names may not fit its encoding
            stream.reconfigure(errors="backslashreplace")
    words = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    try:
        options = typed(words) or _parsed(words)
        outcome = command(options.command)(options)
    except UserError as error:
        complain(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as crash:  # whatever it is, it is not the user's to read
        if _is_short_of_files(crash):
            complain("no more files can be opened; raise the limit with `ulimit -n 1024`.")
            return CANNOT_READ
        from tfdbg_tui.commands.crash import sentence_on

        complain(sentence_on(crash))
        return CRASHED
    say(outcome.text)
    return outcome.code


def _parsed(words: list[str]) -> SimpleNamespace:
    from tfdbg_tui.commands import arguments  # what is usual is read without

    return arguments.parse(words)


def command(name: str) -> Callable[[SimpleNamespace], Outcome]:
    """The function of a command: every module in `COMMANDS` has one called `run`."""
    is_told = MATRIX_THREADS in os.environ
    os.environ.setdefault(MATRIX_THREADS, "1")
    try:
        module = import_module(COMMANDS[name])
    finally:  # the user's script, which inherits what is set, may well multiply
        if not is_told:
            del os.environ[MATRIX_THREADS]
    run: Callable[[SimpleNamespace], Outcome] = module.run
    return run


def _is_short_of_files(error: Exception) -> bool:
    """Whether no descriptor was left; a library that Python loads says so in words only."""
    return any(os.strerror(code) in str(error) for code in (errno.EMFILE, errno.ENFILE))
