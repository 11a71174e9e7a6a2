"""The watched tensors: the latest of each, and how it went so far."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from textual.message import Message

from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.number_words import compact
from tfdbg_tui.data.views.tensor_history import Outcome
from tfdbg_tui.data.views.watch_list import CELLS, WatchRow
from tfdbg_tui.widgets.history_lines import SIGNS
from tfdbg_tui.widgets.numbers import holds
from tfdbg_tui.widgets.pieces import Piece, Pieces, clean, left, op_path, right, width_of
from tfdbg_tui.widgets.table_columns import Column
from tfdbg_tui.widgets.table_list import TableList

if TYPE_CHECKING:
    from collections.abc import Sequence

LOOKING = "looking for it"

MAX_NAME, MAX_PLACE = 60, 24
"""Cells beyond which names of tensors, and of functions or lines, gain nothing."""


class WatchPane(TableList[WatchRow]):
    """One row a tensor, in the order in which they were pinned."""

    class CameIntoView(Message):
        """The pane was not on the screen and is now: it wants its rows to be looked after."""

    def on_show(self) -> None:
        """Say that there is somebody to look at it now."""
        self.post_message(self.CameIntoView())

    @property
    def head_height(self) -> int:
        """A line of titles."""
        return 1 if self.row_count else 0

    def head(self, width: int) -> list[Pieces]:
        """The titles of the columns."""
        return [self.titles(width)] if self.head_height else []

    def columns(self) -> Sequence[Column[WatchRow]]:
        """Which tensor, where from, when it was computed last, what it held, and how it went."""
        return (
            Column("tensor", 10, 20, MAX_NAME, 1, self._tensor, text=self._tensor_text),
            Column(
                "in",
                *(6, 8, MAX_PLACE),
                6,
                lambda row, width: [left(_place(row), width, "dim")],
                text=_place,
                folds=True,
                in_title="in {}".format,
            ),
            Column(
                "latest",
                *(6, 8, 12),
                5,
                lambda row, width: [right(_latest(row), width, "dim")],
                at_right=True,
                text=_latest,
                whole=True,
            ),
            Column(
                "what it holds",
                *(12, 20, 50),
                2,
                lambda row, width: _held(row),
                text=lambda row: "".join(piece.text for piece in _held(row)),
            ),
            Column("over time", 9, 16, CELLS, 3, self._went, text=_cells_text),
            Column(
                "bad",
                *(6, 8, 13),
                4,
                lambda row, width: [right(_bad_of(row), width, "dim")],
                at_right=True,
                text=_bad_of,
                whole=True,
            ),
        )

    def _tensor_text(self, row: WatchRow) -> str:
        is_call = row.facts is not None and row.facts.is_call
        return f"{self.glyphs.function} {row.name.shown}" if is_call else row.name.shown

    def _tensor(self, row: WatchRow, width: int) -> Pieces:
        role = "dim" if row.event is None else ""
        return [Piece(op_path(self._tensor_text(row), width, self.glyphs.ellipsis), role)]

    def _went(self, row: WatchRow, width: int) -> Pieces:
        """A sign for each cell, or the height of its mean where values are recorded."""
        cells = list(zip(row.cells, row.means or [None] * len(row.cells), strict=True))
        finite = [mean for mean in row.means if mean is not None and math.isfinite(mean)]
        bad = "follows" if row.follows else "bad"
        pieces = []
        for cell, mean in cells[-width:]:
            if cell.outcome is not Outcome.OK:
                pieces.append(Piece(SIGNS[cell.outcome], bad))
            elif mean is None or not math.isfinite(mean):
                pieces.append(Piece(self.glyphs.healthy, "dim"))
            else:
                pieces.append(Piece(self._height(mean, min(finite), max(finite)), "number"))
        return pieces

    def _height(self, mean: float, low: float, high: float) -> str:
        """The block for a number between the lowest and the highest; of equal ones a middle one."""
        blocks = self.glyphs.blocks
        half = high / 2 - low / 2  # the whole may be more than a number can be
        share = (mean / 2 - low / 2) / half if half else 0.5
        return blocks[max(0, min(len(blocks) - 1, int(share * len(blocks))))]


def _place(row: WatchRow) -> str:
    """The function of a graph tensor, the line of an execution."""
    name = row.name
    if name.kind is EventKind.EXECUTION:
        return clean(name.place)
    return clean(name.function or name.graph)


def _latest(row: WatchRow) -> str:
    if row.event is None:
        return ""
    return f"step {row.step:,}" if row.step else f"#{row.event.event:,}"


def _held(row: WatchRow) -> Pieces:
    """What the latest computation holds: a scalar's value, else its counts, else its mean."""
    if row.event is None:
        return [Piece(f"  {row.note or LOOKING}", "dim")]
    sample = row.sample
    health = sample.health
    if not row.bad and sample.mean is not None:
        is_one = health is not None and health.size == 1
        word = "" if is_one else "mean "
        return [Piece(f"  {word}"), Piece(f"{sample.mean:.6g}", "number")]
    told = holds(health, row.bad, row.follows, row.is_muted)
    return told if width_of(told) else [Piece("  not told", "dim")]


def _cells_text(row: WatchRow) -> str:
    return "x" * len(row.cells)


def _bad_of(row: WatchRow) -> str:
    if row.event is None:
        return ""
    return f"{compact(row.bad_computations)} of {compact(row.computations)}"
