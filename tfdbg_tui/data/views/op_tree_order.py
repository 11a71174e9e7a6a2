"""The lines of a tree of ops from top to bottom: sums of each node, and what is unfolded.

All of it is arithmetic over columns, level by level; what is looked at when many are unfolded
costs some tens of milliseconds at a hundred thousand ops, and that is done in parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Generator

    import numpy.typing as npt

    from tfdbg_tui.data.search.text_patterns import Pattern

    Column = npt.NDArray[Any]

NOTHING = np.empty(0, np.int64)

MOSTLY_ZERO = 0.9
"""Share of zeros from which on what is not bad stands before the rest."""


MAX_WALKED = 4096
"""Ops that are bad, or were found, among which the next one is gone to."""

SHOWN_AT_FIRST = 2
"""Levels that are unfolded: devices and functions."""


class Looked(NamedTuple):
    """How the tree is looked at; whoever looks sets it anew, the feed takes it as it is."""

    levels: int = SHOWN_AT_FIRST
    """Levels that are unfolded."""
    folds: dict[int, bool] = {}  # noqa: RUF012 - nobody changes it
    """Whether a node is unfolded where that is not as its level says."""
    by_name: bool = False
    pattern: Pattern | None = None
    """What is searched for: nothing else is listed."""
    text: str = ""
    """The same as it was typed."""


class Shape(NamedTuple):
    """How the nodes hang together, and what tells their order, as columns of one length."""

    parents: Column
    depths: Column
    by_name: Column
    """Ranks by which those of one parent are in the order of their names."""
    is_op: Column
    levels: tuple[Column, ...]
    """The nodes of each depth."""


class Sums(NamedTuple):
    """What is below each node, itself included."""

    ops: Column
    tensors: Column
    bad: Column
    """Tensors that are ever bad."""
    first_bad: Column
    """When the first of them was; infinite if never."""
    zeros: Column
    """The sum of the shares of zeros that were read."""
    sampled: Column
    """And how many that are."""
    matches: Column
    """Ops that were searched for."""
    first_event: Column
    """The event of the first bad one of an op; nothing of a group."""

    def zero_share(self, node: int) -> float | None:
        """The mean share of zeros of what was read below a node; None if that is nothing."""
        sampled = int(self.sampled[node])
        return float(self.zeros[node]) / sampled if sampled else None


class OpTreeOrder(NamedTuple):
    """Lines from top to bottom, as of one moment."""

    lines: Column = NOTHING
    """Nodes."""
    place: Column = NOTHING
    """The line of each node; -1 of what has none."""
    unfolded: Column = NOTHING
    """Whether each node shows what is below it."""
    parents: Column = NOTHING
    depths: Column = NOTHING
    sums: Sums | None = None
    bad: Column = NOTHING
    """The ops that are ever bad, in the order that they have where all is unfolded."""
    found: Column = NOTHING
    """Those that were searched for, in the same order."""
    looked: Looked = Looked()
    """How it was looked at."""

    def line_of(self, node: int) -> int | None:
        """The line of a node; None if it has none, such as what is folded."""
        if not 0 <= node < len(self.place) or self.place[node] < 0:
            return None
        return int(self.place[node])

    def line_above(self, node: int) -> int | None:
        """The line of a node or of what it is folded into."""
        while 0 <= node < len(self.place):
            if self.place[node] >= 0:
                return int(self.place[node])
            node = int(self.parents[node])
        return None


def shape_of(parents: Column, depths: Column, by_name: Column, is_op: Column) -> Shape:
    """The nodes with their levels."""
    order = np.argsort(depths.astype(np.int16), kind="stable")  # which is what is quick
    ends = np.searchsorted(depths[order], np.arange(1, int(depths.max(initial=-1)) + 1))
    return Shape(
        parents, depths, by_name, is_op, tuple(np.split(order, ends)) if len(order) else ()
    )


def empty_sums(shape: Shape) -> Sums:
    """Nothing but that ops are ops."""
    count = len(shape.parents)
    tensors, bad, sampled, matches, events = np.zeros((5, count), np.int64)
    first_bad, zeros = np.full(count, np.inf), np.zeros(count)
    ops = shape.is_op.astype(np.int64)
    return Sums(ops, tensors, bad, first_bad, zeros, sampled, matches, events)


def put_in_order(
    sums: Sums, leaves: Column, shape: Shape, looked: Looked, found: Column
) -> Generator[None, None, OpTreeOrder]:
    """The lines of a tree, and some of its ops in their order; a pause is the end of a slice."""
    keys = (shape.by_name,) if looked.by_name else _worst_first(sums, shape.by_name)
    unfolded = _unfolded(looked, shape)
    there = (sums.ops if looked.pattern is None else sums.matches) > 0
    lines = yield from _in_order(_shown(unfolded, there, shape), shape, keys)
    place = np.full(len(shape.parents), -1, np.int64)
    place[lines] = np.arange(len(lines))
    bad = yield from _among(leaves, shape, keys)
    found = yield from _among(found, shape, keys)
    return OpTreeOrder(
        lines, place, unfolded, shape.parents, shape.depths, sums, bad, found, looked
    )


def _unfolded(looked: Looked, shape: Shape) -> Column:
    """Whether each node shows what is below it; whatever leads to what is searched for does."""
    unfolded = shape.depths < looked.levels
    if looked.pattern is not None:
        unfolded[:] = True
    for node, is_unfolded in looked.folds.items():
        unfolded[node] = is_unfolded
    return unfolded


def add_up(sums: Sums, shape: Shape) -> Generator[None, None, None]:
    """Add to each node what is below it."""
    for level in shape.levels[:0:-1]:
        above = shape.parents[level]
        for name, column in zip(sums._fields, sums, strict=True):
            if name == "first_bad":
                np.minimum.at(column, above, column[level])
            elif name != "first_event":
                np.add.at(column, above, column[level])
        yield


def _in_order(
    shown: Column, shape: Shape, keys: tuple[Column, ...]
) -> Generator[None, None, Column]:
    """Some nodes, and with each the one above it, in the order of a tree.

    Those of one parent are in the order of the keys, the last of which counts most.
    """
    levels = [level[shown[level]] for level in shape.levels]
    below = shown.astype(np.int64)
    for level in levels[:0:-1]:
        np.add.at(below, shape.parents[level], below[level])
    yield
    place = np.full(len(shown), -1, np.int64)
    for depth, level in enumerate(levels):
        above = place[shape.parents[level]] if depth else np.full(len(level), -1)
        order = np.lexsort((*(key[level] for key in keys), above))
        level, above = level[order], above[order]
        before = np.cumsum(below[level]) - below[level]
        begins = np.flatnonzero(np.append(True, above[1:] != above[:-1])) if len(level) else NOTHING
        first = np.repeat(before[begins], np.diff(np.append(begins, len(level))))
        place[level] = above + 1 + before - first
        yield
    lines = np.flatnonzero(place >= 0)
    return lines[np.argsort(place[lines])]


def _among(leaves: Column, shape: Shape, keys: tuple[Column, ...]) -> Generator[None, None, Column]:
    """Some ops in the order that they have where all is unfolded."""
    leaves = leaves[:MAX_WALKED]
    mask = np.zeros(len(shape.parents), np.bool_)
    mask[leaves] = True
    for level in shape.levels[:0:-1]:
        mask[shape.parents[level[mask[level]]]] = True
    lines = yield from _in_order(mask, shape, keys)
    return lines[np.isin(lines, leaves)]


def _shown(unfolded: Column, wanted: Column, shape: Shape) -> Column:
    """A mask of those of the wanted nodes above which all is unfolded."""
    shown: Column = wanted.copy()
    for level in shape.levels[1:]:
        above = shape.parents[level]
        shown[level] &= shown[above] & unfolded[above]
    return shown


def _worst_first(sums: Sums, by_name: Column) -> tuple[Column, ...]:
    """Keys: by the time of the first bad one, then what is mostly zeros, then the rest by name."""
    share = sums.zeros / np.maximum(sums.sampled, 1)
    zeros = np.where(share >= MOSTLY_ZERO, -share, 0.0)
    return by_name, zeros, sums.first_bad
