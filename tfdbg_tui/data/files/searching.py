"""The search for whole records in damage, which begins when it is first asked.

It goes on in slices: a claim of 2 GB is not settled while a key waits.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tfdbg_tui.data.files.damage import Proof, Search, Source

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


class Searching:
    """What is asked about one file; nothing of it is imported while the file is whole."""

    def __init__(self, source: Source) -> None:
        # A reference from here back there would keep the descriptor of a file nobody needs.
        self._source: Source = weakref.proxy(source)
        self._allowance = Allowance()
        self._search: Search | None = None
        self._proof: Proof | None = None

    @property
    def given_up(self) -> int:
        """Claims that were neither proven nor refuted."""
        return 0 if self._search is None else self._search.given_up

    def go_on(self) -> None:
        """Begin a slice, with what was asked last, if that is not known yet."""
        self._allowance.refill()
        if self._search is not None:
            self._search.go_on()

    def first(self, start: int, stop: int) -> int | None:
        """Where the first whole record begins between two offsets; raises as `Search.first`."""
        if self._search is None:
            from tfdbg_tui.data.files.damage import Search

            self._search = Search(self._source, self._allowance)
        return self._search.first(start, stop)

    def is_proven(self, start: int, end: int) -> bool:
        """Whether the payload between two offsets matches its checksum; not read as a whole."""
        from tfdbg_tui.data.files.damage import Proof

        if self._proof is None or self._proof.span != (start, end):
            self._proof = Proof(self._source, self._allowance, start, end)
        return self._proof.holds()


def holds_whole_record(content: bytes) -> bool:
    """Whether a whole record lies somewhere in some bytes."""
    from tfdbg_tui.data.files.damage import is_in

    return is_in(content)
