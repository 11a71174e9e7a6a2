"""The strip of a run: how much was computed when, and where it went wrong, in one line of signs."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from textual.message import Message

from tfdbg_tui.data.views.number_words import elapsed
from tfdbg_tui.widgets.axis import put
from tfdbg_tui.widgets.pieces import Piece, Pieces

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.views.timeline import Density
    from tfdbg_tui.widgets.glyphs import Glyphs

FIRST_BAD = "first NaN or Inf"


class StripClicked(Message):
    """A cell of a strip was clicked; this is its first execution."""

    def __init__(self, execution: int) -> None:
        super().__init__()
        self.execution = execution


class TimelineStrip:
    """What a strip says; whoever draws it tells the width."""

    def __init__(self) -> None:
        self._measure: Callable[[int], Density] | None = None
        self._density: Density | None = None
        self._chosen: int | None = None

    def measure_with(self, measure: Callable[[int], Density] | None) -> None:
        """Take the density of the run, asked for when the width is known."""
        self._measure, self._density = measure, None

    def forget(self) -> None:
        """Measure again when it is drawn next: something has come, or the zoom changed."""
        self._density = None

    def choose(self, execution: int | None) -> bool:
        """Mark the cell of an execution; False if the same cell is marked already."""
        before, self._chosen = self._here, execution
        return self._density is None or self._here != before

    @property
    def _here(self) -> int | None:
        """The cell that is marked."""
        if self._density is None or self._chosen is None:
            return None
        return self._density.cell_of(self._chosen)

    def fit(self, width: int) -> bool:
        """Measure in a width; False if that was done."""
        if self._measure is None or width < 1:
            return False
        if self._density is not None and len(self._density.cells) in (0, width):
            return False
        self._density = self._measure(width)
        return True

    def execution_at(self, x: int) -> int | None:
        """The execution to go to for a cell."""
        cells = () if self._density is None else self._density.cells
        return cells[x].first if 0 <= x < len(cells) else None

    def signs(self, glyphs: Glyphs) -> Pieces:
        """A sign for every cell: what is bad, or how much was computed."""
        if self._density is None or not self._density.cells:
            return []
        cells, blocks = self._density.cells, glyphs.blocks
        most = max(cell.executions for cell in cells) or 1
        here = self._here
        signs = []
        for number, cell in enumerate(cells):
            height = (len(blocks) - 1) * cell.executions // most
            sign, role = (blocks[height] if cell.executions else " "), "dim"
            if cell.bad:
                sign, role = ("!", "bad") if cell.has_cause else ("~", "follows")
            signs.append((sign, "hit" if number == here else role))
        runs = groupby(signs, lambda cell: cell[1])
        return [Piece("".join(sign for sign, _ in run), role) for role, run in runs]

    def axis(self, glyphs: Glyphs) -> Pieces:
        """What stands below the signs: both ends, in steps where they are known, and the first."""
        density = self._density
        if density is None or not density.cells:
            return []
        width = len(density.cells)
        line = [" "] * width
        first = density.first_bad
        if first is not None:
            step = f" step {density.bad_step:,}" if density.bad_step else ""
            forms = (f"{step}, {FIRST_BAD}" if step else f" {FIRST_BAD}", step, "")
            _put_mark(line, first, glyphs.first, forms)
        begin, end = _ends(density)
        put(line, begin, 0)
        put(line, end, width - len(end))
        return [Piece("".join(line), "dim")]


def _ends(density: Density) -> tuple[str, str]:
    first, last = density.steps
    if last is None:
        return elapsed(density.begin), elapsed(density.end)
    return f"step {first or 1:,}", f"step {last:,}"


def _put_mark(line: list[str], column: int, mark: str, forms: tuple[str, ...]) -> None:
    """Write the first form that fits behind the mark, or before it, where it points at a cell."""
    for form in forms:
        for text, start in ((mark + form, column), (f"{form.strip()} {mark}".lstrip(), None)):
            begin = column + 1 - len(text) if start is None else start
            if begin >= 0 and begin + len(text) <= len(line):
                line[begin : begin + len(text)] = text
                return
