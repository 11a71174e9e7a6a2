"""What a slice of a long search may cost: a claim of 2 GB is not settled while a key waits."""

from __future__ import annotations

COST_PER_SLICE = 4 << 20
"""What may be spent in one slice, about as many nanoseconds: a byte that is searched costs 1."""


class SliceEnded(Exception):  # noqa: N818 - nothing is wrong: it goes on in the next slice
    """The slice is used up before the answer is found."""


class Allowance:
    """What is left of a slice."""

    def __init__(self, limit: float = COST_PER_SLICE) -> None:
        self._left = limit

    def refill(self) -> None:
        """Begin a slice."""
        self._left = COST_PER_SLICE

    def check(self) -> None:
        """Raise `SliceEnded` if nothing is left."""
        if self._left <= 0:
            raise SliceEnded

    def spend(self, cost: int) -> None:
        """Take note of what something cost."""
        self._left -= cost
