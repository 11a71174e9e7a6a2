"""Following the newest events, because the user asked for it or since the start."""

from __future__ import annotations


class Following:
    """Whether the selection goes along with the newest event."""

    def __init__(self, from_start: bool = False) -> None:
        self.is_on = from_start
        self._unasked = from_start
        self._was_live = False

    @property
    def can_be_left(self) -> bool:
        """Whether escape ends it: what nobody asked for is no layer to leave."""
        return self.is_on and not self._unasked

    def toggle(self) -> None:
        """The user wants to follow, or no longer."""
        self.is_on, self._unasked = not self.is_on, False

    def is_over(self, has_ended: bool) -> bool:
        """Whether the run that is followed has just ended: it went on when last asked."""
        was_live, self._was_live = self._was_live, not has_ended
        return was_live and has_ended

    @staticmethod
    def words(has_ended: bool) -> str:
        """What to say when it begins."""
        if has_ended:
            return "The program has ended: this is its newest event."
        return "Following the newest events."

    def stop(self) -> None:
        """Something else is to be looked at."""
        self.is_on = False
