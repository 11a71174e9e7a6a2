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


LOOKED_AT = 256
"""Events of one part of a list of which it is checked whether they are in the list."""


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
    events.append(positions.event_at(length - 1) + positions.size_at(length - 1))
    listed = positions.listed
    found = [""] * buckets
    for column, role in ((bad, BAD), (hits, HIT)):
        if column is None or not len(column):
            continue
        edges = places(column, events)
        for bucket in np.flatnonzero(edges[1:] > edges[:-1]).tolist():
            inside = column[edges[bucket] : edges[bucket + 1]]
            if listed is None or _meet(inside, listed[bounds[bucket] : bounds[bucket + 1]]):
                found[bucket] = role
    return found


def _meet(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    """Whether two ascending columns share a number, as far as the first few tell."""
    few, many = (one, other) if len(one) < len(other) else (other, one)
    if not len(few):
        return False
    few = few[:LOOKED_AT]
    found = many[np.minimum(places(many, few), len(many) - 1)]
    return bool((found == few).any())
