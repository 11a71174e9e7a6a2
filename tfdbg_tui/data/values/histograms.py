"""How the finite numbers of a tensor are spread, and the share outside of what is shown."""

from __future__ import annotations

import math
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.values.element_kinds import bad_among, is_number, plain_numbers
from tfdbg_tui.data.values.pieces import SLICE_SECONDS, pieces_of
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.values.pieces import Piece
    from tfdbg_tui.data.values.recorded_value import RecordedValue
    from tfdbg_tui.data.values.slices import Selected
    from tfdbg_tui.data.values.statistics import Statistics

FAR = 10
"""Times what most numbers take up that all of them may, before only the most are shown."""


class Histogram(NamedTuple):
    """Bars of the same width."""

    low: float
    high: float
    counts: tuple[int, ...]
    below: int
    """Finite numbers that are smaller than all that is shown."""
    above: int
    bad: int
    """NaN and ∞."""

    @property
    def outside(self) -> float:
        """The share of the finite numbers that is not shown."""
        left_out = self.below + self.above
        return left_out / max(left_out + sum(self.counts), 1)


def usual_range(statistics: Statistics) -> tuple[float, float] | None:
    """What is worth showing: all, or most where few lie far outside; None without numbers."""
    if statistics.lowest is None or statistics.highest is None:
        return None
    low, high = float(statistics.lowest), float(statistics.highest)
    most = (statistics.quantiles[0][1], statistics.quantiles[-1][1])
    if most[0] < most[1] and (high / FAR - low / FAR) > most[1] - most[0]:
        low, high = most
    if low == high:  # one number stands in the middle
        half = max(0.5, abs(low) / 100)
        low, high = max(low - half, -_MOST), min(high + half, _MOST)
    return low, high


_MOST = float(np.finfo(np.float64).max)


class HistogramJob:
    """Counts what falls into each bar; a job, whose result is there once it is done."""

    def __init__(
        self, value: RecordedValue, selected: Selected, span: tuple[float, float], bins: int
    ) -> None:
        self.result: Histogram | None = None
        self._low, self._high = span
        self._pieces = pieces_of(value, selected) if is_number(value.element) else iter(())
        self._counts = np.zeros(max(bins, 1), np.int64)
        self._below = self._above = self._bad = 0

    def extend(self) -> bool:
        """Count on for a moment; True while there is more to count."""
        until = perf_counter() + SLICE_SECONDS
        while self.result is None:
            piece = next(self._pieces, None)
            if piece is None:
                counts = tuple(self._counts.tolist())
                told = (counts, self._below, self._above, self._bad)
                self.result = Histogram(self._low, self._high, *told)
            else:
                self._add(piece)
            if perf_counter() > until:
                break
        return self.result is None

    def to_the_end(self) -> Histogram:
        """Count all of it."""
        while self.result is None:
            self.extend()
        return self.result

    def _add(self, piece: Piece) -> None:
        numbers = plain_numbers(piece.values)
        bad = bad_among(piece.values)
        numbers = numbers[~bad]
        self._bad += int(np.count_nonzero(bad)) * piece.weight
        self._below += int(np.count_nonzero(numbers < self._low)) * piece.weight
        self._above += int(np.count_nonzero(numbers > self._high)) * piece.weight
        # A quarter of each, so that the distance between the largest numbers is one.
        scale = 1.0 if math.isfinite(self._high - self._low) else 0.25
        span = (self._low * scale, self._high * scale)
        counts = np.histogram(numbers * scale, len(self._counts), span)[0]
        self._counts += counts * piece.weight
