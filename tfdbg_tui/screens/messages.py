"""What the main screen asks of the app, which only the app can do; and what threads tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from tfdbg_tui.data.live.jobs import WantedJobs
    from tfdbg_tui.data.live.snapshot import Snapshot
    from tfdbg_tui.screens.session.source_location import SourceLocation


class SnapshotTaken(Message):
    """The feed has something new to show."""

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__()
        self.snapshot = snapshot

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, SnapshotTaken)


class ScriptChanged(Message):
    """The script has printed something, or ended."""

    def can_replace(self, message: Message) -> bool:
        """One is as good as many."""
        return isinstance(message, ScriptChanged)


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
