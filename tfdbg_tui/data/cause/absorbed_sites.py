"""The sites whose first bad numbers went no further; looked for when all causes are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.causes import Causes
    from tfdbg_tui.data.stores.event_kind import EventRef

SITES_AT_ONCE = 16
"""Sites that are looked at in one go: a few milliseconds."""


class AbsorbedSites:
    """Notes it of one site after another, by their keys."""

    def __init__(self, causes: Causes, is_sought: bool) -> None:
        self.keys: set[int] = set()
        """As far as is known."""
        self.version = 0
        """Counts what has become known."""
        self._causes = causes
        self._is_sought = is_sought
        """Whether followers are looked at: rows of alerts tell it, and no verdict."""
        self._waiting: dict[int, EventRef] = {}
        """The first bad tensors of followers that are to be looked at."""

    def note(self, key: int, is_absorbed: bool) -> None:
        """Take note of how it is with a site."""
        self._waiting.pop(key, None)
        if is_absorbed is not (key in self.keys):
            self.keys ^= {key}
            self.version += 1

    def ask(self, key: int, first: EventRef) -> None:
        """Have a follower looked at."""
        if self._is_sought:
            self._waiting[key] = first

    def extend(self) -> bool:
        """Look at some more followers; True while there are more."""
        for key in list(self._waiting)[:SITES_AT_ONCE]:
            first = self._waiting[key]
            self.note(key, self._causes.hosts[first.host].is_absorbed(first))
        return bool(self._waiting)
