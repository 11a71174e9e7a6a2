"""The command line: what each command does; the only place that constructs things."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, Any

from tfdbg_tui.commands import arguments
from tfdbg_tui.commands.outcome import (
    BAD,
    CANNOT_READ,
    CLEAN,
    Outcome,
    complain,
    say,
)
from tfdbg_tui.errors import UserError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

INTERRUPTED = 130
"""The exit code of whoever is ended by ctrl-c."""

DEMO_GREETING = "A training run, replayed: after some seconds its loss turns NaN. ! goes there."

DEMO_HINT = "\nAt a terminal, `tfdbg-tui demo` replays this run in the full-screen app.\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # recorded names may not fit its encoding
            stream.reconfigure(errors="backslashreplace")
    words = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    try:
        options = arguments.parse(words)
        outcome = COMMANDS[options.command](options)
    except UserError as error:
        complain(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    say(outcome.text)
    return outcome.code


def _help(options: argparse.Namespace) -> Outcome:
    from tfdbg_tui.config import default_path

    place = str(default_path()).replace(os.path.expanduser("~"), "~")  # noqa: PTH111 - a text
    return Outcome(CLEAN, arguments.HELP.replace("{config}", place))


def _app(options: argparse.Namespace) -> Outcome:
    from tfdbg_tui.commands.loading import allow_many_files

    if options.help:
        return _help(options)
    if not options.logdir:
        raise UserError("give the directory the program records to; see `tfdbg-tui --help`.")
    allow_many_files()
    return _show(options)


def _show(options: argparse.Namespace, **more: Any) -> Outcome:
    from tfdbg_tui.commands.show import show

    return Outcome(*show(options, **more))


def _run(options: argparse.Namespace) -> Outcome:
    from tfdbg_tui.commands import run
    from tfdbg_tui.commands.show import check_terminal, show

    if options.help:
        return Outcome(CLEAN, run.HELP)
    run.check_script(options)
    if not options.headless:
        check_terminal("`tfdbg-tui run --headless` needs none.")
    launch = run.launch(options, options.script)
    if options.headless:
        from tfdbg_tui.commands.run_headless import HeadlessRun

        return Outcome(HeadlessRun(*launch, until_bad=options.until_bad).run(), "")
    from tfdbg_tui.program.process import Script

    script = Script(launch.command, launch.name, launch.logdir / run.OUTPUT_FILE)
    options.logdir = str(launch.logdir)
    try:
        code, text = show(options, follow=True, script=script, until_bad=options.until_bad)
    finally:
        script.end(run.QUIT_GRACE)
    return Outcome(code, text or run.closing_words(launch, *script.outcome()))


def _demo(options: argparse.Namespace) -> Outcome:
    from tfdbg_tui.commands.show import has_terminal
    from tfdbg_tui.demo import temporary_logdir

    if has_terminal():
        with temporary_logdir.playing(options.speed) as logdir:
            options.logdir = str(logdir)
            return _show(options, greeting=DEMO_GREETING, follow=True)
    with temporary_logdir.played() as logdir:
        judging = arguments.parse(["check", str(logdir), "--fail-on", "never"])
        code, verdict = _check(judging)
        return Outcome(code, verdict + DEMO_HINT)


def _check(options: argparse.Namespace) -> Outcome:
    from tfdbg_tui.commands.loading import chosen_runs, loaded, unread_files
    from tfdbg_tui.verdict import judgement

    logdir = loaded(options.logdir)
    runs = chosen_runs(logdir, options.run_id)
    unread = unread_files(runs)
    if unread and not any(sum(run.counts().values()) for run in runs):
        raise UserError(unread[0])
    report = judgement.verdict(logdir, runs)
    if options.json:
        text = _as_json(report)
    else:
        from tfdbg_tui.verdict.text import as_text

        text = as_text(report)
    for sentence in unread:
        complain(sentence)
    if any(judgement.fails(run, options.fail_on) for run in runs):
        return Outcome(BAD, text)
    return Outcome(CANNOT_READ if unread else CLEAN, text)


def _doctor(options: argparse.Namespace) -> Outcome:
    from tfdbg_tui.commands.doctor import Report
    from tfdbg_tui.commands.loading import chosen_runs, loaded
    from tfdbg_tui.doctor.observe import observe

    logdir = loaded(options.logdir)
    snapshot = observe(logdir)
    nothing = not snapshot.runs and not logdir.path.is_file() and not snapshot.unreadable
    runs = () if nothing else chosen_runs(logdir, options.run_id)
    report = Report(snapshot, tuple(state for state in snapshot.runs if state.run in runs))
    text = _as_json(report.as_json()) if options.json else report.as_text()
    return Outcome(CANNOT_READ if nothing else BAD if report.has_problem else CLEAN, text)


def _as_json(report: dict[str, Any]) -> str:
    import json

    return json.dumps(report) + "\n"


COMMANDS: dict[str, Callable[[argparse.Namespace], Outcome]] = {
    "help": _help,
    "app": _app,
    "run": _run,
    "demo": _demo,
    "check": _check,
    "doctor": _doctor,
}
"""What does what was typed."""
