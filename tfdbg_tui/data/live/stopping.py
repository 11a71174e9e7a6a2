"""When a script has come far enough to be stopped: what `run` watches its recording for."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tfdbg_tui.data.index.run_index import RunIndex

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.data.stores.run import Run

SETTLING = 1.0
"""Seconds for which a step has to be known as done: what it computed comes to disk until then,
and what looked like a loop among a program's first ops may turn out to be none."""


def is_in(run: Run, folder: Path) -> bool:
    """Whether a run is recorded in a folder, however the logdir was typed."""
    return Path(run.directory).absolute() == folder.absolute()


class Watch(Protocol):
    """A job that sees when a script is to be stopped; any thread may ask for the reason."""

    def extend(self) -> bool:
        """Look at a slice of what is new; True while there is more."""

    def reason(self) -> str | None:
        """Why it is to be stopped now, as the beginning of a sentence; None if it is not."""


class AnyOf:
    """Several of them: the first that sees something stops the script."""

    def __init__(self, watches: tuple[Watch, ...]) -> None:
        self._watches = watches

    def extend(self) -> bool:
        """Have all look at a slice."""
        pending = [watch.extend() for watch in self._watches]
        return any(pending)

    def reason(self) -> str | None:
        """What the first of them says that says anything."""
        return next(filter(None, (watch.reason() for watch in self._watches)), None)


class WatchedSteps:
    """Sees when so many steps are done in a run of a logdir, or of one folder of it."""

    def __init__(
        self,
        logdir: Logdir,
        step: int | None,
        folder: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._logdir = logdir
        self._step = step
        """None if no number of steps is enough."""
        self._folder = folder
        self._clock = clock
        self._indexes: dict[Run, RunIndex] = {}
        self._since: float | None = None
        """When the last step was done."""

    def extend(self) -> bool:
        """Look for steps in a slice of what is new."""
        has_more = False
        for run in self._logdir.runs:
            if self._folder is None or is_in(run, self._folder):
                index = self._indexes.get(run)
                if index is None or not index.is_current(run):
                    index = self._indexes[run] = RunIndex(run)
                has_more |= index.extend_steps()
        indexes = tuple(self._indexes.values())
        if self._step is None or not any((i.steps or 0) >= self._step for i in indexes):
            self._since = None
        elif self._since is None:
            self._since = self._clock()
        return has_more

    def reason(self) -> str | None:
        """That all steps are done."""
        since = self._since
        if since is None or self._clock() < since + SETTLING:
            return None
        return f"Step {self._step:,} is done"

    def indexes(self) -> tuple[RunIndex, ...]:
        """The runs that are watched, with their steps."""
        return tuple(self._indexes.values())
