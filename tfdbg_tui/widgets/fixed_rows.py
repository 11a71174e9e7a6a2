"""A few rows that are all in memory, for a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = TypeVar("Row")


class FixedRows(Generic[Row]):
    """A row source over a sequence."""

    def __init__(self, values: Sequence[Row]) -> None:
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def rows(self, start: int, stop: int) -> Sequence[Row]:
        """The rows from one number to before another."""
        return self._values[start:stop]
