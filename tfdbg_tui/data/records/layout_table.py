"""The layouts of a file as columns: what a record says is where the number of its layout points to.

So what varies in the records of a block is found for all of them at once, whatever their layouts
are, and comes in file order.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.layouts import Layout
from tfdbg_tui.data.records.tensor_spans import HealthSource
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from tfdbg_tui.data.records.tensor_spans import TensorSpan

    Column = npt.NDArray[Any]

SENSELESS = 0
"""The number of the layout that stands for records that make no sense."""

NO_LAYOUT = Layout(0, -1, (0, 0), (), ())

APART = -1
"""In place of a mode: the tensor is no health vector."""

MAX_LAYOUTS = 1 << 16
"""Layouts that are numbered; a recording of differing tensor sizes could have any number."""

MAX_SPANS = 1 << 20
"""Tensors of all those layouts together."""


class Judged(NamedTuple):
    """A tensor of a layout of which a record tells whether it is bad."""

    position: int
    """Which of all tensors of its record."""
    span: TensorSpan


class LayoutColumns(NamedTuple):
    """What is known of layouts, by their numbers, and of their judged tensors, by theirs."""

    wall_times: Column
    """Where the time stands in a record, or -1."""
    id_starts: Column
    id_ends: Column
    """Where the ids of its outputs stand."""
    tensors: Column
    """How many tensors are judged."""
    first_spans: Column
    """The number of the first of them."""
    span_starts: Column
    """Where the numbers of each tensor stand in a record."""
    span_positions: Column
    """Which of the tensors of its record each is."""
    span_modes: Column
    """The mode in which each was recorded, if it is a health vector."""
    vector_modes: tuple[int, ...]
    """The modes in which health vectors were recorded."""
    apart: Mapping[int, list[Judged]]
    """The judged tensors of those layouts in which some are no health vectors; it may grow."""


class LayoutTable:
    """Numbers the layouts of one file."""

    def __init__(self) -> None:
        self._numbers: dict[Layout, int] = {}
        self.layouts: list[Layout] = []
        self._vector_modes: set[int] = set()
        self._apart: dict[int, list[Judged]] = {}
        self._by_layout = tuple(array("q") for _ in range(5))
        self._by_span = tuple(array("q") for _ in range(3))
        self._columns: LayoutColumns | None = None
        self.number_of(NO_LAYOUT)

    @property
    def is_full(self) -> bool:
        """Whether there are so many that it is better to begin anew."""
        return len(self.layouts) > MAX_LAYOUTS or len(self._by_span[0]) > MAX_SPANS

    @property
    def columns(self) -> LayoutColumns:
        """All that is known of the layouts that were numbered so far."""
        if self._columns is None:
            arrays = map(np.array, (*self._by_layout, *self._by_span))
            self._columns = LayoutColumns._make((*arrays, tuple(self._vector_modes), self._apart))
        return self._columns

    def number_of(self, layout: Layout) -> int:
        """The number of a layout, new or known."""
        number = self._numbers.get(layout)
        if number is None:
            number = self._numbers[layout] = len(self.layouts)
            self.layouts.append(layout)
            self._add(number, layout)
        return number

    def _add(self, number: int, layout: Layout) -> None:
        judged = [
            Judged(position, span)
            for position, span in enumerate(layout.tensors)
            if span.source is not HealthSource.NOTHING
        ]
        facts = (layout.wall_time, *layout.output_ids, len(judged), len(self._by_span[0]))
        for column, fact in zip(self._by_layout, facts, strict=True):
            column.append(fact)
        starts, positions, modes = self._by_span
        for position, span in judged:
            is_vector = span.source is HealthSource.VECTOR
            starts.append(span.start)
            positions.append(position)
            modes.append(span.mode if is_vector else APART)
            if is_vector:
                self._vector_modes.add(span.mode)
            else:
                self._apart[number] = judged
        self._columns = None


class Tensors(NamedTuple):
    """The judged tensors of some records, in file order."""

    firsts: Column
    """For each record where its tensors begin, and in the end how many there are."""
    records: Column
    """For each tensor the record that it is in."""
    spans: Column
    """For each tensor its number among those of all layouts."""

    def any_of_record(self, flags: Column) -> Column:
        """For each record what its tensors have, given what each has."""
        counts = np.diff(self.firsts)
        if (counts == 1).all():
            return flags
        together = np.zeros(len(counts), flags.dtype)
        some = np.flatnonzero(counts)
        if len(some):
            together[some] = np.bitwise_or.reduceat(flags, self.firsts[some])
        return together


class Recognised(NamedTuple):
    """What the records of a block are."""

    columns: LayoutColumns
    numbers: npt.NDArray[np.int32]
    """The layout of each record."""
    sites: npt.NDArray[np.int32]
    """The site of each record, -1 if it makes no sense."""

    def tensors(self) -> Tensors:
        """All tensors that can be judged."""
        columns = self.columns
        counts, first_spans = columns.tensors[self.numbers], columns.first_spans[self.numbers]
        firsts = np.zeros(len(counts) + 1, np.int64)
        np.cumsum(counts, out=firsts[1:])
        if (counts == 1).all():
            return Tensors(firsts, firsts[:-1], first_spans)
        records = np.repeat(np.arange(len(counts)), counts)
        spans = np.repeat(first_spans - firsts[:-1], counts)
        spans += np.arange(len(spans))
        return Tensors(firsts, records, spans)

    def records_apart(self) -> list[tuple[int, Column]]:
        """The layouts in which some tensors are no health vectors, and the records of each."""
        apart = self.columns.apart
        if not apart:
            return []
        counts = np.bincount(self.numbers)
        in_order = np.argsort(self.numbers, kind="stable")
        ends = np.cumsum(counts)
        numbers = [number for number in np.flatnonzero(counts).tolist() if number in apart]
        return [(n, in_order[ends[n] - counts[n] : ends[n]]) for n in numbers]
