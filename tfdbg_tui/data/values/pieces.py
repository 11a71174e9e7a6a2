"""All elements of what is selected, a piece at a time, and the repeats at its end only once.

The format leaves out what equals the last value, however much it is: few written values may stand
for more than any loop ends at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfdbg_tui.data.records.tensors import PIECE
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from tfdbg_tui.data.values.recorded_value import RecordedValue
    from tfdbg_tui.data.values.slices import Selected

SLICE_SECONDS = 0.004
"""How long a job works in one go."""


class Piece(NamedTuple):
    """Some elements that follow each other."""

    place: int
    """Of the first, in the order of what is selected."""
    values: npt.NDArray[Any]
    """All in a row."""
    weight: int = 1
    """How many elements each of them stands for."""


def pieces_of(value: RecordedValue, selected: Selected) -> Iterator[Piece]:
    """All of them; the last one may stand for as many as are left out."""
    end = settled_from(value, selected)
    blocks = selected.blocks(PIECE)
    for number in range(blocks.holding(end - 1) + 1 if end else 0):
        place, block = blocks.block(number)
        yield Piece(place, value.window(block).reshape(-1)[: end - place])
    if end < selected.size:
        last = selected.flat_index(selected.unravelled(end))
        yield Piece(end, value.elements(last, last + 1), selected.size - end)


def settled_from(value: RecordedValue, selected: Selected) -> int:
    """From which place of what is selected on all elements are the same one, repeated.

    As many as there are where that is not known: something selected backwards repeats at its start.
    """
    if value.settled >= value.size or not selected.keeps_order:
        return selected.size
    low, high = 0, selected.size
    while low < high:
        middle = (low + high) // 2
        if selected.flat_index(selected.unravelled(middle)) < value.settled:
            low = middle + 1
        else:
            high = middle
    return low
