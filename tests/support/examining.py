"""Recordings as the doctor meets them: read, looked at, and with or without their program."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from tests.support.reading import drain
from tfdbg_tui.data.live.run_activity import RunActivities
from tfdbg_tui.data.live.snapshot import Activity, RunState, Snapshot
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.doctor.findings import findings

if TYPE_CHECKING:
    from pathlib import Path

    from tfdbg_tui.doctor.finding import Finding

LONG_AGO = 3600.0
"""Seconds since the last byte was written: nothing grows."""


class Examined(NamedTuple):
    """A logdir and what the doctor says of its runs, oldest first."""

    snapshot: Snapshot
    found: tuple[tuple[Finding, ...], ...]

    @property
    def states(self) -> tuple[RunState, ...]:
        """The runs."""
        return self.snapshot.runs

    @property
    def ids(self) -> list[str]:
        """What is said of the only run."""
        (found,) = self.found
        return [finding.id for finding in found]

    def finding(self, wanted: str) -> Finding:
        """One finding of the only run."""
        (found,) = self.found
        return next(finding for finding in found if finding.id == wanted)


def examine(path: Path, writer: bool | None = False, **more: object) -> Examined:
    """Examine a logdir that does not grow; its program is there, gone or not known."""
    logdir = Logdir(path)
    drain(logdir)
    activities = RunActivities(
        time.monotonic, lambda: time.time() + LONG_AGO, lambda groups: [writer] * len(groups)
    )
    activities.look(logdir.runs, all_read=True)
    activities.look_for_programs()
    states = activities.states(logdir.runs)
    ended = all(state.ended for state in states)
    snapshot = Snapshot(str(path), exists=True, activity=Activity.ENDED if ended else Activity.LIVE)
    snapshot = snapshot._replace(runs=states, **more)  # type: ignore[arg-type]
    return Examined(snapshot, tuple(findings(snapshot, state) for state in states))
