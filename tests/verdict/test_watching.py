"""Causes while a run is recorded: certain when they have been causes for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.mutes import read_mutes
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.verdict.watching import SETTLING, WatchedCauses

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def watched(logdir: Path, clock: Clock, muted: str = "") -> WatchedCauses:
    loaded = Logdir(logdir)
    loaded.load()
    causes = WatchedCauses(loaded, clock, read_mutes(muted))
    while causes.extend():
        pass
    return causes


def test_a_cause_is_certain_when_it_has_stood_for_a_while(frozen: Path) -> None:
    clock = Clock()
    causes = watched(frozen, clock)
    assert causes.certain() is None
    clock.now += SETTLING
    certain = causes.certain()
    assert certain is not None
    assert (certain.rule, certain.origin.op_type) == ("log_of_zero", "Log")


def test_more_that_comes_does_not_begin_the_time_anew(frozen: Path) -> None:
    clock = Clock()
    causes = watched(frozen, clock)
    clock.now += SETTLING / 2
    causes.extend()
    clock.now += SETTLING / 2
    assert causes.certain() is not None


def test_what_is_meant_is_never_certain(library: Library) -> None:
    clock = Clock()
    causes = watched(library.path("judged_additive_mask"), clock)
    clock.now += 10 * SETTLING
    assert causes.certain() is None


def test_what_is_muted_is_never_certain_and_what_is_not_is(library: Library) -> None:
    clock = Clock()
    path = library.path("cause_metric_before_the_loss")
    causes = watched(path, clock, "fn=_sensitivity")
    every = watched(path, clock, "fn=_sensitivity\nop=Sqrt")
    clock.now += 10 * SETTLING
    certain = causes.certain()
    assert certain is not None
    assert certain.origin.op_type == "Sqrt"
    assert every.certain() is None
