"""The page that says why: sentences, code and tensors, those that can be followed marked."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from tfdbg_tui.data.views.why_page import Part, WhyLine
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.widgets.fixed_rows import FixedRows
from tfdbg_tui.widgets.numbers import counts, gradient_word, holds
from tfdbg_tui.widgets.pieces import (
    Piece,
    Pieces,
    base_name,
    clean,
    cut,
    left,
    op_path,
    padded,
    tells_type,
    width_of,
)
from tfdbg_tui.widgets.row_list import SIGN_WIDTH, RowList

if TYPE_CHECKING:
    from textual import events

    from tfdbg_tui.data.cause.explanation import ToldTensor
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.views.why_page import WhyPage

WIDEST = 110
"""Cells of a line of text, however wide the screen is."""

LEAD = 12
"""Cells before the name of a tensor."""

NUMBER = 5
"""Cells before a line of code, or a sentence on another cause."""

HELD = 24
"""Cells of what a tensor holds, if that is not more."""

MIN_NAME, MAX_NAME = 12, 44
"""Cells of a tensor's name."""

ROLES = {
    Part.HEADING: "dim",
    Part.VERDICT: "title",
    Part.CODE: "dim",
    Part.GUILTY: "code",
    Part.CURE: "accent",
}

WRAPPED = frozenset({Part.VERDICT, Part.TEXT, Part.CURE, Part.CAUSE, Part.HEADING})


class WhyRow(NamedTuple):
    """One row: a line of the page, or a part of one that is wrapped."""

    line: WhyLine
    text: str
    is_first: bool = True

    @property
    def link(self) -> EventRef | None:
        """The tensor that the row leads to."""
        return self.line.link


class WhyPane(RowList[WhyRow]):
    """The rows of the page."""

    def __init__(self, page: WhyPage) -> None:
        super().__init__("why-text")
        self._page = page
        self._written_for = 0

    def turn_to(self, page: WhyPage) -> None:
        """Show another page."""
        self._page = page
        self._write(self.content_size.width)

    def on_resize(self, event: events.Resize) -> None:
        """Wrap anew where the width is another."""
        if event.size.width != self._written_for:
            self._write(event.size.width)

    def _write(self, width: int) -> None:
        self._written_for = width
        room = max(20, min(WIDEST, width - SIGN_WIDTH - 2))
        rows = [row for line in self._page.lines for row in _rows(line, room)]
        links = (number for number, row in enumerate(rows) if row.link is not None)
        self.show(FixedRows(rows), next(links, 0))
        self.scroll_top_to(0)

    def next_link(self, steps: int) -> None:
        """Put the cursor on the next row that can be followed, or the one before."""
        links = [n for n in range(self.row_count) if self._is_start_of_link(n)]
        here = -1 if self.cursor is None else self.cursor
        beyond = [n for n in links if (n > here if steps > 0 else n < here)]
        if beyond:
            self.choose(beyond[0] if steps > 0 else beyond[-1])

    def _is_start_of_link(self, number: int) -> bool:
        row = self.row_at(number)
        return row is not None and row.link is not None and row.is_first

    def draw(self, row: WhyRow, width: int) -> Pieces:
        """One row in a width."""
        part = row.line.part
        if part is Part.TENSOR:
            return padded(self._tensor(row.line, width), width)
        if part in (Part.CODE, Part.GUILTY):
            sign = "!" if part is Part.GUILTY else " "
            number = Piece(
                f"{sign} {row.line.lead.rjust(NUMBER)}  ", "bad" if sign != " " else "dim"
            )
            room = max(1, width - NUMBER - 4)
            return [number, Piece(cut(row.text, room), ROLES[part])]
        if part is Part.CAUSE:
            lead = row.line.lead if row.is_first else ""
            return [Piece(f"  {lead.rjust(3)}  ", "accent"), Piece(row.text)]
        indent = "" if part in (Part.HEADING, Part.VERDICT) else "  "
        return [Piece(f"{indent}{row.text}", ROLES.get(part, ""))]

    def _tensor(self, line: WhyLine, width: int) -> Pieces:
        told = line.tensor
        assert told is not None
        room = max(MIN_NAME, min(MAX_NAME, (width - LEAD) // 3))
        role = "" if not told.bad else "follows" if line.follows else "bad"
        held = counts(told.health, told.bad)
        if told.bad:
            held = holds(told.health, told.bad, line.follows)
        pieces = [left(f"  {clean(line.lead)}", LEAD, "dim"), *self._named(told, room, role)]
        if told.lowest is not None and told.highest is not None:
            held = [*held, Piece(f"  {told.lowest:.4g} … {told.highest:.4g}", "number")]
        gap = Piece(" " * max(0, HELD - width_of(held)))
        return [*pieces, *held, gap, *_beside(told)]

    def _named(self, told: ToldTensor, room: int, role: str) -> Pieces:
        """The name of a tensor, or the function of a call, in as many cells."""
        kind = gradient_word(room) if told.is_backward else ""
        sign = f"{self.glyphs.function} " if told.is_call else ""
        name = op_path(told.name, room - len(sign) - len(kind), self.glyphs.ellipsis)
        return padded([Piece(f"{sign}{name}", role), Piece(kind, "dim")], room + 2)


def _beside(told: ToldTensor) -> Pieces:
    """What else there is to say: the type of an op whose name does not tell it, and its line."""
    kind = (
        ""
        if told.is_call or tells_type(told.name, told.op_type)
        else f"  {clean(told.op_type or '')}"
    )
    line = told.line
    place = "" if line is None else f"  {clean(base_name(line.path))}:{line.line}"
    return [Piece(kind, "dim"), Piece(place, "dim")]


def _rows(line: WhyLine, width: int) -> list[WhyRow]:
    """The rows of a line: what is too long is wrapped, but for code and tensors."""
    if line.part not in WRAPPED:
        return [WhyRow(line, line.text)]
    parts = wrap(clean(line.text), max(10, width - NUMBER), break_on_hyphens=False) or [""]
    return [WhyRow(line, part, number == 0) for number, part in enumerate(parts)]
