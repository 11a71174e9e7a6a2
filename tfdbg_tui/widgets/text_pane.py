"""A pane of text that is written for the width it has: health, notices, help."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from tfdbg_tui.widgets.did_nothing import PANE, DidNothing, no_further
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.line_pane import LinePane

if TYPE_CHECKING:
    from tfdbg_tui.widgets.pieces import Pieces


class TextPane(LinePane):
    """Lines without a cursor, written when the width is known, scrolled by the usual keys."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("up,k", "scroll(-1)", "Up", show=False, id="text.up"),
            Binding("down,j", "scroll(1)", "Down", show=False, id="text.down"),
            Binding("pageup,ctrl+b,ctrl+u", "page(-1)", "Page up", show=False, id="text.page-up"),
            Binding(
                "pagedown,ctrl+f,ctrl+d", "page(1)", "Page down", show=False, id="text.page-down"
            ),
            Binding("g,home", "page(-1000)", "First line", show=False, id="text.first"),
            Binding("G,end", "page(1000)", "Last line", show=False, id="text.last"),
        ]
    )

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id)
        self._lines: list[Pieces] = []
        self._written_for: tuple[int, int] | None = None

    def write(self, width: int) -> list[Pieces]:
        """The lines for a width; subclasses answer."""
        raise NotImplementedError

    def wanted_height(self, width: int) -> int:
        """How many lines there are to say in a width, however high the pane is now."""
        return len(self.write(width))

    def rewrite(self) -> None:
        """Write anew: there is something else to say."""
        self._written_for = None
        self.repaint()

    def line_count(self) -> int:
        """Lines, as far as they are written."""
        return len(self._lines)

    def line(self, number: int, width: int) -> Pieces:
        """One line."""
        return self._lines[number]

    def prepare(self, first: int, last: int, width: int) -> None:
        """Write the lines, unless they are written for this size."""
        size = (width, self.body_height)
        if self._written_for != size:
            self._written_for = size
            before, self._lines = self._lines, self.write(width)
            changed = [n for n in self._drawn if before[n : n + 1] != self._lines[n : n + 1]]
            self.forget_lines(changed)

    def action_scroll(self, lines: int) -> None:
        """Scroll by some lines."""
        self._scroll_by(lines)

    def action_page(self, pages: int) -> None:
        """Scroll by some pages."""
        self._scroll_by(pages * max(1, self.body_height - 1))

    def _scroll_by(self, lines: int) -> None:
        """Scroll; where that leads nowhere, say why."""
        before = self.top
        self.scroll_top_to(before + lines)
        if self.top == before:
            whole = f"All of {PANE} is in view."
            why = (
                no_further(lines > 0, self.line_count(), whole, "line") if self.last_top else whole
            )
            self.post_message(DidNothing(self.id, why))
