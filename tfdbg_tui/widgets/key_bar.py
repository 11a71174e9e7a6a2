"""The keys that matter where the user is, below everything else; each can be clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.widgets.bars import Bar
from tfdbg_tui.widgets.line_pane import LinePane
from tfdbg_tui.widgets.pieces import Piece, Pieces, width_of

if TYPE_CHECKING:
    from textual import events

FOCUSED = "focused."
"""Before an action of the pane that has the keys, whichever that is."""


class KeyHint(NamedTuple):
    """A key worth knowing here."""

    key: str
    does: str
    action: str
    group: int = 0
    """Keys of one group stand together."""
    rank: int = 0
    """Keys of a high rank go first where there is no room for all."""


class KeyBar(Bar):
    """As many keys as fit, in groups: everywhere, in this pane, to find things."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._hints: tuple[KeyHint, ...] = ()

    def show(self, hints: tuple[KeyHint, ...]) -> None:
        """Show these keys from now on; the same cost nothing."""
        if hints != self._hints:
            self._hints = hints
            self.refresh()

    def pieces(self, width: int) -> Pieces:
        """The keys that fit."""
        return [piece for _, pieces in self._fitting(width) for piece in pieces]

    def _fitting(self, width: int) -> list[tuple[KeyHint, Pieces]]:
        """The hints that fit, each with what is drawn for it: the last ones by rank go."""
        hints = list(self._hints)
        drawn = _drawn(hints)
        while hints and sum(width_of(pieces) for _, pieces in drawn) > width:
            hints.remove(max(reversed(hints), key=lambda hint: hint.rank))
            drawn = _drawn(hints)
        return drawn

    async def on_click(self, event: events.Click) -> None:
        """Do what the key under the mouse does."""
        start = 0
        for hint, pieces in self._fitting(self.size.width):
            end = start + width_of(pieces)
            if start <= event.x < end:
                await self._do(hint.action)
            start = end

    async def _do(self, action: str) -> None:
        focused = self.screen.focused
        if not action.startswith(FOCUSED):
            await self.run_action(action)
        elif focused is not None:
            await focused.run_action(action.removeprefix(FOCUSED))


def _drawn(hints: list[KeyHint]) -> list[tuple[KeyHint, Pieces]]:
    """What is drawn for each hint; a line stands before a new group."""
    drawn, group = [], hints[0].group if hints else 0
    for hint in hints:
        line = [Piece(LinePane.glyphs.group, "dim")] if hint.group != group else []
        group = hint.group
        drawn.append((hint, [*line, Piece(f" {hint.key}", "key"), Piece(f" {hint.does} ", "dim")]))
    return drawn
