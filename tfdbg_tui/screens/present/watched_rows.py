"""Hands what is watched to its pane, which is there while anything is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.screens.pane_names import WATCHED

if TYPE_CHECKING:
    from tfdbg_tui.data.views.watch_list import WatchList, WatchRow
    from tfdbg_tui.screens.present.pane_area import PaneArea
    from tfdbg_tui.screens.session.watching import Watching


class WatchedRows:
    """What the pane shows, of which it is the source, and where the cursor is."""

    def __init__(self, panes: PaneArea, watching: Watching) -> None:
        self._panes = panes
        self._watching = watching
        self._rows: tuple[WatchRow, ...] = ()

    def jobs(self) -> tuple[WatchList, ...]:
        """What the feed has to keep up to date while the pane is on the screen."""
        job = self._watching.job
        return (job,) if job is not None and self._panes.is_shown(WATCHED) else ()

    def show(self) -> None:
        """Show other rows, and the pane only if there are any."""
        self.reload()
        self._panes.show_watched(len(self._rows))

    def reload(self) -> None:
        """Say what is known now; rows and cursor stay where they are."""
        rows = self._watching.rows()
        if rows == self._rows:
            return
        is_same = [row.name for row in rows] == [row.name for row in self._rows]
        self._rows = rows
        pane = self._panes.watched
        if is_same:
            pane.reload_rows()
        else:
            pane.show(self, pane.cursor)
            self.put_cursor()

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, start: int, stop: int) -> tuple[WatchRow, ...]:
        """The rows from one number to before another."""
        return self._rows[start:stop]

    def put_cursor(self) -> None:
        """Put the cursor on what is selected.

        A row of what is not there can be chosen in this pane alone: the keys stay on it.
        """
        pane, chosen = self._panes.watched, self._watching.number_of_chosen
        row = None if pane.cursor is None else pane.row_at(pane.cursor)
        if chosen is None and pane.has_focus and row is not None and row.event is None:
            return
        pane.put_cursor(chosen)
