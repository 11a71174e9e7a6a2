"""The heat map over the panes: every tensor by every step; a cell is gone to in all panes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType

from tfdbg_tui.data.records.modes import tells_bad
from tfdbg_tui.screens.dialogs.growing_page import GrowingPage
from tfdbg_tui.widgets.bars import StatusBar
from tfdbg_tui.widgets.did_nothing import PANE, DidNothing
from tfdbg_tui.widgets.heat_pane import HeatPane
from tfdbg_tui.widgets.heat_words import cell_words, group_line, place_words, signs_line
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.pieces import Piece, Pieces, clean
from tfdbg_tui.widgets.row_list import RowList
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from tfdbg_tui.data.live.jobs import Job
    from tfdbg_tui.screens.session.heat_look import HeatLook, HeatPage

HEIGHTS = [(0, "-low"), (12, "-tall")]
"""Rows of the screen and the classes by which the style sheet knows how much room there is."""

WIDE = 100
"""Cells from which on there is room for more keys in the title."""

WIDE_KEYS = "  enter goes there  n next bad  + - zoom  u quiet ones  escape closes "
KEYS = "  enter go  esc close "

READING = "Looking at what is recorded …"

NOTHING_YET = "No tensor is recorded yet."


class HeatScreen(GrowingPage):
    """Ends with the tensor to go to, if one was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("escape,q,H,ctrl+c", "dismiss(None)", "Close", id="heat.close"),
            Binding("n", "bad(1)", "Next bad cell", id="heat.next-bad"),
            Binding("N", "bad(-1)", "Bad cell before", id="heat.previous-bad"),
            Binding("exclamation_mark", "first_bad", "First bad cell", id="heat.first-bad"),
            Binding("plus,equals_sign", "zoom(1)", "Fewer steps", id="heat.closer"),
            Binding("minus", "zoom(-1)", "More steps", id="heat.farther"),
            Binding("u", "unfold", "List quiet tensors", id="heat.unfold"),
        ]
    )

    VERTICAL_BREAKPOINTS = HEIGHTS

    def __init__(self, look: HeatLook, about: str, work: Callable[[], None]) -> None:
        super().__init__()
        self._look = look
        self._about = about
        self._work = work
        self._page: HeatPage | None = None
        self._title, self._words = StatusBar("heat-title"), StatusBar("heat-words")
        self._signs = StatusBar("heat-signs")
        self._rows = HeatPane()
        self._said = ""

    def compose(self) -> ComposeResult:
        """A title, the rows, the cell at the cursor in words, and what signs mean."""
        yield self._title
        yield self._rows
        yield self._words
        yield self._signs

    def on_mount(self) -> None:
        """Let the rows have the keys."""
        self._rows.say_when_empty(READING)
        self.set_focus(self._rows)
        self.reload()

    def jobs(self) -> tuple[Job, ...]:
        """The heat map itself."""
        job = self._look.job
        return () if job is None else (job,)

    # What is shown.

    @on(HeatPane.RoomChanged)
    def reload(self) -> None:
        """Show what is known now: more has come, or there is more room."""
        self._page = page = self._look.page(self._rows.room)
        self._show_title()
        if page is None:
            return
        column = page.shape.column_of(self._look.unit)
        self._signs.show(signs_line(self._rows.glyphs, page.modes), [])
        self._rows.show_map(page.rows, page.shape, page.has_steps, self._look.line(), column)
        self._show_words(self._said)

    def _show_title(self) -> None:
        page = self._page
        told = self._about
        if page is not None:
            is_told = any(map(tells_bad, page.modes))
            none = ", none bad" if is_told else ", no numbers recorded"
            bad = f", {page.bad:,} bad" if page.bad else none
            first, last = page.shape.units_of(0)[0], page.shape.units_of(page.shape.columns - 1)[1]
            where = place_words((max(first, page.extent[0]), last), page.has_steps)
            told = f"{counted(page.tensors, 'tensor')}{bad}, {where}{self._about}"
        start = [Piece(" Heat map", "notable"), Piece(f"  {clean(told)}")]
        keys = WIDE_KEYS if self.size.width >= WIDE else KEYS
        self._title.show(start, [Piece(keys, "dim")])

    def _show_words(self, instead: str = "") -> None:
        """Say what is at the cursor, or something else until the next key."""
        self._said = instead
        self._words.show([Piece(f" {instead}")] if instead else self._told(), self._width_told())

    def _width_told(self) -> Pieces:
        page = self._page
        if page is None or not page.has_steps or page.shape.width == 1:
            return []
        return [Piece(f"  {page.shape.width:,} steps a column ", "dim")]

    def _told(self) -> Pieces:
        page, glyphs = self._page, self._rows.glyphs
        if (title := self._look.group()) is not None:
            return group_line(*title, glyphs)
        cell = self._look.cell()
        if cell is None or page is None:
            quiet = "nothing bad, and not mostly zeros" if self._look.is_on_fold else ""
            return [Piece(f" {quiet}", "dim")]
        event = "" if cell.event is None else f"#{cell.event.event:,}"
        if cell.units[0] != cell.units[1] and page.has_steps and cell.event is not None:
            event = f"{event} in {place_words((cell.unit, cell.unit), page.has_steps)}:"
        where = place_words(cell.units, page.has_steps)
        computed = (cell.computed, cell.bad_computed)
        return cell_words(cell.row, where, computed, cell.bad, event, cell.health, glyphs)

    # Keys and mouse.

    def _moved(self, said: str = "") -> None:
        """The cursor, or what is shown, may be elsewhere."""
        page = self._page
        line = self._look.line()
        if page is not None:
            self._rows.put_cursor(line)
            self._rows.put_column(page.shape.column_of(self._look.unit))
        self._show_words(said)

    @on(RowList.Chosen)
    def _row_chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self._look.choose(event.row.entry)
        self._show_words()

    @on(HeatPane.ColumnChosen)
    def _column_chosen(self, event: HeatPane.ColumnChosen) -> None:
        self._look.choose_column(event.column)
        self._moved()

    @on(HeatPane.Missed)
    def _rows_missed(self) -> None:
        self._work()

    @on(DidNothing)
    def _did_nothing(self, event: DidNothing) -> None:
        event.stop()
        self._show_words(event.why.replace(PANE, "the heat map"))

    def action_bad(self, direction: int) -> None:
        """Go to the next bad cell, or to the one before."""
        self._moved(self._look.go_to_bad(direction))

    def action_first_bad(self) -> None:
        """Go to the first bad cell in time."""
        said = self._look.go_to_first_bad()
        self.reload()
        self._moved(said)

    def action_zoom(self, steps: int) -> None:
        """Show fewer steps more closely, or more of them."""
        said = self._look.zoom(steps)
        self._work()
        self.reload()
        self._moved(said)

    def action_unfold(self) -> None:
        """List the quiet rows too, or fold them."""
        self._look.unfold()
        self._work()

    @on(RowList.Opened)
    def _opened(self, event: RowList.Opened) -> None:
        """Go to the computation that the cell at the cursor stands for."""
        event.stop()
        if self._look.is_on_fold:
            self.action_unfold()
            return
        cell = self._look.cell()
        if cell is None:
            self._show_words("This is the title of a group: choose one of its tensors.")
        elif cell.event is None:
            self._show_words("It was not computed there.")
        else:
            self.dismiss(cell.event)
