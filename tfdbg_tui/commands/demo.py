"""`tfdbg-tui demo`: the shipped run in the app or, without a terminal, the verdict on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.commands.check import check
from tfdbg_tui.commands.outcome import Outcome
from tfdbg_tui.commands.show import has_terminal, show
from tfdbg_tui.demo import temporary_logdir

if TYPE_CHECKING:
    from types import SimpleNamespace

GREETING = "A training run, replayed: after some seconds its loss turns NaN. ! goes there."

HINT = "\nAt a terminal, `tfdbg-tui demo` replays this run in the full-screen app.\n"


def run(options: SimpleNamespace) -> Outcome:
    """Play the run where it can be watched; else judge the whole of it."""
    if has_terminal():
        with temporary_logdir.playing(options.speed) as logdir:
            return show(options, str(logdir), greeting=GREETING, follow=True).outcome
    with temporary_logdir.played() as logdir:
        code, verdict = check(str(logdir), fail_on="never")
        return Outcome(code, verdict + HINT)
