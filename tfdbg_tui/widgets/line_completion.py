"""What tab makes of a half-typed line: as far as all candidates agree, then one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

QUOTES = "\"'`"

OPEN_ENDS = ("/", ":", "=", ">", "<")
"""How candidates end that go on: behind others stands a blank."""


class Offer(Protocol):
    """How a line can go on."""

    @property
    def start(self) -> int:
        """Where what is replaced begins; it ends at the cursor."""

    @property
    def candidates(self) -> tuple[str, ...]:
        """What it is replaced with."""

    @property
    def common(self) -> str:
        """What all candidates begin with."""


class LineCompletion:
    """The candidates for one line, and which of them stands in it."""

    def __init__(self) -> None:
        self.candidates: tuple[str, ...] = ()
        self.chosen: int | None = None
        self._head = self._typed = self._made = ""

    def belongs_to(self, before: str) -> bool:
        """Whether the candidates are for what stands before the cursor."""
        return bool(self.candidates) and before == self._made

    def forget(self) -> None:
        """Another line is typed."""
        self.candidates, self.chosen = (), None

    def step(self, before: str, steps: int, offer_for: Callable[[str], Offer]) -> str:
        """What stands before the cursor from now on."""
        if self.belongs_to(before):
            return self._cycle(steps)
        offer = offer_for(before)
        self._head, self._typed = before[: offer.start], before[offer.start :]
        self.candidates, self.chosen, self._made = offer.candidates, None, before
        if len(offer.candidates) == 1:
            self._made = self._with(offer.candidates[0], is_only=True)
            self.candidates = ()
        elif offer.common.lower().startswith(self._typed.lower()):
            self._typed = offer.common or self._typed
            self._made = self._head + self._typed
        return self._made

    def accept(self, number: int) -> str:
        """Have a candidate stand in the line, and offer no others."""
        self._made = self._with(self.candidates[number], is_only=True)
        self.forget()
        return self._made

    def _cycle(self, steps: int) -> str:
        """The next candidate; behind the last one what was typed."""
        count = len(self.candidates)
        here = count if self.chosen is None else self.chosen
        there = (here + steps) % (count + 1)
        self.chosen = None if there == count else there
        typed = self.chosen is None
        self._made = self._head + self._typed if typed else self._with(self.candidates[there])
        return self._made

    def _with(self, candidate: str, is_only: bool = False) -> str:
        """The line with a candidate: within quotes where it needs some."""
        quote = self._head[-1:] if self._head[-1:] in QUOTES else ""
        if not quote and any(sign.isspace() or sign in QUOTES for sign in candidate):
            candidate = f'"{candidate}"' if '"' not in candidate else f"'{candidate}'"
        if not is_only or candidate.endswith(OPEN_ENDS):
            return self._head + candidate
        return f"{self._head}{candidate}{quote} "
