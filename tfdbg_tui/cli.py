"""The command line; the only place that constructs things."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from tfdbg_tui import __version__
from tfdbg_tui.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.logdir import Logdir
    from tfdbg_tui.data.run import Run

CLEAN, BAD, CANNOT_READ = 0, 1, 2

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

`run`, `check` and `demo` have options of their own, told by --help behind
them; --version tells the version.
"""

DEMO_GREETING = "A training run, replayed: after some seconds its loss turns NaN. ! goes there."

DEMO_HINT = "\nAt a terminal, `tfdbg-tui demo` replays this run in the full-screen app.\n"

PATIENCE = 1.0
"""Seconds of loading after which progress is shown."""

SHORTEST_POLL, LONGEST_POLL = 0.05, 3600.0
"""Seconds between two looks at the files that can be asked for."""

SLOWEST, FASTEST = 0.01, 1000.0
"""Speeds of the demo; beyond, its wall times could not be told apart, or it would never end."""

MOST_FOLDERS = 3
"""Folders that cannot be searched and are named; a system's root has hundreds."""

COMMANDS = ("check", "demo", "doctor", "run")
COMING = ("report",)
"""Commands that are planned: whoever tries one is told so."""


class CannotReadError(Exception):
    """One sentence: what is wrong and what to do."""


class Outcome(NamedTuple):
    """What a command has to say, and its exit code."""

    code: int
    text: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # recorded names may not fit its encoding
            stream.reconfigure(errors="backslashreplace")
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        options = _parse(words)
        outcome: Outcome = options.command(options)
    except CannotReadError as error:
        _complain(str(error))
        return CANNOT_READ
    except KeyboardInterrupt:
        return 130
    _print(outcome.text)
    return outcome.code


def _print(text: str) -> None:
    if sys.stdout is None:  # closed by whoever started us
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError:
        # Whoever read the output has left; without this Python complains once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(sentence: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"tfdbg-tui: {sanitise(sentence)}\n")


def _parse(words: list[str]) -> argparse.Namespace:
    """The options of a command or, where the first word is none, of the full-screen app."""
    if words[0] not in COMMANDS and not os.path.lexists(words[0]):
        _object_to(words[0])
    if words[0] in ("-h", "--help"):
        return argparse.Namespace(command=_help)
    if words[0] == "run":
        return _parse_run(words[1:])
    parser = _parser() if words[0] in (*COMMANDS, "--version") else _app_parser()
    return parser.parse_args(words)


def _object_to(word: str) -> None:
    """Tell whoever means a command that there is none; a logdir may not exist yet."""
    import difflib

    if word in COMING:
        raise CannotReadError(
            f"`tfdbg-tui {word}` is not there yet; `tfdbg-tui LOGDIR` and "
            "`tfdbg-tui check LOGDIR` are."
        )
    meant = difflib.get_close_matches(word, COMMANDS, n=1)
    if meant and os.sep not in word:
        raise CannotReadError(f"there is no directory {word}; did you mean `{meant[0]}`?")


def _help(options: argparse.Namespace) -> Outcome:
    from tfdbg_tui.config import default_path

    place = str(default_path()).replace(os.path.expanduser("~"), "~")  # noqa: PTH111 - a text
    return Outcome(CLEAN, HELP.replace("{config}", place))


def _app_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "tfdbg-tui", add_help=False, usage="tfdbg-tui LOGDIR ...", parents=[_looks()]
    )
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("logdir", metavar="LOGDIR", nargs="?")
    parser.add_argument("--run", metavar="ID", dest="run_id")
    parser.add_argument("--poll", metavar="SECONDS", type=_seconds)
    parser.set_defaults(command=_app)
    return parser


def _parse_run(words: list[str]) -> argparse.Namespace:
    """The options of `run`; what stands behind the script's name belongs to the script."""
    from tfdbg_tui import run_command

    parser = argparse.ArgumentParser(
        "tfdbg-tui run",
        add_help=False,
        usage="tfdbg-tui run [OPTIONS] SCRIPT ARGUMENTS...",
        parents=[_looks()],
    )
    parser.add_argument("-h", "--help", action="store_true")
    run_command.add_options(parser)
    switches = {
        name for action in parser._actions if action.nargs != 0 for name in action.option_strings
    }
    own, script = run_command.split(words, switches.__contains__)
    options = parser.parse_args(own)
    options.script, options.command = script, _run
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


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not SHORTEST_POLL <= seconds <= LONGEST_POLL:
        raise argparse.ArgumentTypeError(
            f"{text} is no number of seconds between {SHORTEST_POLL:g} and {LONGEST_POLL:g}"
        )
    return seconds


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not SLOWEST <= speed <= FASTEST:
        raise argparse.ArgumentTypeError(
            f"{text} is no speed between {SLOWEST:g} and {FASTEST:g}; 1 is that of the training"
        )
    return speed


def _app(options: argparse.Namespace) -> Outcome:
    if options.help:
        return _help(options)
    if not options.logdir:
        raise CannotReadError("give the directory the program records to; see `tfdbg-tui --help`.")
    _allow_many_files()
    return _show(options)


def _show(options: argparse.Namespace, **more: Any) -> Outcome:
    from tfdbg_tui.full_screen import CannotShowError, show

    try:
        return Outcome(*show(options, **more))
    except CannotShowError as error:
        raise CannotReadError(str(error)) from error


def _run(options: argparse.Namespace) -> Outcome:
    from tfdbg_tui import run_command
    from tfdbg_tui.full_screen import CannotShowError, check_terminal, show

    if options.help:
        return Outcome(CLEAN, run_command.HELP)
    try:
        if not options.headless:
            check_terminal("`tfdbg-tui run --headless` needs none.")
        job = run_command.job(options, options.script)
        if options.headless:
            from tfdbg_tui.headless import HeadlessRun

            return Outcome(HeadlessRun(*job, until_bad=options.until_bad).run(), "")
        from tfdbg_tui.script import Script

        script = Script(job.command, job.name, job.logdir / run_command.OUTPUT_FILE)
        options.logdir = str(job.logdir)
        try:
            code, text = show(options, follow=True, script=script, until_bad=options.until_bad)
        finally:
            script.end(run_command.QUIT_GRACE)
    except (CannotShowError, run_command.CannotRunError) as error:
        raise CannotReadError(str(error)) from error
    return Outcome(code, text or run_command.closing_words(job, *script.outcome()))


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
    check.set_defaults(command=_check)

    doctor = commands.add_parser("doctor", help="what a recording can show, and what to change")
    _add_reading(doctor)
    doctor.epilog = "Exit code: 0 no problem, 1 some problem, 2 no recording could be read."
    doctor.set_defaults(command=_doctor)

    demo = commands.add_parser(
        "demo", help="a recorded training run meets its NaN, live", parents=[_looks()]
    )
    demo.add_argument(
        "--speed", metavar="N", type=_speed, default=1.0, help="N times as fast as the training"
    )
    demo.epilog = "Without a terminal: the verdict of `tfdbg-tui check` on the whole run."
    demo.set_defaults(command=_demo, run_id=None, poll=None)

    return parser


def _add_reading(command: argparse.ArgumentParser) -> None:
    """Add what all commands take that read a logdir and print."""
    command.add_argument("logdir", metavar="LOGDIR", help="a recording, or a folder of recordings")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.add_argument(
        "--run", metavar="ID", dest="run_id", help="only the run with this id, or its beginning"
    )


def _demo(options: argparse.Namespace) -> Outcome:
    from tfdbg_tui.demo import stage
    from tfdbg_tui.full_screen import has_terminal

    try:
        if has_terminal():
            with stage.playing(options.speed) as logdir:
                options.logdir = str(logdir)
                return _show(options, greeting=DEMO_GREETING, follow=True)
        with stage.played() as logdir:
            judging = _parse(["check", str(logdir), "--fail-on", "never"])
            code, verdict = judging.command(judging)
            return Outcome(code, verdict + DEMO_HINT)
    except stage.CannotPlayError as error:
        raise CannotReadError(str(error)) from error


def _check(options: argparse.Namespace) -> Outcome:
    from tfdbg_tui import check

    logdir = _loaded(options)
    runs = _chosen_runs(logdir, options.run_id)
    unread = _unread(runs)
    if unread and not any(sum(run.counts().values()) for run in runs):
        raise CannotReadError(unread[0])
    report = check.verdict(logdir, runs)
    if options.json:
        text = _as_json(report)
    else:
        from tfdbg_tui import check_text

        text = check_text.as_text(report)
    for sentence in unread:
        _complain(sentence)
    if any(check.fails(run, options.fail_on) for run in runs):
        return Outcome(BAD, text)
    return Outcome(CANNOT_READ if unread else CLEAN, text)


def _doctor(options: argparse.Namespace) -> Outcome:
    from tfdbg_tui.doctor.visit import visit
    from tfdbg_tui.doctor_text import Report

    logdir = _loaded(options)
    snapshot = visit(logdir)
    nothing = not snapshot.runs and not logdir.path.is_file() and not snapshot.unreadable
    runs = () if nothing else _chosen_runs(logdir, options.run_id)
    report = Report(snapshot, tuple(state for state in snapshot.runs if state.run in runs))
    text = _as_json(report.as_json()) if options.json else report.as_text()
    return Outcome(CANNOT_READ if nothing else BAD if report.has_problem else CLEAN, text)


def _as_json(report: dict[str, Any]) -> str:
    import json

    return json.dumps(report) + "\n"


def _loaded(options: argparse.Namespace) -> Logdir:
    """The logdir that a command is about, read."""
    from tfdbg_tui.data.logdir import Logdir

    if not options.logdir:
        raise CannotReadError("LOGDIR is empty; give the directory the program records to.")
    _allow_many_files()
    logdir = Logdir(options.logdir)
    _load(logdir)
    return logdir


def _load(logdir: Logdir) -> None:
    """Read all that is there; whoever waits for long at a terminal sees how far it is."""
    patience_ends = time.monotonic() + PATIENCE
    told = False

    def tell(read: int, total: int) -> None:
        nonlocal told
        if time.monotonic() > patience_ends:
            told = True
            sys.stderr.write(f"\rreading {total / 1e6:,.0f} MB: {read / max(total, 1):.0%} ")
            sys.stderr.flush()

    logdir.load(tell if sys.stderr is not None and sys.stderr.isatty() else None)
    if told:
        sys.stderr.write("\r\x1b[K")


def _allow_many_files() -> None:
    """Open as many files as the system lets us: a folder of 200 runs has 1,200."""
    try:
        import resource
    except ImportError:  # not a POSIX system
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # some systems have no number for "no limit"
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _chosen_runs(logdir: Logdir, wanted: str | None) -> tuple[Run, ...]:
    """The runs to judge, or the sentence that says why there are none."""
    path = logdir.path
    if not os.path.lexists(path):
        raise CannotReadError(f"{path} does not exist; give the directory the program records to.")
    if path.is_file():
        raise CannotReadError(f"{path} is a file; give the directory it is in.")
    if path in logdir.unreadable:
        reason = logdir.unreadable[path].lower()
        raise CannotReadError(f"{path} cannot be listed ({reason}); check its rights.")
    _mention_unsearched(logdir)
    runs = logdir.runs
    if not runs:
        raise CannotReadError(
            f"no tfdbg recording in {path}; record one with "
            "tf.debugging.experimental.enable_dump_debug_info."
        )
    if wanted is not None:
        runs = tuple(run for run in runs if run.key.startswith(wanted))
        if not runs:
            known = ", ".join(run.key for run in logdir.runs)
            raise CannotReadError(f"{path} has no run {wanted}, only {known}.")
    return runs


def _mention_unsearched(logdir: Logdir) -> None:
    """Say which folders were not looked into; that alone makes no recording bad or unread."""
    folders = [f"{path} ({reason.lower()})" for path, reason in logdir.unreadable.items()]
    if len(folders) > MOST_FOLDERS:
        folders[MOST_FOLDERS:] = [f"{len(folders) - MOST_FOLDERS:,} more"]
    if folders:
        _complain(f"not searched: {', '.join(folders)}.")
    if logdir.search_was_cut:
        _complain(f"{logdir.path} has too many folders; not all of them were searched.")


def _unread(runs: tuple[Run, ...]) -> list[str]:
    """A sentence for each file that the system denies, and for each run without one record."""
    from tfdbg_tui.data.growing_file import FileState

    sentences = []
    for run in runs:
        for host in run.hosts:
            denied = [file for file in host.files() if file.state is FileState.UNREADABLE]
            sentences += [f"{f.path} cannot be read ({f.reason.lower()})." for f in denied]
        if not run.run_id and not any(run.counts().values()):
            sentences.append(
                f"{run.directory / run.key}.* hold no record that can be read; "
                "record again if the program has ended."
            )
    return sentences
