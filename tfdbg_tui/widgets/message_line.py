"""What was just said: a row over the last one of the panes, so that nothing moves for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.widgets.bars import Bar
from tfdbg_tui.widgets.pieces import Piece, Pieces, padded

if TYPE_CHECKING:
    from textual import events


class MessageLine(Bar):
    """A sentence, until the next key or a click on it; the keys below stay where they are."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._message = Piece("")
        self.display = False

    def tell(self, text: str, role: str = "") -> None:
        """Say a sentence; an empty one ends that. The same costs nothing."""
        message = Piece(f" {text}" if text else "", role)
        if message != self._message:
            self._message = message
            self.display = bool(text)
            self.refresh()

    @property
    def told(self) -> str | None:
        """The sentence, None if there is none."""
        return self._message.text.strip() or None

    def pieces(self, width: int) -> Pieces:
        """The sentence."""
        return padded([self._message], width)

    def on_click(self, event: events.Click) -> None:
        """It has been read."""
        self.tell("")
