"""What the app says by itself: in place of the panes, or once in place of the keys.

The words are mostly the doctor's; here is which of them are said where, and when.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.doctor.findings import LOADING
from tfdbg_tui.doctor.presence import absence
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.screens.present import status_text
from tfdbg_tui.screens.session.change import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfdbg_tui.data.live.snapshot import RunState, Snapshot
    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.doctor.finding import Finding
    from tfdbg_tui.program.process import ScriptState

REMARKED = frozenset(
    {
        "went-wrong",
        "not-all-searched",
        "logdir-gone",
        "cut-tail",
        "damaged-records",
        "torn-files",
        "file-replaced",
        "unreadable",
    }
)
"""Findings that are said when they come up: something happened to the recording."""


class Notice(NamedTuple):
    """A headline, some sentences and, where there is one, the code that helps."""

    headline: str
    text: tuple[str, ...] = ()
    code: tuple[str, ...] = ()


def notice_of(snapshot: Snapshot, state: RunState | None) -> Notice | None:
    """What fills the screen in place of the panes; None when there are events to show."""
    found = absence(snapshot, state)
    if found is not None and snapshot.activity is Activity.LOADING:
        found = LOADING
    return None if found is None else Notice(found.headline, found.text, found.code)


def remarks(found: Iterable[Finding]) -> tuple[str, ...]:
    """Short sentences about what is wrong with a recording that can be shown all the same."""
    return tuple(f"{finding.headline}." for finding in found if finding.id in REMARKED)


class Announcer:
    """Compares what was with what is, and tells the difference that matters."""

    def __init__(self) -> None:
        self._remarked: tuple[str, ...] = ()
        self._held_for: Run | None = None
        """The run whose first NaN was not told, for it is muted."""

    def of_snapshot(
        self,
        before: Snapshot,
        now: Snapshot,
        state: RunState | None,
        is_at_first_bad: bool,
        is_muted: bool = False,
    ) -> Sentence | None:
        """That the first NaN has come, or that another run has begun; nothing moves for it.

        Nothing is said while all that is bad is muted, or it is not known whether it is.
        """
        if state is not None and state.alerts and not is_at_first_bad:
            was_well = any(run.run is state.run and not run.alerts for run in before.runs)
            was_well = was_well or self._held_for is state.run
            # What comes after what is muted need not be.
            self._held_for = state.run if was_well and is_muted else None
            was_read = before.activity is not Activity.LOADING  # else it was there from the start
            if was_well and was_read and not is_muted and now.activity is Activity.LIVE:
                return Sentence("The first NaN or Inf has come: ! goes there.", "bad")
        if before.runs and len(now.runs) > len(before.runs):
            return Sentence("Another run has begun; r lists all.", "notable")
        return None

    def of_script(
        self, before: ScriptState | None, script: ScriptState, snapshot: Snapshot | None
    ) -> Sentence | None:
        """How the script has ended; if nothing of it is recorded, the doctor says that."""
        has_ended = script.exit_code is not None and (before is None or before.exit_code is None)
        if has_ended and snapshot is not None and snapshot.runs:
            is_bad = any(run.alerts for run in snapshot.runs)
            role = "warn" if script.exit_code else ""
            return Sentence(status_text.script_end(script, is_bad), role)
        return None

    def remark(self, found: tuple[str, ...]) -> Sentence | None:
        """What is newly wrong, once: the keys are needed, too."""
        fresh = [remark for remark in found if remark not in self._remarked]
        self._remarked = found
        return Sentence(fresh[0], "warn") if fresh else None
