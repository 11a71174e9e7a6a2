"""The axis that events are put on: steps or, where none are known, time in small units."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.step_times import StepTimes

UNITS_PER_SECOND = 1_000_000

MAX_SECONDS = 1e9
"""Times later than that after the beginning are damaged: thirty years."""


class StepAxis(NamedTuple):
    """Units are steps, 0 what comes before the first."""

    times: StepTimes

    @property
    def loop(self) -> object:
        """What the steps are rounds of."""
        return self.times.loop

    @property
    def settled_until(self) -> float:
        """Events up to this time keep their places."""
        return self.times.settled_until

    def places(self, wall_times: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """The steps of some events."""
        return self.times.of(wall_times)


class TimeAxis(NamedTuple):
    """Units are microseconds since the run began; what is damaged stands at the beginning."""

    began: float

    @property
    def loop(self) -> object:
        """No steps are known."""
        return None

    @property
    def settled_until(self) -> float:
        """Times do not change."""
        return math.inf

    def places(self, wall_times: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """The microseconds of some events."""
        seconds = wall_times - self.began
        with np.errstate(invalid="ignore"):  # NaN is damaged, too
            seconds = np.where((seconds >= 0) & (seconds < MAX_SECONDS), seconds, 0.0)
        return (seconds * UNITS_PER_SECOND).astype(np.int64)


def axis_of(index: HostIndex, began: float | None = None) -> StepAxis | TimeAxis:
    """The axis for a host as it is now; one of time begins where it began."""
    times = index.steps.times
    if times is not None:
        return StepAxis(times)
    return TimeAxis(_first_time(index) if began is None else began)


def _first_time(index: HostIndex) -> float:
    """When the first event of a host was, near enough: files are in the order of time."""
    stores = (index.host.traces, index.host.executions)
    firsts = [store.wall_time(0) for store in stores if len(store)]
    return min(filter(math.isfinite, firsts), default=0.0)
