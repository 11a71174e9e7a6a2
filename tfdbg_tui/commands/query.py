"""`tfdbg-tui query`: the commands of the app's command line, as text, JSON or CSV."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tfdbg_tui.command_line.context import Context
from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.parsing import parse
from tfdbg_tui.command_line.printing import as_csv, as_json, as_text
from tfdbg_tui.command_line.running import answer
from tfdbg_tui.commands.filters import filters_of
from tfdbg_tui.commands.loading import chosen_runs, denied_files, loaded
from tfdbg_tui.commands.outcome import BAD, CANNOT_READ, CLEAN, Outcome, complain, say
from tfdbg_tui.data.index.run_index import RunIndex
from tfdbg_tui.errors import UserError
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import SimpleNamespace

    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Result
    from tfdbg_tui.data.live.snapshot import Snapshot
    from tfdbg_tui.data.search.named_filters import NamedFilters
    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.data.stores.run import Run

MAX_INPUT = 1 << 20
"""Characters of commands that are read from stdin."""


class Form(NamedTuple):
    """How results are printed."""

    as_json: bool
    as_csv: bool
    most: int | None


def run(options: SimpleNamespace) -> Outcome:
    """Do the commands that were typed, or that come from stdin."""
    form = Form(options.json, options.csv, options.rows or None)
    commands = list(map(_parsed, options.commands or _typed_lines()))
    if not commands:
        raise UserError("no command came from stdin; write for example `lt -f nan`.")
    logdir = loaded(options.logdir)
    run = chosen_runs(logdir, options.run_id)[-1]
    denied = denied_files((run,))
    if denied and not any(run.counts().values()):
        raise UserError(denied[0])
    for sentence in denied:
        complain(sentence)
    filters = None if options.filters is None else filters_of(options)
    return _answered(_context(logdir, run, filters), commands, form)


def _answered(context: Context, commands: list[ParsedCommand], form: Form) -> Outcome:
    code = CLEAN
    for number, command in enumerate(commands):
        try:
            result = answer(context, command)
        except CommandError as error:
            complain(str(error))
            return Outcome(CANNOT_READ, "")
        if number and not form.as_json:
            say("\n")
        for part in _printed(result, command, form):
            say(part)
        for sentence in context.filters.take_complaints():
            complain(sentence)
        if result.is_empty:
            code = BAD
    return Outcome(code, "")


def _printed(result: Result, command: ParsedCommand, form: Form) -> Iterator[str]:
    if form.as_json:
        yield as_json(result, command.line, form.most)
    elif form.as_csv:
        yield from as_csv(result, form.most)
    else:
        yield from as_text(result, form.most)


def _parsed(line: str) -> ParsedCommand:
    try:
        return parse(line)
    except CommandError as error:
        raise UserError(str(error)) from None


def _typed_lines() -> list[str]:
    """The commands from stdin, a line each."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UserError("which command? Write for example `tfdbg-tui query LOGDIR 'lt -f nan'`.")
    lines = sys.stdin.read(MAX_INPUT).splitlines()
    return [line for line in lines if line.strip()]


def _context(logdir: Logdir, run: Run, filters: NamedFilters | None) -> Context:
    return Context(logdir.path, RunIndex(run), lambda: _observed(logdir), filters=filters)


def _observed(logdir: Logdir) -> Snapshot:
    """What the app would know, for the doctor, who watches what grows for a moment."""
    from tfdbg_tui.doctor.observe import observe

    return observe(logdir)
