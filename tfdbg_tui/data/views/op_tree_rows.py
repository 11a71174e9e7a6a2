"""The lines of a tree of ops as they come into view."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tfdbg_tui.data.views.op_tree_nodes import TOP_LEVEL
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.views.op_tree import OpTree
    from tfdbg_tui.data.views.op_tree_order import OpTreeOrder


class Level(Enum):
    """What a node is."""

    DEVICE = "device"
    FUNCTION = "function"
    SCOPE = "scope"
    """Or a graph inside a function, or a file."""
    OP = "op"


class OpTreeRow(NamedTuple):
    """One line."""

    node: int
    level: Level
    depth: int
    label: str
    is_unfolded: bool = False
    ops: int = 0
    tensors: int = 0
    """Those that were traced."""
    bad: int = 0
    zeros: float | None = None
    """The mean share of zeros of what was read; None where nothing tells it."""
    op_type: str | None = None
    is_call: bool = False
    has_cause: bool = False
    """Whether something went bad here by itself; else it came bad."""


class OpTreeRows:
    """A row source over one order."""

    def __init__(self, tree: OpTree, order: OpTreeOrder, with_causes: frozenset[int]) -> None:
        self._tree = tree
        self._order = order
        self._with_causes = with_causes
        """The ops that are causes, and all above them."""

    def __len__(self) -> int:
        return len(self._order.lines)

    def rows(self, start: int, stop: int) -> list[OpTreeRow]:
        """Some lines."""
        return [self._row(node) for node in self._order.lines[start:stop].tolist()]

    def _row(self, node: int) -> OpTreeRow:
        sums, nodes = self._order.sums, self._tree.nodes
        assert sums is not None
        op, depth, label = nodes.ops[node], int(self._order.depths[node]), nodes.labels[node]
        is_function = depth == 1 and label != TOP_LEVEL
        group = Level.DEVICE if depth == 0 else Level.FUNCTION if is_function else Level.SCOPE
        return OpTreeRow(
            node,
            group if op is None else Level.OP,
            depth,
            label,
            op is None and bool(self._order.unfolded[node]),
            int(sums.ops[node]),
            int(sums.tensors[node]),
            int(sums.bad[node]),
            sums.zero_share(node),
            self._tree.op_type(node),
            op is not None and op.is_call,
            node in self._with_causes,
        )
