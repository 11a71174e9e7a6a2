"""An element as text: numbers in a precision, plain or scientific, and whatever else there is."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.value_facts import quoted
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

MAX_PRECISION = 17
"""Digits that a number of 64 bits can have."""

MAX_STRING = 200
"""Bytes of a recorded string that are shown of it."""

TOO_LONG = 1e16
"""Numbers from here on are told with an exponent: their digits are not all true."""


class Notation(Enum):
    """How numbers with a fraction are written."""

    SHORT = "short"
    """Whichever is shorter."""
    PLAIN = "plain"
    SCIENTIFIC = "scientific"

    @property
    def following(self) -> Notation:
        """The next one, round and round."""
        every = list(Notation)
        return every[(every.index(self) + 1) % len(every)]


class NumberFormat(NamedTuple):
    """How the numbers of a tensor are written."""

    precision: int = 4
    """Digits: all that are told where it is to be short, else those behind the point."""
    notation: Notation = Notation.SHORT

    def text(self, value: object) -> str:
        """One element."""
        if isinstance(value, (bool, np.bool_)):
            return str(bool(value))
        if isinstance(value, bytes):
            return quoted(value[:MAX_STRING]) + ("…" if len(value) > MAX_STRING else "")
        if isinstance(value, complex):
            imaginary = self._number(value.imag)
            sign = "" if imaginary.startswith("-") else "+"
            return f"{self._number(value.real)}{sign}{imaginary}j"
        return self._number(value) if isinstance(value, float) else str(value)

    def texts(self, values: npt.NDArray[Any]) -> list[str]:
        """Elements in a row."""
        return [self.text(value) for value in values.reshape(-1).tolist()]

    def adjusted(self, more: int) -> NumberFormat:
        """With more digits, or with fewer."""
        return self._replace(precision=min(max(self.precision + more, 1), MAX_PRECISION))

    def _number(self, number: float) -> str:
        digits = min(max(self.precision, 0), MAX_PRECISION)
        if self.notation is Notation.SHORT:
            return f"{number:.{max(digits, 1)}g}"
        if self.notation is Notation.SCIENTIFIC or TOO_LONG <= abs(number) < float("inf"):
            return f"{number:.{digits}e}"
        return f"{number:.{digits}f}"


def widths(columns: list[list[str]], least: int = 1) -> list[int]:
    """How wide each column has to be for what stands in it."""
    return [max([least, *map(len, column)]) for column in columns]
