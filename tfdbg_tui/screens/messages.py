"""What the main screen asks of the app: what only the app can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.live.jobs import Job
    from tfdbg_tui.screens.session.source_location import SourceLocation


class JobsChanged(Message):
    """Other indexes and searches are to be kept up to date."""

    def __init__(self, jobs: Sequence[Job], is_awaited: bool) -> None:
        super().__init__()
        self.jobs = jobs
        self.is_awaited = is_awaited
        """Whether the user waits for what a new one finds."""


class PauseToggled(Message):
    """The user wants reading to stop, or to go on."""


class EditorWanted(Message):
    """The user wants a recorded line in an editor."""

    def __init__(self, location: SourceLocation) -> None:
        super().__init__()
        self.location = location
