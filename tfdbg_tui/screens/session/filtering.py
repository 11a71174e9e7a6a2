"""Showing only what a query finds: rows come as the feed finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.screens.session.change import OTHER_ROWS, UNCHANGED, Change, say

if TYPE_CHECKING:
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

    @property
    def awaits_first_slice(self) -> bool:
        """Whether the feed has not said yet what it found first."""
        return self._navigator.filter is not self._shown

    def show_only(self, text: str) -> Change:
        """Filter by a query, or no more; raises QueryError.

        The feed searches; its next snapshot brings the rows. Without a filter they are there.
        """
        self._navigator.show_only(text)
        if self._navigator.filter is not None:
            return UNCHANGED
        self._shown = None
        return OTHER_ROWS

    def stop(self) -> Change | None:
        """Filter no more, if rows are still waited for."""
        filtered = self._navigator.filter
        if filtered is None or filtered is self._finished or filtered.is_done:
            return None
        return self.show_only("") | say(f"Stopped filtering by {filtered.query.text}.")

    def go_on(self) -> Change:
        """More is searched: the lists show the rows of the filter that is set, and their growth."""
        filtered = self._navigator.filter
        if filtered is not None and not filtered.has_begun:
            return UNCHANGED  # a snapshot that was under way when the filter was set
        change = OTHER_ROWS if filtered is not self._shown else UNCHANGED
        self._shown = filtered
        change |= Change(appends=filtered is not self._finished)
        if filtered is None or filtered.is_done:
            self._finished = filtered
        return change
