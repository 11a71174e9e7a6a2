"""How executions lie in time: the strip above the timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tfdbg_tui.data.columns import places

if TYPE_CHECKING:
    from tfdbg_tui.data.host_index import HostIndex


SHORTEST = 1e-6
"""Seconds that a strip spans at least: one execution takes no time."""


class DensityCell(NamedTuple):
    """One stretch of time."""

    executions: int
    bad: int
    """Bad tensors in it, inside graphs and outside."""
    first: int
    """Its first execution, or the next one after it."""


class Density(NamedTuple):
    """The executions of a stretch of a run, divided into equal times."""

    cells: tuple[DensityCell, ...]
    begin: float
    """Seconds since the run began."""
    end: float

    def cell_of(self, execution: int) -> int | None:
        """The cell that an execution is in."""
        for number in range(len(self.cells) - 1, -1, -1):
            cell = self.cells[number]
            if cell.first <= execution < cell.first + cell.executions:
                return number
        return None


def density(index: HostIndex, columns: int, centre: int | None = None, zoom: int = 1) -> Density:
    """The whole run in `columns` cells or, zoomed, the part of it around one execution.

    Costs a few binary searches for each cell, however long the run is.
    """
    times = index.host.executions.events["wall_time"]
    if not len(times) or columns < 1:
        return Density((), 0.0, 0.0)
    begin, end = _stretch(float(times[0]), float(times[-1]), zoom)
    if centre is not None:
        middle = float(times[min(centre, len(times) - 1)])
        shift = max(0.0, min(middle - (begin + end) / 2, float(times[-1]) - end))
        begin, end = begin + shift, end + shift
    edges = np.linspace(begin, end, columns + 1)
    firsts = np.searchsorted(times, edges)
    firsts[-1] = np.searchsorted(times, edges[-1], side="right")
    firsts = np.maximum.accumulate(firsts)  # times may run back
    traces = index.host.traces
    eager_bad = places(index.host.executions.alerts["event"], firsts)
    first_traces = np.searchsorted(traces.events["wall_time"], edges)
    graph_bad = places(traces.alerts["event"], np.maximum.accumulate(first_traces))
    cells = zip(
        np.diff(firsts).tolist(),
        (np.diff(eager_bad) + np.diff(graph_bad)).tolist(),
        firsts[:-1].tolist(),
        strict=True,
    )
    return Density(
        tuple(DensityCell(*cell) for cell in cells), begin - index.started, end - index.started
    )


def _stretch(first: float, last: float, zoom: int) -> tuple[float, float]:
    """The first part of a run: a share of its length, and never nothing."""
    return first, first + max(last - first, SHORTEST) / zoom
