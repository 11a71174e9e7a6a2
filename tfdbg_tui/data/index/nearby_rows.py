"""Rows of traces near others: by time, where it runs back a little, and by site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Column = npt.NDArray[Any]
    Span = tuple[int, int]
    """A half-open range of rows."""

PAD = 256
"""Rows looked at beyond a bisection: parallel ops are written a little out of time order."""

MAX_PADS = 16
"""How often a window is padded: how far times may run back before tensors are missed."""

FIRST_LOOK = 1 << 10
"""Rows of the first of the ever longer stretches in which an occurrence is sought."""


# ---------------------------------------------------------------------- rows by time


def first_at_or_after(times: Column, time: float) -> int | None:
    """The first row of a time or later, where times are in order."""
    row = int(times.searchsorted(time))
    return row if row < len(times) and times[row] >= time else None


def rows_between(times: Column, after: float, until: float) -> Span:
    """Rows among which all with a time in an interval are, where times run back a little."""
    first, end = np.searchsorted(times, (after, until), side="right").tolist()
    end = max(first, end)
    for _ in range(MAX_PADS):
        start = max(0, first - PAD)
        inside = times[start:first] > after
        hit = int(inside.argmax()) if len(inside) else 0
        if not len(inside) or not inside[hit]:
            break
        first = start + hit
    for _ in range(MAX_PADS):
        inside = times[end : end + PAD] <= until
        behind = int(inside[::-1].argmax()) if len(inside) else 0
        if not len(inside) or not inside[len(inside) - 1 - behind]:
            break
        end += len(inside) - behind
    return first, end


# ---------------------------------------------------------------------- rows by site


def same_iteration(sites: Column, row: int, site: int) -> int | None:
    """The event of a site of the same graph in the same iteration, if they come in equal number."""
    (own,) = (sites == sites[row]).nonzero()
    (others,) = (sites == site).nonzero()
    if len(own) != len(others):
        return None
    return int(others[own.searchsorted(row)])


def between_neighbours(sites: Column, row: int, first: int, end: int) -> Span:
    """The rows from one occurrence of a row's own site to the next, within others."""
    own = int(sites[row])
    before = last_of(sites, own, max(first, 0), row)
    after = first_of(sites, own, row + 1, min(end, len(sites)))
    return (
        max(first, 0) if before is None else before + 1,
        min(end, len(sites)) if after is None else after,
    )


def nearest(sites: Column, site: int, row: int) -> int | None:
    """The last row of a site up to a row, else the first behind it."""
    before = last_of(sites, site, 0, min(row + 1, len(sites)))
    return first_of(sites, site, max(row + 1, 0), len(sites)) if before is None else before


def last_of(sites: Column, site: int, first: int, end: int) -> int | None:
    """The last row of a site in a range, sought from its end in ever longer stretches."""
    length = FIRST_LOOK
    while end > first:
        start = max(first, end - length)
        hits = sites[start:end] == site
        hit = len(hits) - 1 - int(hits[::-1].argmax())
        if hits[hit]:
            return start + hit
        end = start
        length *= 2
    return None


def first_of(sites: Column, site: int, first: int, end: int) -> int | None:
    """The first row of a site in a range, sought from its start in ever longer stretches."""
    length = FIRST_LOOK
    while first < end:
        hits = sites[first : min(first + length, end)] == site
        hit = int(hits.argmax())
        if hits[hit]:
            return first + hit
        first += length
        length *= 2
    return None
