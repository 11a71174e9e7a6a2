"""A list to choose from, over the panes: runs, source files, the ops of a line, commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from tfdbg_tui.screens.dialogs.menu import Choice
from tfdbg_tui.widgets.bars import StatusBar
from tfdbg_tui.widgets.column_needs import ColumnNeeds
from tfdbg_tui.widgets.fixed_rows import FixedRows
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.pieces import Piece, Pieces
from tfdbg_tui.widgets.row_list import SIGN_WIDTH, RowList
from tfdbg_tui.widgets.table_columns import GAP, Layout
from tfdbg_tui.widgets.typed_line import TypedLine

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.widgets import Input

    from tfdbg_tui.screens.dialogs.menu import Menu


FRAME_ROWS = 5
"""Rows of the box beside the choices: its border, the title, what is typed and the headings."""

FRAME_COLUMNS = 4
"""Columns of the box beside them: its border, the scroll bar and a blank."""

NARROWEST, WIDEST = 60, 110
"""Columns of the box, as far as the screen has them."""

HEIGHTS = [(0, "-low"), (20, "-tall")]
"""Rows of the screen and the classes by which the style sheet knows: a low one is all list."""


class ChoiceList(RowList[tuple[int, Choice]]):
    """Choices with their numbers, in columns that suit all of them: narrowing moves none."""

    can_focus = False

    def __init__(self, menu: Menu) -> None:
        super().__init__("choices")
        needs = ColumnNeeds(menu.columns())
        needs.see(menu.choices)
        self._columns = needs.fitted()
        self._layout: tuple[int, Layout[Choice]] = (-1, Layout(self._columns, 0))
        self.wanted_width = SIGN_WIDTH + sum(column.most + GAP for column in self._columns)
        """Cells in which every choice is whole."""

    def line_role(self, number: int) -> str:
        """As where the keys are: those that are not typed move it."""
        return "cursor-focused" if number == self.cursor else ""

    @property
    def head_height(self) -> int:
        """The headings."""
        return 1

    def head(self, width: int) -> list[Pieces]:
        """The headings of the columns."""
        return [[Piece(" " * SIGN_WIDTH), *self._in(max(0, width - SIGN_WIDTH)).head()]]

    def draw(self, row: tuple[int, Choice], width: int) -> Pieces:
        """The cells of a choice."""
        return self._in(width).line(row[1])

    def _in(self, width: int) -> Layout[Choice]:
        if self._layout[0] != width:
            self._layout = (width, Layout(self._columns, width))
        return self._layout[1]


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
    VERTICAL_BREAKPOINTS = HEIGHTS

    def __init__(self, menu: Menu) -> None:
        super().__init__()
        self._title = menu.title
        self._choices = list(enumerate(menu.choices))
        self._list = ChoiceList(menu)
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
        needed = self._list.wanted_width + FRAME_COLUMNS
        self._box.styles.max_width = max(NARROWEST, min(needed, WIDEST))
        self._box.styles.max_height = len(self._choices) + FRAME_ROWS
        self._list.say_when_empty("Nothing fits.")
        self._count(len(self._choices))
        chosen = (number for number, choice in self._choices if choice.chosen)
        self._list.show(FixedRows(self._choices), next(chosen, 0))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow the list to what holds all words."""
        event.stop()
        words = event.value.lower().split()
        fitting = [(number, choice) for number, choice in self._choices if choice.has(words)]
        self._list.show(FixedRows(fitting), 0)
        self._count(len(fitting))

    def _count(self, fitting: int) -> None:
        """The title, and how many choices there are of how many."""
        whole = len(self._choices)
        count = f"{fitting:,} of {whole:,} " if fitting < whole else f"{whole:,} "
        self._bar.show([Piece(f" {self._title}", "notable")], [Piece(count, "dim")])

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
