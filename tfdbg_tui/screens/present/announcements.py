"""What is said once, when something has changed: in place of the keys, until the next key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.screens.present import status_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.live.snapshot import RunState, Snapshot
    from tfdbg_tui.program.process import ScriptState


class Announcer:
    """Compares what was with what is, and tells the difference that matters."""

    def __init__(self, tell: Callable[[str, str], None]) -> None:
        self._tell = tell
        self._remarked: tuple[str, ...] = ()

    def of_snapshot(
        self, before: Snapshot, now: Snapshot, state: RunState | None, is_at_first_bad: bool
    ) -> None:
        """Say that another run has begun, or that the first NaN has come; nothing moves for it."""
        if before.runs and len(now.runs) > len(before.runs):
            self._tell("Another run has begun; r lists all.", "accent")
        if state is None or not state.alerts or is_at_first_bad:
            return
        was_well = any(run.run is state.run and not run.alerts for run in before.runs)
        if was_well and now.activity is Activity.LIVE:
            self._tell("The first NaN or Inf has come: ! goes there.", "bad")

    def of_script(
        self, before: ScriptState | None, script: ScriptState, snapshot: Snapshot | None
    ) -> None:
        """Say how the script has ended; if nothing of it is recorded, the doctor says that."""
        has_ended = script.exit_code is not None and (before is None or before.exit_code is None)
        if has_ended and snapshot is not None and snapshot.runs:
            self._tell(status_text.script_end(script), "warn" if script.exit_code else "")

    def remark(self, found: tuple[str, ...]) -> None:
        """Say what is newly wrong, once: the keys are needed, too."""
        fresh = [remark for remark in found if remark not in self._remarked]
        self._remarked = found
        if fresh:
            self._tell(fresh[0], "warn")
