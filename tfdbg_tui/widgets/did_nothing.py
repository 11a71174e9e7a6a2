"""What a pane says of a key that has nothing to do there: silence looks like a broken key."""

from __future__ import annotations

from textual.message import Message

PANE = "{pane}"
"""Stands for the pane's title, which whoever shows the sentence knows."""


class DidNothing(Message):
    """A key did nothing, and why."""

    def __init__(self, pane: str | None, why: str) -> None:
        super().__init__()
        self.pane = pane
        self.why = why


def no_further(forward: bool, rows: int, empty: str, noun: str = "row") -> str:
    """Why a cursor or a view does not move on: it is at an end, or there is nothing."""
    if not rows:
        return empty or f"There is nothing in {PANE}."
    return f"This is the {'last' if forward else 'first'} {noun} of {PANE}."


def nothing_chosen(rows: int, empty: str) -> str:
    """Why there is no row to open."""
    return f"No row of {PANE} is chosen." if rows else empty
