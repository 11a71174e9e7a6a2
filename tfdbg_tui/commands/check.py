"""`tfdbg-tui check`: the verdict on a logdir as text or JSON, and an exit code for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.commands.loading import chosen_runs, loaded, unread_files
from tfdbg_tui.commands.outcome import BAD, CANNOT_READ, CLEAN, Outcome, complain
from tfdbg_tui.errors import UserError
from tfdbg_tui.verdict import judgement
from tfdbg_tui.verdict.text import as_text

if TYPE_CHECKING:
    from argparse import Namespace

    from tfdbg_tui.verdict.verdict import Verdict


def run(options: Namespace) -> Outcome:
    """The verdict as it was asked for."""
    return check(options.logdir, options.run_id, options.fail_on, as_json=options.json)


def check(
    path: str, run_id: str | None = None, fail_on: str = "bad", as_json: bool = False
) -> Outcome:
    """The verdict on all runs of a logdir, or on those whose id begins with `run_id`."""
    logdir = loaded(path)
    runs = chosen_runs(logdir, run_id)
    unread = unread_files(runs)
    if unread and not any(sum(run.counts().values()) for run in runs):
        raise UserError(unread[0])
    verdict = judgement.verdict_on(logdir, runs)
    text = _as_json(verdict) if as_json else as_text(verdict)
    for sentence in unread:
        complain(sentence)
    if any(judgement.fails(run, fail_on) for run in runs):
        return Outcome(BAD, text)
    return Outcome(CANNOT_READ if unread else CLEAN, text)


def _as_json(verdict: Verdict) -> str:
    import json  # most commands need none, and start sooner without

    return json.dumps(verdict.to_json()) + "\n"
