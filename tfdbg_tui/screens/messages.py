"""What the main screen asks of the app: what only the app can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from tfdbg_tui.data.live.jobs import WantedJobs
    from tfdbg_tui.screens.session.source_location import SourceLocation


class JobsChanged(Message):
    """Other indexes and searches are to be kept up to date."""

    def __init__(self, wanted: WantedJobs) -> None:
        super().__init__()
        self.wanted = wanted


class PauseToggled(Message):
    """The user wants reading to stop, or to go on."""


class EditorWanted(Message):
    """The user wants a recorded line in an editor."""

    def __init__(self, location: SourceLocation) -> None:
        super().__init__()
        self.location = location
