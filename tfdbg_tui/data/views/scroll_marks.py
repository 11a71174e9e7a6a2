"""Marks beside a scroll bar: in which parts of a list bad tensors and matches are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.stores.columns import sorted_positions

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.views.event_rows import Positions

BAD, HIT = "bad", "accent"
"""The roles of marks; a match hides a bad tensor, for the user asked for it."""


LOOKED_AT = 64
"""Events of one part of a filtered list of which it is checked whether they are in it."""


def marks(
    positions: Positions,
    length: int,
    buckets: int,
    bad: npt.NDArray[np.uint32],
    hits: npt.NDArray[np.uint32] | None,
) -> list[str]:
    """A role for each of so many equal parts of a list; a few searches a part, however long it is.

    A filtered list leaves out some of the events between two of its own. Whether those in question
    are in it is told by the first few of either side.
    """
    if not length or buckets < 1:
        return []
    bounds = np.arange(buckets + 1) * length // buckets
    events = [positions.event_at(int(bound)) for bound in bounds[:-1]]
    events.append(positions.event_at(length - 1) + positions.size_at(length - 1))
    listed = positions.listed
    found = [""] * buckets
    for column, role in ((bad, BAD), (hits, HIT)):
        if column is None or not len(column):
            continue
        edges = sorted_positions(column, events)
        marked = edges[1:] > edges[:-1]
        if listed is not None and marked.any():
            own = np.minimum(bounds, len(listed))  # a search may lose matches
            marked = _first_ones_in(column, edges, listed) | _first_ones_in(listed, own, column)
        for bucket in np.flatnonzero(marked).tolist():
            found[bucket] = role
    return found


def _first_ones_in(
    numbers: npt.NDArray[np.uint32], edges: npt.NDArray[np.int64], others: npt.NDArray[np.uint32]
) -> npt.NDArray[np.bool_]:
    """For each part of a column, whether one of its first numbers is in another column."""
    if not len(others):
        return np.zeros(len(edges) - 1, np.bool_)
    starts, ends = edges[:-1, np.newaxis], edges[1:, np.newaxis]
    ranks = np.minimum(starts + np.arange(LOOKED_AT), np.maximum(ends - 1, 0))
    first_ones = numbers[ranks]
    nearest = others[np.minimum(sorted_positions(others, first_ones), len(others) - 1)]
    shared: npt.NDArray[np.bool_] = (nearest == first_ones).any(axis=1) & (edges[1:] > edges[:-1])
    return shared
