"""What can be typed behind `tfdbg-tui`: the commands and their options."""

from __future__ import annotations

import argparse
import os
from types import SimpleNamespace
from typing import TYPE_CHECKING

from tfdbg_tui import __version__
from tfdbg_tui.commands.option_values import (
    between,
    names,
    number_of_events,
    number_of_rows,
    number_of_steps,
    pattern,
)
from tfdbg_tui.commands.reading_options import OPTIONS
from tfdbg_tui.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from tfdbg_tui.commands.reading_options import Option

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

POLLS = (0.05, 3600.0)
"""Seconds between two looks at the files that can be asked for."""

SPEEDS = (0.01, 1000.0)
"""Speeds of the demo: faster, its wall times would be equal; slower, it would never end."""

MODES = ("FULL_HEALTH", "CONCISE_HEALTH", "CURT_HEALTH", "SHAPE", "NO_TENSOR", "FULL_TENSOR")
"""What `run` can be asked to note of each tensor."""

SHELLS = ("bash", "zsh")
"""Shells that what is typed can be completed in."""

USUAL_ROWS = 1_000
"""Rows of a list that `query` prints unless more are asked for."""

USUAL_COLUMNS = 80
"""Of a terminal that does not tell."""

COMMANDS = ("check", "demo", "doctor", "query", "run")
COMING = ("report",)
"""Planned commands; typing one gets a sentence that says so."""


class _Help(argparse.HelpFormatter):
    """Help as wide as the terminal is.

    argparse makes one for every argument that is added, and finds out the width by a module that
    takes milliseconds to import.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return int(told)
    try:
        return os.get_terminal_size().columns
    except (OSError, ValueError):  # stdout is no terminal, or closed
        return USUAL_COLUMNS


class _Parser(argparse.ArgumentParser):
    """A parser with such help."""

    def __init__(
        self,
        prog: str | None = None,
        *,
        usage: str | None = None,
        add_help: bool = True,
        allow_abbrev: bool = True,
        parents: Sequence[argparse.ArgumentParser] = (),
    ) -> None:
        super().__init__(
            prog,
            usage=usage,
            add_help=add_help,
            allow_abbrev=allow_abbrev,
            parents=parents,
            formatter_class=_Help,
        )


def parse(words: list[str]) -> SimpleNamespace:
    """The options of a command or, where the first word is none, of the full-screen app.

    `command` among them says which module of this room does it.
    """
    return SimpleNamespace(**vars(_parsed(words)))


def _parsed(words: list[str]) -> argparse.Namespace:
    is_option = words[0].startswith("-")
    if not is_option and words[0] not in COMMANDS and not os.path.lexists(words[0]):
        _reject_unknown_command(words[0])
    if words[0] in ("-h", "--help"):
        return _help_on("app")
    if words[0] == "run":
        return _parse_run(words[1:])
    if words[0] == "query":
        return _query_parser().parse_intermixed_args(words[1:])
    if words[0].partition("=")[0] == "--print-completion":
        return _completion_parser().parse_args(words)
    if words[0] in (*COMMANDS, "--version"):
        return _command_parser(words[0]).parse_args(words)
    options = _app_parser().parse_args(words)
    return _help_on("app") if options.help else options


def _reject_unknown_command(word: str) -> None:
    """Raise a UserError if a word was meant as a command; else it is a logdir yet to come."""
    import difflib

    if word in COMING:
        raise UserError(
            f"`tfdbg-tui {word}` is not there yet; `tfdbg-tui LOGDIR` and "
            "`tfdbg-tui check LOGDIR` are."
        )
    meant = difflib.get_close_matches(word, COMMANDS, n=1)
    if meant and os.sep not in word:
        raise UserError(f"there is no directory {word}; did you mean `{meant[0]}`?")


def _help_on(topic: str) -> argparse.Namespace:
    return argparse.Namespace(command="help", topic=topic)


# The full-screen app.


def _app_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        "tfdbg-tui", add_help=False, usage="tfdbg-tui LOGDIR ...", parents=[_viewing_options()]
    )
    parser.add_argument("logdir", metavar="LOGDIR", nargs="?")
    parser.set_defaults(command="show")
    return parser


def _viewing_options() -> argparse.ArgumentParser:
    """The options of the full-screen app over a logdir."""
    parser = _Parser(add_help=False, parents=[_app_options()])
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--run", metavar="ID", dest="run_id")
    parser.add_argument("--poll", metavar="SECONDS", type=between(*POLLS, "number of seconds"))
    parser.add_argument("--mute", metavar="FILE")
    return parser


def _app_options() -> argparse.ArgumentParser:
    """The options of the full-screen app that hold for `run` and `demo` too."""
    parser = _Parser(add_help=False)
    parser.add_argument("--first-nan", action="store_true", help="begin at the first NaN or Inf")
    parser.add_argument("--theme", metavar="NAME", help="other colours; a wrong name lists them")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")
    parser.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal")
    parser.add_argument("--config", metavar="FILE", help="other settings and keys")
    parser.add_argument("--filters", metavar="FILE", help="filters of your own, Python functions")
    return parser


# `run`.


def _parse_run(words: list[str]) -> argparse.Namespace:
    """The options of `run`; all words after the script's name are the script's."""
    parser = _run_parser()
    with_value = {
        name for action in parser._actions if action.nargs != 0 for name in action.option_strings
    }
    own, script = _split_at_script(words, with_value)
    options = parser.parse_args(own)
    if options.help:
        return _help_on("run")
    options.script = script
    options.command = "run_headless" if options.headless else "run"
    if options.again is not None:
        options.command = "run_again"
    options.run_id = options.poll = options.folder = None
    return options


def _run_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        "tfdbg-tui run",
        add_help=False,
        allow_abbrev=False,  # where the script begins is known from whole names only
        usage="tfdbg-tui run [OPTIONS] SCRIPT ARGUMENTS...",
        parents=[_app_options()],
    )
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--mode", choices=MODES, default=MODES[0])
    parser.add_argument("--logdir", metavar="DIR")
    parser.add_argument("--keep", metavar="N", type=number_of_events)
    parser.add_argument("--op-regex", metavar="RE", type=pattern)
    parser.add_argument("--op-names", metavar="A,B", type=names)
    parser.add_argument("--dtypes", metavar="A,B", type=names, default=())
    parser.add_argument("--jit", action="store_true")
    # What is the default now; scripts may still say so.
    parser.add_argument("--no-jit", dest="jit", action="store_false", help=argparse.SUPPRESS)
    parser.add_argument("--again", metavar="LOGDIR")
    until = parser.add_mutually_exclusive_group()
    until.add_argument("--until-bad", action="store_true")
    until.add_argument("--until", metavar="FILTER")
    parser.add_argument("--until-step", metavar="N", type=number_of_steps)
    parser.add_argument("--mute", metavar="FILE")
    parser.add_argument("--headless", action="store_true")
    return parser


def _split_at_script(words: list[str], with_value: Container[str]) -> tuple[list[str], list[str]]:
    """The options of `run`, and the script with its own arguments, which may look like ours."""
    index = 0
    while index < len(words) and words[index].startswith("-") and words[index] != "-m":
        if words[index] == "--":
            return words[:index], words[index + 1 :]
        index += 2 if words[index] in with_value else 1
    return words[:index], words[index:]


# `check`, `doctor` and `demo`.


def _command_parser(name: str) -> argparse.ArgumentParser:
    """A parser that knows one of these commands: to make those of all takes as long again."""
    parser = _Parser("tfdbg-tui", usage="tfdbg-tui COMMAND ...")
    _add_version(parser)
    _add_commands(parser, only=name)
    return parser


def _add_version(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--version", action="version", version=f"tfdbg-tui {__version__}")


def _add_commands(parser: argparse.ArgumentParser, only: str | None = None) -> Commands:
    """Add the commands that argparse can tell apart by itself."""
    commands = parser.add_subparsers(metavar="COMMAND", title="commands", prog="tfdbg-tui")
    for name, add in (("check", _add_check), ("doctor", _add_doctor), ("demo", _add_demo)):
        if only in (name, None):
            add(commands)
    return commands


def _add_check(commands: Commands) -> None:
    check = commands.add_parser("check", help="a verdict and an exit code, without a screen")
    _add_reading(check, OPTIONS["check"])
    check.epilog = "Exit code: 0 clean, 1 bad numerics, 2 could not read, 3 a bug of tfdbg-tui."
    check.set_defaults(command="check")


def _add_doctor(commands: Commands) -> None:
    doctor = commands.add_parser("doctor", help="what a recording can show, and what to change")
    _add_reading(doctor, OPTIONS["doctor"])
    doctor.epilog = (
        "Exit code: 0 no problem, 1 some problem, 2 no recording could be read, "
        "3 a bug of tfdbg-tui."
    )
    doctor.set_defaults(command="doctor")


def _query_parser(add_help: bool = True) -> argparse.ArgumentParser:
    """A parser of its own: between a logdir and commands, options are read by no other."""
    query = _Parser("tfdbg-tui query", add_help=add_help)
    query.add_argument("logdir", metavar="LOGDIR", help="a recording, or a folder of recordings")
    query.add_argument(
        "commands",
        metavar="COMMAND",
        nargs="*",
        help="such as 'lt -f nan', in quotes; `help` lists all; without any, lines from stdin",
    )
    form = query.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a JSON object a command")
    form.add_argument("--csv", action="store_true", help="print rows as CSV")
    query.add_argument(
        "--run", metavar="ID", dest="run_id", help="the run with this id; else the newest"
    )
    query.add_argument(
        "--rows",
        metavar="N",
        type=number_of_rows,
        default=USUAL_ROWS,
        help=f"rows of a list that are printed, {USUAL_ROWS:,} if not told; 0 for all",
    )
    query.add_argument("--filters", metavar="FILE", help="filters of your own, Python functions")
    query.epilog = (
        "Exit code: 0 answered, 1 a list is empty, 2 a wrong command, or nothing could be read, "
        "3 a bug of tfdbg-tui."
    )
    query.set_defaults(command="query")
    return query


def _add_demo(commands: Commands) -> None:
    demo = commands.add_parser(
        "demo", help="a recorded training run meets its NaN, live", parents=[_app_options()]
    )
    demo.add_argument(
        "--speed",
        metavar="N",
        type=between(*SPEEDS, "speed"),
        default=1.0,
        help="N times as fast as the training",
    )
    demo.epilog = "Without a terminal: the verdict of `tfdbg-tui check` on the whole run."
    demo.set_defaults(command="demo", run_id=None, poll=None)


def _add_reading(command: argparse.ArgumentParser, options: Iterable[Option]) -> None:
    """Add the arguments of commands that read a logdir and print."""
    command.add_argument("logdir", metavar="LOGDIR", help="a recording, or a folder of recordings")
    for option in options:
        if option.has_value:
            command.add_argument(
                option.name,
                dest=option.key,
                metavar=option.takes,
                default=option.default,
                help=option.help,
            )
        else:
            command.add_argument(
                option.name, dest=option.key, action="store_true", help=option.help
            )


# Completion.


def _completion_parser() -> argparse.ArgumentParser:
    parser = _Parser("tfdbg-tui", add_help=False)
    parser.add_argument("--print-completion", metavar="SHELL", dest="shell", choices=SHELLS)
    parser.set_defaults(command="completion")
    return parser


def describing_parser() -> argparse.ArgumentParser:
    """All commands and options in one parser, to make completion from; it is not for parsing."""
    parser = _Parser(
        "tfdbg-tui", add_help=False, parents=[_viewing_options(), _completion_parser()]
    )
    _add_version(parser)
    commands = _add_commands(parser)
    commands.add_parser(
        "query",
        help="ask as in the app's command line, and print",
        parents=[_query_parser(add_help=False)],
    )
    run = commands.add_parser(
        "run",
        help="run a script, record it unchanged, watch it live",
        add_help=False,
        parents=[_run_parser()],
    )
    run.add_argument("script", metavar="SCRIPT", nargs=argparse.REMAINDER)
    return parser
