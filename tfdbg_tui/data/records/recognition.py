"""Recognising the records of a file: those that repeat what came before, and all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.records.layouts import LayoutRegistry
from tfdbg_tui.data.records.repetition import Repetition

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.files.tfrecord import Block
    from tfdbg_tui.data.records.layouts import LearnedRecord, Match

FEW = 1024
"""Records looked at by themselves before it is tried whether they repeat others."""

MORE = 4
"""Times as many are looked at where they do not."""


class Recogniser:
    """Says what the records of one file are, block after block."""

    def __init__(self, learn: Callable[[bytes], LearnedRecord | None]) -> None:
        self._layouts = LayoutRegistry(learn)
        self._repetition = Repetition()

    def match(self, block: Block) -> list[Match]:
        """Every record of a block that makes sense, grouped by layout."""
        matches: list[Match] = []
        first, looked_at = 0, FEW
        self._repetition.begin(block)
        while first < len(block):
            expected = self._repetition.recognise(block, first)
            count = sum(len(match.records) for match in expected)
            looked_at = FEW if count >= looked_at else MORE * looked_at
            first += count
            end = min(first + looked_at, len(block))
            matches += expected
            if end > first:
                others = list(self._layouts.match(block, first, end))
                matches += others
                self._repetition.note(others)
                self._repetition.expect(block, end)
            first = end
        self._repetition.end()
        return matches
