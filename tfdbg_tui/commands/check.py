"""`tfdbg-tui check`: the verdict on a logdir as text or JSON, and an exit code for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.commands.loading import chosen_runs, denied_files, loaded
from tfdbg_tui.commands.outcome import BAD, CANNOT_READ, CLEAN, Outcome, complain
from tfdbg_tui.errors import UserError
from tfdbg_tui.verdict import judgement
from tfdbg_tui.verdict.text import as_text

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.verdict.verdict import Verdict


def run(options: Namespace) -> Outcome:
    """The verdict as it was asked for."""
    return check(
        options.logdir, options.run_id, options.fail_on, options.json, is_strict=options.strict
    )


def check(
    path: str,
    run_id: str | None = None,
    fail_on: str = "bad",
    as_json: bool = False,
    is_strict: bool = False,
) -> Outcome:
    """The verdict on all runs of a logdir, or on those whose id begins with `run_id`."""
    logdir = loaded(path)
    runs = chosen_runs(logdir, run_id)
    verdict = judgement.verdict_on(logdir, runs, is_strict)
    unread = [*denied_files(runs), *_without_events(runs, verdict)]
    if unread and not as_json and not any(sum(run.counts) for run in verdict.runs):
        raise UserError(unread[0])
    for sentence in unread:
        complain(sentence)
    text = _as_json(verdict) if as_json else as_text(verdict)
    judged = zip(verdict.runs, runs, strict=True)
    if any(judgement.fails(one, run, fail_on) for one, run in judged):
        return Outcome(BAD, text)
    return Outcome(CANNOT_READ if unread else CLEAN, text)


def _without_events(runs: tuple[Run, ...], verdict: Verdict) -> Iterator[str]:
    """A sentence for each run that has something to read, of which no event could be read."""
    for run, judged in zip(runs, verdict.runs, strict=True):
        if not judged.nothing_read:
            continue
        if run.run_id is None and not any(judged.counts):
            what = f"{run.directory / run.key}.* hold no record that can be read"
        else:
            what = f"no event of run {run.key} in {run.directory} can be read"
        yield f"{what}; record again if the program has ended."


def _as_json(verdict: Verdict) -> str:
    import json  # most commands need none, and start sooner without

    return json.dumps(verdict.to_json()) + "\n"
