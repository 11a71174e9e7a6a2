"""Showing only what a query finds: rows come as the feed finds them."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.screens.session.change import OTHER_ROWS, UNCHANGED, Change, say
from tfdbg_tui.screens.session.finder import AT_ONCE, untold

if TYPE_CHECKING:
    from tfdbg_tui.data.live.snapshot import RunState
    from tfdbg_tui.data.search.search import Search
    from tfdbg_tui.data.views.navigator import Navigator


class Filtering:
    """Sets the filter, and knows how far the feed and the lists have come with it."""

    def __init__(self, navigator: Navigator) -> None:
        self._navigator = navigator
        self._shown: Search | None = None
        """The filter whose rows the lists show."""
        self._finished: Search | None = None
        """The filter that has been through all there was when it was set."""
        self._set_at = 0.0
        """When it was set, by the clock that only goes on."""

    @property
    def is_expected_at_once(self) -> bool:
        """Whether what is typed now is meant for rows that are about to be found."""
        filtered = self._navigator.filter
        return filtered is not self._finished and monotonic() < self._set_at + AT_ONCE

    def show_only(self, text: str) -> Change:
        """Filter by a query, or no more; raises QueryError.

        The feed searches; its next snapshot brings the rows. Without a filter they are there.
        """
        self._navigator.show_only(text)
        self._set_at = monotonic()
        if self._navigator.filter is not None:
            return UNCHANGED
        self._shown = self._finished = None
        return OTHER_ROWS

    def stop(self) -> Change | None:
        """Filter no more, if rows are still waited for."""
        filtered = self._navigator.filter
        if filtered is None or filtered is self._finished or filtered.is_done:
            return None
        return self.show_only("") | say(f"Stopped filtering by {filtered.query.text}.")

    def go_on(self, state: RunState) -> Change:
        """More is searched: the lists show the rows of the filter that is set, and their growth.

        What has gone wrong in a function of the user's is said.
        """
        change = self._grow(state)
        wrong = self._navigator.searching.filters.take_complaints()
        return change | say(sanitise(wrong[0]), "warn") if wrong else change

    def _grow(self, state: RunState) -> Change:
        filtered = self._navigator.filter
        change = OTHER_ROWS if filtered is not self._shown else UNCHANGED
        self._shown = filtered
        change |= Change(appends=filtered is not self._finished)
        if filtered is None or filtered.is_done:
            if filtered is not None and filtered is not self._finished:
                change |= _nothing_found(state, filtered)
            self._finished = filtered
        return change


def _nothing_found(state: RunState, filtered: Search) -> Change:
    """Say so, for the list in front may be one that is never filtered: the alerts."""
    if any(filtered.kept(kind)[0] for kind in EventKind):
        return UNCHANGED
    return say(f"{untold(state, filtered) or f'Nothing matches {filtered.query.text}'}.")
