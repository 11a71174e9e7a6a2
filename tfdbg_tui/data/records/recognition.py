"""Recognising the records of a file: those that repeat what came before, and all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.records.layout_table import SENSELESS, LayoutTable, Recognised
from tfdbg_tui.data.records.layouts import LayoutRegistry
from tfdbg_tui.data.records.repetition import Repetition

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.files.tfrecord import Block
    from tfdbg_tui.data.records.layouts import LearnedRecord

FEW = 256
"""Records looked at by themselves before it is tried whether they repeat others."""

MORE = 4
"""Times as many are looked at where they do not."""


class Recogniser:
    """Says what the records of one file are, block after block."""

    def __init__(self, learn: Callable[[bytes | memoryview], LearnedRecord | None]) -> None:
        self._layouts = LayoutRegistry(learn)
        self._table = LayoutTable()
        self._repetition = Repetition(self._table)

    def rest(self) -> None:
        """Give back what only helps with many records at once; it is learned anew with more."""
        self._repetition = Repetition(self._table)

    def match(self, block: Block) -> Recognised:
        """What every record of a block is."""
        if self._table.is_full:
            self._table = LayoutTable()
            self._repetition = Repetition(self._table)
        numbers = np.full(len(block), SENSELESS, np.int32)
        sites = np.full(len(block), -1, np.int32)
        first, looked_at = 0, FEW
        self._repetition.begin(block)
        while first < len(block):
            count = self._repetition.recognise(block, first, numbers, sites)
            looked_at = FEW if count >= looked_at else MORE * looked_at
            first += count
            end = min(first + looked_at, len(block))
            if end > first:
                for layout, records, own in self._layouts.match(block, first, end):
                    numbers[records] = self._table.number_of(layout)
                    sites[records] = own
                self._repetition.expect(block, numbers[:end], sites[:end])
            first = end
        return Recognised(self._table.columns, numbers, sites)
