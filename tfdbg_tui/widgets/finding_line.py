"""One line above the keys: what the doctor has found, and the key that tells more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.widgets.bars import Bar
from tfdbg_tui.widgets.pieces import Piece, Pieces, clean, padded, shorten, width_of

if TYPE_CHECKING:
    from textual import events


class FindingLine(Bar):
    """A headline that can be clicked."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self.key = "d"
        """The key that opens the doctor."""
        self._mark = Piece("")
        self._headlines: tuple[str, ...] = ("",)
        self._more = 0

    def show(self, mark: Piece, headlines: tuple[str, ...], more: int) -> None:
        """Say this from now on, the first of them that fits; the same costs nothing."""
        if (mark, headlines, more) != (self._mark, self._headlines, self._more):
            self._mark, self._headlines, self._more = mark, headlines, more
            self.refresh()

    def pieces(self, width: int) -> Pieces:
        """The headline and the key; the headline gives way."""
        more = [Piece(f"  +{self._more} more", "dim")] if self._more else []
        end = [*more, Piece(f"   {self.key}", "key"), Piece(" Doctor ", "dim")]
        start = Piece(f" {self._mark.text} ", self._mark.role)
        room = max(1, width - width_of([start, *end]))
        lines = [Piece(clean(headline)) for headline in self._headlines]
        said = next((line for line in lines if width_of([line]) <= room), lines[-1])
        return padded([start, Piece(shorten(said.text, room)), *end], width)

    async def on_click(self, event: events.Click) -> None:
        """Open the doctor."""
        await self.run_action("screen.doctor")
