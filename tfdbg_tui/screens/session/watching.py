"""What the user watches: pinning what is chosen, the rows of it, and what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.watch_list import WatchList, WatchRow
from tfdbg_tui.data.views.watched_names import MAX_WATCHED, execution_name, trace_name
from tfdbg_tui.frozen.frozen import replace
from tfdbg_tui.screens.session.change import Change, say
from tfdbg_tui.screens.session.naming import short

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from tfdbg_tui.data.views.navigator import Navigator
    from tfdbg_tui.data.views.watched_names import WatchedName

    Names = tuple[WatchedName, ...]

MAX_NAME = 2000
"""Characters of all names of one tensor, at most: a file of them has to stay small."""

NOTHING = "Nothing is chosen: choose a tensor, and * watches it."
NO_TENSOR = "A run of a session puts no tensor out that could be watched."
TOO_LONG = "A name this long is not watched."
TOO_MANY = f"{MAX_WATCHED} tensors are watched, which is all that can be: * on one ends that."
NONE_WATCHED = "Nothing is watched: * watches the chosen tensor."


class Keeper(Protocol):
    """Has what is watched when a session begins, and keeps what is watched at its end."""

    kept: Names

    async def keep(self, now: Names, complain: Callable[[str], None]) -> None:
        """Keep what is watched now; a sentence if that fails."""


class Watching:
    """The watched tensors, in the order in which they were pinned."""

    def __init__(self, navigator: Navigator, keeper: Keeper | None) -> None:
        self._navigator = navigator
        self._keeper = keeper
        """Keeps them; None where nothing is to be kept."""
        self.names: Names = () if keeper is None else keeper.kept
        self._kept = self.names
        self._list: WatchList | None = None

    def keeping(self, complain: Callable[[str], None]) -> Coroutine[None, None, None] | None:
        """Keeps what is watched now; None if that is kept."""
        if self.names is self._kept or self._keeper is None:
            return None
        self._kept = self.names
        return self._keeper.keep(self._kept, complain)

    @property
    def job(self) -> WatchList | None:
        """What the feed has to keep up to date; None if nothing is watched."""
        index, run = self._navigator.index, self._navigator.run
        if index is None or run is None or not self.names:
            return None
        if self._list is None or self._list.index is not index:
            self._list = WatchList(index, self._navigator.selection.host, len(run.hosts))
        if self._list.names != self.names:
            self._list.watch(self.names)
        return self._list

    # Pinning.

    def toggle(self) -> Change:
        """Watch what is chosen, or no longer."""
        name = self._chosen()
        if isinstance(name, str):
            return say(name)
        if name in self.names:
            return self.unpin(name)
        if sum(len(part) for part in (name.name, name.function, name.graph)) > MAX_NAME:
            return say(TOO_LONG)
        if len(self.names) >= MAX_WATCHED:
            return say(TOO_MANY)
        self.names = (*self.names, name)
        kept = "" if self._keeper is not None else " It is not kept: this recording is temporary."
        return Change(watched=True) | say(
            f"{short(name.shown)} is watched; * again ends that.{kept}"
        )

    def unpin(self, name: WatchedName) -> Change:
        """Watch something no longer."""
        self.names = tuple(other for other in self.names if other != name)
        return Change(watched=True) | say(f"{short(name.shown)} is no longer watched.")

    def _chosen(self) -> WatchedName | str:
        """The name of what is chosen, or why it cannot be watched."""
        index, chosen = self._navigator.index, self._navigator.selection
        if index is None or chosen.is_empty:
            return NOTHING
        if chosen.node is not None and chosen.kind is not EventKind.EXECUTION:
            return trace_name(index, *chosen.node)
        if chosen.execution is None:
            return NOTHING
        site = index.host.executions.site_number(chosen.execution)
        if index.sites.execution(site).is_session_run:
            return NO_TENSOR
        return execution_name(index, site, chosen.output)

    # Rows.

    def rows(self) -> tuple[WatchRow, ...]:
        """A row for each, as far as the feed has come."""
        return () if self.job is None else tuple(map(self._judged, self.job.rows))

    def _judged(self, row: WatchRow) -> WatchRow:
        """The row with what is known of why it is bad."""
        if row.event is None or not row.bad:
            return row
        causes = self._navigator.causes
        follows, is_muted = causes.follows(row.event), causes.muting.is_muted(row.event)
        return replace(row, follows=follows, is_muted=is_muted)

    @property
    def number_of_chosen(self) -> int | None:
        """The row of what is chosen; None if that is not watched."""
        if not self.names:
            return None
        name = self._chosen()
        return None if isinstance(name, str) or name not in self.names else self.names.index(name)
