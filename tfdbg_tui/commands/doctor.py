"""`tfdbg-tui doctor`: what a recording can and cannot show, as text or JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.commands.loading import chosen_runs, loaded
from tfdbg_tui.commands.outcome import BAD, CANNOT_READ, CLEAN, Outcome
from tfdbg_tui.doctor.observe import observe
from tfdbg_tui.doctor.report import Report

if TYPE_CHECKING:
    from types import SimpleNamespace


def run(options: SimpleNamespace) -> Outcome:
    """The findings on the runs of a logdir; a logdir without any is a finding, too."""
    logdir = loaded(options.logdir)
    snapshot = observe(logdir)
    nothing = not snapshot.runs and not Path(logdir.path).is_file() and not snapshot.unreadable
    runs = () if nothing else chosen_runs(logdir, options.run_id)
    report = Report(snapshot, tuple(state for state in snapshot.runs if state.run in runs))
    text = json.dumps(report.to_json()) + "\n" if options.json else report.as_text()
    if nothing:
        return Outcome(CANNOT_READ, text)
    return Outcome(BAD if report.has_problem else CLEAN, text)
