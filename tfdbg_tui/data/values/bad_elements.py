"""The next NaN or ∞ in a tensor, or the one before, looked for in slices of milliseconds."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.records.tensors import PIECE
from tfdbg_tui.data.values.element_kinds import bad_among, may_be_bad
from tfdbg_tui.data.values.pieces import SLICE_SECONDS, settled_from

if TYPE_CHECKING:
    from tfdbg_tui.data.values.recorded_value import RecordedValue
    from tfdbg_tui.data.values.slices import Selected


class BadSearch:
    """The first bad element behind a place of what is selected, or before it; a job."""

    def __init__(
        self, value: RecordedValue, selected: Selected, place: int | None, direction: int = 1
    ) -> None:
        """A place in the order of what is selected; None begins at the start, or at the end."""
        self.found: int | None = None
        """Its place; None if there is none, or while it is looked for."""
        self.is_done = False
        self.direction = direction
        self._value, self._selected = value, selected
        self._blocks = selected.blocks(PIECE)
        # From the settled place on all elements are equal: one of them tells of all.
        self._settled = settled_from(value, selected)
        first = 0 if direction > 0 else selected.size - 1
        self._place = first if place is None else place + direction
        if not may_be_bad(value.element) or not selected.size:
            self.is_done = True

    @property
    def index(self) -> tuple[int, ...] | None:
        """Where in what is selected it is."""
        return None if self.found is None else self._selected.unravelled(self.found)

    @property
    def tensor_index(self) -> tuple[int, ...] | None:
        """Where in the tensor it is."""
        return None if self.index is None else self._selected.tensor_index(self.index)

    @property
    def looked_at(self) -> float:
        """The share of the elements that was looked at."""
        share = self._place / max(self._selected.size, 1)
        return min(max(share if self.direction > 0 else 1 - share, 0.0), 1.0)

    def extend(self) -> bool:
        """Look on for a moment; True while it is not found and there is more to look at."""
        until = perf_counter() + SLICE_SECONDS
        while not self.is_done:
            self._look_further()
            if perf_counter() > until:
                break
        return not self.is_done

    def to_the_end(self) -> tuple[int, ...] | None:
        """Look until it is found or there is none: its index in the tensor."""
        while self.extend():
            pass
        return self.tensor_index

    def _look_further(self) -> None:
        if not 0 <= self._place < self._selected.size:
            self.is_done = True
            return
        if self._place >= self._settled:
            self._look_at_settled()
            return
        number = self._blocks.holding(self._place)
        start, block = self._blocks.block(number)
        bad = np.flatnonzero(bad_among(self._value.window(block)).ravel()) + start
        bad = bad[bad >= self._place] if self.direction > 0 else bad[bad <= self._place]
        if len(bad):
            self._find(int(bad[0 if self.direction > 0 else -1]))
        else:
            self._place = start + block.size if self.direction > 0 else start - 1

    def _look_at_settled(self) -> None:
        one = self._selected.flat_index(self._selected.unravelled(self._place))
        if bad_among(self._value.elements(one, one + 1))[0]:
            self._find(self._place)
        elif self.direction > 0:
            self._place = self._selected.size
        else:
            self._place = self._settled - 1

    def _find(self, place: int) -> None:
        self.found, self.is_done = place, True
