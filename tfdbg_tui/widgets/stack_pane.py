"""The stack that created the chosen op: the user's frames, with library code folded away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.index.stacks import Fold, FrameKind, StackFrame
from tfdbg_tui.widgets.fixed_rows import FixedRows
from tfdbg_tui.widgets.pieces import Piece, Pieces, base_name, cut, left, shorten
from tfdbg_tui.widgets.row_list import RowList
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FUNCTION_WIDTH = 18
"""Cells of a function's name at the most."""


LOCATION_WIDTH = 20
"""Cells of its file and line where its code stands behind them."""

MIN_CODE = 16
"""Cells of code without which none is shown."""


class StackPane(RowList[StackFrame | Fold]):
    """Frames, innermost first."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id)
        self._code: Mapping[str, str] = {}
        self._is_loading = False

    def tell_loading(self, is_loading: bool) -> None:
        """What is missing may be on disk all the same while that is read."""
        if is_loading is not self._is_loading:
            self._is_loading = is_loading
            self.redraw()

    def show_frames(
        self, rows: Sequence[StackFrame | Fold], code: Mapping[str, str], cursor: int | None
    ) -> None:
        """Show a stack; lines of code by the ids of frames, as far as they are known."""
        self._code = code
        self.show(FixedRows(rows), cursor)

    def draw(self, row: StackFrame | Fold, width: int) -> Pieces:
        """A frame, or how many library frames are folded here."""
        when = "not read yet" if self._is_loading else "not on disk yet"
        if isinstance(row, Fold) and row.is_open:
            return [Piece(f"? {counted(row.count, 'frame')} {when}", "warn")]
        if isinstance(row, Fold):
            return [Piece(f"+ {counted(row.count, 'library frame')}", "dim")]
        if row.line is None:
            return [Piece(f"? frame {when}", "warn")]
        if row.path is None:
            return [Piece(f"? line {row.line} of a file {when}", "warn")]
        role = "" if row.kind is FrameKind.USER else "dim"
        function = min(FUNCTION_WIDTH, width // 2)
        location, room = f"{base_name(row.path)}:{row.line}", max(1, width - function - 1)
        pieces = [left(row.function or "?", function, role), Piece(" ")]
        code = self._code.get(row.id, "")
        if not code or room < LOCATION_WIDTH + MIN_CODE:
            return [*pieces, Piece(shorten(location, room), role or "accent")]
        pieces += [left(location, LOCATION_WIDTH, role or "accent"), Piece(" ")]
        return [*pieces, Piece(cut(code, room - LOCATION_WIDTH - 1), role)]
