"""Looking at the tree of ops: what is unfolded and searched for, a cursor, where that leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.search.query_parser import typed_pattern
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.views.op_tree import OpTree
from tfdbg_tui.data.views.op_tree_rows import OpTreeRow, OpTreeRows
from tfdbg_tui.data.views.selection import Node
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.screens.session.held import health_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.records.health import Bad, Health
    from tfdbg_tui.data.views.navigator import Navigator

NOTHING_BAD = "Nothing is bad in what is recorded."
NO_MORE_BAD = {1: "No bad op below this one.", -1: "No bad op above this one."}
NO_MORE_FOUND = {1: "No other op below fits.", -1: "No other op above fits."}
NOT_FOUND = "No op fits {}: escape lists all again."
DEEPEST_ALREADY, LEAST_ALREADY = "All is unfolded.", "All is folded."
NO_GROUP = "This is an op: enter goes there, left goes to what it is in."


class OpTreePage(NamedTuple):
    """What is on the screen, but for the rows themselves."""

    rows: OpTreeRows
    ops: int
    tensors: int
    bad: int
    by_name: bool
    sought: str
    """What is searched for."""
    found: int
    is_outdated: bool
    """Whether it is to be looked at in another way, which the feed has not come to yet."""


class OpTreeCell(NamedTuple):
    """What is told of the node at the cursor."""

    row: OpTreeRow
    path: tuple[str, ...]
    """What it is in, outermost first."""
    first_bad: EventRef | None = None
    step: int | None = None
    """Of the first bad one."""
    bad: Bad | None = None
    health: Health | None = None


class OpTreeLook:
    """The part of the tree that is looked at; the cursor stays on its node."""

    def __init__(self, navigator: Navigator) -> None:
        self._navigator = navigator
        self._tree: OpTree | None = None
        self.node: int | None = None
        """Of the cursor; None until it has been put somewhere."""
        self._awaits_found = False
        """Whether the cursor is wanted on the first that was searched for."""

    @property
    def job(self) -> OpTree | None:
        """What the feed has to keep up to date; None if no run is there."""
        index = self._navigator.index
        if index is None:
            return None
        if self._tree is None or self._tree.index is not index:
            self._tree, self.node = OpTree(index), None
        return self._tree

    def page(self) -> OpTreePage | None:
        """What to show; None while nothing is known."""
        tree = self.job
        if tree is None or tree.order.sums is None:
            return None
        order, looked, sums = tree.order, tree.looked, tree.order.sums
        tops = np.flatnonzero(order.depths == 0)
        if self.node is None and looked.pattern is None:
            self._begin(tree)
        elif order.looked is looked:
            self._stay(tree)
        ops, tensors, bad = (
            int(column[tops].sum()) for column in (sums.ops, sums.tensors, sums.bad)
        )
        rows = OpTreeRows(tree, order, self._with_causes(tree))
        found, is_outdated = int(sums.matches[tops].sum()), order.looked is not tree.looked
        return OpTreePage(rows, ops, tensors, bad, looked.by_name, looked.text, found, is_outdated)

    def line(self) -> int | None:
        """The cursor's line, or that of what its node is folded into."""
        tree = self.job
        return None if tree is None or self.node is None else tree.order.line_above(self.node)

    def _with_causes(self, tree: OpTree) -> frozenset[int]:
        """The ops that are causes, and all that they are in."""
        found: set[int] = set()
        host = self._navigator.selection.host
        for cause in self._navigator.causes.ranked:
            tensor = cause.tensor
            if tensor.host == host:
                site = tree.index.host.store_of(tensor.kind).site_number(tensor.event)
                of_site = tree.nodes.node_of_site[tensor.kind]
                found.update(_path(tree, of_site[site]) if site < len(of_site) else ())
        return frozenset(found)

    def _begin(self, tree: OpTree) -> None:
        """On what is selected, if it is there; else on the first that is bad, or on top."""
        chosen = self._navigator.selection
        found: int | None = None
        if chosen.kind is EventKind.EXECUTION and chosen.execution is not None:
            of_site = tree.nodes.node_of_site[EventKind.EXECUTION]
            site = tree.index.host.executions.site_number(chosen.execution)
            found = of_site[site] if site < len(of_site) else None
        elif chosen.node is not None:
            found = tree.nodes.leaf_of(chosen.node.graph_id, chosen.node.op_name)
        if found is None and len(tree.order.bad):
            found = int(tree.order.bad[0])
        if found is not None:
            self._reveal(tree, found)
        elif len(tree.order.lines):
            self.node = int(tree.order.lines[0])

    def _stay(self, tree: OpTree) -> None:
        """Put the cursor on what there is, where its node has no line."""
        order = tree.order
        if self._awaits_found or self.node is None or order.line_above(self.node) is None:
            first = order.found if len(order.found) else order.lines
            self.node = int(first[0]) if len(first) else None
        elif order.line_of(self.node) is None:
            self.node = int(order.lines[order.line_above(self.node) or 0])
        self._awaits_found = False

    # Moving and folding.

    def choose(self, node: int) -> None:
        """Put the cursor on a node."""
        self.node = node

    def _reveal(self, tree: OpTree, node: int) -> None:
        """Put the cursor on a node, and unfold all that it is in."""
        self.node = node
        if tree.order.line_of(node) is None:
            above = _path(tree, node)[1:]
            folds = {**tree.looked.folds, **dict.fromkeys(above, True)}
            tree.looked = tree.looked._replace(folds=folds)

    def fold(self) -> str:
        """Fold the node at the cursor or, where it is, go to what it is in."""
        tree, node = self.job, self.node
        if tree is None or node is None:
            return ""
        if tree.nodes.ops[node] is None and _is_unfolded(tree, node):
            self._set_fold(tree, node, is_unfolded=False)
            return ""
        above = tree.nodes.parents[node]
        if above < 0:
            return LEAST_ALREADY
        self.node = above
        return ""

    def unfold(self) -> str:
        """Unfold the node at the cursor or, where it is, go to the first that is in it."""
        tree, node = self.job, self.node
        if tree is None or node is None:
            return ""
        if tree.nodes.ops[node] is not None:
            return NO_GROUP
        if not _is_unfolded(tree, node):
            self._set_fold(tree, node, is_unfolded=True)
            return ""
        line = tree.order.line_of(node)
        if line is not None and line + 1 < len(tree.order.lines):
            self.node = int(tree.order.lines[line + 1])
        return ""

    def toggle(self) -> None:
        """Fold or unfold the node at the cursor."""
        tree, node = self.job, self.node
        if tree is not None and node is not None:
            self._set_fold(tree, node, is_unfolded=not _is_unfolded(tree, node))

    def _set_fold(self, tree: OpTree, node: int, is_unfolded: bool) -> None:
        folds = {**tree.looked.folds, node: is_unfolded}
        tree.looked = tree.looked._replace(folds=folds)

    def deepen(self, levels: int) -> str:
        """Unfold one level more of everything, or one less."""
        tree = self.job
        if tree is None:
            return ""
        # Keys may be pressed before anything is known: they count all the same.
        known = tree.order.depths
        deepest = int(known.max()) if len(known) else tree.looked.levels + 1
        now = min(max(0, tree.looked.levels + levels), deepest)
        if now == tree.looked.levels and not tree.looked.folds:
            return DEEPEST_ALREADY if levels > 0 else LEAST_ALREADY
        tree.looked = tree.looked._replace(levels=now, folds={})
        return ""

    def sort(self) -> str:
        """Put all in the order of names, or what is worst first."""
        tree = self.job
        if tree is None:
            return ""
        tree.looked = tree.looked._replace(by_name=not tree.looked.by_name)
        return (
            "In the order of names." if tree.looked.by_name else "What went bad first stands first."
        )

    # Finding.

    def search(self, text: str) -> None:
        """List what fits alone, or all again; raises QueryError."""
        tree = self.job
        if tree is not None:
            pattern = typed_pattern(text) if text else None
            tree.looked = tree.looked._replace(pattern=pattern, text=text, folds={})
            self._awaits_found = bool(text)

    @property
    def is_searching(self) -> bool:
        """Whether anything is searched for."""
        return self.job is not None and bool(self.job.looked.text)

    def go_to_next(self, direction: int) -> str:
        """Go to the next op that was searched for or, without a search, that is bad."""
        tree = self.job
        if tree is None:
            return ""
        if tree.looked.text:
            none = NOT_FOUND.format(tree.looked.text)
            return self._step(tree, tree.order.found, direction, none, NO_MORE_FOUND[direction])
        return self._step(tree, tree.order.bad, direction, NOTHING_BAD, NO_MORE_BAD[direction])

    def _step(
        self, tree: OpTree, nodes: npt.NDArray[np.int64], direction: int, none: str, no_more: str
    ) -> str:
        """Go to the next of some nodes, which may be folded into what has a line."""
        if not len(nodes):
            return none
        own = np.flatnonzero(nodes == self.node)
        if len(own):
            wanted = int(own[0]) + direction
        else:
            here = self.line()
            lines = np.array([tree.order.line_above(node) or 0 for node in nodes.tolist()])
            behind = int(np.searchsorted(lines, -1 if here is None else here))
            wanted = behind if direction > 0 else behind - 1
        if not 0 <= wanted < len(nodes):
            return no_more
        self._reveal(tree, int(nodes[wanted]))
        return ""

    # The node at the cursor.

    def cell(self) -> OpTreeCell | None:
        """What is known of the node at the cursor."""
        tree, line = self.job, self.line()
        if tree is None or line is None or self.node is None:
            return None
        (row,) = OpTreeRows(tree, tree.order, self._with_causes(tree)).rows(line, line + 1)
        path = tuple(tree.nodes.labels[node] for node in _path(tree, row.node)[:0:-1])
        first = self._first_bad(tree, row.node) if tree.nodes.ops[row.node] else None
        if first is None:
            return OpTreeCell(row, path)
        store = tree.index.host.store_of(first.kind)
        step = tree.index.steps.step_of(store.wall_time(first.event))
        return OpTreeCell(
            row, path, first, step, store.bad(first.event), health_of(tree.index, first)
        )

    def _first_bad(self, tree: OpTree, node: int) -> EventRef | None:
        sums = tree.order.sums
        if sums is None or not sums.bad[node]:
            return None
        return EventRef(
            self._navigator.selection.host, _kind(tree, node), int(sums.first_event[node])
        )

    def chosen(self) -> EventRef | Node | None:
        """Where the op at the cursor leads: its first bad computation, or its last; or itself."""
        tree, node = self.job, self.node
        named = None if tree is None or node is None else tree.nodes.ops[node]
        if tree is None or node is None or named is None:
            return None
        first = self._first_bad(tree, node)
        if first is not None:
            return first
        kind = _kind(tree, node)
        of_site = np.frombuffer(tree.nodes.node_of_site[kind][:], np.int32)
        sites = np.flatnonzero(of_site == node)
        events = tree.last[kind][sites[sites < len(tree.last[kind])]]
        if len(events) and events.max() >= 0:
            return EventRef(self._navigator.selection.host, kind, int(events.max()))
        return Node(named.graph_id, named.name, 0) if named.graph_id else None


def _kind(tree: OpTree, node: int) -> EventKind:
    named = tree.nodes.ops[node]
    return EventKind.TRACE if named is not None and named.graph_id else EventKind.EXECUTION


def _path(tree: OpTree, node: int) -> list[int]:
    """A node and what it is in."""
    path = []
    while node >= 0:
        path.append(node)
        node = tree.nodes.parents[node]
    return path


def _is_unfolded(tree: OpTree, node: int) -> bool:
    """Whether a node is to show what is below it, whether the feed has come to that or not."""
    looked = tree.looked
    usual = looked.pattern is not None or tree.nodes.depths[node] < looked.levels
    return looked.folds.get(node, usual)
