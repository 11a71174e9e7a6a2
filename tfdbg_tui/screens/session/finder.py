"""Going from match to match, and waiting for one where the search is still under way."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.screens.present.arrangement import LIST_OF, PANES
from tfdbg_tui.screens.present.status_text import untold

if TYPE_CHECKING:
    from tfdbg_tui.data.search.search import Search
    from tfdbg_tui.data.views.selection import Selection
    from tfdbg_tui.screens.linked import LinkedScreen

ANYWHERE = 0
"""In place of a direction: the next match, else the first one, in whichever list has any."""


class Sought(NamedTuple):
    """A match that the search has not come to yet."""

    search: Search
    start: Selection
    direction: int


class Finder:
    """Searches on the main screen's behalf; without a search it goes to bad tensors."""

    def __init__(self, screen: LinkedScreen) -> None:
        self._screen = screen
        self._sought: Sought | None = None

    def search(self, text: str) -> None:
        """Search for a query and go to its next match; an empty one ends the search."""
        screen = self._screen
        screen.navigator.search_for(text)
        search = screen.navigator.search
        for name in PANES:
            screen.panes.pane(name).highlight(None if search is None else search.query.highlights)
        screen.update_jobs()
        self._sought = None
        if search is not None:
            search.extend()
            self.go(ANYWHERE)

    def go(self, direction: int) -> None:
        """Go to the next match, or to the previous one; later if it is not found yet."""
        search = self._screen.navigator.search
        self._sought = None
        if self._found(direction):
            self._screen.keys.tell(None)
            self._screen.show_selection()
            self._screen.panes.reveal(LIST_OF[self._screen.event_list])
        elif search is not None and not search.is_done:
            self._sought = Sought(search, self._screen.navigator.selection, direction)
            self._screen.tell(f"Searching for {search.query.text} ...")
        else:
            self._screen.tell(self._nothing(direction))

    def go_on(self) -> None:
        """More is searched: go to the match that was waited for, unless the user went on."""
        sought, navigator = self._sought, self._screen.navigator
        if sought is not None:
            if (navigator.search, navigator.selection) == (sought.search, sought.start):
                self.go(sought.direction)
            else:
                self._sought = None

    def _found(self, direction: int) -> bool:
        """Choose a match; False if there is none, or none yet."""
        screen, navigator = self._screen, self._screen.navigator
        if navigator.step_match(screen.event_list, direction or 1):
            return True
        is_done = navigator.search is None or navigator.search.is_done
        if direction == ANYWHERE and is_done and navigator.first_match(screen.event_list):
            return True
        other = screen.event_list.other
        _, count = navigator.match_rank(screen.event_list)
        if count or not is_done or not navigator.step_match(other, direction or 1):
            return False
        screen.event_list = other
        return True

    def _nothing(self, direction: int) -> str:
        """What to say when there is no match."""
        search, state = self._screen.navigator.search, self._screen.state
        if search is not None and state is not None and direction == ANYWHERE:
            return f"{untold(state, search) or f'Nothing matches {search.query.text}'}."
        what = "bad tensor" if search is None else f"match of {search.query.text}"
        return f"No {'later' if direction > 0 else 'earlier'} {what} in this list."
