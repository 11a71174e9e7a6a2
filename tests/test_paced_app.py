"""What could not be painted at once is painted later, and nothing else is forgotten for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from textual.widgets import Static

from tfdbg_tui.textual_internals import PacedApp, repaint_parts

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.app import ComposeResult
    from textual.screen import Screen

Span = tuple[int, int, int]
"""A line, and where a part of it begins and ends."""


class Watched(PacedApp):
    """Two lines of text, and a note of what is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.painted: list[Span] = []

    def compose(self) -> ComposeResult:
        yield Static("above", id="above")
        yield Static("below", id="below")

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        super()._display(screen, renderable)
        if not self.is_batching:
            self.painted += getattr(renderable, "spans", [])

    @property
    def is_batching(self) -> bool:
        return bool(self._batch_count)


def lines(spans: list[Span]) -> set[int]:
    return {line for line, _, _ in spans}


@pytest.mark.asyncio
async def test_what_a_widget_has_to_paint_is_not_lost_to_what_was_left_out() -> None:
    app = Watched()
    async with app.run_test() as pilot:
        await pilot.pause()
        app.painted.clear()
        app.query_one("#below").refresh()
        repaint_parts(app.screen, {0: (0, 5)})
        await pilot.pause()
        assert lines(app.painted) == {0, 1}


@pytest.mark.asyncio
async def test_what_is_laid_out_in_a_batch_is_painted_after_it() -> None:
    app = Watched()
    async with app.run_test() as pilot:
        await pilot.pause()
        app.painted.clear()
        with app.batch_update():
            app.query_one("#below").refresh()
            await pilot.pause()
            app.screen._refresh_layout()
            await pilot.pause()
        await pilot.pause()
        assert lines(app.painted) == {1}
