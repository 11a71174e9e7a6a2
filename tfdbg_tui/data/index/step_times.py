"""When the steps of a loop begin, as known at one moment: the steps of many events at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt


class StepTimes(NamedTuple):
    """The steps so far; those of a later moment continue them as long as the loop is the same."""

    loop: object
    """What the steps are rounds of: another object means that all steps may be others."""
    begins: npt.NDArray[np.float64]
    """From when on each step runs."""
    unsettled: npt.NDArray[np.float64]
    """The same of steps behind these that may still change, in order."""
    is_between: bool
    """Whether every step that has begun has ended, too."""
    end_time: float
    """The latest time that was looked at."""
    settled_until: float
    """Events up to this time keep their steps, whatever comes."""

    def of(self, wall_times: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """The step at each time, from 1; 0 before the first."""
        settled = _positions(self.begins, wall_times)
        others = np.searchsorted(self.unsettled, wall_times)
        steps: npt.NDArray[np.int64] = settled + np.where(np.isnan(wall_times), 0, others)
        if not self.is_between:
            return steps
        is_last = steps - len(self.unsettled) == len(self.begins)
        steps += is_last & (wall_times > self.end_time)
        return steps


def _positions(
    begins: npt.NDArray[np.float64], wall_times: npt.NDArray[np.float64]
) -> npt.NDArray[np.int64]:
    """Where times stand among others; those of one slice of events lie close together."""
    if not len(wall_times):
        return np.empty(0, np.int64)
    ends = np.fmin.reduce(wall_times), np.max(wall_times)  # NaN stands behind all others
    low, high = np.searchsorted(begins, ends).tolist()
    begins = begins[low:high]
    positions: npt.NDArray[np.int64]
    if (wall_times[1:] >= wall_times[:-1]).all():  # then there are fewer begins to look for
        later = np.searchsorted(wall_times, begins, side="right")
        positions = low + np.cumsum(np.bincount(later, minlength=len(wall_times) + 1)[:-1])
    else:
        positions = low + np.searchsorted(begins, wall_times)
    return positions
