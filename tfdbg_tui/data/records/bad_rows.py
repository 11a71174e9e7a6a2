"""In which rows of a whole recorded tensor NaN and ∞ stand: only FULL_TENSOR tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.records.tensors import WrittenTensor

MAX_TOLD = 3
"""Rows that are told one by one."""


class BadRows(NamedTuple):
    """The rows that hold bad numbers; a row is one index of the first axis, from 0."""

    first: tuple[int, ...]
    """The first of them."""
    bad: int
    rows: int
    """How many are bad, and how many there are."""


def bad_rows(written: WrittenTensor | None) -> BadRows | None:
    """The bad rows of a tensor; None if none is bad, or not all can be looked at."""
    if written is None or not written.may_be_bad or not written.shape or written.unread:
        return None
    rows = written.shape[0]
    if not written.size:
        return None
    width = written.size // rows
    found: list[int] = []
    start = 0
    for piece in written.pieces():
        bad = (start + np.flatnonzero(~np.isfinite(piece))) // width
        found += bad[np.diff(bad, prepend=found[-1] if found else -1) > 0].tolist()
        start += len(piece)
    is_last_bad = bool(found) and not np.isfinite(written.numbers(start - 1, start)).all()
    if not found or (written.repeats and is_last_bad):
        return None
    return BadRows(tuple(found[:MAX_TOLD]), len(found), rows)
