"""Asks whether to record a script again: shows the whole command, which a recording has told."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from tfdbg_tui.program.record_again import Request
from tfdbg_tui.widgets.bars import StatusBar
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.pieces import Piece, Pieces, clean
from tfdbg_tui.widgets.text_pane import TextPane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual import events
    from textual.app import ComposeResult

    from tfdbg_tui.screens.session.recording_again import AgainPage

WIDEST, NARROWEST = 90, 12
"""Cells of a line of text."""

INDENT = 2
"""Cells before a command."""

YES, NO = "y  Run it", "escape  Leave it"

ASKED = (
    "The notes beside this recording tell how its script was run. This runs it again, with the "
    "values of this tensor and of its inputs alone. Read it first: a recording may be anybody's."
)


class AgainPane(TextPane):
    """The command with what is to be known of it; or why there is none."""

    def __init__(self, page: AgainPage) -> None:
        super().__init__("again-text")
        self._answer = page.answer

    def write(self, width: int) -> list[Pieces]:
        """The question in a width."""
        width = max(NARROWEST, min(WIDEST, width - 2))
        return [[Piece(" "), *line] for line in self._lines_in(width)]

    def _lines_in(self, width: int) -> Iterator[Pieces]:
        answer = self._answer
        is_asked = isinstance(answer, Request)
        yield []
        yield from _text(ASKED if isinstance(answer, Request) else answer.sentence, width)
        yield []
        for code in answer.lines if isinstance(answer, Request) else answer.code:
            yield from _code(code, width)
        if isinstance(answer, Request):
            for remark in answer.remarks:
                yield []
                yield from _text(f"! {remark}", width, "warn")
        yield []
        yield from [[Piece(YES, "accent")], [Piece(NO, "accent")]] if is_asked else []


def _text(text: str, width: int, role: str = "") -> Iterator[Pieces]:
    for line in wrap(clean(text), width):
        yield [Piece(line, role)]


def _code(line: str, width: int) -> Iterator[Pieces]:
    """All of a command: what does not fit goes on in the next line, whatever it is."""
    text, room = clean(line), max(1, width - INDENT)
    for start in range(0, max(1, len(text)), room):
        yield [Piece(" " * INDENT), Piece(text[start : start + room], "notable")]


class RecordAgainScreen(ModalScreen[bool]):
    """Ends with True if the user has agreed."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("y", "agree", "Run it", id="again.run"),
            Binding("escape,q,n,V,ctrl+c", "leave", "Close", id="again.close"),
        ]
    )

    def __init__(self, page: AgainPage) -> None:
        super().__init__()
        self._page = page
        self._title = StatusBar("again-title")
        self._text = AgainPane(page)

    def compose(self) -> ComposeResult:
        """A title and the question."""
        yield self._title
        yield self._text

    def on_mount(self) -> None:
        """Let the text have the keys."""
        self._show_title()
        self.set_focus(self._text)

    def _show_title(self, said: str = "") -> None:
        about = said or f"the values of {self._page.name}"
        keys = "y run it  esc leave " if isinstance(self._page.answer, Request) else "esc closes "
        self._title.show(
            [Piece(" Record again", "notable"), Piece(f"  {clean(about)}", "warn" * bool(said))],
            [Piece(keys, "dim")],
        )

    def on_click(self, event: events.Click) -> None:
        """The two answers can be clicked."""
        number = self._text.line_at(event.screen_y - self._text.region.y)
        said = "" if number is None else "".join(p.text for p in self._text.line(number, 0)).strip()
        if said == YES:
            self.action_agree()
        elif said == NO:
            self.action_leave()

    def action_agree(self) -> None:
        """Run it, if all of the command was in view."""
        if not isinstance(self._page.answer, Request):
            self._show_title("there is nothing to run")
        elif self._text.top < self._text.last_top:
            self._text.action_page(1)
            self._show_title("read on to the end first")
        elif self.is_current:
            self.dismiss(True)

    def action_leave(self) -> None:
        """Close, and run nothing."""
        if self.is_current:
            self.dismiss(False)
