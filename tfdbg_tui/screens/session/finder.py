"""Going from match to match, and waiting for one where the search is still under way."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.screens.pane_names import LIST_OF
from tfdbg_tui.screens.session.change import MOVED, UNCHANGED, Change, Reveal, Sentence, say

if TYPE_CHECKING:
    from tfdbg_tui.data.live.snapshot import RunState
    from tfdbg_tui.data.search.search import Search
    from tfdbg_tui.data.stores.event_kind import EventKind
    from tfdbg_tui.data.views.navigator import Navigator
    from tfdbg_tui.data.views.selection import Selection

ANYWHERE = 0
"""In place of a direction: the next match, else the first one, in whichever list has any."""

AT_ONCE = 0.4
"""Seconds in which what was asked for comes at once to the user; less than keys wait for it."""


class Sought(NamedTuple):
    """A match that the search has not come to yet."""

    search: Search
    start: Selection
    direction: int
    is_told: bool = True
    """Whether the user was told that it is searched for; at first there is nothing to tell."""
    asked_at: float = 0.0
    """When it was asked for, by the clock that only goes on."""

    @property
    def is_young(self) -> bool:
        """Whether the user still expects it at once."""
        return not self.is_told and monotonic() < self.asked_at + AT_ONCE


class Finder:
    """Goes to matches of the search or, without one, to bad tensors."""

    def __init__(self, navigator: Navigator) -> None:
        self._navigator = navigator
        self._sought: Sought | None = None

    @property
    def is_expected_at_once(self) -> bool:
        """Whether what is typed now is meant for the match that is about to be found."""
        return self._sought is not None and self._sought.is_young

    def search(self, text: str) -> Change:
        """Search for a query; an empty one ends the search.

        The feed searches, and its next snapshot leads to the match.
        """
        navigator = self._navigator
        navigator.search_for(text)
        search, self._sought = navigator.search, None
        if search is not None:
            self._sought = Sought(search, navigator.selection, ANYWHERE, False, monotonic())
        return UNCHANGED

    def stop(self) -> Change | None:
        """Search no more, if a match is still waited for."""
        sought = self._awaited
        if sought is None:
            return None
        return self.search("") | say(f"Stopped searching for {sought.search.query.text}.")

    def go(self, kind: EventKind, direction: int, state: RunState | None) -> Change:
        """Go to the next match, or to the previous one; later if it is not found yet."""
        search, self._sought = self._navigator.search, None
        # Asked first: the feed may find the last match while we look at those before it.
        is_done = search is None or search.is_done
        found_in = self._found(kind, direction, is_done)
        if found_in is not None:
            shown = Change(reveal=(Reveal(LIST_OF[found_in]),), said=Sentence(""))
            return MOVED | shown
        if search is not None and not is_done:
            self._sought = Sought(search, self._navigator.selection, direction)
            return say(f"Searching for {search.query.text} ... escape stops.")
        return say(self._nothing(direction, state))

    def go_on(self, kind: EventKind, state: RunState | None) -> Change:
        """More is searched: go to the match that was waited for, unless the user went on."""
        sought = self._sought = self._awaited
        if sought is None:
            return UNCHANGED
        change = self.go(kind, sought.direction, state)
        if self._sought is not None and sought.is_young:
            self._sought = sought  # a moment more: it need not be told yet
            return UNCHANGED
        return change

    @property
    def _awaited(self) -> Sought | None:
        """The match that is waited for, unless the user went on meanwhile."""
        sought, navigator = self._sought, self._navigator
        if sought is None:
            return None
        is_there = _place(navigator.selection) == _place(sought.start)
        return sought if is_there and navigator.search is sought.search else None

    def _found(self, kind: EventKind, direction: int, is_done: bool) -> EventKind | None:
        """Choose a match; the list that it is in, None if there is none or none yet."""
        navigator = self._navigator
        if navigator.step_match(kind, direction or 1):
            return kind
        if direction == ANYWHERE and is_done and navigator.first_match(kind):
            return kind
        _, count = navigator.match_rank(kind)
        if count or not is_done or not navigator.step_match(kind.other, direction or 1):
            return None
        return kind.other

    def _nothing(self, direction: int, state: RunState | None) -> str:
        """What to say when there is no match."""
        search = self._navigator.search
        if search is not None and state is not None and direction == ANYWHERE:
            return f"{untold(state, search) or f'Nothing matches {search.query.text}'}."
        what = "bad tensor" if search is None else f"match of {search.query.text}"
        return f"No {'later' if direction > 0 else 'earlier'} {what} in this list."


def _place(chosen: Selection) -> tuple[object, ...]:
    """What the user chose of it: the links of a new event come later, by themselves."""
    own = (chosen.frame, chosen.file, chosen.line) if chosen.pinned else ()
    return chosen.host, chosen.event or chosen.node, own


def untold(state: RunState, search: Search) -> str:
    """Why nothing can match a query: what goes wrong in a function of the user's, or what no mode
    of the recording tells; empty if neither is so.
    """
    wrong = next(filter(None, (function.trouble for function, _ in search.query.filters)), "")
    if wrong:
        return sanitise(wrong).removesuffix(".")
    modes = state.run.modes()
    words = [set(search.query.untold_by(mode)) for mode in modes]
    missing = set.intersection(*words) if words else set()
    names = " and ".join(state.run.mode_names())
    return f"{names} does not tell {' '.join(sorted(missing))}" if missing else ""
