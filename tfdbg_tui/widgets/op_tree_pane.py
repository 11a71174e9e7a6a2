"""The tree of ops: a row for each node, with what is below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from tfdbg_tui.data.views.number_words import compact
from tfdbg_tui.data.views.op_tree_rows import Level, OpTreeRow
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.numbers import percent
from tfdbg_tui.widgets.pieces import Piece, Pieces, left, op_path, right, tells_type
from tfdbg_tui.widgets.replaced_rows import ReplacedRows
from tfdbg_tui.widgets.row_list import SIGN_WIDTH
from tfdbg_tui.widgets.table_columns import Column
from tfdbg_tui.widgets.table_list import TableList

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events

INDENT = 2
"""Cells for each level."""

MAX_INDENT = 12
"""Levels of indentation; deeper ones stay there."""

FOLDED, UNFOLDED = "+ ", "- "

MAX_NAME, MAX_TYPE = 80, 24
"""Cells beyond which names and types gain nothing."""

FINEST = 10_000
"""Parts of a whole by which a share is told."""

Width = tuple[int, int, int]


class OpTreePane(ReplacedRows[OpTreeRow], TableList[OpTreeRow]):
    """Devices, functions, scopes and ops."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("left,h", "fold", "Fold, or go to what it is in", show=False, id="tree.fold"),
            Binding("right,l", "unfold", "Unfold, or go into it", show=False, id="tree.unfold"),
        ]
    )

    class FoldWanted(Message):
        """The row of the cursor is to be folded, unfolded or, None, the other way round."""

        def __init__(self, is_folded: bool | None) -> None:
            super().__init__()
            self.is_folded = is_folded

    def __init__(self) -> None:
        super().__init__("tree-rows")

    @property
    def head_height(self) -> int:
        """A line of titles."""
        return 1 if self.row_count and self.content_size.height > 2 else 0

    def head(self, width: int) -> list[Pieces]:
        """The titles of the columns."""
        return [self.titles(width)] if self.head_height else []

    def columns(self) -> Sequence[Column[OpTreeRow]]:
        """What it is, of which type, how many ops, how many tensors are bad, how much is zeros."""
        return (
            Column("op", 14, 30, MAX_NAME, 1, self._op, text=self._op_text),
            Column(
                "type",
                *(6, 10, MAX_TYPE),
                5,
                lambda row, width: [left(_type(row), width, "dim")],
                text=_type,
            ),
            _number("ops", (4, 6, 8), 4, _ops, "dim"),
            Column(
                "bad tensors",
                *(6, 11, 16),
                2,
                lambda row, width: [right(_bad(row), width, _role(row))],
                at_right=True,
                text=_bad,
                whole=True,
            ),
            _number("zeros", (5, 5, 6), 3, _zeros, "dim"),
        )

    def _lead(self, row: OpTreeRow) -> str:
        fold = "" if row.level is Level.OP else UNFOLDED if row.is_unfolded else FOLDED
        indent = " " * (INDENT * min(row.depth, MAX_INDENT))
        return f"{indent}{fold or '  '}"

    def _sign(self, row: OpTreeRow) -> str:
        is_function = row.level is Level.FUNCTION or row.is_call
        return f"{self.glyphs.function} " if is_function else ""

    def _op_text(self, row: OpTreeRow) -> str:
        return f"{self._lead(row)}  {self._sign(row)}{row.label}"

    def _op(self, row: OpTreeRow, width: int) -> Pieces:
        """The fold, the sign of what is bad, and the name."""
        alarm = ("! " if row.has_cause else "~ ") if row.bad else ""
        lead, sign = self._lead(row), self._sign(row)
        room = max(1, width - len(lead) - len(alarm) - len(sign))
        name = op_path(row.label, room, self.glyphs.ellipsis)
        role = _role(row) if row.level is Level.OP else "title"
        return [
            Piece(lead, "dim"),
            Piece(alarm, _role(row)),
            Piece(sign, "keyword"),
            Piece(name, role),
        ]

    # Keys and mouse.

    def action_fold(self) -> None:
        """Fold the row of the cursor."""
        self.post_message(self.FoldWanted(is_folded=True))

    def action_unfold(self) -> None:
        """Unfold it."""
        self.post_message(self.FoldWanted(is_folded=False))

    def on_click(self, event: events.Click) -> None:
        """A click on the sign of a fold folds or unfolds; a second one on the row opens it."""
        offset = event.get_content_offset(self)
        line = None if offset is None else self.line_at(offset.y)
        row = None if line is None else self.row_at(line)
        if offset is None or line is None or row is None or row.level is Level.OP:
            return
        start = SIGN_WIDTH + INDENT * min(row.depth, MAX_INDENT)
        if start <= offset.x < start + len(FOLDED):
            event.prevent_default()
            self.choose(line, by_mouse=True)
            self.post_message(self.FoldWanted(is_folded=None))


def _number(
    title: str, widths: Width, rank: int, text: Callable[[OpTreeRow], str], role: str
) -> Column[OpTreeRow]:
    """A column of numbers."""
    return Column(
        title,
        *widths,
        rank,
        lambda row, width: [right(text(row), width, role)],
        at_right=True,
        text=text,
        whole=True,
    )


def _role(row: OpTreeRow) -> str:
    if not row.bad:
        return ""
    return "bad" if row.has_cause else "follows"


def _type(row: OpTreeRow) -> str:
    """The type of an op, unless its name says so."""
    kind = row.op_type or ""
    return "" if not kind or tells_type(row.label, kind) else kind


def _ops(row: OpTreeRow) -> str:
    return "" if row.level is Level.OP else compact(row.ops)


def _bad(row: OpTreeRow) -> str:
    """How many tensors are ever bad, of how many that were traced."""
    return f"{compact(row.bad)} of {compact(row.tensors)}" if row.bad else ""


def _zeros(row: OpTreeRow) -> str:
    """The share of zeros, or the mean of several."""
    return "" if row.zeros is None else percent(round(row.zeros * FINEST), FINEST)
