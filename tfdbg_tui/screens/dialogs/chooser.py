"""A list to choose from, over the panes: runs, source files, the ops of a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from tfdbg_tui.screens.dialogs.choices import Choice
from tfdbg_tui.widgets.bars import StatusBar
from tfdbg_tui.widgets.fixed_rows import FixedRows
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.pieces import Piece, Pieces, shorten, spread
from tfdbg_tui.widgets.row_list import RowList
from tfdbg_tui.widgets.typed_line import TypedLine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.widgets import Input


FRAME_ROWS = 4
"""Rows of the box beside the choices: its border, the title and what is typed."""


class ChoiceList(RowList[tuple[int, Choice]]):
    """Choices with their numbers."""

    can_focus = False

    def draw(self, row: tuple[int, Choice], width: int) -> Pieces:
        """A choice with its note at the right."""
        _, choice = row
        role = choice.role or ("accent" if choice.chosen else "")
        note = f" {choice.note}"
        text = shorten(choice.text, max(1, width - cell_len(note)))
        return spread([Piece(text, role)], [Piece(note, "dim")], width)


class Chooser(ModalScreen[int]):
    """Type to narrow the list, enter to choose, escape to leave."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("escape,ctrl+c", "leave", "Leave", id="chooser.leave"),
            Binding("up,ctrl+p", "move(-1)", "Up", show=False, id="chooser.up"),
            Binding("down,ctrl+n", "move(1)", "Down", show=False, id="chooser.down"),
            Binding("pageup", "page(-1)", "Page up", show=False, id="chooser.page-up"),
            Binding("pagedown", "page(1)", "Page down", show=False, id="chooser.page-down"),
        ]
    )

    def __init__(self, title: str, choices: Sequence[Choice]) -> None:
        super().__init__()
        self._title = title
        self._choices = list(enumerate(choices))
        self._list = ChoiceList("choices")
        self._box = Vertical(id="chooser")
        self._bar = StatusBar("chooser-title")
        self._input = TypedLine("chooser-input", "type to narrow, enter to choose")

    def compose(self) -> ComposeResult:
        """A title, what is typed, and the list."""
        with self._box:
            yield self._bar
            yield self._input
            yield self._list

    def on_mount(self) -> None:
        """Show everything, with the cursor on what is chosen now."""
        self._box.styles.max_height = len(self._choices) + FRAME_ROWS
        self._list.say_when_empty("Nothing fits.")
        self._count(len(self._choices))
        chosen = (number for number, choice in self._choices if choice.chosen)
        self._list.show(FixedRows(self._choices), next(chosen, 0))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow the list to what holds all words."""
        event.stop()
        words = event.value.lower().split()
        fitting = [
            (number, choice)
            for number, choice in self._choices
            if all(word in f"{choice.text} {choice.note}".lower() for word in words)
        ]
        self._list.show(FixedRows(fitting), 0)
        self._count(len(fitting))

    def _count(self, fitting: int) -> None:
        """The title, and how many choices there are of how many."""
        whole = len(self._choices)
        count = f"{fitting:,} of {whole:,} " if fitting < whole else f"{whole:,} "
        self._bar.show([Piece(f" {self._title}", "accent")], [Piece(count, "dim")])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Choose the row of the cursor."""
        event.stop()
        self._choose()

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """A click chooses at once."""
        event.stop()
        self._choose()

    def _choose(self) -> None:
        row = None if self._list.cursor is None else self._list.row_at(self._list.cursor)
        if row is not None and self.is_current:
            self.dismiss(row[0])

    def action_move(self, rows: int) -> None:
        """Move the cursor."""
        self._list.put_cursor((self._list.cursor or 0) + rows)

    def action_page(self, pages: int) -> None:
        """Move the cursor by pages."""
        self._list.put_cursor(max(0, (self._list.cursor or 0) + pages * self._list.body_height))

    def action_leave(self) -> None:
        """Close without a choice."""
        if self.is_current:
            self.dismiss(None)
