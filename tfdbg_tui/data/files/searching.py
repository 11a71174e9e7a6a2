"""The search for whole records in damage, which begins when it is first asked."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from tfdbg_tui.data.files.slices import Allowance

if TYPE_CHECKING:
    from tfdbg_tui.data.files.damage import Proof, Search, Source


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
