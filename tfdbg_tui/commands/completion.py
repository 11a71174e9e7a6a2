"""`tfdbg-tui --print-completion SHELL`: the script that lets a shell complete what is typed.

It is made by shtab from the parsers that parse the command line, so it cannot fall behind them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import shtab

from tfdbg_tui.commands import arguments
from tfdbg_tui.commands.outcome import CLEAN, Outcome
from tfdbg_tui.commands.reading_options import FAIL_ON

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from types import SimpleNamespace

PREFIX = "tfdbg_tui"
"""Part of the names of all functions and variables in the script."""

VALUES = {
    "logdir": shtab.DIRECTORY,
    "config": shtab.FILE,
    "filters": shtab.FILE,
    "script": shtab.FILE,
}
"""What the arguments and options of these names are."""

# shtab knows either commands or another first word, not both; a directory may stand there too.
EITHER_COMMAND_OR_DIRECTORY = {
    "bash": f"_shtab_{PREFIX}_pos_0_COMPGEN=_shtab_compgen_dirs",
    "zsh": f"""\
functions[_{PREFIX}_commands_only]=$functions[_shtab_{PREFIX}_commands]
_shtab_{PREFIX}_commands() {{
  _{PREFIX}_commands_only
  _files -/
}}""",
}


def run(options: SimpleNamespace) -> Outcome:
    """The script for a shell, to be evaluated when the shell starts."""
    parser = arguments.describing_parser()
    _mark_values(parser)
    either = EITHER_COMMAND_OR_DIRECTORY.get(options.shell, "")
    script = shtab.complete(parser, options.shell, root_prefix=PREFIX, preamble=either)
    return Outcome(CLEAN, f"{script}\n")


def _mark_values(parser: ArgumentParser) -> None:
    """Say of all values that are files or directories that they are, for shtab."""
    for action in parser._actions:
        if action.dest in VALUES:
            setattr(action, "complete", VALUES[action.dest])  # noqa: B010 - not an attribute to mypy
        if action.dest == "fail_on":  # besides filters, whose names are the user's
            action.choices = FAIL_ON
        if isinstance(action.choices, dict):  # commands, with their parsers
            for command in action.choices.values():
                _mark_values(command)
