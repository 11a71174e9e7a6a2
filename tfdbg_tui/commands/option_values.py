"""What the values of options may be: a text that is none is told so in a sentence."""

from __future__ import annotations

import argparse
import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DIGITS = 18
"""Digits of a number that is counted up to."""


def between(low: float, high: float, what: str) -> Callable[[str], float]:
    """A type for an option: a number within bounds."""

    def number(text: str) -> float:
        try:
            found = float(text)
        except ValueError:
            found = math.nan
        if not low <= found <= high:
            raise argparse.ArgumentTypeError(f"{text} is no {what} between {low:g} and {high:g}")
        return found

    return number


def number_of_rows(text: str) -> int:
    """Rows to print, 0 among them."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is no number of rows")
    return int(text)


def number_of_events(text: str) -> int:
    """Events to keep."""
    return _count_of("events", text)


def number_of_steps(text: str) -> int:
    """Steps to do."""
    return _count_of("steps", text)


def _count_of(what: str, text: str) -> int:
    if not text.isdecimal() or not 0 < len(text) <= MAX_DIGITS or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no number of {what}")
    return int(text)


def pattern(text: str) -> str:
    """A regular expression."""
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text} is no regular expression: {error}") from error
    return text


def names(text: str) -> tuple[str, ...]:
    """Names with commas between them; none in an empty text."""
    return tuple(name.strip() for name in text.split(",") if name.strip())
