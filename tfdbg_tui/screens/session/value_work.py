"""What the feed does for the value that is looked at: one thing after the other, in slices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.values.histograms import HistogramJob, usual_range
from tfdbg_tui.data.values.statistics import StatisticsJob

if TYPE_CHECKING:
    from tfdbg_tui.data.live.jobs import Job
    from tfdbg_tui.data.values.recorded_value import RecordedValue
    from tfdbg_tui.data.values.slices import Selected

BINS = 120
"""Bars of a histogram; where there is less room, some are drawn as one."""


class ValueWork:
    """The work that is wanted by now; a job. Asked by the screen's thread, done by the feed's."""

    def __init__(self) -> None:
        self._history: Job | None = None
        self._wanted: tuple[Job, ...] = ()

    def follow(self, history: Job) -> None:
        """Keep the computations of the tensor up to date."""
        self._history = history

    def want(self, *jobs: Job | None) -> None:
        """Do these from now on, the first of them first, and nothing else."""
        self._wanted = tuple(job for job in jobs if job is not None)

    @property
    def is_working(self) -> bool:
        """Whether there is more to do."""
        return bool(self._wanted)

    def extend(self) -> bool:
        """Work for a moment; True while there is more to do."""
        has_more = self._history is not None and self._history.extend()
        wanted = self._wanted
        if wanted and not wanted[0].extend() and self._wanted is wanted:
            self._wanted = wanted[1:]
        return has_more or bool(self._wanted)


class Summary:
    """Statistics, and then a histogram of what is usual among them; a job."""

    def __init__(self, value: RecordedValue, selected: Selected) -> None:
        self.statistics = StatisticsJob(value, selected)
        self.histogram: HistogramJob | None = None
        self._value, self._selected = value, selected

    @property
    def looked_at(self) -> float:
        """The share of the elements that was looked at."""
        return self.statistics.looked_at

    def extend(self) -> bool:
        """Work for a moment; True while there is more to do."""
        if self.statistics.extend():
            return True
        done = self.statistics.result
        span = None if done is None else usual_range(done)
        if span is None:
            return False
        if self.histogram is None:
            self.histogram = HistogramJob(self._value, self._selected, span, BINS)
        return self.histogram.extend()
