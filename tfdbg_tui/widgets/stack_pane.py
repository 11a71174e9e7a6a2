"""The stack that created the chosen op: the user's frames, with library code folded away."""

from __future__ import annotations

from tfdbg_tui.data.stacks import Fold, FrameKind, StackFrame
from tfdbg_tui.widgets.numbers import counted
from tfdbg_tui.widgets.pieces import Piece, Pieces, left, shorten
from tfdbg_tui.widgets.row_list import RowList

FUNCTION_WIDTH = 22
"""Cells of a function's name at the most."""


class StackPane(RowList[StackFrame | Fold]):
    """Frames, innermost first."""

    def draw(self, row: StackFrame | Fold, width: int) -> Pieces:
        """A frame, or how many library frames are folded here."""
        if isinstance(row, Fold):
            return [Piece(f"+ {counted(row.count, 'library frame')}", "dim")]
        if row.line is None:
            return [Piece("? frame not on disk yet", "warn")]
        if row.path is None:
            return [Piece(f"? line {row.line} of a file not on disk yet", "warn")]
        role = "" if row.kind is FrameKind.USER else "dim"
        function = min(FUNCTION_WIDTH, width // 2)
        place = f"{base_name(row.path)}:{row.line}"
        return [
            left(row.function or "?", function, role),
            Piece(" "),
            Piece(shorten(place, max(1, width - function - 1)), role or "accent"),
        ]


def base_name(path: str) -> str:
    """The last part of a recorded path, of any system."""
    return path.replace("\\", "/").rpartition("/")[2] or path
