"""The key that records a script again: asks first, and goes on with the second run."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tfdbg_tui.screens.dialog_actions import DialogActions
from tfdbg_tui.screens.session.change import UNCHANGED

if TYPE_CHECKING:
    from textual.timer import Timer

    from tfdbg_tui.data.live.jobs import Job
    from tfdbg_tui.program.process import ScriptState
    from tfdbg_tui.screens.dialogs.opener import Dialogs
    from tfdbg_tui.screens.session.recording_again import AgainPage, RecordingAgain, Starter
    from tfdbg_tui.screens.session.session import Session

LOOK_INTERVAL = 0.25
"""Seconds between two looks at a script that is recorded again."""


class AgainActions(DialogActions):
    """At most one script is recorded again at a time."""

    session: Session
    _dialogs: Dialogs
    _starter: Starter | None
    _again: RecordingAgain | None = None
    """Made when it is first asked for, which most never do."""
    _again_timer: Timer | None = None

    def action_record_again(self) -> None:
        """Ask whether to record the script again with the values of what is chosen."""
        from tfdbg_tui.screens.session.recording_again import RecordingAgain

        self._again = again = self._again or RecordingAgain(self.session, self._starter)
        change = again.ready()
        if change is not None:
            self._show(change)
        elif obstacle := again.obstacle():
            self.tell(obstacle)
        else:
            self.tell("Looking at its source files.")
            self.run_worker(self._ask_to_record(again), exit_on_error=False)

    async def _ask_to_record(self, again: RecordingAgain) -> None:
        """Compare source files, which may take as long as their file system likes; then ask."""
        shown = self.app.screen
        page = await asyncio.to_thread(again.page)
        if page is not None and self.is_running and self.app.screen is shown:
            self.tell("")
            self._dialogs.record_again(self.app, page, self._agreed)

    def _agreed(self, page: AgainPage) -> None:
        if self._again is not None:
            self._show(self._again.begin(page))
        if self._again_timer is None:
            self._again_timer = self.set_interval(LOOK_INTERVAL, self._look_at_second_run)

    def _look_at_second_run(self) -> None:
        if self._again is not None and (change := self._again.look()) is not UNCHANGED:
            self._show(change)

    def jobs_of_second_run(self) -> tuple[Job, ...]:
        """What the feed has to do for a script that is recorded again."""
        return () if self._again is None else self._again.jobs()

    def second_script(self) -> ScriptState | None:
        """The script that is recorded again, while it runs."""
        return None if self._again is None else self._again.script

    def stop_second_run(self) -> bool:
        """Ask a script that is recorded again to end; False if there is none."""
        change = None if self._again is None else self._again.stop()
        if change is not None:
            self._show(change)
        return change is not None
