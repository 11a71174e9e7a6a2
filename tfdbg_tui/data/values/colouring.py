"""Numbers as colours: blue below zero, orange above it, and what is bad in a colour of its own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.values.element_kinds import bad_among
from tfdbg_tui.data.values.histograms import usual_range

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.values.statistics import Statistics

BELOW, ZERO, ABOVE = (33, 102, 172), (247, 247, 247), (217, 95, 2)
"""Colours that people who see red and green alike can tell apart."""

NAN, INFINITE = (208, 0, 48), (160, 0, 160)


def limit_of(statistics: Statistics) -> float:
    """The distance from zero that has the full colour; larger numbers have it, too."""
    span = usual_range(statistics)
    limit = 0.0 if span is None else max(map(abs, span))
    return limit if limit > 0 else 1.0


def parts_of(values: npt.NDArray[Any], limit: float) -> npt.NDArray[np.float64]:
    """Where each number is between -1 and 1, with the limit at either end; NaN for what is bad."""
    numbers = np.abs(values) if values.dtype.kind == "c" else values
    with np.errstate(invalid="ignore", over="ignore"):
        parts = np.clip(numbers.astype(np.float64) / limit, -1.0, 1.0)
    parts[bad_among(values)] = math.nan
    return parts


def colours_of(values: npt.NDArray[Any], limit: float) -> npt.NDArray[np.uint8]:
    """Red, green and blue of each number."""
    parts = parts_of(values, limit)
    is_bad = np.isnan(parts)
    strength = np.abs(np.where(is_bad, 0.0, parts))[..., None]
    ends = np.where((parts < 0)[..., None], np.array(BELOW), np.array(ABOVE))
    colours: npt.NDArray[np.uint8] = (np.array(ZERO) * (1 - strength) + ends * strength).astype(
        np.uint8
    )
    colours[is_bad] = INFINITE
    colours[np.isnan(values) if values.dtype.kind in "fc" else is_bad] = NAN
    return colours
