"""The heat map: a row for each tensor, a sign for each column of steps, a cursor on one cell."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from tfdbg_tui.data.views.heat_order import FOLD
from tfdbg_tui.data.views.heat_rows import HeatRow, Look
from tfdbg_tui.data.views.number_words import compact, elapsed
from tfdbg_tui.widgets.axis import body_width, labelled, sign_cell
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.pieces import Piece, Pieces, clean, cut, left, padded, width_of
from tfdbg_tui.widgets.replaced_rows import ReplacedRows
from tfdbg_tui.widgets.row_list import SIGN_WIDTH
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from textual import events

    from tfdbg_tui.data.views.heat_map import Shape
    from tfdbg_tui.data.views.heat_names import Group
    from tfdbg_tui.widgets.glyphs import Glyphs
    from tfdbg_tui.widgets.row_window import RowSource

MIN_NAME, MAX_NAME = 12, 36
"""Cells of a row's name."""

NAME_SHARE = 3
"""A name has one of so many parts of the width."""

WIDEST_PITCH = 7
"""Cells of the screen for one column of steps, however few there are."""

MARK = 2
"""Cells of the sign before a name."""

SUMMARY = 16
"""Cells behind the columns in which a row is summed up, where that many are left."""

FEW_COLUMNS = 4
"""Cells for each column from which on there is room for summaries, too."""

MICRO = 1e-6

BAD_SIGNS: dict[int, str] = {Look.INF: "i", Look.NAN: "N", Look.BOTH: "X", Look.BAD: "!"}


class HeatPane(ReplacedRows[HeatRow]):
    """Rows by group, worst first."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("left,h", "column(-1)", "Column before", show=False, id="heat.left"),
            Binding("right,l", "column(1)", "Next column", show=False, id="heat.right"),
            Binding(
                "shift+left", "column_page(-1)", "Columns before", show=False, id="heat.before"
            ),
            Binding(
                "shift+right", "column_page(1)", "Columns behind", show=False, id="heat.behind"
            ),
            Binding("home,0", "edge(0)", "First column", show=False, id="heat.first-column"),
            Binding("end,dollar_sign", "edge(1)", "Last column", show=False, id="heat.last-column"),
        ]
    )

    class ColumnChosen(Message):
        """The cursor is wanted on a column."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    class RoomChanged(Message):
        """There is room for more columns, or for fewer."""

    class Missed(Message):
        """Rows came into view of which not everything is known."""

    def __init__(self) -> None:
        super().__init__("heat-rows")
        self._shape: Shape | None = None
        self._has_steps = True
        self._column = 0
        self._drawn_line = 0
        """The line that is being drawn."""

    @property
    def room(self) -> int:
        """Columns that fit."""
        return max(1, self.text_width - SIGN_WIDTH - MARK - self._name_width - 1)

    @property
    def _name_width(self) -> int:
        return max(MIN_NAME, min(MAX_NAME, self.text_width // NAME_SHARE))

    @property
    def _pitch(self) -> int:
        columns = 1 if self._shape is None else self._shape.columns
        room = self.room - (SUMMARY if self.room > FEW_COLUMNS * columns else 0)
        return max(1, min(WIDEST_PITCH, room // columns))

    @property
    def _start(self) -> int:
        """The first cell of the columns."""
        return SIGN_WIDTH + MARK + self._name_width + 1

    def show_map(
        self, rows: RowSource[HeatRow], shape: Shape, has_steps: bool, line: int | None, column: int
    ) -> None:
        """Show these rows; the cursor's stays where it is on the screen."""
        self._shape, self._has_steps, self._column = shape, has_steps, column
        self.replace_rows(rows, line)

    def put_column(self, column: int) -> None:
        """Put the cursor on a column."""
        if column != self._column:
            self._column = column
            self.redraw_head()
            self.redraw_lines([] if self.cursor is None else [self.cursor])

    def prepare(self, first: int, last: int, width: int) -> None:
        """Fetch the rows in view, and have read what is not known of them."""
        super().prepare(first, last, width)
        if not all(row.is_known for row in self._window.rows):
            self.post_message(self.Missed())

    def on_resize(self) -> None:
        """Another width has room for other columns."""
        self.post_message(self.RoomChanged())

    # Drawing.

    @property
    def head_height(self) -> int:
        """The axis, and where the cursor is on it."""
        return 2 if self.row_count and self.content_size.height > 3 else 0

    def head(self, width: int) -> list[Pieces]:
        """Both ends of the axis and the cursor's place, and a sign above the cursor's column."""
        shape = self._shape
        if shape is None or not self.head_height:
            return []
        pitch, start = self._pitch, self._start
        here = start + self._column * pitch + sign_cell(pitch)
        labels = [self._label(column) for column in range(shape.columns)]
        name = left("  step" if self._has_steps else "  time", start, "dim")
        pointer = [Piece(" " * here), Piece(self.glyphs.here, "notable")]
        axis = labelled(labels, pitch, width - start, self._column)
        return [padded([name, *axis], width), pointer]

    def _label(self, column: int) -> str:
        """What the axis says of a column: of the last one its end."""
        shape = self._shape
        assert shape is not None
        unit = shape.units_of(column)[0 < column == shape.columns - 1]
        return f"{unit:,}" if self._has_steps else elapsed(unit * MICRO, 8)

    def line(self, number: int, width: int) -> Pieces:
        """The line of a row; the cursor's has a cell that stands out."""
        self._drawn_line = number
        return super().line(number, width)

    def draw(self, row: HeatRow, width: int) -> Pieces:
        """A title, a tensor or the fold."""
        if row.entry == FOLD:
            return [Piece(f"  and {counted(row.tensors, 'quiet tensor')}: u lists them", "dim")]
        if row.group is not None:
            return self._group_title(row, width)
        column = self._column if self._drawn_line == self.cursor else None
        pieces = [*self._named(row), *self._cells(row, column)]
        spare = width - width_of(pieces)
        if row.is_bad and spare >= SUMMARY:
            role = "follows" if row.follows else "bad"
            summary = Piece(f"  bad {compact(row.bad)} of {compact(row.computed)}", role)
            pieces.append(summary)
        return padded(pieces, width)

    def _group_title(self, row: HeatRow, width: int) -> Pieces:
        assert row.group is not None
        name = group_words(row.group, self.glyphs)
        bad = f", {row.bad:,} bad" if row.bad else ""
        count = f"  {counted(row.tensors, 'tensor')}{bad}"
        return [Piece(cut(name, max(1, width - len(count))), "title"), Piece(count, "dim")]

    def _named(self, row: HeatRow) -> Pieces:
        name = row.name
        if name is None:
            return [Piece(" " * (MARK + self._name_width + 1))]
        sign, role = ("~ ", "follows") if row.follows else ("! ", "bad")
        sign, role = (sign, role) if row.is_bad else ("  ", "")
        place = "" if name.line is None else f" :{name.line}"
        call = f"{self.glyphs.function} " if name.is_call else ""
        more = " grad" if name.is_gradient else ""
        room = self._name_width - len(place)
        shown = clean(f"{call}{name.label}{more}")
        return [
            Piece(sign, role),
            left(shown, max(1, room), role),
            Piece(f"{place} ", "dim"),
        ]

    def _cells(self, row: HeatRow, chosen: int | None) -> Pieces:
        """A sign for each column; those that follow each other in one role are one piece."""
        pitch, signs = self._pitch, look_signs(self.glyphs)
        bad = "alarm-follows" if row.follows else "alarm"
        cells = []
        for column, look in enumerate(row.looks):
            sign = signs[look]
            is_shade = Look.FEW_ZEROS <= look <= Look.NEARLY_ALL
            room = body_width(pitch)
            body = sign * room if is_shade else sign.center(room)
            role = bad if look >= Look.INF else "dim"
            cells.append((body, "hit" if column == chosen else role))
            if pitch > 1:
                cells.append((" ", "dim"))
        runs = groupby(cells, lambda cell: cell[1])
        return [Piece("".join(text for text, _ in run), role) for role, run in runs]

    # Keys and mouse.

    def action_column(self, columns: int) -> None:
        """Move the cursor by columns."""
        self.post_message(self.ColumnChosen(self._column + columns))

    def action_column_page(self, pages: int) -> None:
        """Move the cursor by a quarter of the columns."""
        columns = 1 if self._shape is None else max(1, self._shape.columns // 4)
        self.post_message(self.ColumnChosen(self._column + pages * columns))

    def action_edge(self, is_last: int) -> None:
        """Go to the first or the last column."""
        columns = 1 if self._shape is None else self._shape.columns
        self.post_message(self.ColumnChosen(columns - 1 if is_last else 0))

    def on_click(self, event: events.Click) -> None:
        """A click on a cell puts the cursor there; on the cursor's own cell it goes there."""
        offset = event.get_content_offset(self)
        line = None if offset is None else self.line_at(offset.y)
        if offset is None or self._shape is None:
            return
        column = (offset.x - self._start) // self._pitch
        is_cell = offset.x >= self._start and column < self._shape.columns
        if line is None or event.chain > 1 or not is_cell:
            return
        event.prevent_default()
        if line == self.cursor and column == self._column:
            self.action_open()
        else:
            self._clicked = line
            self.choose(line, by_mouse=True)  # the row first: the column is shown in its row
            self.post_message(self.ColumnChosen(column))

    def head_clicked(self, x: int, y: int) -> None:
        """A click on the axis puts the cursor on a column."""
        if x >= self._start:
            self.post_message(self.ColumnChosen((x - self._start) // self._pitch))


def look_signs(glyphs: Glyphs) -> dict[int, str]:
    """The sign of every look."""
    few, some, many, most = tuple(glyphs.shades)
    return {
        Look.NOTHING: " ",
        Look.UNTOLD: "-",
        Look.CLEAN: glyphs.healthy,
        Look.FEW_ZEROS: few,
        Look.SOME_ZEROS: some,
        Look.MANY_ZEROS: many,
        Look.NEARLY_ALL: most,
        Look.ALL_ZEROS: "0",
        **BAD_SIGNS,
    }


def group_words(group: Group, glyphs: Glyphs) -> str:
    """The title of a group."""
    if not group.function:
        return clean(f"top level{f'  {group.file}' if group.file else ''}")
    layer = f"  {group.layer}" if group.layer else ""
    return clean(f"{glyphs.function} {group.function}{layer}")
