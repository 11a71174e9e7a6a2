"""The app under test, opened over a recording.

async with opened(logdir) as driven:
    await driven.press("!")
    assert "Log:0" in driven.lines_of("health")[0]
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from textual import constants

from tests.support.hands import POLL_INTERVAL, Hands
from tests.support.painting import PaintedApp
from tfdbg_tui import app
from tfdbg_tui.config import Config
from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.screens.main import MainScreen

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tfdbg_tui.data.views.navigator import Navigator
    from tfdbg_tui.data.views.selection import Selection
    from tfdbg_tui.screens.present.pane_area import PaneArea

SMALL, WIDE = (80, 24), (160, 48)

SEARCH_TIMEOUT = 1.0
"""Seconds to wait for a search at most: one that never ends is seen under way."""


class DrivenApp(app.TfdbgApp, PaintedApp):
    """The real app, with its output painted."""

    CSS_PATH = str(Path(app.__file__).with_name("app.tcss"))


class Driven(Hands[DrivenApp]):
    """The running app and its panes."""

    @property
    def main(self) -> MainScreen:
        """The screen with the panes, whatever lies over it."""
        (main,) = (screen for screen in self.app.screen_stack if isinstance(screen, MainScreen))
        return main

    @property
    def navigator(self) -> Navigator:
        """Where the user is."""
        return self.main.session.navigator

    @property
    def panes(self) -> PaneArea:
        """The panes."""
        return self.main.view.panes

    @property
    def chosen(self) -> Selection:
        """What is selected."""
        return self.navigator.selection

    @property
    def is_loaded(self) -> bool:
        """Whether all that is on disk is read and indexed."""
        snapshot = self.main.session.snapshot
        return (
            snapshot is not None
            and snapshot.activity is not Activity.LOADING
            and (snapshot.extended > 0 or not snapshot.runs)
            and not snapshot.working
        )

    async def settle(self) -> None:
        """Wait until nothing goes on, and until the feed has searched for what was asked for."""
        await super().settle()
        deadline = monotonic() + SEARCH_TIMEOUT
        while self._is_searching and monotonic() < deadline:
            await asyncio.sleep(POLL_INTERVAL)
            await super().settle()

    @property
    def _is_searching(self) -> bool:
        mains = [screen for screen in self.app.screen_stack if isinstance(screen, MainScreen)]
        if self.has_quit or not mains:
            return False
        sought = self.told.startswith("Searching for")
        return sought or mains[0].session.awaits_search

    @property
    def status(self) -> str:
        """The status line."""
        return self.lines()[0]

    @property
    def told(self) -> str:
        """The sentence above the keys."""
        return self.main.view.message.told or ""

    @property
    def focused(self) -> str | None:
        """The widget that has the keys."""
        focused = self.app.focused
        return None if focused is None else focused.id

    def row(self, name: str) -> str:
        """The line of a pane's cursor, shown or not."""
        pane: Any = self.panes.pane(name)
        assert pane.cursor is not None, f"{name} has no cursor"
        return "".join(piece.text for piece in pane.line(pane.cursor, pane.text_width or 100))


@asynccontextmanager
async def opened(
    logdir: Path,
    size: tuple[int, int] = SMALL,
    config: Config | None = None,
    loaded: bool = True,
    colours: str = "truecolor",
    **options: Any,
) -> AsyncIterator[Driven]:
    """Open a logdir and wait until it is read, on a terminal with as many colours as Rich names."""
    with patch.object(constants, "COLOR_SYSTEM", colours):
        driven_app = DrivenApp(Logdir(logdir), config or Config(), **options)
    async with driven_app.run_test(size=size) as pilot:
        driven = Driven(driven_app, pilot)
        if loaded:
            await driven.until(lambda: driven.is_loaded and driven.panes.display)
        await driven.settle()
        yield driven
        # Leaving `run_test` takes the screens away while messages are still handled.
        driven_app._feed.stop()
        await driven.settle()
