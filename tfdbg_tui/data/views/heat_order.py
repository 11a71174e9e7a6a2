"""The order of the rows of a heat map: worst first, those of one group together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.views.heat_names import Group

    Column = npt.NDArray[Any]

MOSTLY_ZERO = 0.9
"""Share of zeros from which on a tensor that is not bad is listed before the quiet ones."""

FOLD = -(1 << 62)
"""In place of a row: the line that stands for the quiet ones that are not listed."""

NOTHING = np.empty(0, np.int64)


class Ranked(NamedTuple):
    """All rows that could be listed, as columns of one length."""

    keys: Column
    groups: Column
    """The number of the group of each."""
    first_bad: Column
    """When each was bad for the first time; NaN if never."""
    zeros: Column
    """The share of zeros that each held lately; NaN if that is not known."""


class HeatOrder(NamedTuple):
    """Lines from top to bottom."""

    lines: Column = NOTHING
    """The key of a row; -1 - number for the title of a group; or FOLD."""
    groups: tuple[Group, ...] = ()
    sizes: tuple[tuple[int, int], ...] = ()
    """Of each group: its tensors, and how many of them are ever bad."""
    quiet: int = 0
    """Rows that are neither bad nor mostly zeros."""
    bad: int = 0
    tensors: int = 0

    def line_of(self, entry: int) -> int | None:
        """The line that has a row, the title of a group or the fold."""
        found = np.flatnonzero(self.lines == entry)
        return int(found[0]) if len(found) else None

    def bad_lines(self, ever_bad: Column) -> Column:
        """The lines of those rows that are ever bad, by a table of keys."""
        lines = np.flatnonzero((self.lines >= 0) & (self.lines < len(ever_bad)))
        return lines[ever_bad[self.lines[lines]]]


def ordered(ranked: Ranked, groups: Sequence[Group], is_unfolded: bool) -> HeatOrder:
    """The bad ones by the time of their first, then what is mostly zeros, then the quiet."""
    keys, group_of, first_bad, zeros = ranked
    if not len(keys):
        return HeatOrder()
    is_bad = ~np.isnan(first_bad)
    many_zeros = np.nan_to_num(zeros, nan=0.0) >= MOSTLY_ZERO
    rank = np.where(is_bad, 0, np.where(many_zeros, 1, 2))
    within = np.where(is_bad, first_bad, np.where(many_zeros, -zeros, 0.0))
    by_worth = np.lexsort((keys, within, rank))
    place = np.empty(len(keys), np.int64)
    place[by_worth] = np.arange(len(keys))
    best = np.full(len(groups), len(keys), np.int64)
    np.minimum.at(best, group_of, place)
    quiet = int((rank == 2).sum())
    is_all = is_unfolded or quiet in (0, len(keys))
    listed = np.flatnonzero(is_all | (rank < 2))
    order = listed[np.lexsort((place[listed], best[group_of[listed]]))]
    sizes = np.bincount(group_of, minlength=len(groups))
    bad_sizes = np.bincount(group_of[is_bad], minlength=len(groups))
    return HeatOrder(
        _with_titles(keys[order], group_of[order], is_all),
        tuple(groups),
        tuple(zip(sizes.tolist(), bad_sizes.tolist(), strict=True)),
        quiet,
        int(is_bad.sum()),
        len(keys),
    )


def _with_titles(keys: Column, groups: Column, is_all: bool) -> Column:
    """The title of each group above its rows, and at the end the line for those not listed."""
    begins = np.flatnonzero(np.append(True, groups[1:] != groups[:-1])) if len(keys) else NOTHING
    lines = np.insert(keys, begins, -1 - groups[begins])
    return lines if is_all else np.append(lines, FOLD)
