"""The rows that a command told: text and a table, with names that lead somewhere."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.message import Message

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.screens.session.result_rows import Part, ResultRow
from tfdbg_tui.widgets.did_nothing import DidNothing
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.pieces import (
    TAIL_OF_PATH,
    Piece,
    Pieces,
    clean,
    padded,
    scrolled,
    shorten,
    width_of,
)
from tfdbg_tui.widgets.row_list import SIGN_WIDTH
from tfdbg_tui.widgets.table_columns import Column
from tfdbg_tui.widgets.table_list import TableList

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from textual import events

    from tfdbg_tui.command_line.result import Cell, Link
    from tfdbg_tui.screens.session.result_look import ResultLook

RANKS = {
    **dict.fromkeys(("name", "file", "command", "setting", "step", "value", "does", "query"), 1),
    **dict.fromkeys(("health", "what", "is", "bad"), 2),
    **dict.fromkeys(("event", "size", "count"), 3),
    **dict.fromkeys(("op", "line", "time"), 4),
}
"""Columns that tell most are left out last; those that are not here are left out first."""

OTHER_RANK = 6

LEAST, LEAST_OF_LINE, WIDEST = 12, 20, 70
"""Cells of a column, those of a file and its line at the least, and all at the most."""

MIN_IN_VIEW = 8
"""Cells of the longest text that stay in view, however far it is moved."""

SIGNS = {False: ("↑", "^"), True: ("↓", "v")}
"""Behind the head of the column that rows are sorted by, and without any but ASCII."""


class Place(NamedTuple):
    """Where something stands in a row that leads somewhere."""

    start: int
    end: int
    link: Link


class ResultPane(TableList[ResultRow]):
    """Rows with a cursor, and of the links in its row one that is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("left", "sideways(-8)", "Left", show=False, id="result.left"),
            Binding("right", "sideways(8)", "Right", show=False, id="result.right"),
        ]
    )

    class Followed(Message):
        """A link was opened or clicked."""

        def __init__(self, link: Link) -> None:
            super().__init__()
            self.link = link

    class HeadClicked(Message):
        """The head of a column was clicked."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, look: ResultLook) -> None:
        self._look = look
        self._link = 0
        """Which of the links in the row of the cursor is chosen."""
        self._column = 0
        """Cells of the text that are scrolled out at the left."""
        super().__init__("result-rows")

    def show_look(self, look: ResultLook, cursor: int | None = None) -> None:
        """Show a result, or the same in another order."""
        if look is not self._look:
            self._column = 0
        self._look, self._link = look, 0
        self.highlight(None if look.pattern is None else look.pattern.spans)
        self.show(look.rows, cursor)

    # The table.

    def columns(self) -> Sequence[Column[ResultRow]]:
        """Those of the result, which says what they are."""
        return [self._column_of(number) for number in self._titled]

    @property
    def _titled(self) -> list[int]:
        """The numbers of the columns that have a head, where any has: others are for machines."""
        heads = self._look.result.heads
        titled = [number for number, head in enumerate(heads) if head.title]
        return titled or list(range(len(heads)))

    def _column_of(self, number: int) -> Column[ResultRow]:
        head = self._look.result.heads[number]
        title = clean(head.title)
        if self._look.order is not None and self._look.order[0] == head.key:
            title += SIGNS[self._look.order[1]][self.glyphs.cursor == ">"]
        rank = RANKS.get(head.key, OTHER_RANK)
        return Column(
            title or head.key,
            least=LEAST_OF_LINE if head.key == "line" else LEAST,
            usual=WIDEST if rank <= 2 else WIDEST // 2,
            most=WIDEST * 3 if rank == 1 else WIDEST,
            rank=rank,
            draw=partial(self._draw_cell, number, head.is_number),
            at_right=head.is_number,
            text=partial(_text_of, number),
            whole=head.is_number,
        )

    def _draw_cell(self, number: int, at_right: bool, row: ResultRow, width: int) -> Pieces:
        if row.part is not Part.TABLE or number >= len(row.cells):
            return []
        cell = row.cells[number]
        text = shorten(cell.text, width, tail_share=TAIL_OF_PATH)
        gap = Piece(" " * (width - cell_len(text)))
        piece = Piece(text, self._role(cell, row))
        return [gap, piece] if at_right else [piece, gap]

    def _role(self, cell: Cell, row: ResultRow) -> str:
        if cell.link is None:
            return ROLES.get(cell.role, "")
        here = None if self.cursor is None else self.row_at(self.cursor)
        is_chosen = row is here and self.link == cell.link
        return "link-here" if is_chosen else "bad" if cell.role == "bad" else "accent"

    @property
    def head_height(self) -> int:
        """The heads stand above the rows where there is nothing but the table."""
        return int(self._look.rows.heads_stay)

    def head(self, width: int) -> list[Pieces]:
        """The heads."""
        return [self.titles(width)] if self.head_height else []

    def draw(self, row: ResultRow, width: int) -> Pieces:
        """One row in a width."""
        if row.part is Part.TABLE:
            return self.layout_in(width).line(row)
        if row.part is Part.HEADS:
            return self.layout_in(width).head()
        pieces = [Piece(clean(cell.text), self._role(cell, row)) for cell in row.cells]
        return padded(scrolled(pieces, self._column), width)

    # Links.

    @property
    def link(self) -> Link | None:
        """The one that is chosen."""
        row = None if self.cursor is None else self.row_at(self.cursor)
        links = () if row is None else row.links
        return links[min(self._link, len(links) - 1)] if links else None

    def put_cursor(self, row: int | None, scroll: bool = False) -> None:
        """Put the cursor on a row, and choose its first link."""
        if row != self.cursor:
            self._link = 0
        super().put_cursor(row, scroll)

    def next_link(self, steps: int) -> None:
        """Choose the next link, or the one before, in this row or beyond."""
        here = 0 if self.cursor is None else self.cursor
        links = self._links_of(here)
        if 0 <= self._link + steps < links:
            self._link += steps
            self.redraw_lines([here])
            return
        number = here + steps
        while 0 <= number < self.row_count and abs(number - here) <= FARTHEST:
            if links := self._links_of(number):
                self.choose(number)
                self._link = 0 if steps > 0 else links - 1
                self.redraw_lines([number])
                return
            number += steps
        self.post_message(DidNothing(self.id, "Nothing leads anywhere there."))

    def _links_of(self, number: int) -> int:
        row = self.row_at(number)
        return 0 if row is None else len(row.links)

    def action_open(self) -> None:
        """Follow the chosen link."""
        if self.link is None:
            self.post_message(DidNothing(self.id, "This row leads nowhere; tab goes to the next."))
        else:
            self.post_message(self.Followed(self.link))

    def on_click(self, event: events.Click) -> None:
        """Follow the link under the mouse; elsewhere put the cursor there."""
        offset = event.get_content_offset(self)
        number = None if offset is None else self.line_at(offset.y)
        row = None if number is None else self.row_at(number)
        if offset is not None and row is not None and event.chain == 1:
            if row.part is Part.HEADS:
                self.head_clicked(offset.x, 0)
                return
            for place in self._places(row):
                if place.start <= offset.x - SIGN_WIDTH < place.end:
                    self.choose(number or 0, by_mouse=True)
                    self.post_message(self.Followed(place.link))
                    event.prevent_default().stop()
                    return
        super().on_click(event)
        event.prevent_default()

    def head_clicked(self, x: int, y: int) -> None:
        """Have rows sorted by the column under the mouse."""
        for number, start, width in self._columns_in_view():
            if start <= x - SIGN_WIDTH <= start + width:
                self.post_message(self.HeadClicked(self._look.result.heads[number].key))
                return

    def _columns_in_view(self) -> Iterator[tuple[int, int, int]]:
        """The number of each column that there is room for, where it begins, and its width."""
        numbers = {self._column_of(number).title: number for number in self._titled}
        layout = self.layout_in(max(0, self.text_width - SIGN_WIDTH))
        for column, start, width in layout.places():
            yield numbers[column.title], start, width

    def _places(self, row: ResultRow) -> list[Place]:
        """Where the links of a row stand."""
        if row.part is Part.TABLE:
            return self._places_in_table(row)
        places, start = [], -self._column
        for cell in row.cells:
            end = start + cell_len(clean(cell.text))
            if cell.link is not None:
                places.append(Place(start, end, cell.link))
            start = end
        return places

    def _places_in_table(self, row: ResultRow) -> list[Place]:
        places = []
        for number, start, width in self._columns_in_view():
            cell = row.cells[number]
            if cell.link is not None:
                told = min(width, cell_len(clean(cell.text)))
                at_right = self._look.result.heads[number].is_number
                begin = start + width - told if at_right else start
                places.append(Place(begin, begin + told, cell.link))
        return places

    # Sideways.

    def action_sideways(self, cells: int) -> None:
        """Move the text left or right, as far as some of it stays in view."""
        rows = self._look.rows.rows(self.top, self.top + self.body_height)
        texts = [row for row in rows if row.part is Part.TEXT]
        longest = max((width_of(_pieces(row)) for row in texts), default=0)
        before = self._column
        self._column = max(0, min(before + cells, longest - MIN_IN_VIEW))
        if self._column == before:
            why = "No text in view goes on further." if cells > 0 else "Texts begin here."
            self.post_message(DidNothing(self.id, why))
        else:
            self.redraw()


ROLES = {"bad": "bad", "dim": "dim", "head": "title"}
"""How the roles of cells are called here."""

FARTHEST = 10_000
"""Rows that are looked through for the next link."""


def _text_of(number: int, row: ResultRow) -> str:
    """What a row says in a column, as far as it is of the table."""
    is_there = row.part is Part.TABLE and number < len(row.cells)
    return clean(row.cells[number].text) if is_there else ""


def _pieces(row: ResultRow) -> Pieces:
    return [Piece(clean(cell.text)) for cell in row.cells]
