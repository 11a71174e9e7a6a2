"""Where the user is in a value: which dimensions are in view, which element the cursor is on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.values.element_kinds import bad_among
from tfdbg_tui.data.values.formatting import Notation, NumberFormat
from tfdbg_tui.data.views.value_page import CellKind, GridPage, ValueCell

if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    from tfdbg_tui.data.values.ranges import Ranges
    from tfdbg_tui.data.values.recorded_value import RecordedValue
    from tfdbg_tui.data.values.slices import Selected

PER_ROW = (1, 2, 5, 10, 20, 50, 100)
"""Elements of a vector in a row: numbers whose multiples are easily told."""

WIDEST = 24
"""Cells of an element; of a longer string the line below tells more."""

GAP = 2
"""Cells between two columns."""

SIGNS = {CellKind.BAD: "!", CellKind.IN_RANGE: "*", CellKind.PLAIN: ""}
"""Before what is to be seen at once: colour alone tells not everybody."""


class ValueCursor:
    """A place in what is selected of a value; the window follows it."""

    def __init__(self, value: RecordedValue, selected: Selected) -> None:
        self.value = value
        self.selected = selected
        self.format = NumberFormat()
        self.ranges: Ranges | None = None
        self.index = [0] * len(selected.shape)
        """Of the element, in what is selected."""
        rank = len(selected.shape)
        self.axes = (rank - 2, rank - 1) if rank > 1 else (None, 0) if rank else (None, None)
        """The dimensions that go down and across; a vector goes on in the next row."""
        self._top = self._left = 0
        self._width = 1
        self._per_row = 1
        self._room = (1, 1)

    # What is in view.

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns in all."""
        shape, (down, across) = self.selected.shape, self.axes
        if across is None:
            return 1, 1
        if down is None:
            return -(-shape[across] // self._per_row), min(self._per_row, shape[across])
        return shape[down], shape[across]

    @property
    def place(self) -> tuple[int, int]:
        """Row and column of the cursor."""
        down, across = self.axes
        if across is None:
            return 0, 0
        if down is None:
            return divmod(self.index[across], self._per_row)
        return self.index[down], self.index[across]

    @property
    def is_turned(self) -> bool:
        """Whether what goes down comes behind what goes across."""
        down, across = self.axes
        return down is not None and across is not None and down > across

    @property
    def plane(self) -> Selected:
        """What of it the two dimensions have in view: the others stay where the cursor is."""
        if not self.selected.size:
            return self.selected
        return self.selected.narrowed(
            *(slice(None) if n in self.axes else i for n, i in enumerate(self.index))
        )

    def page(self, width: int, height: int) -> GridPage:
        """The elements that fit; numbers are as wide as the widest that was in view so far."""
        if not self.selected.size:
            return GridPage((), (), (), 1, (0, 0), (0, 0), (0, 0), "")
        labels = max(len(str(max(self.selected.tensor_shape, default=0))), 3)
        room = max(1, width - labels)
        for _ in range(2):  # what is read first tells how wide columns have to be
            columns = max(1, room // (self._width + GAP))
            if self.axes[0] is None:
                self._per_row = max(n for n in PER_ROW if n <= columns)
            self._follow(height, columns)
            values = self._values(height, columns)
            rows = self._cells(values)
            widest = max((len(cell.text) for row in rows for cell in row), default=1)
            widest = max([widest, *map(len, self._labels(1, self._left, columns))])
            if min(widest, WIDEST) <= self._width:
                break
            self._width = min(widest, WIDEST)
        self._room = height, columns
        (row, column), first = self.place, (self._top, self._left)
        rows = tuple(line[:columns] for line in rows)
        return GridPage(
            self._labels(0, first[0], len(rows)),
            self._labels(1, first[1], columns),
            rows,
            self._width,
            (row - first[0], column - first[1]),
            first,
            self.size,
            self._axes_told(),
        )

    def _follow(self, rows: int, columns: int) -> None:
        row, column = self.place
        self._top = max(min(self._top, row), row - rows + 1, 0)
        self._left = max(min(self._left, column), column - columns + 1, 0)
        self._top = max(0, min(self._top, self.size[0] - rows))
        self._left = max(0, min(self._left, self.size[1] - columns))

    def _values(self, rows: int, columns: int) -> npt.NDArray[Any]:
        plane, (down, across) = self.plane, self.axes
        top, left = self._top, self._left
        if across is None:
            return self.value.window(plane).reshape(1, 1)
        if down is None:
            per = self._per_row
            return self.value.window(plane.narrowed(slice(top * per, (top + rows) * per)))
        parts = [slice(top, top + rows), slice(left, left + columns)]
        if self.is_turned:
            return self.value.window(plane.narrowed(*reversed(parts))).T
        return self.value.window(plane.narrowed(*parts))

    def _cells(self, values: npt.NDArray[Any]) -> tuple[tuple[ValueCell, ...], ...]:
        bad = bad_among(values).reshape(-1)
        ranges = self.ranges
        seen = np.zeros(bad.shape, np.bool_) if ranges is None else ranges.holds(values).reshape(-1)
        kinds = [
            CellKind.BAD if is_bad else CellKind.IN_RANGE if is_seen else CellKind.PLAIN
            for is_bad, is_seen in zip(bad.tolist(), seen.tolist(), strict=True)
        ]
        texts = self.format.texts(values)
        cells = [ValueCell(SIGNS[k] + text, k) for text, k in zip(texts, kinds, strict=True)]
        width = self._per_row if values.ndim == 1 else max(values.shape[1], 1)
        return tuple(tuple(cells[n : n + width]) for n in range(0, len(cells), width))

    def _labels(self, which: int, first: int, count: int) -> tuple[str, ...]:
        """The indices in the tensor of some rows, or columns."""
        axis = self.axes[which]
        if self.axes[0] is None:
            if self.axes[1] is None:
                return ("",)
            if which:
                return tuple(f"+{n}" if n else "0" for n in range(min(count, self._per_row)))
            count = min(count, self.size[0] - first)
            numbers = self._numbers(self.axes[1])
            return tuple(str(numbers[n * self._per_row]) for n in range(first, first + count))
        assert axis is not None
        return tuple(map(str, self._numbers(axis)[first : first + count]))

    def _numbers(self, axis: int) -> range:
        """The indices in the tensor that a dimension of what is selected has."""
        found = self.selected.axes[self.selected.kept[axis]]
        assert not isinstance(found, int)
        return found

    def _axes_told(self) -> str:
        down, across = (None if n is None else self.selected.kept[n] for n in self.axes)
        if across is None:
            return ""
        if down is None:
            return f"dimension {across}, row by row"
        return f"dimension {down} down, {across} across"

    # Moving.

    def move(self, rows: int, columns: int) -> str:
        """Move the cursor; a sentence if it is at an end."""
        if not self.selected.size:
            return "There is no element: the value is empty."
        before = list(self.index)
        down, across = self.axes
        if across is not None and down is None:
            self._put(across, self.index[across] + columns + rows * self._per_row)
        elif across is not None and down is not None:
            self._put(down, self.index[down] + rows)
            self._put(across, self.index[across] + columns)
        return "" if self.index != before else "There is nothing farther on in this direction."

    def _put(self, axis: int, index: int) -> None:
        self.index[axis] = max(0, min(index, self.selected.shape[axis] - 1))

    def page_by(self, down: int, across: int) -> str:
        """Move by what is in view."""
        rows, columns = self._room
        return self.move(down * max(1, rows - 1), across * max(1, columns - 1))

    def to_edge(self, rows: int, columns: int) -> str:
        """Go to the first or last row or column."""
        most_rows, most_columns = self.size
        column = self.place[1]
        if self.axes[0] is None and columns:
            return self.move(0, (most_columns - 1 if columns > 0 else 0) - column)
        return self.move(rows * most_rows, columns * most_columns)

    def go_to(self, index: tuple[int, ...]) -> None:
        """Put the cursor on an element of what is selected."""
        self.index = list(index)

    def at(self, row: int, column: int) -> None:
        """Put it on what is in view at a place."""
        here = self.place
        self.move(self._top + row - here[0], self._left + column - here[1])

    def step_others(self, direction: int) -> str:
        """The next index of the dimensions that are not in view, the last of them first."""
        others = [n for n in range(len(self.index)) if n not in self.axes]
        if not others:
            return "All dimensions are in view."
        for axis in reversed(others):
            self.index[axis] += direction
            if 0 <= self.index[axis] < self.selected.shape[axis]:
                return ""
            self.index[axis] = 0 if direction > 0 else self.selected.shape[axis] - 1
        return f"Round again: from {'the first' if direction > 0 else 'the last'} on."

    def turn(self) -> str:
        """Show the next two dimensions; of two, change what goes down and across."""
        rank = len(self.index)
        if rank < 2:
            return "There is but one way to show this."
        pairs = [(a, b) for a in range(rank) for b in range(rank) if a != b]
        usual = pairs.index((rank - 2, rank - 1))
        order = pairs[usual:] + pairs[:usual]
        at = order.index((self.axes[0] or 0, self.axes[1] or 0))
        self.axes = order[(at + 1) % len(order)]
        return ""

    def write_numbers(self, digits: int = 0, other: bool = False) -> str:
        """With more digits or fewer, or in another notation: columns are as wide as these need."""
        how = self.format.adjusted(digits)
        if other:
            how = how._replace(notation=how.notation.following)
        self.format, self._width = how, 1
        words = {
            Notation.SHORT: f"{how.precision} digits",
            Notation.PLAIN: f"{how.precision} digits behind the point",
            Notation.SCIENTIFIC: f"scientific, {how.precision} digits behind the point",
        }
        return f"Numbers: {words[how.notation]}."

    def look_for(self, ranges: Ranges | None) -> None:
        """Have numbers in some ranges stand out."""
        self.ranges, self._width = ranges, 1
