"""`tfdbg-tui check`: the verdict on a logdir as text or JSON, and an exit code for scripts."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from tfdbg_tui.commands.loading import chosen_runs, denied_files, loaded
from tfdbg_tui.commands.outcome import BAD, CANNOT_READ, CLEAN, Outcome, complain
from tfdbg_tui.commands.reading_options import FAIL_ON
from tfdbg_tui.data.files.paths import inside
from tfdbg_tui.errors import UserError
from tfdbg_tui.verdict import judgement
from tfdbg_tui.verdict.text import as_text
from tfdbg_tui.words import first_few, listed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import SimpleNamespace

    from tfdbg_tui.data.cause.mutes import Mutes
    from tfdbg_tui.data.search.named_filters import NamedFilters
    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.verdict.verdict import Verdict

MAX_UNUSED = 8
"""Lines of a file that are named which mute nothing."""


def run(options: SimpleNamespace) -> Outcome:
    """The verdict as it was asked for."""
    return check(
        options.logdir,
        options.run_id,
        options.fail_on,
        options.json,
        is_strict=options.strict,
        mutes=_mutes(options.mute),
        filters=_filters(options),
    )


def _filters(options: SimpleNamespace) -> NamedFilters | None:
    """The user's filters where one of them is asked for."""
    if options.fail_on in FAIL_ON and options.filters is None:
        return None
    from tfdbg_tui.commands.filters import filters_of, filters_with

    if options.fail_on in FAIL_ON:
        return filters_of(options)
    return filters_with(options, options.fail_on, "--fail-on")


def _mutes(named: str | None) -> Mutes | None:
    """What the file mutes that was named; without one, `check` starts sooner."""
    if named is None:
        return None
    from tfdbg_tui.kept.mute_files import read_mutes_of

    return read_mutes_of(named)


def check(
    path: str,
    run_id: str | None = None,
    fail_on: str = "bad",
    as_json: bool = False,
    is_strict: bool = False,
    mutes: Mutes | None = None,
    filters: NamedFilters | None = None,
) -> Outcome:
    """The verdict on all runs of a logdir, or on those whose id begins with `run_id`."""
    logdir = loaded(path)
    runs = chosen_runs(logdir, run_id)
    verdict = judgement.verdict_on(logdir, runs, is_strict, mutes)
    complaints: tuple[str, ...] = ()
    if filters is not None and fail_on not in FAIL_ON:
        with contextlib.redirect_stdout(sys.stderr):  # what functions print is not the verdict
            verdict = judgement.with_filter(verdict, runs, filters, fail_on)
        complaints = filters.take_complaints()
    unread = [*denied_files(runs), *_without_events(runs, verdict)]
    if unread and not as_json and not any(sum(run.counts) for run in verdict.runs):
        raise UserError(unread[0])
    for sentence in (*unread, *_unused(verdict), *complaints):
        complain(sentence)
    text = _as_json(verdict) if as_json else as_text(verdict)
    if any(judgement.fails(one, fail_on) for one in verdict.runs):
        return Outcome(BAD, text)
    return Outcome(CANNOT_READ if unread else CLEAN, text)


def _unused(verdict: Verdict) -> Iterator[str]:
    """A sentence if rules mute nothing in any run; the exit code stays the same."""
    unused = [set(run.causes.muted.unused_lines) for run in verdict.runs if run.causes.muted]
    lines = sorted(set.intersection(*unused)) if len(unused) == len(verdict.runs) else []
    if lines:
        told = listed(first_few([f"line {number}" for number in lines], MAX_UNUSED))
        yield f"nothing here is muted by {told}."


def _without_events(runs: tuple[Run, ...], verdict: Verdict) -> Iterator[str]:
    """A sentence for each run that has something to read, of which no event could be read."""
    for run, judged in zip(runs, verdict.runs, strict=True):
        if not judged.nothing_read:
            continue
        if run.run_id is None and not any(judged.counts):
            what = f"{inside(run.directory, run.key)}.* hold no record that can be read"
        else:
            what = f"no event of run {run.key} in {run.directory} can be read"
        yield f"{what}; record again if the program has ended."


def _as_json(verdict: Verdict) -> str:
    import json  # most commands need none, and start sooner without

    return json.dumps(verdict.to_json()) + "\n"
