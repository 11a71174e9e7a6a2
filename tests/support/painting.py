"""What a terminal shows, from what an app paints: most updates paint only some lines.

A program that repaints too little leaves old text on the screen, which no look at its widgets can
find. Here all that is painted goes to an emulated terminal, to be compared with a fresh drawing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual._compositor import CompositorUpdate
from textual.app import App

from tests.support.terminal_screen import TerminalScreen
from tfdbg_tui.widgets.line_pane import LinePane

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.screen import Screen


class PaintedApp(App[int]):
    """An app whose output is drawn on an emulated terminal once that is asked for."""

    terminal: TerminalScreen | None = None

    def paint(self) -> None:
        """Have everything painted from now on, on an empty terminal."""
        self.terminal = TerminalScreen(*self.size)
        self.screen.refresh()

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        super()._display(screen, renderable)
        if isinstance(renderable, CompositorUpdate) and not self._batch_count:
            self._paint_on(self.terminal, renderable)

    def _paint_on(self, terminal: TerminalScreen | None, update: CompositorUpdate) -> None:
        if terminal is not None:
            terminal.feed(update.render_segments(self.console).encode())

    def drawn_afresh(self) -> TerminalScreen:
        """A terminal on which everything is drawn anew, without anything that panes kept."""
        terminal = TerminalScreen(*self.size)
        panes = list(self.screen.query(LinePane))
        kept = [dict(vars(pane)) for pane in panes]
        for pane in panes:
            pane._shown, pane._shown_for, pane._drawn, pane._heads = [], None, {}, None
        self._paint_on(terminal, self.screen._compositor.render_full_update())
        for pane, variables in zip(panes, kept, strict=True):
            vars(pane).update(variables)
        return terminal

    def stale_lines(self) -> list[str]:
        """The lines of the terminal that are not what they should be, with what that is."""
        assert self.terminal is not None, "paint first"
        shown, wanted = self.terminal, self.drawn_afresh()
        cells = [
            (row, shown.cell(column, row) == wanted.cell(column, row))
            for row in range(1, shown.rows + 1)
            for column in range(1, shown.columns + 1)
        ]
        stale = sorted({row for row, same in cells if not same})
        return [
            f"{row}: {shown.lines()[row - 1]!r}, not {wanted.lines()[row - 1]!r}" for row in stale
        ]
