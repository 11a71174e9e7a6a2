"""The tensors computed inside graphs, in the order of their computation."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.event_rows import TraceRow
from tfdbg_tui.data.views.number_words import elapsed, extent
from tfdbg_tui.widgets.numbers import holds
from tfdbg_tui.widgets.pieces import Piece, Pieces, left, path_cell, right
from tfdbg_tui.widgets.table_columns import Column, index_column
from tfdbg_tui.widgets.table_list import TableList

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def _holds(row: TraceRow) -> Pieces:
    return holds(row.health, row.bad, row.follows, row.is_muted)


def _device(row: TraceRow) -> str:
    return row.facts.device.rpartition("device:")[2]


def _text(
    title: str,
    widths: tuple[int, int, int],
    rank: int,
    text: Callable[[TraceRow], str],
    folds: bool = False,
) -> Column[TraceRow]:
    def draw(row: TraceRow, width: int) -> Pieces:
        return [left(text(row), width, "dim")]

    return Column(title, *widths, rank, draw, text=text, folds=folds)


COLUMNS = (
    _text("function", (8, 8, 24), 5, lambda row: row.facts.function or "", folds=True),
    Column[TraceRow](
        "tensor",
        17,
        28,
        60,
        1,
        lambda row, width: [path_cell(row.facts.name, width)],
        text=lambda row: row.facts.name,
    ),
    _text("op", (7, 10, 22), 4, lambda row: row.facts.op_type or "?"),
    _text(
        "dtype",
        (8, 8, 10),
        7,
        lambda row: (row.health.dtype if row.health else None) or "",
        folds=True,
    ),
    _text("shape", (9, 9, 16), 6, lambda row: extent(row.health)),
    Column[TraceRow](
        "what it holds",
        13,
        24,
        50,
        2,
        lambda row, width: _holds(row),
        text=lambda row: "".join(piece.text for piece in _holds(row)),
    ),
    Column[TraceRow](
        "time",
        8,
        8,
        11,
        8,
        lambda row, width: [right(elapsed(row.seconds, width), width, "dim")],
        True,
        text=lambda row: elapsed(row.seconds, 11),
    ),
    _text("dev", (5, 5, 8), 9, _device, folds=True),
)
"""Beside the index: titles, least, usual and most cells, rank, and what is drawn."""


class TracesPane(TableList[TraceRow]):
    """Graph tensors: one row for each computed tensor."""

    kind: ClassVar = EventKind.TRACE

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id)
        self._inputs: frozenset[int] = frozenset()

    def columns(self) -> tuple[Column[TraceRow], ...]:
        """The number of the event, and what it computed."""
        return (index_column(lambda row: row.index), *COLUMNS)

    def mark_inputs(self, events: Sequence[int]) -> None:
        """Mark the rows that the chosen tensor was computed from."""
        inputs = frozenset(events)
        changed, self._inputs = inputs ^ self._inputs, inputs
        if changed:
            self.redraw_rows(lambda row: row.index in changed)

    @property
    def head_height(self) -> int:
        """A line of titles."""
        return 1

    def head(self, width: int) -> list[Pieces]:
        """The titles of the columns."""
        return [self.titles(width)]

    def line(self, number: int, width: int) -> Pieces:
        """A row; an input of the chosen tensor has an arrow before it."""
        pieces = super().line(number, width)
        row = self.row_at(number)
        if pieces and row is not None and row.index in self._inputs:
            pieces[0] = Piece(self.glyphs.source, "linked")
        return pieces
