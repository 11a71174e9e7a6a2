"""What this recording can and cannot show, over the panes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from tfdbg_tui.doctor.page import PageLine, Part, page
from tfdbg_tui.screens.present.status_text import LEVEL_ROLES
from tfdbg_tui.widgets.bars import StatusBar
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.pieces import Piece, Pieces
from tfdbg_tui.widgets.text_pane import TextPane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from tfdbg_tui.doctor.finding import Finding

WIDEST = 90
"""Cells of a line of text, however wide the screen is."""

PART_ROLES = {Part.HEADLINE: "title", Part.CODE: "accent"}


class DoctorPane(TextPane):
    """All findings, the most serious first."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__("doctor-text")
        self._findings = findings

    def write(self, width: int) -> list[Pieces]:
        """The findings in a width."""
        lines = page(self._findings, min(WIDEST, width - 2))
        return [[], *map(_pieces, lines)]


def _pieces(line: PageLine) -> Pieces:
    role = "" if line.level is None else LEVEL_ROLES[line.level]
    return [Piece(" "), Piece(line.margin, role), Piece(line.text, PART_ROLES.get(line.part, ""))]


class DoctorScreen(ModalScreen[None]):
    """The doctor's report on one run."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("escape,q,d,ctrl+c", "dismiss", "Close", id="doctor.close"),
        ]
    )

    def __init__(self, about: str, findings: Sequence[Finding]) -> None:
        super().__init__()
        self._about = about
        self._text = DoctorPane(findings)

    def compose(self) -> ComposeResult:
        """A title and the text."""
        title = StatusBar("doctor-title")
        title.show(
            [Piece(" Doctor", "notable"), Piece(f"  {self._about}")],
            [Piece("escape closes ", "dim")],
        )
        yield title
        yield self._text

    def on_mount(self) -> None:
        """Let the text have the keys."""
        self.set_focus(self._text)
