"""A page over the panes that grows with the recording, and ends with a tensor or an op to go to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import ModalScreen

from tfdbg_tui.data.stores.event_kind import EventRef
from tfdbg_tui.data.views.selection import Node

if TYPE_CHECKING:
    from tfdbg_tui.data.live.jobs import Job


class GrowingPage(ModalScreen[EventRef | Node | None]):
    """Says what the feed has to work on for it, and shows what came of that."""

    def jobs(self) -> tuple[Job, ...]:
        """What is to be kept up to date."""
        raise NotImplementedError

    def reload(self) -> None:
        """Show what has come."""
        raise NotImplementedError
