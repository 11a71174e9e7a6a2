"""The causes of all runs of a logdir while they are recorded, for those who wait for one.

What takes bad numbers comes to disk a little later than they do, and may tell that they are meant.
So a cause is certain only when it has been one for a while.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.causes import Causes
from tfdbg_tui.data.cause.mutes import Mutes
from tfdbg_tui.data.cause.muting import Muting
from tfdbg_tui.data.cause.run_causes import RunCauses
from tfdbg_tui.data.index.run_index import RunIndex
from tfdbg_tui.verdict import cause_text
from tfdbg_tui.verdict.finding_causes import cause_verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.cause.found_cause import FoundCause
    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.verdict.cause import CauseVerdict

SETTLING = 1.0
"""Seconds for which something has to be a cause."""


class WatchedCauses:
    """A job that finds causes; any thread may ask which is certain."""

    def __init__(
        self,
        logdir: Logdir,
        clock: Callable[[], float] = time.monotonic,
        mutes: Mutes | None = None,
    ) -> None:
        self._logdir = logdir
        self._mutes = mutes or Mutes()
        self._clock = clock
        self._watched: dict[Run, _Watched] = {}

    def extend(self) -> bool:
        """Look at a slice of what is new; True while there is more."""
        has_more = False
        for run in self._logdir.runs:
            if not run.alerts:
                continue
            watched = self._watched.get(run)
            if watched is None or not watched.index.is_current(run):
                watched = self._watched[run] = _Watched(run, self._mutes)
            has_more |= watched.extend(self._clock())
        return has_more

    def certain(self) -> CauseVerdict | None:
        """The worst cause of those that have been one for a while; None if there is none yet."""
        now = self._clock()
        verdicts = (watched.certain(now) for watched in tuple(self._watched.values()))
        return next((verdict for verdict in verdicts if verdict is not None), None)

    def sentence(self) -> str | None:
        """Why numbers are bad, as far as that is certain."""
        cause = self.certain()
        return None if cause is None else cause_text.why(cause)

    def reason(self) -> str | None:
        """That there is one."""
        return None if self.certain() is None else "NaN or Inf has a cause"


class _Watched:
    """The causes of one run, and since when each is known."""

    def __init__(self, run: Run, mutes: Mutes) -> None:
        self.index = RunIndex(run)
        causes = Causes(self.index)
        self._found = RunCauses(self.index, causes)
        self._muting = Muting(self.index, causes, self._found, mutes)
        self._since: dict[int, float] = {}
        """When each cause became one, by its key."""

    def extend(self, now: float) -> bool:
        has_more = self.index.extend_steps()
        has_more = self._found.extend() or has_more
        has_more = self._muting.extend() or has_more
        before = self._since
        self._since = {cause.key: before.get(cause.key, now) for cause in self._causes()}
        return has_more

    def _causes(self) -> list[FoundCause]:
        """The causes that are not muted; none before it is known which are."""
        if not self._muting.is_done:
            return []
        muted = self._muting.muted.by
        return [cause for cause in self._found.ranking.causes if cause.key not in muted]

    def certain(self, now: float) -> CauseVerdict | None:
        since = self._since
        for cause in self._causes():
            if since.get(cause.key, now) <= now - SETTLING:
                return cause_verdict(self.index, cause)
        return None
