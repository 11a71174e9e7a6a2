"""What can be typed behind `tfdbg-tui`: the commands and their options."""

from __future__ import annotations

import argparse
import math
import os
from typing import TYPE_CHECKING

from tfdbg_tui import __version__
from tfdbg_tui.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable

HELP = """\
Find the line that turned your TensorFlow numbers into NaN, from a terminal.

  tfdbg-tui LOGDIR         the full-screen app; press ! for the first NaN
  tfdbg-tui run train.py   run a script, record it unchanged, watch it live
  tfdbg-tui check LOGDIR   a verdict and an exit code; --json for machines
  tfdbg-tui doctor LOGDIR  what a recording can show, and what to change
  tfdbg-tui demo           a recorded training run meets its NaN, live

LOGDIR is the directory given to TensorFlow's enable_dump_debug_info. It may
not exist yet, hold several runs, or be a parent of run folders.

Options of the full-screen app, and of the demo but for --run and --poll:
  --first-nan      begin at the first NaN or Inf
  --run ID         the run with this id, or its beginning; else the newest
  --poll SECONDS   look at the files this often (network file systems)
  --theme NAME     other colours; a wrong name lists them
  --ascii          draw with ASCII characters only
  --no-mouse       leave the mouse to the terminal
  --config FILE    settings and keys, not {config}
NO_COLOR in the environment switches colours off.

Each command has options of its own, told by --help behind it; --version
tells the version.
"""

POLLS = (0.05, 3600.0)
"""Seconds between two looks at the files that can be asked for."""

SPEEDS = (0.01, 1000.0)
"""Speeds of the demo; beyond, its wall times could not be told apart, or it would never end."""

COMMANDS = ("check", "demo", "doctor", "run")
COMING = ("report",)
"""Commands that are planned: whoever tries one is told so."""


def parse(words: list[str]) -> argparse.Namespace:
    """The options of a command or, where the first word is none, of the full-screen app.

    `command` among them is its name.
    """
    if words[0] not in COMMANDS and not os.path.lexists(words[0]):
        _object_to(words[0])
    if words[0] in ("-h", "--help"):
        return argparse.Namespace(command="help")
    if words[0] == "run":
        return _parse_run(words[1:])
    parser = _parser() if words[0] in (*COMMANDS, "--version") else _app_parser()
    return parser.parse_args(words)


def _object_to(word: str) -> None:
    """Tell whoever means a command that there is none; a logdir may not exist yet."""
    import difflib

    if word in COMING:
        raise UserError(
            f"`tfdbg-tui {word}` is not there yet; `tfdbg-tui LOGDIR` and "
            "`tfdbg-tui check LOGDIR` are."
        )
    meant = difflib.get_close_matches(word, COMMANDS, n=1)
    if meant and os.sep not in word:
        raise UserError(f"there is no directory {word}; did you mean `{meant[0]}`?")


def _app_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "tfdbg-tui", add_help=False, usage="tfdbg-tui LOGDIR ...", parents=[_looks()]
    )
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("logdir", metavar="LOGDIR", nargs="?")
    parser.add_argument("--run", metavar="ID", dest="run_id")
    parser.add_argument("--poll", metavar="SECONDS", type=_between(*POLLS, "number of seconds"))
    parser.set_defaults(command="app")
    return parser


def _parse_run(words: list[str]) -> argparse.Namespace:
    """The options of `run`; what stands behind the script's name belongs to the script."""
    from tfdbg_tui.commands import run

    parser = argparse.ArgumentParser(
        "tfdbg-tui run",
        add_help=False,
        allow_abbrev=False,  # where the script begins is known from whole names only
        usage="tfdbg-tui run [OPTIONS] SCRIPT ARGUMENTS...",
        parents=[_looks()],
    )
    parser.add_argument("-h", "--help", action="store_true")
    run.add_options(parser)
    switches = {
        name for action in parser._actions if action.nargs != 0 for name in action.option_strings
    }
    own, script = run.split(words, switches.__contains__)
    options = parser.parse_args(own)
    options.script, options.command = script, "run"
    options.run_id = options.poll = None
    return options


def _looks() -> argparse.ArgumentParser:
    """The options of the full-screen app, whatever it shows."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--first-nan", action="store_true", help="begin at the first NaN or Inf")
    parser.add_argument("--theme", metavar="NAME", help="other colours; a wrong name lists them")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")
    parser.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal")
    parser.add_argument("--config", metavar="FILE", help="other settings and keys")
    return parser


def _between(low: float, high: float, what: str) -> Callable[[str], float]:
    """Reads a number that has to be between two others."""

    def number(text: str) -> float:
        try:
            found = float(text)
        except ValueError:
            found = math.nan
        if not low <= found <= high:
            raise argparse.ArgumentTypeError(f"{text} is no {what} between {low:g} and {high:g}")
        return found

    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("tfdbg-tui", usage="tfdbg-tui COMMAND ...")
    parser.add_argument("--version", action="version", version=f"tfdbg-tui {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", title="commands", prog="tfdbg-tui")

    check = commands.add_parser("check", help="a verdict and an exit code, without a screen")
    _add_reading(check)
    check.add_argument(
        "--fail-on",
        choices=("bad", "nan", "never"),
        default="bad",
        help="what gives exit code 1: any NaN or Inf (the default), only NaN, or nothing",
    )
    check.epilog = "Exit code: 0 clean, 1 bad numerics, 2 could not read."
    check.set_defaults(command="check")

    doctor = commands.add_parser("doctor", help="what a recording can show, and what to change")
    _add_reading(doctor)
    doctor.epilog = "Exit code: 0 no problem, 1 some problem, 2 no recording could be read."
    doctor.set_defaults(command="doctor")

    demo = commands.add_parser(
        "demo", help="a recorded training run meets its NaN, live", parents=[_looks()]
    )
    demo.add_argument(
        "--speed",
        metavar="N",
        type=_between(*SPEEDS, "speed"),
        default=1.0,
        help="N times as fast as the training",
    )
    demo.epilog = "Without a terminal: the verdict of `tfdbg-tui check` on the whole run."
    demo.set_defaults(command="demo", run_id=None, poll=None)

    return parser


def _add_reading(command: argparse.ArgumentParser) -> None:
    """Add what all commands take that read a logdir and print."""
    command.add_argument("logdir", metavar="LOGDIR", help="a recording, or a folder of recordings")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.add_argument(
        "--run", metavar="ID", dest="run_id", help="only the run with this id, or its beginning"
    )
