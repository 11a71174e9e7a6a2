"""Following the newest events, because the user asked for it or since the start."""

from __future__ import annotations


class Following:
    """Whether the selection goes along with the newest event."""

    def __init__(self, from_start: bool = False) -> None:
        self.is_on = from_start
        self._unasked = from_start

    @property
    def can_be_left(self) -> bool:
        """Whether escape ends it: what nobody asked for is no layer to leave."""
        return self.is_on and not self._unasked

    def toggle(self) -> None:
        """The user wants to follow, or no longer."""
        self.is_on, self._unasked = not self.is_on, False

    @staticmethod
    def words(has_ended: bool) -> str:
        """What to say when it begins."""
        if has_ended:
            return "The program has ended: this is its newest event."
        return "Following the newest events."

    def stop(self) -> None:
        """Something else is to be looked at."""
        self.is_on = False
