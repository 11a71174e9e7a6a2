"""What the finite part of a tensor is like, in one walk over it.

Range, mean, deviation and counts are of all elements. Quantiles are of all of them where these are
no more than fit in memory together; else of a sample, one element out of every so many, and
whoever tells them says so.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.health import Counts, counted_numbers
from tfdbg_tui.data.values.element_kinds import bad_among, is_number, plain_numbers
from tfdbg_tui.data.values.pieces import SLICE_SECONDS, pieces_of, settled_from
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.values.pieces import Piece
    from tfdbg_tui.data.values.recorded_value import RecordedValue
    from tfdbg_tui.data.values.slices import Selected

    Numbers = npt.NDArray[np.floating[Any]]

SHARES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
"""The quantiles that are told."""

MAX_SAMPLE = 1 << 20
"""Elements of which quantiles are worked out exactly."""

SPREAD = 2654435761
"""A number that scatters others: a sample must not follow the rows of a tensor."""

LARGE = 1e150
"""Squares of larger numbers are beyond what is usual for numbers of 64 bits."""


class Statistics(NamedTuple):
    """What a tensor, or a part of it, holds; None is what no element tells."""

    size: int
    counts: Counts
    """NaN, ∞ and, unless they are complex, signs."""
    finite: int
    lowest: float | int | None
    highest: float | int | None
    mean: float | None
    deviation: float | None
    """The square root of the mean squared distance from the mean, as numpy's `std`."""
    quantiles: tuple[tuple[float, float], ...]
    """Shares of the finite elements, and the number below which so many are."""
    sampled: int | None
    """Of how many elements the quantiles are, where they are not of all."""
    is_magnitude: bool
    """Whether its numbers are complex: what is told is told of their magnitudes."""


class StatisticsJob:
    """The walk; a job, whose result is there once it is done."""

    def __init__(self, value: RecordedValue, selected: Selected) -> None:
        self.result: Statistics | None = None
        self._size = selected.size
        self._is_complex = value.element.kind == "c"
        self._pieces = pieces_of(value, selected) if is_number(value.element) else iter(())
        self._seen = 0
        self._counts = [0] * len(Counts._fields)
        self._moments = _Moments()
        self._sample = _Sample(settled_from(value, selected))

    @property
    def looked_at(self) -> float:
        """The share of the elements that was looked at."""
        return 1.0 if self.result else self._seen / max(self._size, 1)

    def extend(self) -> bool:
        """Look on for a moment; True while there is more to look at."""
        until = perf_counter() + SLICE_SECONDS
        while self.result is None:
            piece = next(self._pieces, None)
            if piece is None:
                self.result = self._told()
            else:
                self._add(piece)
            if perf_counter() > until:
                break
        return self.result is None

    def to_the_end(self) -> Statistics:
        """Look at all of it."""
        while self.result is None:
            self.extend()
        return self.result

    def _add(self, piece: Piece) -> None:
        values, weight = piece.values, piece.weight
        with np.errstate(invalid="ignore", over="ignore"):
            counts = counted_numbers(values)
            self._counts = [n + weight * m for n, m in zip(self._counts, counts, strict=True)]
            finite = ~bad_among(values)
            self._sample.add(piece, finite)
            self._moments.add(values[finite], weight)
        self._seen += len(values) * weight

    def _told(self) -> Statistics:
        moments = self._moments
        return Statistics(
            self._size,
            Counts(*self._counts),
            moments.count,
            moments.lowest,
            moments.highest,
            moments.mean if moments.count else None,
            moments.deviation,
            self._sample.quantiles(),
            self._sample.taken if self._sample.step > 1 else None,
            self._is_complex,
        )


class _Moments:
    """Range, mean and squared distances from it, added up piece by piece."""

    def __init__(self) -> None:
        self.count = 0
        self.lowest: float | int | None = None
        self.highest: float | int | None = None
        self.mean = 0.0
        self._squares = 0.0

    @property
    def deviation(self) -> float | None:
        if not self.count:
            return None
        return float(np.sqrt(np.longdouble(self._squares) / self.count))

    def add(self, values: npt.NDArray[Any], weight: int) -> None:
        if not len(values):
            return
        numbers: Numbers = plain_numbers(values)
        exact = numbers if values.dtype.kind == "c" else values
        low, high = exact.min().item(), exact.max().item()
        self.lowest = low if self.lowest is None else min(self.lowest, low)
        self.highest = high if self.highest is None else max(self.highest, high)
        if max(abs(low), abs(high)) > LARGE:
            numbers = numbers.astype(np.longdouble)
        mean = numbers.mean()
        squares = np.square(numbers - mean).sum() * weight
        added = len(numbers) * weight
        distance = mean - self.mean
        total = self.count + added
        # Two parts have the squares of both, and those of their means.
        self._squares += squares + distance * distance * (self.count * (added / total))
        self.mean = float(self.mean + distance * (added / total))
        self.count = total


class _Sample:
    """One finite number out of every so many, and what the last one stands for."""

    def __init__(self, written: int) -> None:
        self.step = -(-written // MAX_SAMPLE) or 1
        self.taken = 0
        self._numbers: list[Numbers] = []
        self._weights: list[tuple[int, int]] = []

    def add(self, piece: Piece, finite: npt.NDArray[np.bool_]) -> None:
        if piece.weight > 1 or self.step == 1:
            chosen = piece.values[finite]
        else:
            first, end = piece.place, piece.place + len(piece.values)
            groups = np.arange(first // self.step, end // self.step + 1, dtype=np.uint64)
            scattered = groups * np.uint64(SPREAD) >> np.uint64(7)
            places = (groups * np.uint64(self.step) + scattered % np.uint64(self.step)).astype(
                np.int64
            )
            places = places[(places >= first) & (places < end)] - first
            chosen = piece.values[places[finite[places]]]
        self._numbers.append(plain_numbers(chosen))
        self._weights.append((len(chosen), piece.weight if piece.weight > 1 else self.step))
        self.taken += len(chosen)

    def quantiles(self) -> tuple[tuple[float, float], ...]:
        if not self.taken:
            return ()
        numbers = np.concatenate(self._numbers)
        order = np.argsort(numbers, kind="stable")
        weights = np.repeat(*map(np.array, zip(*((w, n) for n, w in self._weights), strict=True)))
        ends = np.cumsum(weights[order].astype(np.float64))
        numbers = numbers[order]
        told = []
        for share in SHARES:
            rank = share * (ends[-1] - 1)
            below, above = np.searchsorted(ends, (np.floor(rank), np.ceil(rank)), side="right")
            part = rank - np.floor(rank)
            last = len(numbers) - 1
            low, high = numbers[min(below, last)], numbers[min(above, last)]
            told.append((share, float(low * (1 - part) + high * part)))
        return tuple(told)
