"""What keys do to the panes themselves: which is shown, how large, how much of a thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.screen import Screen

from tfdbg_tui.screens.pane_names import GRAPH, STACK, TITLES, WATCHED
from tfdbg_tui.screens.session.change import Change, Reveal
from tfdbg_tui.screens.session.watching import NONE_WATCHED
from tfdbg_tui.textual_internals import KeptLines
from tfdbg_tui.widgets.did_nothing import PANE, DidNothing
from tfdbg_tui.widgets.graph_pane import GraphPane

if TYPE_CHECKING:
    from tfdbg_tui.screens.present.view import View
    from tfdbg_tui.screens.session.session import Session

NO_PANES = "There are no panes yet: nothing is recorded."

NO_OUTPUT = "`tfdbg-tui run train.py` shows here what a script prints."


class PaneActions(Screen[None], KeptLines):
    """Changes how panes are shown; what is selected stays."""

    session: Session
    view: View

    def tell(self, text: str, role: str = "") -> None:
        """Say a sentence above the keys, until the next key."""
        self.view.tell(text, role)

    def _show(self, change: Change) -> None:
        raise NotImplementedError

    def _has_panes(self) -> bool:
        """Whether there are any; if not, that is said."""
        if not self.view.panes.display:
            self.tell(NO_PANES)
        return self.view.panes.display

    def action_zoom(self) -> None:
        """Give the focused pane the screen, or all of them again."""
        if self._has_panes():
            self.view.panes.toggle_zoom()

    def action_pane(self, name: str) -> None:
        """Go to a pane."""
        panes = self.view.panes
        if name not in panes.names:
            self.tell(NONE_WATCHED if name == WATCHED else NO_OUTPUT)
        elif self._has_panes():
            if self.focused is panes.pane(name):
                self.tell(f"{TITLES[name]} has the keys already.")
            panes.reveal(name)

    def action_watch(self) -> None:
        """Watch what is chosen, or no longer; in the pane of what is watched, the row there."""
        pane, watching = self.view.panes.watched, self.session.watching
        row = None if pane.cursor is None or not pane.has_focus else pane.row_at(pane.cursor)
        self._show(watching.toggle() if row is None else watching.unpin(row.name))

    def action_next_pane(self, steps: int) -> None:
        """Go to the next pane, or to the one before."""
        if self._has_panes():
            self.view.panes.reveal_next(steps)

    @on(GraphPane.CameIntoView)
    def _graph_came_into_view(self) -> None:
        self.view.details.complete_graph()
        self.view.panes.refit()

    def action_unfold(self) -> None:
        """Show library frames, or fold them."""
        if self._has_panes():
            self._show(self.view.details.unfold() | Change(reveal=(Reveal(STACK, focus=False),)))

    def action_scale(self, steps: int) -> None:
        """Zoom the strip of the timeline, or walk deeper in the graph."""
        if not self._has_panes():
            return
        if self.view.panes.focused_pane == GRAPH:
            self._show(self.view.details.scale_graph(steps))
        else:
            self._show(self.view.lists.scale_strip(steps))

    @on(DidNothing)
    def _pane_did_nothing(self, event: DidNothing) -> None:
        self.tell(event.why.replace(PANE, TITLES.get(event.pane or "", "this list")))
