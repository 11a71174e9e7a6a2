"""Which run is looked at: the one chosen, the one asked for, or the newest when it was opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.live.snapshot import Activity

if TYPE_CHECKING:
    from tfdbg_tui.data.live.snapshot import RunState, Snapshot
    from tfdbg_tui.data.stores.run import Run


class RunChoice:
    """What the user chose, and what the command line asked for."""

    def __init__(self, wanted_id: str | None = None) -> None:
        self._wanted_id = wanted_id
        self._chosen: Run | None = None

    def choose(self, run: Run) -> None:
        """Look at a run from now on."""
        self._chosen = run

    def state(self, snapshot: Snapshot | None, opened: Run | None) -> RunState | None:
        """The run to look at, given the one that is open."""
        if snapshot is None or not snapshot.runs:
            return None
        shown, wanted = self._chosen or opened, self._wanted_id
        for state in snapshot.runs:
            if state.run is shown or (not shown and wanted and state.run.key.startswith(wanted)):
                return state
        return snapshot.runs[-1]

    def missing(self, snapshot: Snapshot) -> tuple[str, ...]:
        """What to say when the run that was asked for is not here."""
        wanted = self._wanted_id
        keys = [state.run.key for state in snapshot.runs]
        loading = snapshot.activity is Activity.LOADING
        if not wanted or loading or not keys or any(key.startswith(wanted) for key in keys):
            return ()
        return (f"There is no run {wanted} here; this is the newest. r lists all.",)
