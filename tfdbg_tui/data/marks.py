"""Marks beside a scroll bar: in which parts of a list bad tensors and matches are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.columns import places

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.rows import Positions

BAD, HIT = "bad", "accent"
"""The roles of marks; a match hides a bad tensor, for the user asked for it."""


def marks(
    positions: Positions,
    length: int,
    buckets: int,
    bad: npt.NDArray[Any],
    hits: npt.NDArray[Any] | None,
) -> list[str]:
    """A role for each of so many equal parts of a list; two searches a part, however long it is."""
    if not length or buckets < 1:
        return []
    bounds = np.arange(buckets + 1) * length // buckets
    events = [positions.event_at(int(bound)) for bound in bounds[:-1]]
    events.append(positions.event_at(length - 1) + 1)
    found = [""] * buckets
    for column, role in ((bad, BAD), (hits, HIT)):
        if column is None or not len(column):
            continue
        edges = places(column, events)
        for bucket in np.flatnonzero(edges[1:] > edges[:-1]).tolist():
            found[bucket] = role
    return found
