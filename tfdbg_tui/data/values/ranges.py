"""Ranges of numbers as somebody types them: `>1`, `<=-3`, `[1, inf]`, `[[-inf,-1],[1,inf]]`."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.values.value_error import ValueQueryError
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

MAX_TEXT = 500
"""Characters of ranges that anybody types."""

EXAMPLE = "A range looks like >1, <=-3, [1, inf] or [[-inf, -1], [1, inf]]"

_NUMBER = r"[+-]?(?:inf|[0-9]+\.?[0-9]*(?:e[+-]?[0-9]+)?|\.[0-9]+(?:e[+-]?[0-9]+)?)"
_COMPARED = re.compile(rf"(>=|<=|>|<|==|=|!=)\s*({_NUMBER})", re.IGNORECASE)
_PAIR = re.compile(rf"\[\s*({_NUMBER})\s*,\s*({_NUMBER})\s*\]", re.IGNORECASE)
_PAIRS = re.compile(rf"\[\s*{_PAIR.pattern}(?:\s*,\s*{_PAIR.pattern})*\s*,?\s*\]", re.IGNORECASE)


class Range(NamedTuple):
    """Numbers from one to another."""

    low: float
    high: float
    has_low: bool = True
    """Whether the lower one belongs to it."""
    has_high: bool = True

    def holds(self, numbers: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Which of some numbers are in it; a NaN is in none."""
        above = numbers >= self.low if self.has_low else numbers > self.low
        below = numbers <= self.high if self.has_high else numbers < self.high
        found: npt.NDArray[np.bool_] = above & below
        return found


class Ranges(NamedTuple):
    """Some of them together, and the words in which they were asked for."""

    parts: tuple[Range, ...]
    words: str

    def holds(self, values: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Which of some elements are in any; of complex numbers the magnitude counts."""
        if values.dtype == object:
            return np.zeros(values.shape, np.bool_)
        with np.errstate(invalid="ignore"):
            numbers = np.abs(values) if values.dtype.kind == "c" else values
            found = np.zeros(values.shape, np.bool_)
            for part in self.parts:
                found |= part.holds(numbers)
        return found


def parse_ranges(text: str) -> Ranges:
    """What somebody typed."""
    typed = " ".join(text.split())
    if len(typed) > MAX_TEXT:
        raise ValueQueryError(f"{EXAMPLE}; this one has {len(typed):,} characters.")
    if compared := _COMPARED.fullmatch(typed):
        sign, number = compared.groups()
        return Ranges(_compared(sign, float(number)), typed)
    if not _PAIR.fullmatch(typed) and not _PAIRS.fullmatch(typed):
        shown = typed if len(typed) < 40 else typed[:40] + "…"
        raise ValueQueryError(f"{EXAMPLE}, not {shown or 'nothing'}.")
    pairs = [(float(low), float(high)) for low, high in _PAIR.findall(typed)]
    for low, high in pairs:
        if low > high:
            raise ValueQueryError(f"A range goes from low to high: [{high:g}, {low:g}].")
    return Ranges(tuple(Range(low, high) for low, high in pairs), typed)


def _compared(sign: str, number: float) -> tuple[Range, ...]:
    if sign in ("=", "=="):
        return (Range(number, number),)
    if sign == "!=":
        return Range(-math.inf, number, has_high=False), Range(number, math.inf, has_low=False)
    if sign.startswith(">"):
        return (Range(number, math.inf, has_low=sign == ">="),)
    return (Range(-math.inf, number, has_high=sign == "<="),)
