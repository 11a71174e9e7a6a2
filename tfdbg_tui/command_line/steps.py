"""`steps`: the steps of training, each with its time, its events and what is bad in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.command_line.result import Cell, Head, Result, table
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.views.number_words import elapsed
from tfdbg_tui.frozen.frozen import Frozen
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer, Row
    from tfdbg_tui.data.index.host_index import HostIndex

HEADS = (
    Head("step", "step", is_number=True),
    Head("time", "time", is_number=True),
    Head("executions", "executions", is_number=True),
    Head("tensors", "graph tensors", is_number=True),
    Head("bad", "bad", is_number=True),
)

NO_STEPS = "No steps were found: no call of a training function and no loop is recorded."


def run(context: Context, command: ParsedCommand) -> Answer:
    """The steps of the host with most of them."""
    yield from context.with_steps()
    host, index = max(context.hosts.items(), key=lambda known: len(known[1].steps))
    rows = steps_of(host, index)
    if rows is None:
        return table(NO_STEPS, HEADS, ())
    yield
    return Result(counted(len(rows), "step"), heads=HEADS, rows=rows, is_empty=not len(rows))


def steps_of(host: int, index: HostIndex) -> StepRows | None:
    """The steps of a host; None if it has none."""
    count, times = len(index.steps), index.steps.times
    if not count or times is None:
        return None
    columns = [np.arange(1, count + 1), np.full(count, np.nan)]
    begins = [index.steps.time_of(step) for step in (1,)]
    starts = np.concatenate([times.begins, times.unsettled])[:count]
    columns[1][: len(starts)] = starts - index.started
    if begins[0] is not None:
        columns[1][0] = begins[0] - index.started
    stores = (index.host.executions, index.host.traces)
    bad = np.zeros(count, np.int64)
    for store in stores:
        of = times.of(store.wall_times)
        columns.append(np.bincount(of[of >= 0], minlength=count + 1)[1 : count + 1])
        bad += np.bincount(of[store.bad_events], minlength=count + 1)[1 : count + 1]
    return StepRows(host, index, (*columns, bad), np.arange(count))


class StepRows(Frozen):
    """Steps as rows."""

    host: int
    index: HostIndex
    columns: tuple[npt.NDArray[np.generic], ...]
    order: npt.NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.order)

    def rows(self, start: int, stop: int) -> Sequence[Row]:
        """Some of them."""
        return [self._row(int(row)) for row in self.order[start:stop]]

    def _row(self, row: int) -> Row:
        step, seconds, *counts = (column[row].item() for column in self.columns)
        first = self.index.steps.first_execution(step)
        link = None if first is None else EventRef(self.host, EventKind.EXECUTION, first)
        known = seconds if np.isfinite(seconds) else None
        return (
            Cell(f"{step:,}", step, link),
            Cell("" if known is None else elapsed(known), known),
            *(Cell(f"{count:,}", count) for count in counts[:-1]),
            Cell(f"{counts[-1]:,}", counts[-1], role="bad" if counts[-1] else ""),
        )

    def sorted_by(self, key: str, is_reversed: bool) -> StepRows:
        """The same in the order of a column."""
        column = self.columns[[head.key for head in HEADS].index(key)].astype(np.float64)
        order = np.argsort(-column if is_reversed else column, kind="stable")
        return StepRows(self.host, self.index, self.columns, order)
