"""When a script has come far enough to be stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.navigating import finish
from tests.support.reading import load
from tfdbg_tui.data.live.stopping import SETTLING, AnyOf, WatchedSteps

if TYPE_CHECKING:
    from pathlib import Path

STEPS = 12
"""Of the frozen recording."""


def reason(frozen: Path, step: int | None, folder: Path | None = None) -> tuple[str | None, ...]:
    """What is said at once, and when it has settled."""
    now = [0.0]
    watch = WatchedSteps(load(frozen), step, folder, lambda: now[0])
    both = AnyOf((WatchedSteps(load(frozen), None), watch))
    finish(both)
    at_once = both.reason()
    now[0] = SETTLING
    return at_once, both.reason()


def test_a_step_counts_as_done_when_that_has_settled(frozen: Path) -> None:
    assert reason(frozen, 3) == (None, "Step 3 is done")
    assert reason(frozen, STEPS) == (None, f"Step {STEPS} is done")


def test_a_step_that_never_comes_stops_nothing(frozen: Path) -> None:
    assert reason(frozen, STEPS + 1) == (None, None)
    assert reason(frozen, None) == (None, None)


def test_other_folders_do_not_count(frozen: Path) -> None:
    assert reason(frozen, 3, frozen) == (None, "Step 3 is done")
    assert reason(frozen, 3, frozen / "values") == (None, None)
