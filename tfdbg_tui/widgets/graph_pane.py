"""The graph around the chosen tensor: its inputs above it, its consumers below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from tfdbg_tui.data.flow.graph_nodes import GraphNode, Relation
from tfdbg_tui.widgets.numbers import alarm, holds
from tfdbg_tui.widgets.pieces import Piece, Pieces, op_path, padded, tells_type, width_of
from tfdbg_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from tfdbg_tui.widgets.row_window import RowSource

SIGNS = {
    Relation.OUTER: "in",
    Relation.INPUT: "",
    Relation.SELF: "",
    Relation.CONSUMER: "",
    Relation.INNER: "inside",
}
"""Words before a node that is no input or consumer."""

MAX_INDENT = 6
"""Levels of indentation; deeper nodes stay there."""


class GraphPane(RowList[GraphNode]):
    """Inputs above, the tensor, consumers below; walking is choosing one of them."""

    class CameIntoView(Message):
        """The pane was not on the screen and is now: it wants all that it can show."""

    def show(self, source: RowSource[GraphNode] | None, cursor: int | None = None) -> None:
        """Show another neighbourhood, from its top on if the cursor is in view then."""
        self._wanted_top = 0
        super().show(source, cursor)

    def on_show(self) -> None:
        """Say that there is somebody to look at it now."""
        self.post_message(self.CameIntoView())

    def draw(self, row: GraphNode, width: int) -> Pieces:
        """A node: how it relates, its name, op type and health."""
        role = "title" if row.relation is Relation.SELF else ""
        lead = self._lead(row)
        if row.more:
            return [Piece(lead, "dim"), Piece(f"{self.glyphs.ellipsis} {row.more:,} more", "dim")]
        told = self._told(row)
        kind = ""
        if not row.is_call and not tells_type(row.shown, row.op_type):
            kind = f" {row.op_type}"
        room = max(8, width - len(lead) - len(kind) - min(width_of(told), width // 2))
        sign = alarm(row.follows, row.is_muted)
        name = Piece(op_path(row.shown, room), sign.role if row.bad else role)
        return padded([Piece(lead, "dim"), name, Piece(kind, "dim"), *told], width)

    def _lead(self, row: GraphNode) -> str:
        indent = " " * (2 * min(row.depth, MAX_INDENT))
        if row.relation is Relation.INPUT:
            return f"{indent}{self.glyphs.input} "
        if row.relation is Relation.CONSUMER:
            return f"{indent}{self.glyphs.output} "
        word = SIGNS[row.relation]
        return f"{word} " if word else ""

    def _told(self, row: GraphNode) -> Pieces:
        if row.note:
            return [Piece(f"  {row.note}", "dim")]
        told = holds(row.health, row.bad, row.follows, row.is_muted)
        return [Piece("  "), *told] if told else []
