"""`tfdbg-tui LOGDIR`: starts the full-screen app over a logdir, and ends it cleanly."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui import config
from tfdbg_tui.commands.again import SecondRuns
from tfdbg_tui.commands.crash import sentence_on
from tfdbg_tui.commands.filters import filters_of
from tfdbg_tui.commands.loading import allow_many_files
from tfdbg_tui.commands.outcome import CRASHED, Outcome, complain
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.errors import UserError
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.kept.of_session import KeptOfSession, kept_of
from tfdbg_tui.kept.typed_lines import LineKeeper

if TYPE_CHECKING:
    from types import SimpleNamespace
    from typing import TextIO

    from tfdbg_tui.app import TfdbgApp
    from tfdbg_tui.data.live.stopping import Watch
    from tfdbg_tui.data.search.named_filters import NamedFilters
    from tfdbg_tui.program.process import Script


class Shown(NamedTuple):
    """How the app ended, and what it had found by then."""

    outcome: Outcome
    verdict: str | None = None
    """Why numbers are bad."""


def run(options: SimpleNamespace) -> Outcome:
    """The app over the logdir that was typed."""
    if not options.logdir:
        raise UserError("give the directory the program records to; see `tfdbg-tui --help`.")
    allow_many_files()
    kept = kept_of(Path(options.logdir), options.mute)
    try:
        return show(options, options.logdir, kept=kept).outcome
    finally:
        keep_rest(kept)


def keep_rest(kept: KeptOfSession) -> None:
    """Keep what was changed last, if the app was left before that was written; say if it cannot."""
    for sentence in kept.finish():
        complain(sentence)


def show(
    options: SimpleNamespace,
    logdir: str | Logdir,
    *,
    greeting: str = "",
    follow: bool = False,
    script: Script | None = None,
    until: Watch | None = None,
    kept: KeptOfSession = KeptOfSession(),  # noqa: B008 - frozen
    filters: NamedFilters | None = None,
) -> Shown:
    """Run the app, over a script if there is one; a given `Logdir` then holds what was read."""
    watched = logdir if isinstance(logdir, Logdir) else Logdir(logdir)
    _check(watched)
    settings = _settings(options)
    for name in ("COLUMNS", "LINES"):  # they may be from a terminal of another size
        os.environ.pop(name, None)
    from tfdbg_tui.app import TfdbgApp

    typed = LineKeeper()
    second_runs = SecondRuns(watched)
    app = TfdbgApp(
        watched,
        settings,
        poll=options.poll,
        first_bad=options.first_nan,
        run_id=options.run_id,
        no_color="NO_COLOR" in os.environ,
        script=script,
        until=until,
        greeting=greeting,
        follow=follow,
        kept=kept._replace(typed=typed),
        starter=second_runs,
        filters=filters or filters_of(options, settings),
    )
    _prepare(app)
    code = _until_left(app, settings, second_runs)
    typed.finish()
    return _shown(app, code)


def _shown(app: TfdbgApp, code: int | None) -> Shown:
    """How the app ended."""
    if app.crash is not None:
        return Shown(Outcome(CRASHED, f"tfdbg-tui: {sentence_on(app.crash)}\n"))
    return Shown(Outcome(code or app.return_code or 0, ""), app.verdict)


def _until_left(app: TfdbgApp, settings: config.Config, second_runs: SecondRuns) -> int | None:
    """Run the app until somebody or something ends it."""
    try:
        return app.run(mouse=settings.mouse)
    finally:
        second_runs.end()


def _check(watched: Logdir) -> None:
    """Raise a UserError if there is nothing to look at, or nothing to show it on."""
    path = watched.path
    if os.path.isfile(path):  # noqa: PTH113 - `Path.is_file` raises for long names
        raise UserError(f"{path} is a file; give the directory it is in.")
    check_terminal(f"`tfdbg-tui check {path}` gives the verdict as text, --json for machines.")


def _prepare(app: TfdbgApp) -> None:
    """Have it end in order, by a signal or where its terminal is gone, and draw on a terminal."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: app.end(number))
    threading.Thread(target=_end_with_terminal, args=[app], daemon=True).start()
    if not _is_terminal(sys.stderr):
        setattr(sys, "__stderr__", sys.__stdout__)  # noqa: B010 - where Textual draws


def _end_with_terminal(app: TfdbgApp) -> None:
    """End the app when its terminal is gone; not every program gets a SIGHUP then.

    Textual would go on reading keys that can no longer come, in a busy loop.
    """
    hung_up = select.poll()
    hung_up.register(sys.stdin, 0)
    if hung_up.poll():
        app.end(signal.SIGHUP)


def check_terminal(instead: str) -> None:
    """Raise a UserError if there is no terminal; it says what to do instead."""
    if not has_terminal():
        raise UserError(f"the full-screen app needs a terminal; {instead}")


def _settings(options: SimpleNamespace) -> config.Config:
    """The settings of the file, overridden by the options that were typed."""
    settings = config.load(Path(options.config) if options.config else None)
    settings = replace(
        settings,
        theme=options.theme or settings.theme,
        ascii=options.ascii or settings.ascii or not _speaks_unicode(),
        mouse=settings.mouse and not options.no_mouse,
    )
    if settings.theme is not None:
        _check_theme(settings.theme)
    if settings.keys:
        _check_keys(settings.keys)
    return settings


def _check_theme(name: str) -> None:
    from tfdbg_tui.theme import themes

    if name not in themes():
        raise UserError(f"there is no theme {name}; choose from {', '.join(themes())}.")


def _check_keys(keys: dict[str, str]) -> None:
    from tfdbg_tui.keymap import binding_ids, key_conflict

    unknown = sorted(set(keys) - binding_ids())
    if unknown:
        raise UserError(f"the settings map {unknown[0]}, which is no key; ? lists the ids.")
    conflict = key_conflict(keys)
    if conflict:
        key, one, other = conflict
        raise UserError(f"the settings give {key} to {one} and to {other}; map one elsewhere.")


def has_terminal() -> bool:
    """Whether there is a terminal to draw on and to press keys at."""
    return _is_terminal(sys.stdin) and _is_terminal(sys.stdout)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _speaks_unicode() -> bool:
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    return encoding.startswith("utf")
