"""How executions lie in time: the strip above the timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.stores.columns import sorted_positions
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.index.host_index import HostIndex


SHORTEST = 1e-6
"""Seconds that a strip spans at least: one execution takes no time."""


LATEST = 1e12
"""Seconds since 1970 from which on a time is damaged; that is in 30,000 years."""

LOOKED_AT = 256
"""Executions at both ends of a run of which one with a sensible time is sought."""


class DensityCell(NamedTuple):
    """One stretch of time."""

    executions: int
    bad: int
    """Bad tensors in it, inside graphs and outside."""
    first: int
    """Its first execution, or the next one after it."""
    has_cause: bool = False
    """Whether something went wrong by itself in it, rather than because of something before."""


class Density(NamedTuple):
    """The executions of a stretch of a run, divided into equal times."""

    cells: tuple[DensityCell, ...]
    begin: float
    """Seconds since the run began."""
    end: float
    steps: tuple[int | None, int | None] = (None, None)
    """The first and the last of them, as far as they are known."""
    first_bad: int | None = None
    """The cell of the first bad tensor of the host, if it is in this stretch."""
    bad_step: int | None = None
    """The step of that tensor."""

    def cell_of(self, execution: int) -> int | None:
        """The cell that an execution is in."""
        for number in range(len(self.cells) - 1, -1, -1):
            cell = self.cells[number]
            if cell.first <= execution < cell.first + cell.executions:
                return number
        return None


def density(
    index: HostIndex,
    columns: int,
    centre: int | None = None,
    zoom: int = 1,
    causes: Sequence[float] = (),
) -> Density:
    """The whole run in `columns` cells or, zoomed, the part of it around one execution.

    Causes are told by their times. Costs a few binary searches a cell, however long the run is.
    """
    executions, traces = index.host.executions, index.host.traces
    times = executions.wall_times
    if not len(times) or columns < 1:
        return Density((), 0.0, 0.0)
    middle = None if centre is None else float(times[min(centre, len(times) - 1)])
    begin, end, edges = _edges(_ends(times), columns, middle, zoom)
    firsts = _rows(times, edges)
    eager_bad = sorted_positions(executions.bad_events, firsts)
    graph_bad = sorted_positions(traces.bad_events, _rows(traces.wall_times, edges))
    has_cause = np.zeros(columns, np.bool_)
    has_cause[_cells_of(causes, edges)] = True
    cells = zip(
        np.diff(firsts).tolist(),
        (np.diff(eager_bad) + np.diff(graph_bad)).tolist(),
        firsts[:-1].tolist(),
        has_cause.tolist(),
        strict=True,
    )
    started, step_of = index.started, index.steps.step_of
    first_bad = _first_bad(index)
    where = _cells_of(first_bad, edges).tolist()
    return Density(
        tuple(DensityCell(*cell) for cell in cells),
        begin - started,
        end - started,
        (step_of(begin), step_of(end)),
        where[0] if where else None,
        step_of(first_bad[0]) if first_bad else None,
    )


def _edges(
    run: tuple[float, float], columns: int, middle: float | None, zoom: int
) -> tuple[float, float, npt.NDArray[np.float64]]:
    """Where a stretch of the run begins and ends, and the edges of its cells."""
    begin, end = _stretch(*run, zoom, middle)
    edges = np.linspace(begin, end, columns + 1)
    # The outermost cells include what lies before the first execution or behind the last.
    if begin <= run[0]:
        edges[0] = -np.inf
    if end >= run[1]:
        edges[-1] = np.inf
    return begin, end, edges


def _cells_of(times: Sequence[float], edges: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """The cells that some moments lie in; those outside have none."""
    cells = np.searchsorted(edges, np.asarray(times, np.float64), side="right") - 1
    return cells[(cells >= 0) & (cells < len(edges) - 1)]


def _first_bad(index: HostIndex) -> list[float]:
    """When the first bad tensor of a host was computed; nothing if none was."""
    stores = (index.host.executions, index.host.traces)
    times = [store.wall_time(int(store.bad_events[0])) for store in stores if len(store.bad_events)]
    return sorted(times)[:1]


def _ends(times: npt.NDArray[np.float64]) -> tuple[float, float]:
    """When the first and the last execution ended; damaged times are passed over."""
    heads, tails = times[:LOOKED_AT], times[-LOOKED_AT:]
    first, last = heads[np.abs(heads) < LATEST], tails[np.abs(tails) < LATEST]
    if not len(first) or not len(last):
        return 0.0, SHORTEST
    return float(first[0]), max(float(last[-1]), float(first[0]) + SHORTEST)


def _stretch(first: float, last: float, zoom: int, middle: float | None) -> tuple[float, float]:
    """A share of a run around a moment, or its first part."""
    length = max((last - first) / zoom, SHORTEST)
    if zoom == 1:
        return first, last
    if middle is None or not middle - length / 2 > first:
        return first, first + length
    if middle + length / 2 >= last:
        return last - length, last
    return middle - length / 2, middle + length / 2


def _rows(times: npt.NDArray[np.float64], edges: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """The first row at or after each edge; infinite ones stand for the ends of the column."""
    rows = np.searchsorted(times, edges)
    rows[edges == -np.inf] = 0
    rows[edges == np.inf] = len(times)
    return np.maximum.accumulate(rows)  # times may run back
