"""A tiny app around one pane, and row sources for it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.hands import Hands
from tests.support.painting import PaintedApp
from tfdbg_tui import app
from tfdbg_tui.screens.coloured_app import ColouredApp
from tfdbg_tui.widgets.pieces import Piece, Pieces, left
from tfdbg_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from textual.app import ComposeResult

    from tfdbg_tui.widgets.health_pane import HealthPane
    from tfdbg_tui.widgets.line_pane import LinePane

HEAD = "the head"


class Numbers:
    """A row source that makes its rows when asked, and remembers what was asked for."""

    def __init__(self, length: int, word: str = "row") -> None:
        self.length = length
        self.word = word
        self.asked: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return self.length

    def rows(self, start: int, stop: int) -> list[str]:
        """The rows in some places."""
        self.asked.append((start, stop))
        return [f"{self.word} {place:,}" for place in range(start, min(stop, self.length))]


class TextList(RowList[str]):
    """Rows of text under a head of one line."""

    @property
    def head_height(self) -> int:
        """One line."""
        return 1

    def head(self, width: int) -> list[Pieces]:
        """Always the same."""
        return [[left(HEAD, width, "dim")]]

    def draw(self, row: str, width: int) -> Pieces:
        """The text, in two colours."""
        first, _, rest = row.partition(" ")
        return [Piece(first, "accent"), Piece(f" {rest}")]


class TinyApp(ColouredApp, PaintedApp):
    """One pane, in the colours of the real app."""

    CSS_PATH = str(Path(app.__file__).with_name("app.tcss"))

    def __init__(self, pane: LinePane) -> None:
        super().__init__()
        self._pane = pane
        self.heard: list[tuple[str, int, Any]] = []

    def compose(self) -> ComposeResult:
        """Only the pane."""
        yield self._pane

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Note what was chosen."""
        self.heard.append((type(event).__name__, event.number, event.row))

    def on_row_list_opened(self, event: RowList.Opened) -> None:
        """Note what was opened."""
        self.heard.append((type(event).__name__, event.number, event.row))

    def on_health_pane_invocation_clicked(self, event: HealthPane.InvocationClicked) -> None:
        """Note which computation was clicked."""
        self.heard.append((type(event).__name__, event.event, None))


@asynccontextmanager
async def mounted(
    pane: LinePane, size: tuple[int, int] = (30, 12), painted: bool = False
) -> AsyncIterator[Hands[TinyApp]]:
    """The pane in an app of its own, focused."""
    tiny = TinyApp(pane)
    async with tiny.run_test(size=size) as pilot:
        hands = Hands(tiny, pilot)
        pane.focus()
        if painted:
            tiny.paint()
        await hands.settle()
        yield hands


def bare_lines(hands: Hands[TinyApp]) -> list[str]:
    """The lines of the screen without margin and blanks at their ends."""
    return [line[:-1].rstrip() for line in hands.lines()]
